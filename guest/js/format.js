// `kit.format(args)`: what `console.log(...args)` writes, after https://console.spec.whatwg.org/#formatter and Node's util.format.
(function (native, kit) {
  'use strict';

  const { inspect, list, stringCharCodeAt, stringIndexOf, stringSlice } = kit;

  const asNumber = (value, convert) => {
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'symbol' || typeof value === 'object' || typeof value === 'function') {
      return typeof value === 'object' && value === null && convert === kit.Number ? '0' : 'NaN';
    }
    const number = convert(value);
    return kit.is(number, -0) ? '-0' : `${number}`;
  };

  const asString = (value) => {
    if (typeof value === 'string') return value;
    return typeof value === 'object' || typeof value === 'function' ? inspect(value, 0) : inspect(value);
  };

  const asJson = (value) => {
    try {
      return `${kit.jsonStringify(value)}`;
    } catch {
      return '[Circular]';
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
        return typeof value === 'symbol' ? 'NaN' : asNumber(value, kit.parseFloat);
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
