// `kit.inspect(value)`: a value as text, as Node's util.inspect writes it. Never runs code of the script, never throws but for a limit of
// the run, and is bounded: nested levels, items of a collection, characters of a string, and the text as a whole.
(function (native, kit) {
  'use strict';

  const { className, descriptor, hasOwn, inspectKey, inspectString, is, layout, list, mapGet, mapSet, mapSize, prefix, stringSlice,
    symbolToString, tagOf } = kit;
  const { kind, keys: keysOf, proxyTarget } = native;

  const MOST_ITEMS = 100;
  const LONGEST_TEXT = 0x40000; // characters, about
  const DEEPEST = 100;
  const LINE = 80;

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
      parts[parts.length] = `${inspectKey(keys[i], !property || property.enumerable)}: ${text}`;
      context.room -= parts[parts.length - 1].length - text.length;
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
    const { room } = context;
    const text = writeObject(value, level, context);
    context.room = room - text.length;
    return text;
  };

  const writeObject = (value, level, context) => {
    const name = className(value, context.depth - level);
    const tag = tagOf(value);
    const shape = kit.shapeOf(value, name, tag, context);
    const keys = shape.keys ?? keysOf(value, false);
    const open = shape.open ?? '{';
    const close = shape.close ?? '}';
    if (keys.length === 0) {
      if (shape.whole) return shape.base;
      if (shape.isEmpty) return open + close;
    }
    if (level > context.depth || context.room <= 0) {
      if (kind(value) === 'RegExp') return shape.base;
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
    if (kind(value) === undefined) return inspectPrimitive(value, { __proto__: null, indentation: 0, breakLength });
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

  // For the shapes of inspect-shapes.js.
  kit.inspectPrimitive = inspectPrimitive;
  kit.indented = indented;
  kit.nested = nested;
  kit.propertyValue = propertyValue;
});
