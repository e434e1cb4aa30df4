// structuredClone (https://html.spec.whatwg.org/#structured-cloning). Error causes are cloned too, as in V8.
(function (native, kit) {
  'use strict';

  const { bufferByteLength, descriptor, DOMException, getPrototypeOf, isView, list, mapGet, mapSet, ownData, TypeError, Uint8Array } = kit;
  const { entries, keys: keysOf, kind } = native;

  const objectPrototype = Object.prototype;
  const ERRORS = { __proto__: null, Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
  const CONSTRUCTORS = { __proto__: null, Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array,
    BigUint64Array, Float16Array, Float32Array, Float64Array, DataView };
  const MOST_ENTRIES = 0xffffffff;
  const stack = descriptor(Error.prototype, 'stack');
  const stackOf = kit.uncurryThis(stack.get);
  const setStack = kit.uncurryThis(stack.set);

  const refused = (value) => {
    const what = typeof value === 'symbol' ? kit.symbolToString(value) : kit.inspect(value, 0);
    return new DOMException(`${what} could not be cloned`, 'DataCloneError');
  };

  const put = (object, key, value, enumerable = true) => {
    kit.defineProperty(object, key, { __proto__: null, value, writable: true, enumerable, configurable: true });
  };

  const cloneBuffer = (buffer) => {
    if (kit.bufferDetached(buffer)) throw refused(buffer);
    if (!kit.bufferResizable(buffer)) return kit.typedArrayBuffer(kit.copyBytes(buffer, 0, bufferByteLength(buffer)));
    const copy = new kit.ArrayBuffer(bufferByteLength(buffer), { __proto__: null, maxByteLength: kit.bufferMaxByteLength(buffer) });
    kit.typedArraySet(new Uint8Array(copy), new Uint8Array(buffer));
    return copy;
  };

  const cloneView = (view, memory) => {
    const isDataView = kind(view) === 'DataView';
    const buffer = clone(isDataView ? kit.dataViewBuffer(view) : kit.typedArrayBuffer(view), memory);
    const offset = isDataView ? kit.dataViewByteOffset(view) : kit.typedArrayByteOffset(view);
    const length = isDataView ? kit.dataViewByteLength(view) : kit.typedArrayLength(view);
    return new CONSTRUCTORS[kind(view)](buffer, offset, length);
  };

  const cloneError = (error, memory) => {
    const constructor = ERRORS[`${error.name}`] ?? kit.Error;
    const copy = remember(memory, error, new constructor());
    const message = ownData(error, 'message');
    const text = stackOf(error);
    if (message !== undefined) put(copy, 'message', `${message}`, false);
    setStack(copy, typeof text === 'string' ? text : '');
    if (kit.hasOwn(error, 'cause')) put(copy, 'cause', clone(ownData(error, 'cause'), memory), false);
    return copy;
  };

  // Both copy their entries first: cloning one may run a getter of the script that changes the collection.
  const cloneMap = (map, memory) => {
    const copy = remember(memory, map, new kit.Map());
    const flat = entries(map, MOST_ENTRIES)[0];
    for (let i = 0; i < flat.length; i += 2) mapSet(copy, clone(flat[i], memory), clone(flat[i + 1], memory));
    return copy;
  };

  const cloneSet = (set, memory) => {
    const copy = remember(memory, set, new kit.Set());
    const flat = entries(set, MOST_ENTRIES)[0];
    for (let i = 0; i < flat.length; i++) kit.setAdd(copy, clone(flat[i], memory));
    return copy;
  };

  const cloneProperties = (from, to, memory) => {
    const keys = keysOf(from, false);
    for (let i = 0; i < keys.length; i++) {
      if (typeof keys[i] === 'string' && kit.objectPropertyIsEnumerable(from, keys[i])) put(to, keys[i], clone(from[keys[i]], memory));
    }
    return to;
  };

  const remember = (memory, value, copy) => {
    mapSet(memory, value, copy);
    return copy;
  };

  const isPlatformObject = (value) => {
    const prototype = getPrototypeOf(value);
    if (prototype === objectPrototype || prototype === null) return false;
    for (let i = 0; i < kit.platform.length; i++) if (kit.platform[i](value) !== undefined) return true;
    return false;
  };

  const cloneObject = (value, memory) => {
    if (isView(value)) return remember(memory, value, cloneView(value, memory));
    switch (kind(value)) {
      case 'Object':
      case 'Arguments':
        if (isPlatformObject(value)) throw refused(value);
        return cloneProperties(value, remember(memory, value, {}), memory);
      case 'Array': {
        const copy = new kit.Array(value.length);
        return cloneProperties(value, remember(memory, value, copy), memory);
      }
      case 'Date':
        return remember(memory, value, new kit.Date(kit.dateGetTime(value)));
      case 'RegExp':
        return remember(memory, value, new kit.RegExp(kit.regexpSource(value), native.regexpFlags(value)));
      case 'Boolean':
        return remember(memory, value, kit.Object(kit.booleanValueOf(value)));
      case 'Number':
        return remember(memory, value, kit.Object(kit.numberValueOf(value)));
      case 'BigInt':
        return remember(memory, value, kit.Object(kit.bigintValueOf(value)));
      case 'String':
        return remember(memory, value, kit.Object(kit.stringValueOf(value)));
      case 'ArrayBuffer':
        return remember(memory, value, cloneBuffer(value));
      case 'Map':
        return cloneMap(value, memory);
      case 'Set':
        return cloneSet(value, memory);
      case 'Error':
        return cloneError(value, memory);
      case 'DOMException':
        return remember(memory, value, new DOMException(kit.readDOMException(value, 'message'), kit.readDOMException(value, 'name')));
      default:
        throw refused(value);
    }
  };

  const clone = (value, memory) => {
    if (typeof value === 'symbol' || typeof value === 'function') throw refused(value);
    if (typeof value !== 'object' || value === null) return value;
    const known = mapGet(memory, value);
    return known === undefined ? cloneObject(value, memory) : known;
  };

  const transferList = (options) => {
    const { transfer } = kit.dictionary(options, 'structuredClone');
    if (transfer === undefined) return list();
    const items = typeof transfer === 'object' && transfer !== null ? kit.listFrom(transfer) : undefined;
    if (!items) throw new TypeError('structuredClone: transfer must be an iterable');
    for (let i = 0; i < items.length; i++) {
      if (kind(items[i]) !== 'ArrayBuffer' || kit.bufferDetached(items[i])) throw refused(items[i]);
      for (let earlier = 0; earlier < i; earlier++) {
        if (items[earlier] === items[i]) throw new DOMException('structuredClone: an ArrayBuffer is twice in transfer', 'DataCloneError');
      }
    }
    return items;
  };

  kit.globalFunctions({
    structuredClone(value, options = undefined) {
      kit.needArguments(arguments.length, 1, 'structuredClone');
      const transferred = transferList(options);
      const copy = clone(value, new kit.Map());
      for (let i = 0; i < transferred.length; i++) kit.bufferTransfer(transferred[i]);
      return copy;
    },
  });
});
