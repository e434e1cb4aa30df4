// AbortController and AbortSignal (https://dom.spec.whatwg.org/#aborting-ongoing-activities).
(function (native, kit) {
  'use strict';

  const { DOMException, Event, EventTarget, fire, list, needArguments, TypeError } = kit;

  const makesSignal = { __proto__: null }; // nobody else has it
  let abort;
  let make;

  const abortError = () => new DOMException('This operation was aborted', 'AbortError');

  class AbortSignal extends EventTarget {
    #isAborted = false;
    #reason = undefined;
    #algorithms = list();
    #sources = undefined; // of a signal that `any` made: those that do not follow others
    #dependents = list();
    #handler = null; // onabort

    static {
      make = () => new AbortSignal(makesSignal);
      abort = (signal, reason = abortError()) => {
        if (signal.#isAborted) return;
        const aborted = list();
        aborted[0] = signal;
        for (let i = 0; i < signal.#dependents.length; i++) {
          if (!signal.#dependents[i].#isAborted) aborted[aborted.length] = signal.#dependents[i];
        }
        for (let i = 0; i < aborted.length; i++) {
          aborted[i].#isAborted = true;
          aborted[i].#reason = reason;
        }
        for (let i = 0; i < aborted.length; i++) AbortSignal.#runSteps(aborted[i]);
      };
      kit.isAbortSignal = (value) => typeof value === 'object' && value !== null && #isAborted in value;
      kit.isAborted = (signal) => signal.#isAborted;
      kit.onAbort = (signal, algorithm) => {
        signal.#algorithms[signal.#algorithms.length] = algorithm;
      };
      kit.platform[kit.platform.length] = (value) => (#isAborted in value ? ['aborted: ', value.#isAborted] : undefined);
    }

    static #runSteps(signal) {
      const algorithms = signal.#algorithms;
      signal.#algorithms = list();
      for (let i = 0; i < algorithms.length; i++) algorithms[i]();
      fire(signal, new Event('abort'));
    }

    static #follow(signal, source) {
      if (kit.arrayIncludes(signal.#sources, source)) return;
      signal.#sources[signal.#sources.length] = source;
      source.#dependents[source.#dependents.length] = signal;
    }

    constructor(secret) {
      if (secret !== makesSignal) throw new TypeError('AbortSignal cannot be constructed: use an AbortController, or AbortSignal.abort, any or timeout');
      super();
    }

    static abort(reason = undefined) {
      const signal = make();
      signal.#isAborted = true;
      signal.#reason = reason === undefined ? abortError() : reason;
      return signal;
    }

    static timeout(milliseconds) {
      needArguments(arguments.length, 1, 'AbortSignal.timeout');
      const signal = make();
      const delay = kit.wholeNumber(milliseconds, 'AbortSignal.timeout');
      kit.startTimer(() => abort(signal, new DOMException('The operation was aborted due to timeout', 'TimeoutError')), delay);
      return signal;
    }

    static any(signals) {
      needArguments(arguments.length, 1, 'AbortSignal.any');
      const given = typeof signals === 'object' && signals !== null ? kit.listFrom(signals) : undefined;
      if (!given) throw new TypeError('AbortSignal.any: the signals must be an iterable');
      for (let i = 0; i < given.length; i++) {
        if (!kit.isAbortSignal(given[i])) throw new TypeError(`AbortSignal.any: signal ${i} is not an AbortSignal`);
      }
      const signal = make();
      for (let i = 0; i < given.length; i++) {
        if (!given[i].#isAborted) continue;
        signal.#isAborted = true;
        signal.#reason = given[i].#reason;
        return signal;
      }
      signal.#sources = list();
      for (let i = 0; i < given.length; i++) {
        const sources = given[i].#sources;
        if (!sources) AbortSignal.#follow(signal, given[i]);
        else for (let s = 0; s < sources.length; s++) AbortSignal.#follow(signal, sources[s]);
      }
      return signal;
    }

    get aborted() {
      return this.#isAborted;
    }

    get reason() {
      return this.#reason;
    }

    throwIfAborted() {
      if (this.#isAborted) throw this.#reason;
    }

    get onabort() {
      return this.#handler && this.#handler.callback;
    }

    // The handler keeps its place among the listeners while it is exchanged (https://html.spec.whatwg.org/#event-handler-idl-attributes).
    set onabort(value) {
      const callback = typeof value === 'function' ? value : null;
      if (callback === null) {
        if (this.#handler) kit.removeListener(this, 'abort', this.#handler.listener);
        this.#handler = null;
      } else if (this.#handler) {
        this.#handler.callback = callback;
      } else {
        const handler = { __proto__: null, callback, listener: undefined };
        const signal = this;
        handler.listener = (event) => kit.apply(handler.callback, signal, [event]);
        this.#handler = handler;
        kit.addListener(this, 'abort', handler.listener);
      }
    }
  }

  class AbortController {
    #signal = make();

    static {
      kit.platform[kit.platform.length] = (value) => (#signal in value ? ['signal: ', value.#signal] : undefined);
    }

    get signal() {
      return this.#signal;
    }

    abort(reason = undefined) {
      abort(this.#signal, reason);
    }
  }

  kit.platformClass(AbortSignal);
  kit.platformClass(AbortController);
});
