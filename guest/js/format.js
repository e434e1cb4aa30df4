// `kit.format(args)`: what `console.log(...args)` writes, after https://console.spec.whatwg.org/#formatter and Node's util.format.
(function (native, kit) {
  'use strict';

  const { inspect, stringCharCodeAt, stringIndexOf, stringSlice } = kit;
  const { functionKind, kind } = native;

  // %d, %i and %f convert as the standard's Number, parseInt and parseFloat do, so a `valueOf` of the script may run; what it throws is NaN.
  const asNumber = (value, convert) => {
    if (typeof value === 'symbol') return 'NaN';
    if (typeof value === 'bigint' && convert !== kit.parseFloat) return `${value}n`;
    try {
      const number = convert(value);
      return kit.is(number, -0) ? '-0' : `${number}`;
    } catch {
      return 'NaN';
    }
  };

  const hasOwnText = (value) => {
    const method = kind(value) === 'Proxy' ? undefined : kit.dataProperty(value, 'toString');
    return typeof method === 'function' && kind(method) !== 'Proxy' && functionKind(method) !== 'native';
  };

  // %s of an object is its `toString` where the script or the platform gave it one.
  const asString = (value) => {
    if (typeof value === 'string') return value;
    if (typeof value === 'function' && kind(value) !== 'Proxy') return kit.functionToString(value);
    if (typeof value !== 'object' || value === null) return inspect(value);
    try {
      return hasOwnText(value) ? kit.String(value) : inspect(value, 0);
    } catch {
      return inspect(value, 0);
    }
  };

  const asJson = (value) => {
    try {
      return `${kit.jsonStringify(value)}`;
    } catch {
      return inspect(value); // circular, or with a BigInt
    }
  };

  // The text of one specifier, or undefined for a letter that is none.
  const specifier = (letter, value) => {
    switch (letter) {
      case 115: // s
        return asString(value);
      case 100: // d
        return asNumber(value, kit.Number);
      case 105: // i
        return asNumber(value, kit.parseInt);
      case 102: // f
        return asNumber(value, kit.parseFloat);
      case 106: // j
        return asJson(value);
      case 111: // o
        return inspect(value, 4);
      case 79: // O
        return inspect(value);
      case 99: // c: styles are for consoles that show them
        return '';
      default:
        return undefined;
    }
  };

  kit.format = (args) => {
    const first = args[0];
    let next = 0;
    let text = '';
    if (typeof first === 'string') {
      next = 1;
      let from = 0;
      if (args.length > 1) {
        for (let at = stringIndexOf(first, '%'); at >= 0 && at + 1 < first.length; at = stringIndexOf(first, '%', at)) {
          const letter = stringCharCodeAt(first, at + 1);
          let replacement;
          if (letter === 37) replacement = '%';
          else if (next < args.length) {
            replacement = specifier(letter, args[next]);
            if (replacement !== undefined) next++;
          }
          at += replacement === undefined ? 1 : 2;
          if (replacement === undefined) continue;
          text += stringSlice(first, from, at - 2) + replacement;
          from = at;
        }
      }
      text += stringSlice(first, from);
    }
    for (; next < args.length; next++) {
      const value = args[next];
      text += (next ? ' ' : '') + (typeof value === 'string' ? value : inspect(value));
    }
    return text;
  };
});
