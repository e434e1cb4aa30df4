// Event and CustomEvent (https://dom.spec.whatwg.org/#interface-event).
(function (native, kit) {
  'use strict';

  const { dictionary, needArguments } = kit;
  const { now, started } = native;

  let state;

  class Event {
    #type;
    #bubbles;
    #cancelable;
    #composed;
    #timeStamp = now() - started();
    #state = { __proto__: null, target: null, currentTarget: null, phase: 0, isCanceled: false, isPassive: false, stops: false, stopsNow: false, isDispatched: false, isTrusted: false };

    static {
      state = (event) => event.#state;
      kit.isEvent = (value) => typeof value === 'object' && value !== null && #state in value;
      kit.platform[kit.platform.length] = (value) => {
        if (!(#state in value)) return undefined;
        return ['type: ', value.#type, 'defaultPrevented: ', value.#state.isCanceled, 'cancelable: ', value.#cancelable, 'timeStamp: ', value.#timeStamp];
      };
      kit.eventType = (event) => event.#type;
      kit.cancel = (event) => {
        if (event.#cancelable && !event.#state.isPassive) event.#state.isCanceled = true;
      };
      kit.initEvent = (event, type, bubbles, cancelable) => {
        const own = event.#state;
        if (own.isDispatched) return false;
        own.stops = own.stopsNow = own.isCanceled = own.isTrusted = false;
        own.target = null;
        event.#type = `${type}`;
        event.#bubbles = !!bubbles;
        event.#cancelable = !!cancelable;
        return true;
      };
    }

    constructor(type, eventInitDict = undefined) {
      needArguments(arguments.length, 1, 'Event');
      this.#type = `${type}`;
      const init = dictionary(eventInitDict, 'Event');
      this.#bubbles = !!init.bubbles;
      this.#cancelable = !!init.cancelable;
      this.#composed = !!init.composed;
    }

    get type() {
      return this.#type;
    }

    get target() {
      return this.#state.target;
    }

    get srcElement() {
      return this.#state.target;
    }

    get currentTarget() {
      return this.#state.currentTarget;
    }

    composedPath() {
      return this.#state.currentTarget === null ? [] : [this.#state.currentTarget];
    }

    get eventPhase() {
      return this.#state.phase;
    }

    stopPropagation() {
      this.#state.stops = true;
    }

    get cancelBubble() {
      return this.#state.stops;
    }

    set cancelBubble(value) {
      if (value) this.#state.stops = true;
    }

    stopImmediatePropagation() {
      this.#state.stops = this.#state.stopsNow = true;
    }

    get bubbles() {
      return this.#bubbles;
    }

    get cancelable() {
      return this.#cancelable;
    }

    get returnValue() {
      return !this.#state.isCanceled;
    }

    set returnValue(value) {
      if (!value) kit.cancel(this);
    }

    preventDefault() {
      kit.cancel(this);
    }

    get defaultPrevented() {
      return this.#state.isCanceled;
    }

    get composed() {
      return this.#composed;
    }

    get isTrusted() {
      return this.#state.isTrusted;
    }

    get timeStamp() {
      return this.#timeStamp;
    }

    initEvent(type, bubbles = false, cancelable = false) {
      needArguments(arguments.length, 1, 'initEvent');
      kit.initEvent(this, type, bubbles, cancelable);
    }
  }

  class CustomEvent extends Event {
    #detail;

    constructor(type, eventInitDict = undefined) {
      needArguments(arguments.length, 1, 'CustomEvent');
      super(type, eventInitDict);
      this.#detail = dictionary(eventInitDict, 'CustomEvent').detail ?? null;
    }

    get detail() {
      return this.#detail;
    }

    initCustomEvent(type, bubbles = false, cancelable = false, detail = null) {
      needArguments(arguments.length, 1, 'initCustomEvent');
      if (kit.initEvent(this, type, bubbles, cancelable)) this.#detail = detail;
    }
  }

  kit.platformClass(Event);
  kit.platformClass(CustomEvent);
  kit.constants(Event, { NONE: 0, CAPTURING_PHASE: 1, AT_TARGET: 2, BUBBLING_PHASE: 3 });
  kit.Event = Event;
  kit.eventState = state;
});
