// What `inspect` calls a value: its class, its tag, the text that stands before the braces. Looks at data properties only, so no getter
// and no trap of the script runs; a chain is followed to the first proxy.
(function (native, kit) {
  'use strict';

  const { descriptor, getPrototypeOf } = kit;
  const { functionKind, kind } = native;
  const { toStringTag } = Symbol;
  const LONGEST_CHAIN = 1000;

  const prototypeOf = (object) => (kind(object) === 'Proxy' ? null : getPrototypeOf(object));

  // What a property has, without running anything of the script: a locked realm has accessors of its own in the place of some.
  const dataOf = (property) => (property.get !== undefined && kit.lockedValue !== undefined ? kit.lockedValue(property.get) : property.value);

  const ownData = (object, key) => {
    const property = kind(object) === 'Proxy' ? undefined : descriptor(object, key);
    return property && dataOf(property);
  };

  // The data property that `object[key]` finds, or undefined.
  const dataProperty = (object, key) => {
    for (let at = object, steps = 0; at !== null && steps < LONGEST_CHAIN; at = prototypeOf(at), steps++) {
      if (kind(at) === 'Proxy') return undefined;
      const property = descriptor(at, key);
      if (property) return dataOf(property);
    }
    return undefined;
  };

  const inChain = (object, prototype) => {
    for (let at = prototypeOf(object), steps = 0; at !== null && steps < LONGEST_CHAIN; at = prototypeOf(at), steps++) {
      if (at === prototype) return true;
    }
    return false;
  };

  const functionName = (value) => {
    const name = dataProperty(value, 'name');
    return typeof name === 'string' ? name : '';
  };

  const intrinsicName = (object) => (typeof object === 'function' ? 'Function' : kind(object));

  // The name of the constructor that made `object`, as far as can be told; null without a prototype. `levels`: how many prototypes may be
  // told of in its place.
  const className = (object, levels) => {
    for (let at = object, steps = 0; at !== null && steps < LONGEST_CHAIN; at = prototypeOf(at), steps++) {
      const constructor = ownData(at, 'constructor');
      if (typeof constructor !== 'function' || kind(constructor) === 'Proxy') continue;
      const name = functionName(constructor);
      const prototype = ownData(constructor, 'prototype');
      if (name !== '' && kind(prototype) !== undefined && inChain(object, prototype)) return name;
    }
    const prototype = prototypeOf(object);
    if (prototype === null) return null;
    if (levels < 0) return `${intrinsicName(object)} <Complex prototype>`;
    const above = className(prototype, levels - 1);
    return `${intrinsicName(object)} <${above === null ? '[Object: null prototype] {}' : above}>`;
  };

  // Symbol.toStringTag where the class says something that its name does not.
  const tagOf = (object) => {
    const own = descriptor(object, toStringTag);
    if (own && own.enumerable) return ''; // it is listed
    if (kit.isView(object)) return kind(object); // there it is a getter
    const tag = dataProperty(object, toStringTag);
    return typeof tag === 'string' ? tag : '';
  };

  // "Foo ", "Foo(2) [Tag] ", "[Object: null prototype] "
  const prefix = (name, tag, fallback, size = '') => {
    if (name === null) return `[${fallback}${size}: null prototype] ${tag !== '' && tag !== fallback ? `[${tag}] ` : ''}`;
    return `${name}${size} ${tag !== '' && tag !== name ? `[${tag}] ` : ''}`;
  };

  const describeClass = (value, name, tag) => {
    const own = ownData(value, 'name');
    let text = `class ${typeof own === 'string' && own !== '' ? own : '(anonymous)'}`;
    if (name !== 'Function' && name !== null) text += ` [${name}]`;
    if (tag !== '' && tag !== name) text += ` [${tag}]`;
    if (name === null) return `[${text} extends null]`;
    const parent = prototypeOf(value);
    const parentName = parent === null ? '' : functionName(parent);
    return parentName === '' ? `[${text}]` : `[${text} extends ${parentName}]`;
  };

  // "[Function: f]", "[class A extends B]"
  const describeFunction = (value, name, tag) => {
    const written = functionKind(value);
    if (written === 'class') return describeClass(value, name, tag);
    const type = written === 'native' ? 'Function' : written;
    const own = functionName(value);
    let text = `[${type}${name === null ? ' (null prototype)' : ''}${own === '' ? ' (anonymous)' : `: ${own}`}]`;
    if (name !== type && name !== null) text += ` ${name}`;
    if (tag !== '' && tag !== name) text += ` [${tag}]`;
    return text;
  };

  kit.ownData = ownData;
  kit.dataProperty = dataProperty;
  kit.prototypeOf = prototypeOf;
  kit.className = className;
  kit.tagOf = tagOf;
  kit.prefix = prefix;
  kit.describeFunction = describeFunction;
});
