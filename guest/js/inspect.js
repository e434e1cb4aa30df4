// `kit.inspect(value, options)`: a value as text, as Node's util.inspect writes it. Never runs code of the script, never throws but for
// a limit of the run, and is bounded: nested levels, items of a collection, characters of a string, and the text as a whole.
(function (native, kit) {
  'use strict';

  const { className, dataProperty, describeError, describeFunction, descriptor, hasOwn, inspectKey, inspectString, is, isArray, isView,
    join, layout, list, mapGet, mapHas, mapSet, mapSize, plural, prefix, stringIncludes, stringIndexOf, stringRepeat, stringSlice,
    symbolToString, tagOf } = kit;
  const { entries, kind, keys: keysOf, promiseParts, proxyTarget } = native;

  const MOST_ITEMS = 100;
  const LONGEST_TEXT = 0x40000; // characters, about
  const DEEPEST = 100;
  const LINE = 80;

  const replaceAll = (text, what, by) => {
    let written = '';
    let from = 0;
    for (let at = stringIndexOf(text, what); at >= 0; at = stringIndexOf(text, what, from)) {
      written += stringSlice(text, from, at) + by;
      from = at + what.length;
    }
    return written + stringSlice(text, from);
  };

  const inspectNumber = (value) => (is(value, -0) ? '-0' : `${value}`);

  const inspectPrimitive = (value, context) => {
    switch (typeof value) {
      case 'string':
        return inspectString(value, context.indentation, context.breakLength);
      case 'number':
        return inspectNumber(value);
      case 'bigint':
        return `${value}n`;
      case 'symbol':
        return symbolToString(value);
      default:
        return `${value}`;
    }
  };

  const circular = (value, context) => {
    context.references ??= new kit.Map();
    let index = mapGet(context.references, value);
    if (index === undefined) mapSet(context.references, value, (index = mapSize(context.references) + 1));
    return `[Circular *${index}]`;
  };

  const isSeen = (value, context) => {
    for (let i = 0; i < context.seen.length; i++) if (context.seen[i] === value) return true;
    return false;
  };

  const inspectValue = (value, level, context) => {
    if ((typeof value !== 'object' || value === null) && typeof value !== 'function') {
      const text = inspectPrimitive(value, context);
      context.room -= text.length;
      return text;
    }
    for (let hops = 0; kind(value) === 'Proxy'; hops++) {
      value = hops < MOST_ITEMS ? proxyTarget(value) : null;
      if (value === null) return '<Revoked Proxy>';
    }
    return isSeen(value, context) ? circular(value, context) : inspectObject(value, level, context);
  };

  const indented = (context, write) => {
    context.indentation += 2;
    const text = write();
    context.indentation -= 2;
    return text;
  };

  const nested = (value, level, context) => indented(context, () => inspectValue(value, level, context));

  const propertyValue = (property, level, context) => {
    if (!property) return 'undefined';
    if (hasOwn(property, 'value')) return nested(property.value, level, context);
    if (property.get === undefined) return property.set === undefined ? 'undefined' : '[Setter]';
    return property.set === undefined ? '[Getter]' : '[Getter/Setter]';
  };

  const addProperties = (parts, value, keys, level, context) => {
    for (let i = 0; i < keys.length; i++) {
      if (context.room <= 0) {
        parts[parts.length] = `... ${keys.length - i} more propert${keys.length - i > 1 ? 'ies' : 'y'}`;
        return;
      }
      const property = descriptor(value, keys[i]);
      const text = propertyValue(property, level, context);
      const name = inspectKey(keys[i], !property || property.enumerable);
      context.room -= name.length + 4;
      parts[parts.length] = `${name}: ${text}`;
    }
  };

  // Shapes: what stands before the braces, the braces, which own keys are listed, and what `fill` adds before those.
  // A shape with `whole` is nothing but that text where it has no keys to list.

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
    const shown = kit.min(context.most, value.length);
    for (let i = 0; i < shown; i++) {
      if (!hasOwn(value, i)) {
        const dense = parts;
        dense.length = 0;
        fillSparseArray(dense, value, shown, level, context);
        return;
      }
      parts[i] = context.room > 0 ? propertyValue(descriptor(value, i), level, context) : '...';
    }
    addRemaining(parts, value.length - shown, 'item');
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
        const shown = kit.min(context.most, length);
        for (let i = 0; i < shown; i++) parts[i] = inspectPrimitive(value[i], context);
        addRemaining(parts, length - shown, 'item');
      },
    };
  };

  const collectionShape = (value, name, tag) => {
    const isMap = kind(value) === 'Map';
    const size = isMap ? mapSize(value) : kit.setSize(value);
    return {
      __proto__: null,
      open: `${prefix(name, tag, kind(value), `(${size})`)}{`,
      isEmpty: size === 0,
      fill: (parts, level, context) => {
        const flat = entries(value, context.most)[0];
        for (let i = 0; i < flat.length; i++) {
          const key = nested(flat[i], level, context);
          parts[parts.length] = isMap ? `${key} => ${nested(flat[++i], level, context)}` : key;
        }
        addRemaining(parts, size - kit.min(size, context.most), 'item');
      },
    };
  };

  const iteratorShape = (value, name, tag) => {
    const answer = entries(value, MOST_ITEMS);
    const flat = answer[0];
    const total = answer[1];
    const pairs = answer[2];
    const label = tag === '' ? kind(value) : tag;
    return {
      __proto__: null,
      open: `[${pairs ? stringSlice(label, 0, 4) === 'Map ' ? 'Map Entries' : 'Set Entries' : label}] {`,
      fill: (parts, level, context) => {
        for (let i = 0; i < flat.length; i++) {
          const first = nested(flat[i], level, context);
          parts[parts.length] = pairs
            ? indented(context, () => layout(pair(first, nested(flat[++i], level, context)), '', '[', ']', level, undefined, context))
            : first;
        }
        addRemaining(parts, total - kit.min(total, MOST_ITEMS), 'item');
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
        const shown = kit.min(length, context.most);
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
    const keys = type === 'String' ? keysOf(value, true) : keysOf(value, false);
    return { __proto__: null, base: `[${type}${of}: ${inspectPrimitive(primitive, { __proto__: null, indentation: 0, breakLength: Infinity })}]${after}`, whole: true, keys };
  };

  const baseWithPrefix = (text, name, tag, type) => {
    const before = prefix(name, tag, type);
    return { __proto__: null, base: before === `${type} ` ? text : before + text, whole: true };
  };

  const dateText = (value) => (kit.dateGetTime(value) === kit.dateGetTime(value) ? kit.dateToISOString(value) : 'Invalid Date');

  const errorShape = (value, name, tag, context, read) => {
    const base = describeError(value, name, tag, read);
    const keys = keysOf(value, false);
    const listed = list();
    for (let i = 0; i < keys.length; i++) {
      const said = keys[i] === 'name' || keys[i] === 'message' || keys[i] === 'stack';
      const text = said ? kit.ownData(value, keys[i]) : undefined;
      if (!(typeof text === 'string' && stringIncludes(base, text))) listed[listed.length] = keys[i];
    }
    const isListed = (key) => kit.arrayIncludes(listed, key);
    if (hasOwn(value, 'cause') && !isListed('cause')) listed[listed.length] = 'cause';
    if (hasOwn(value, 'errors') && isArray(kit.ownData(value, 'errors')) && !isListed('errors')) listed[listed.length] = 'errors';
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
    for (let i = 0; i < kit.platform.length; i++) {
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

  const shapeOf = (value, name, tag, context) => {
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
        return iteratorShape(value, name, tag);
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
        return baseWithPrefix(`/${kit.regexpSource(value)}/${kit.regexpFlags(value)}`, name, tag, 'RegExp');
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

  const columnsOf = (value, parts, context) => {
    let rightAligned = true;
    for (let i = 0; i < parts.length && rightAligned; i++) {
      const type = typeof kit.ownData(value, i);
      rightAligned = type === 'number' || type === 'bigint';
    }
    return { __proto__: null, hasTrailer: parts.length > context.most, rightAligned };
  };

  const inspectObject = (value, level, context) => {
    const name = className(value);
    const tag = tagOf(value);
    const shape = shapeOf(value, name, tag, context);
    const keys = shape.keys ?? keysOf(value, false);
    const open = shape.open ?? '{';
    const close = shape.close ?? '}';
    if (keys.length === 0) {
      if (shape.whole) {
        context.room -= shape.base.length;
        return shape.base;
      }
      if (shape.isEmpty) return open + close;
    }
    if (level > context.depth || context.room <= 0) {
      const label = prefix(name, tag, 'Object');
      return name === null ? '[Object: null prototype]' : `[${stringSlice(label, 0, label.length - 1)}]`;
    }

    context.deepest = level + 1;
    context.seen[context.seen.length] = value;
    const parts = list();
    if (shape.fill) shape.fill(parts, level + 1, context);
    addProperties(parts, value, keys, level + 1, context);
    context.seen.length--;

    let base = shape.base ?? '';
    const reference = context.references && mapGet(context.references, value);
    if (reference !== undefined) base = base === '' ? `<ref *${reference}>` : `<ref *${reference}> ${base}`;
    return layout(parts, base, open, close, level + 1, close === ']' ? columnsOf(value, parts, context) : undefined, context);
  };

  // `depth`: nested levels shown; `breakLength`: characters of a line; `most`: items shown of a collection.
  kit.inspect = (value, depth = 2, breakLength = LINE, most = MOST_ITEMS) => {
    const context = {
      __proto__: null,
      depth: kit.min(depth, DEEPEST),
      breakLength,
      most,
      indentation: 0,
      deepest: 0,
      seen: list(),
      references: undefined,
      room: LONGEST_TEXT,
    };
    try {
      return inspectValue(value, 0, context);
    } catch {
      return '[Inspection interrupted: the stack is nearly full]';
    }
  };

  // Classes of the realm's own add a function here: parts of a value of the class, undefined for any other value.
  kit.platform = list();
  kit.platform[0] = (value) => (kit.isWeakRef(value) || kit.isFinalizationRegistry(value) ? [] : undefined);
});
