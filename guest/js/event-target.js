// EventTarget (https://dom.spec.whatwg.org/#interface-eventtarget). Nothing here is a tree: an event is always at its target.
(function (native, kit) {
  'use strict';

  const { apply, dictionary, DOMException, eventState, list, mapGet, mapSet, needArguments, TypeError } = kit;
  const AT_TARGET = 2;

  const flatten = (options, name) => {
    if (typeof options === 'boolean') return { __proto__: null, capture: options };
    const { capture, once, passive, signal } = dictionary(options, name);
    return { __proto__: null, capture: !!capture, once: !!once, passive: !!passive, signal };
  };

  const isCallback = (callback) => typeof callback === 'function' || typeof callback === 'object';

  const indexOf = (listeners, callback, capture) => {
    for (let i = 0; i < listeners.length; i++) {
      if (listeners[i].callback === callback && listeners[i].capture === capture) return i;
    }
    return -1;
  };

  const remove = (listeners, callback, capture) => {
    const index = indexOf(listeners, callback, capture);
    if (index < 0) return;
    listeners[index].isRemoved = true;
    for (let i = index + 1; i < listeners.length; i++) listeners[i - 1] = listeners[i];
    listeners.length--;
  };

  // An exception of a listener is the run's to hear of, the other listeners still run.
  const call = (listener, event, state) => {
    state.isPassive = listener.passive;
    try {
      const { callback } = listener;
      if (typeof callback === 'function') apply(callback, state.currentTarget, [event]);
      else apply(callback.handleEvent, callback, [event]);
    } catch (error) {
      kit.report(error);
    }
    state.isPassive = false;
  };

  const dispatch = (listeners, event, state) => {
    const current = list();
    for (let i = 0; i < listeners.length; i++) current[i] = listeners[i];
    for (let i = 0; i < current.length && !state.stopsNow; i++) {
      const listener = current[i];
      if (listener.isRemoved) continue;
      if (listener.once) remove(listeners, listener.callback, listener.capture);
      call(listener, event, state);
    }
  };

  class EventTarget {
    #listeners; // Map of types to lists; made when there is one

    static {
      // Fires an event that the realm itself makes.
      kit.fire = (target, event) => {
        eventState(event).isTrusted = true;
        EventTarget.#dispatch(target, event);
      };
      kit.platform[kit.platform.length] = (value) => (#listeners in value ? [] : undefined);
      kit.addListener = (target, type, callback) => EventTarget.#add(target, type, callback, { __proto__: null, capture: false });
      kit.removeListener = (target, type, callback) => remove(EventTarget.#of(target, type), callback, false);
    }

    static #add(target, type, callback, options) {
      const listeners = EventTarget.#of(target, type);
      const { capture, once, passive, signal } = options;
      if (indexOf(listeners, callback, capture) >= 0) return;
      listeners[listeners.length] = { __proto__: null, callback, capture, once, passive, isRemoved: false };
      if (signal) kit.onAbort(signal, () => remove(listeners, callback, capture));
    }

    static #of(target, type) {
      target.#listeners ??= new kit.Map();
      let listeners = mapGet(target.#listeners, type);
      if (!listeners) mapSet(target.#listeners, type, (listeners = list()));
      return listeners;
    }

    static #dispatch(target, event) {
      const state = eventState(event);
      state.isDispatched = true;
      state.target = state.currentTarget = target;
      state.phase = AT_TARGET;
      const listeners = target.#listeners && mapGet(target.#listeners, kit.eventType(event));
      if (listeners && !state.stops) dispatch(listeners, event, state);
      state.phase = 0;
      state.currentTarget = null;
      state.isDispatched = state.stops = state.stopsNow = false;
      return !state.isCanceled;
    }

    addEventListener(type, callback, options = undefined) {
      needArguments(arguments.length, 2, 'addEventListener');
      type = `${type}`;
      const { capture, once, passive, signal } = flatten(options, 'addEventListener');
      if (signal !== undefined && !kit.isAbortSignal(signal)) throw new TypeError('addEventListener: signal must be an AbortSignal');
      if (!isCallback(callback) && callback !== undefined) throw new TypeError('addEventListener: the listener must be a function or an object');
      if (!(#listeners in this)) throw new TypeError('addEventListener: this is not an EventTarget');
      if (callback === null || callback === undefined || (signal && kit.isAborted(signal))) return;
      EventTarget.#add(this, type, callback, { __proto__: null, capture, once, passive, signal });
    }

    removeEventListener(type, callback, options = undefined) {
      needArguments(arguments.length, 2, 'removeEventListener');
      const listeners = this.#listeners && mapGet(this.#listeners, `${type}`);
      const { capture } = flatten(options, 'removeEventListener');
      if (listeners) remove(listeners, callback, capture);
    }

    dispatchEvent(event) {
      needArguments(arguments.length, 1, 'dispatchEvent');
      if (!(#listeners in this) || !kit.isEvent(event)) throw new TypeError('dispatchEvent: the event must be an Event');
      const state = eventState(event);
      if (state.isDispatched) throw new DOMException('The event is already being dispatched', 'InvalidStateError');
      state.isTrusted = false;
      return EventTarget.#dispatch(this, event);
    }
  }

  kit.platformClass(EventTarget);
  kit.EventTarget = EventTarget;
});
