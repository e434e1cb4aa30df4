// What the classes of the web platform share (https://webidl.spec.whatwg.org/#javascript-binding).
(function (native, kit) {
  'use strict';

  const { define, defineProperty, descriptor, floor, getPrototypeOf, Number, ownKeys, stringToWellFormed, TypeError } = kit;

  const makeEnumerable = (object) => {
    const keys = ownKeys(object);
    for (let i = 0; i < keys.length; i++) {
      const property = descriptor(object, keys[i]);
      const isMember = typeof keys[i] === 'string' && keys[i] !== 'constructor' && keys[i] !== 'prototype' && keys[i] !== 'name' && keys[i] !== 'length';
      if (isMember) defineProperty(object, keys[i], { __proto__: null, ...property, enumerable: true });
    }
  };

  // Members are enumerable, the class has its tag, and is a global.
  kit.platformClass = (constructor) => {
    const { name, prototype } = constructor;
    makeEnumerable(constructor);
    makeEnumerable(prototype);
    defineProperty(prototype, Symbol.toStringTag, { __proto__: null, value: name, configurable: true });
    define(kit.global, name, constructor);
  };

  kit.constants = (constructor, constants) => {
    const names = kit.objectKeys(constants);
    for (let i = 0; i < names.length; i++) {
      const property = { __proto__: null, value: constants[names[i]], enumerable: true };
      defineProperty(constructor, names[i], property);
      defineProperty(constructor.prototype, names[i], property);
    }
  };

  // A function of the global object: `functions` is an object of methods.
  kit.globalFunctions = (functions) => {
    const names = kit.objectKeys(functions);
    for (let i = 0; i < names.length; i++) define(kit.global, names[i], functions[names[i]]);
  };

  kit.needArguments = (given, needed, name) => {
    if (given < needed) throw new TypeError(`${name}: ${needed} argument${needed > 1 ? 's' : ''} needed, ${given} given`);
  };

  kit.usvString = (value) => stringToWellFormed(`${value}`);

  // A dictionary: undefined and null are an empty one.
  kit.dictionary = (value, name) => {
    if (value === undefined || value === null) return { __proto__: null };
    if (typeof value !== 'object' && typeof value !== 'function') throw new TypeError(`${name}: the options must be an object`);
    return value;
  };

  // https://webidl.spec.whatwg.org/#js-unsigned-long-long with [EnforceRange]
  kit.wholeNumber = (value, name) => {
    const number = Number(value);
    if (!(number > -1 && number <= Number.MAX_SAFE_INTEGER)) throw new TypeError(`${name}: ${number} is not a whole number from 0 to 2^53 - 1`);
    return floor(number) + 0;
  };

  // Reads an iterable to the end as a list; undefined where it is not iterable.
  kit.listFrom = (iterable) => {
    const method = iterable[Symbol.iterator];
    if (method === undefined || method === null) return undefined;
    const iterator = kit.apply(method, iterable, []);
    const next = iterator.next;
    const items = kit.list();
    for (;;) {
      const step = kit.apply(next, iterator, []);
      if (typeof step !== 'object' || step === null) throw new TypeError('an iterator gave something that is not an object');
      if (step.done) return items;
      items[items.length] = step.value;
    }
  };

  // Tells the run of an error that nobody is there to catch, as an unhandled rejection.
  kit.report = (error) => {
    new kit.Promise((resolve, reject) => reject(error));
  };

  kit.iteratorPrototype = getPrototypeOf(getPrototypeOf([][Symbol.iterator]()));
});
