// The locked realm: the bare one, none of whose built-ins can be changed. Its groups of host functions answer to every name; one that the host does
// not lend is a call that the host refuses.
(function (native, kit) {
  'use strict';

  const { defineProperty, freeze, getOwnPropertyDescriptor, getPrototypeOf, global, hasOwn, ownKeys, TypeError } = kit;
  const { Proxy } = globalThis;

  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

  // Texts are no code here.
  defineProperty(global, 'eval', { __proto__: null, value: undefined, writable: false, configurable: false });

  // A frozen prototype must not keep objects from having a property of the same name. These are accessors, therefore: reading gives what stood there, writing
  // gives the object that is written to a property of its own.
  const lockedValues = new WeakMap();
  kit.lockedValue = (getter) => kit.weakMapGet(lockedValues, getter);
  const lend = (holder, key, value) => {
    const { get, set } = {
      get() {
        return value;
      },
      set(changed) {
        if (this === holder || !isObject(this)) throw new TypeError(`${kit.String(key)} is locked: it cannot be changed`);
        defineProperty(this, key, { __proto__: null, value: changed, writable: true, enumerable: true, configurable: true });
      },
    };
    freeze(get);
    freeze(set);
    kit.weakMapSet(lockedValues, get, value);
    defineProperty(holder, key, { __proto__: null, get, set, enumerable: getOwnPropertyDescriptor(holder, key).enumerable, configurable: false });
  };

  const errors = new Set();
  for (const name of ['AggregateError', 'Error', 'EvalError', 'InternalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError']) {
    errors.add(globalThis[name].prototype);
  }
  const overridden = new Set(['constructor', 'toJSON', 'toLocaleString', 'toString', 'valueOf']);
  const isOverridden = (holder, key) => {
    if (typeof key !== 'string') return false;
    if (holder === Object.prototype || errors.has(holder)) return true;
    // `await` reads it.
    if (holder === Promise.prototype) return false;
    return overridden.has(key);
  };
  const isPrototype = (holder) => holder === Object.prototype || (hasOwn(holder, 'constructor') && typeof holder !== 'function') || holder === Function.prototype;

  const seen = new Set([global, console, getPrototypeOf(console)]);
  const waiting = [];
  const see = (value) => {
    if (!isObject(value) || seen.has(value)) return;
    seen.add(value);
    waiting.push(value);
  };
  for (const name of ownKeys(global)) see(getOwnPropertyDescriptor(global, name).value);
  for (const hidden of [
    getPrototypeOf(async () => {}), getPrototypeOf(function* () {}), getPrototypeOf(async function* () {}), getPrototypeOf([][Symbol.iterator]()),
    getPrototypeOf(new Map()[Symbol.iterator]()), getPrototypeOf(new Set()[Symbol.iterator]()), getPrototypeOf(''[Symbol.iterator]()),
    getPrototypeOf(/a/[Symbol.matchAll]('')), getPrototypeOf([].values().map(() => 0)), getPrototypeOf(Iterator.from({ next() {} })),
  ]) see(hidden);
  for (let i = 0; i < waiting.length; i++) {
    const holder = waiting[i];
    see(getPrototypeOf(holder));
    for (const key of ownKeys(holder)) {
      const { value, get, set, configurable } = getOwnPropertyDescriptor(holder, key);
      see(value);
      see(get);
      see(set);
      if (configurable && get === undefined && set === undefined && isPrototype(holder) && isOverridden(holder, key)) lend(holder, key, value);
    }
    freeze(holder);
  }

  for (const name of ownKeys(global)) {
    defineProperty(global, name, { __proto__: null, writable: false, configurable: false });
  }

  // What `tools.x.y` is, where there is no such function: a function whose calls go to the host, which says so.
  const unknownAt = (unknown, path) =>
    new Proxy(freeze(function () {}), {
      __proto__: null,
      get: (target, key) => (typeof key === 'symbol' || key === 'then' ? undefined : unknownAt(unknown, `${path}.${key}`)),
      apply: (target, self, args) => unknown(path, args),
    });

  // `functions` has what the host lends, and under '' what it is called with when it is asked for something else.
  native.onLend((functions, name) => {
    const unknown = functions[''];
    delete functions[''];
    const names = ownKeys(functions);
    for (let i = 0; i < names.length; i++) freeze(functions[names[i]]);
    return new Proxy(freeze(functions), {
      __proto__: null,
      get(target, key) {
        if (hasOwn(target, key)) return target[key];
        return typeof key === 'symbol' || key === 'then' || unknown === undefined ? undefined : unknownAt(unknown, `${name}.${key}`);
      },
    });
  });
});
