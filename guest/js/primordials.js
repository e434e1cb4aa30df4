// What the realm's own code relies on, copied before the source can change it.
//
// House rules of these files, so that a script that patches the built-ins neither breaks nor sees them:
// - a built-in is called through `kit` only; methods take their `this` as the first argument;
// - lists are made by `list()`: arrays without a prototype, so that no setter on `Array.prototype` sees a write;
// - no `for-of`, no spread, no array destructuring: the iterators are the script's to patch;
// - option objects and property descriptors have no prototype: `{ __proto__: null, ... }`.
(function (native, kit) {
  'use strict';

  const { bind, call } = Function.prototype;
  const uncurryThis = bind.bind(call);

  kit.uncurryThis = uncurryThis;
  kit.apply = Reflect.apply;
  kit.construct = Reflect.construct;
  kit.ownKeys = Reflect.ownKeys;
  kit.global = globalThis;

  kit.Array = Array;
  kit.ArrayBuffer = ArrayBuffer;
  kit.BigInt = BigInt;
  kit.Date = Date;
  kit.DOMException = DOMException;
  kit.Error = Error;
  kit.Map = Map;
  kit.Number = Number;
  kit.Object = Object;
  kit.Promise = Promise;
  kit.RangeError = RangeError;
  kit.RegExp = RegExp;
  kit.Set = Set;
  kit.String = String;
  kit.Symbol = Symbol;
  kit.TypeError = TypeError;
  kit.Uint8Array = Uint8Array;

  kit.create = Object.create;
  kit.defineProperty = Object.defineProperty;
  kit.freeze = Object.freeze;
  kit.getOwnPropertyDescriptor = Object.getOwnPropertyDescriptor;
  kit.getPrototypeOf = Object.getPrototypeOf;
  kit.setPrototypeOf = Object.setPrototypeOf;
  kit.is = Object.is;
  kit.arrayPrototype = Array.prototype;
  kit.isArray = Array.isArray;
  kit.objectKeys = Object.keys;
  kit.hasOwn = Object.hasOwn;
  kit.isView = ArrayBuffer.isView;

  kit.floor = Math.floor;
  kit.trunc = Math.trunc;
  kit.max = Math.max;
  kit.min = Math.min;
  kit.sqrt = Math.sqrt;
  kit.abs = Math.abs;

  kit.isInteger = Number.isInteger;
  kit.parseInt = parseInt;
  kit.parseFloat = parseFloat;
  kit.fromCharCode = String.fromCharCode;
  kit.jsonStringify = JSON.stringify;

  const methods = (constructor, prefix, names) => {
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      kit[prefix + name[0].toUpperCase() + name.slice(1)] = uncurryThis(constructor.prototype[name]);
    }
  };
  methods(String, 'string', [
    'charCodeAt', 'codePointAt', 'endsWith', 'includes', 'indexOf', 'isWellFormed', 'lastIndexOf', 'normalize', 'padEnd', 'padStart',
    'repeat', 'slice', 'startsWith', 'toLowerCase', 'toUpperCase', 'toWellFormed', 'trim', 'valueOf',
  ]);
  methods(Number, 'number', ['toString', 'valueOf']);
  methods(Boolean, 'boolean', ['valueOf']);
  methods(BigInt, 'bigint', ['toString', 'valueOf']);
  methods(Symbol, 'symbol', ['toString', 'valueOf']);
  methods(Array, 'array', ['includes', 'sort']);
  methods(Map, 'map', ['clear', 'delete', 'get', 'has', 'set']);
  methods(Set, 'set', ['add', 'delete', 'has']);
  methods(WeakMap, 'weakMap', ['get', 'has', 'set']);
  methods(Date, 'date', [
    'getTime', 'getUTCDate', 'getUTCDay', 'getUTCFullYear', 'getUTCHours', 'getUTCMilliseconds', 'getUTCMinutes', 'getUTCMonth',
    'getUTCSeconds', 'toISOString', 'toString',
  ]);
  methods(RegExp, 'regexp', ['exec', 'toString']);
  methods(Function, 'function', ['toString']);
  methods(Promise, 'promise', ['then']);
  methods(ArrayBuffer, 'buffer', ['transfer']);
  methods(Object, 'object', ['propertyIsEnumerable']);

  const getter = (prototype, name) => uncurryThis(Object.getOwnPropertyDescriptor(prototype, name).get);
  const typedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype);
  kit.mapSize = getter(Map.prototype, 'size');
  kit.setSize = getter(Set.prototype, 'size');
  kit.symbolDescription = getter(Symbol.prototype, 'description');
  kit.regexpSource = getter(RegExp.prototype, 'source');
  kit.bufferByteLength = getter(ArrayBuffer.prototype, 'byteLength');
  kit.bufferDetached = getter(ArrayBuffer.prototype, 'detached');
  kit.bufferResizable = getter(ArrayBuffer.prototype, 'resizable');
  kit.bufferMaxByteLength = getter(ArrayBuffer.prototype, 'maxByteLength');
  kit.typedArrayBuffer = getter(typedArrayPrototype, 'buffer');
  kit.typedArrayByteLength = getter(typedArrayPrototype, 'byteLength');
  kit.typedArrayByteOffset = getter(typedArrayPrototype, 'byteOffset');
  kit.typedArrayLength = getter(typedArrayPrototype, 'length');
  kit.typedArraySet = uncurryThis(typedArrayPrototype.set);
  kit.dataViewBuffer = getter(DataView.prototype, 'buffer');
  kit.dataViewByteLength = getter(DataView.prototype, 'byteLength');
  kit.dataViewByteOffset = getter(DataView.prototype, 'byteOffset');

  kit.list = () => kit.setPrototypeOf([], null);

  // Like slice(from), as a list; the method itself asks the constructor that a script may have given the array.
  kit.rest = (array, from) => {
    const items = kit.list();
    for (let i = from; i < array.length; i++) items[i - from] = array[i];
    return items;
  };

  // The same for the bytes of an ArrayBuffer.
  kit.copyBytes = (buffer, from, to) => {
    const copy = new kit.Uint8Array(to - from);
    kit.typedArraySet(copy, new kit.Uint8Array(buffer, from, to - from));
    return copy;
  };

  kit.join = (list, separator) => {
    let text = '';
    for (let i = 0; i < list.length; i++) text += i ? separator + list[i] : list[i];
    return text;
  };

  // The own property's descriptor, without a prototype: what it lacks is not looked up in `Object.prototype`.
  kit.descriptor = (object, key) => {
    const descriptor = kit.getOwnPropertyDescriptor(object, key);
    return descriptor && kit.setPrototypeOf(descriptor, null);
  };

  // An own data property as the language's built-ins have them.
  kit.define = (object, name, value) => {
    kit.defineProperty(object, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  };
});
