// The shapes of values, for `inspect`: { base, open, close, keys, fill, isEmpty, whole }. `base` is the text before the braces `open` and
// `close`; `fill` writes the contents before the own `keys`, which are all enumerable ones if not given. Without keys to list, a shape that
// is `whole` is its base alone, and one that `isEmpty` its braces alone.
(function (native, kit) {
  'use strict';

  const { dataProperty, describeError, describeFunction, descriptor, hasOwn, indented, inspectPrimitive, isArray, isView, layout, list, mapSize,
    min, nested, ownData, plural, prefix, propertyValue, stringIncludes, stringIndexOf, stringRepeat, stringSlice, setSize } = kit;
  const { entries, keys: keysOf, kind, promiseParts } = native;

  const addRemaining = (parts, count, noun) => {
    if (count > 0) parts[parts.length] = `... ${plural(count, noun)}`;
  };

  const holes = (count) => `<${count} empty item${count > 1 ? 's' : ''}>`;

  // The indices of a long, sparse array are found among its keys.
  const fillSparseArray = (parts, value, shown, level, context) => {
    const keys = keysOf(value, false);
    let next = 0;
    let i = 0;
    for (; i < keys.length && parts.length < shown; i++) {
      const index = typeof keys[i] === 'string' ? +keys[i] : NaN;
      if (!(index >= next && index < value.length && `${index}` === keys[i])) break;
      if (index > next) {
        parts[parts.length] = holes(index - next);
        next = index;
        if (parts.length === shown) break;
      }
      parts[parts.length] = propertyValue(descriptor(value, keys[i]), level, context);
      next++;
    }
    if (parts.length < shown && next < value.length) {
      parts[parts.length] = holes(value.length - next);
      next = value.length;
    }
    addRemaining(parts, value.length - next, 'item');
  };

  const fillArray = (parts, value, level, context) => {
    const shown = min(context.most, value.length);
    let i = 0;
    for (; i < shown && context.room > 0; i++) {
      if (!hasOwn(value, i)) {
        parts.length = 0;
        fillSparseArray(parts, value, shown, level, context);
        return;
      }
      parts[i] = propertyValue(descriptor(value, i), level, context);
    }
    addRemaining(parts, value.length - i, 'item');
  };

  const arrayShape = (value, name, tag) => {
    const before = name !== 'Array' || tag !== '' ? prefix(name, tag, 'Array', `(${value.length})`) : '';
    return {
      __proto__: null,
      open: `${before}[`,
      close: ']',
      keys: keysOf(value, true),
      isEmpty: value.length === 0,
      fill: (parts, level, context) => fillArray(parts, value, level, context),
    };
  };

  const typedArrayShape = (value, name, tag) => {
    const length = kit.typedArrayLength(value);
    return {
      __proto__: null,
      open: `${prefix(name, tag, kind(value), `(${length})`)}[`,
      close: ']',
      keys: keysOf(value, true),
      isEmpty: length === 0,
      fill: (parts, level, context) => {
        const shown = min(context.most, length);
        for (let i = 0; i < shown; i++) parts[i] = inspectPrimitive(value[i], context);
        addRemaining(parts, length - shown, 'item');
      },
    };
  };

  const collectionShape = (value, name, tag) => {
    const isMap = kind(value) === 'Map';
    const size = isMap ? mapSize(value) : setSize(value);
    return {
      __proto__: null,
      open: `${prefix(name, tag, kind(value), `(${size})`)}{`,
      isEmpty: size === 0,
      fill: (parts, level, context) => {
        const flat = entries(value, context.most)[0];
        for (let i = 0; i < flat.length && context.room > 0; i++) {
          const key = nested(flat[i], level, context);
          parts[parts.length] = isMap ? `${key} => ${nested(flat[++i], level, context)}` : key;
        }
        addRemaining(parts, size - parts.length, 'item');
      },
    };
  };

  const iteratorShape = (value, tag, context) => {
    const answer = entries(value, context.most);
    const flat = answer[0];
    const total = answer[1];
    const pairs = answer[2];
    const label = tag === '' ? kind(value) : tag;
    return {
      __proto__: null,
      open: `[${pairs ? stringSlice(label, 0, 4) === 'Map ' ? 'Map Entries' : 'Set Entries' : label}] {`,
      fill: (parts, level) => {
        for (let i = 0; i < flat.length; i++) {
          const first = nested(flat[i], level, context);
          if (pairs) {
            const both = pair(first, nested(flat[++i], level, context));
            parts[parts.length] = indented(context, () => layout(both, '', '[', ']', level, undefined, context));
          } else parts[parts.length] = first;
        }
        addRemaining(parts, total - min(total, context.most), 'item');
      },
    };
  };

  const pair = (first, second) => {
    const parts = list();
    parts[0] = first;
    parts[1] = second;
    return parts;
  };

  const promiseShape = (value, name, tag) => ({
    __proto__: null,
    open: `${prefix(name, tag, 'Promise')}{`,
    fill: (parts, level, context) => {
      const state = promiseParts(value);
      if (state[0] === 0) parts[0] = '<pending>';
      else parts[0] = (state[0] === 2 ? '<rejected> ' : '') + nested(state[1], level, context);
    },
  });

  const addByteLength = (parts, value) => {
    parts[parts.length] = `byteLength: ${value}`;
  };

  const bufferShape = (value, name, tag) => {
    const length = kit.bufferByteLength(value);
    return {
      __proto__: null,
      open: `${prefix(name, tag, 'ArrayBuffer')}{`,
      fill: (parts, level, context) => {
        const shown = min(length, context.most);
        const bytes = new kit.Uint8Array(value, 0, shown);
        let text = '';
        for (let i = 0; i < shown; i++) {
          text += `${i ? ' ' : ''}${bytes[i] < 16 ? '0' : ''}${kit.numberToString(bytes[i], 16)}`;
        }
        parts[0] = `[Uint8Contents]: <${text}${length > shown ? ` ... ${plural(length - shown, 'byte')}` : ''}>`;
        addByteLength(parts, length);
      },
    };
  };

  const dataViewShape = (value, name, tag) => ({
    __proto__: null,
    open: `${prefix(name, tag, 'DataView')}{`,
    fill: (parts, level, context) => {
      addByteLength(parts, kit.dataViewByteLength(value));
      parts[1] = `byteOffset: ${kit.dataViewByteOffset(value)}`;
      parts[2] = `buffer: ${nested(kit.dataViewBuffer(value), level, context)}`;
    },
  });

  const boxedShape = (value, name, tag, context) => {
    const type = kind(value);
    const primitive = kit[`${kit.stringToLowerCase(type)}ValueOf`](value);
    const of = name === type ? '' : name === null ? ' (null prototype)' : ` (${name})`;
    const after = tag !== '' && tag !== name ? ` [${tag}]` : '';
    const keys = kit.rest(keysOf(value, false), type === 'String' ? primitive.length : 0); // without its characters
    return { __proto__: null, base: `[${type}${of}: ${inspectPrimitive(primitive, { __proto__: null, indentation: 0, breakLength: Infinity })}]${after}`, whole: true, keys };
  };

  const baseWithPrefix = (text, name, tag, type) => {
    const before = prefix(name, tag, type);
    return { __proto__: null, base: before === `${type} ` ? text : before + text, whole: true };
  };

  const dateText = (value) => (kit.dateGetTime(value) === kit.dateGetTime(value) ? kit.dateToISOString(value) : 'Invalid Date');

  const replaceAll = (text, what, by) => {
    let written = '';
    let from = 0;
    for (let at = stringIndexOf(text, what); at >= 0; at = stringIndexOf(text, what, from)) {
      written += stringSlice(text, from, at) + by;
      from = at + what.length;
    }
    return written + stringSlice(text, from);
  };

  const errorShape = (value, name, tag, context, read) => {
    const base = describeError(value, name, tag, read);
    const keys = keysOf(value, false);
    const listed = list();
    for (let i = 0; i < keys.length; i++) {
      const said = keys[i] === 'name' || keys[i] === 'message' || keys[i] === 'stack';
      const text = said ? ownData(value, keys[i]) : undefined;
      if (!(typeof text === 'string' && stringIncludes(base, text))) listed[listed.length] = keys[i];
    }
    const isListed = (key) => kit.arrayIncludes(listed, key);
    if (hasOwn(value, 'cause') && !isListed('cause')) listed[listed.length] = 'cause';
    if (hasOwn(value, 'errors') && isArray(ownData(value, 'errors')) && !isListed('errors')) listed[listed.length] = 'errors';
    const margin = stringRepeat(' ', context.indentation);
    return { __proto__: null, base: margin === '' ? base : replaceAll(base, '\n', `\n${margin}`), whole: true, keys: listed };
  };

  const weakShape = (value, name, tag) => ({
    __proto__: null,
    open: `${prefix(name, tag, kind(value))}{`,
    fill: (parts) => {
      parts[0] = '<items unknown>';
    },
  });

  const plainShape = (name, tag) => ({
    __proto__: null,
    open: name === 'Object' && tag === '' ? '{' : `${prefix(name, tag, 'Object')}{`,
    isEmpty: true,
  });

  // A class of the realm's own tells its parts, each a name and a value.
  const platformShape = (value, name, tag) => {
    for (let i = kit.platform.length - 1; i >= 0; i--) {
      const parts = kit.platform[i](value);
      if (parts === undefined) continue;
      return {
        __proto__: null,
        open: `${name === null ? prefix(name, tag, 'Object') : `${name} `}{`,
        isEmpty: parts.length === 0,
        fill: (written, level, context) => {
          for (let part = 0; part < parts.length; part += 2) {
            written[written.length] = parts[part] + nested(parts[part + 1], level, context);
          }
        },
      };
    }
    return undefined;
  };

  kit.shapeOf = (value, name, tag, context) => {
    if (typeof value === 'function') return { __proto__: null, base: describeFunction(value, name, tag), whole: true };
    if (isArray(value)) return arrayShape(value, name, tag);
    const type = kind(value);
    if (isView(value)) return type === 'DataView' ? dataViewShape(value, name, tag) : typedArrayShape(value, name, tag);
    switch (type) {
      case 'Map':
      case 'Set':
        return collectionShape(value, name, tag);
      case 'Map Iterator':
      case 'Set Iterator':
        return iteratorShape(value, tag, context);
      case 'Promise':
        return promiseShape(value, name, tag);
      case 'ArrayBuffer':
        return bufferShape(value, name, tag);
      case 'Number':
      case 'String':
      case 'Boolean':
      case 'BigInt':
      case 'Symbol':
        return boxedShape(value, name, tag, context);
      case 'RegExp':
        return baseWithPrefix(`/${kit.regexpSource(value)}/${native.regexpFlags(value)}`, name, tag, 'RegExp');
      case 'Date':
        return baseWithPrefix(dateText(value), name, tag, 'Date');
      case 'Error':
        return errorShape(value, name, tag, context, dataProperty);
      case 'DOMException':
        return errorShape(value, name, tag, context, kit.readDOMException);
      case 'WeakMap':
      case 'WeakSet':
        return weakShape(value, name, tag);
      case 'Arguments':
        return { __proto__: null, open: '[Arguments] {', isEmpty: true };
      case 'Module':
        return { __proto__: null, open: `[Module: null prototype] {`, isEmpty: true };
      default:
        return (name !== 'Object' && name !== null && platformShape(value, name, tag)) || plainShape(name, tag);
    }
  };

  // Classes of the realm's own add a function here: parts of a value of the class, undefined for any other value. Subclasses come later.
  kit.platform = list();
  kit.platform[0] = (value) => (kit.isWeakRef(value) || kit.isFinalizationRegistry(value) ? [] : undefined);
});
