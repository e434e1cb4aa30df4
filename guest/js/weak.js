// WeakRef and FinalizationRegistry that cannot show garbage collection: a WeakRef holds its target, a registry never calls.
// https://tc39.es/ecma262/#sec-managing-memory
(function (native, kit) {
  'use strict';

  const { define, defineProperty, global, is, TypeError } = kit;
  const { isRegisteredSymbol } = native;

  // https://tc39.es/ecma262/#sec-canbeheldweakly
  const canBeHeldWeakly = (value) =>
    (typeof value === 'object' && value !== null) || typeof value === 'function' || (typeof value === 'symbol' && !isRegisteredSymbol(value));

  class WeakRef {
    #target;

    static {
      kit.isWeakRef = (value) => #target in value;
    }

    constructor(target) {
      if (!canBeHeldWeakly(target)) throw new TypeError('WeakRef: the target must be an object or a symbol that is not registered');
      this.#target = target;
    }

    deref() {
      return this.#target;
    }
  }

  class FinalizationRegistry {
    #tokens = kit.list(); // of the cells that could still be unregistered

    static {
      kit.isFinalizationRegistry = (value) => #tokens in value;
    }

    constructor(cleanupCallback) {
      if (typeof cleanupCallback !== 'function') throw new TypeError('FinalizationRegistry: the cleanup callback must be a function');
    }

    register(target, heldValue, ...rest) {
      const tokens = this.#tokens;
      if (!canBeHeldWeakly(target)) throw new TypeError('register: the target must be an object or a symbol that is not registered');
      if (is(target, heldValue)) throw new TypeError('register: target and held value must not be the same');
      const token = rest[0];
      if (canBeHeldWeakly(token)) tokens[tokens.length] = token;
      else if (token !== undefined) throw new TypeError('register: the unregister token must be an object or a symbol that is not registered');
    }

    unregister(token) {
      const tokens = this.#tokens;
      if (!canBeHeldWeakly(token)) throw new TypeError('unregister: the token must be an object or a symbol that is not registered');
      let kept = 0;
      for (let i = 0; i < tokens.length; i++) if (tokens[i] !== token) tokens[kept++] = tokens[i];
      const found = kept < tokens.length;
      tokens.length = kept;
      return found;
    }
  }

  const install = (constructor) => {
    const { name, prototype } = constructor;
    defineProperty(prototype, Symbol.toStringTag, { __proto__: null, value: name, configurable: true });
    define(global, name, constructor);
  };
  install(WeakRef);
  install(FinalizationRegistry);
});
