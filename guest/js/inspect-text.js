// How `inspect` writes strings and property keys.
(function (native, kit) {
  'use strict';

  const { join, list, numberToString, regexpExec, stringIncludes, stringIndexOf, stringRepeat, stringSlice, symbolToString } = kit;
  const codeUnit = kit.stringCharCodeAt;

  const LONGEST_STRING = 10000;
  const NARROWEST_LINE = 16;
  const needsNoEscape = /^[\x20-\x26\x28-\x5b\x5d-\x7e\xa0-\ud7ff\ue000-\uffff]*$/;
  const identifier = /^[a-zA-Z_][a-zA-Z_0-9]*$/;
  const named = { __proto__: null, 8: '\\b', 9: '\\t', 10: '\\n', 12: '\\f', 13: '\\r', 92: '\\\\' };

  const hex = (unit) => {
    const digits = numberToString(unit, 16);
    if (unit > 0xff) return '\\u' + digits;
    return '\\x' + (digits.length < 2 ? '0' : '') + kit.stringToUpperCase(digits);
  };

  const isSurrogatePair = (text, at) => {
    const high = codeUnit(text, at);
    const low = codeUnit(text, at + 1);
    return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
  };

  // Single quotes, unless the text has some and another kind is free.
  const chooseQuote = (text) => {
    if (!stringIncludes(text, "'")) return "'";
    if (!stringIncludes(text, '"')) return '"';
    return stringIncludes(text, '`') || stringIncludes(text, '${') ? "'" : '`';
  };

  const quote = (text) => {
    if (regexpExec(needsNoEscape, text)) return `'${text}'`;
    const mark = chooseQuote(text);
    const markUnit = codeUnit(mark, 0);
    let written = mark;
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = codeUnit(text, at);
      let escape;
      if (named[unit]) escape = named[unit];
      else if (unit === markUnit) escape = '\\' + mark;
      else if (unit < 0x20 || (unit >= 0x7f && unit <= 0x9f)) escape = hex(unit);
      else if (unit >= 0xd800 && unit <= 0xdfff) {
        if (isSurrogatePair(text, at)) {
          at++;
          continue;
        }
        escape = hex(unit);
      } else continue;
      written += stringSlice(text, from, at) + escape;
      from = at + 1;
    }
    return written + stringSlice(text, from) + mark;
  };

  const lines = (text) => {
    const parts = list();
    let from = 0;
    for (let end = stringIndexOf(text, '\n'); end >= 0 && end + 1 < text.length; end = stringIndexOf(text, '\n', from)) {
      parts[parts.length] = quote(stringSlice(text, from, end + 1));
      from = end + 1;
    }
    parts[parts.length] = quote(stringSlice(text, from));
    return parts;
  };

  const plural = (count, noun) => `${count} more ${noun}${count > 1 ? 's' : ''}`;

  // A string inside of an object: quoted, cut at 10,000 characters, one line of it a line where it is too long for one.
  const inspectString = (text, indentation, breakLength) => {
    let trailer = '';
    if (text.length > LONGEST_STRING) {
      trailer = `... ${plural(text.length - LONGEST_STRING, 'character')}`;
      text = stringSlice(text, 0, LONGEST_STRING);
    }
    if (text.length > NARROWEST_LINE && text.length > breakLength - indentation - 4) {
      return join(lines(text), ` +\n${stringRepeat(' ', indentation + 2)}`) + trailer;
    }
    return quote(text) + trailer;
  };

  const inspectKey = (key, enumerable) => {
    if (typeof key === 'symbol') return `[${symbolToString(key)}]`;
    if (key === '__proto__') return "['__proto__']";
    if (!enumerable) return `[${key}]`;
    return regexpExec(identifier, key) ? key : quote(key);
  };

  const ascii = /^[\x20-\x7e]*$/;

  const isWide = (point) =>
    point >= 0x1100 &&
    (point <= 0x115f || (point >= 0x2e80 && point <= 0x303e) || (point >= 0x3041 && point <= 0xa4cf) || (point >= 0xac00 && point <= 0xd7a3) ||
      (point >= 0xf900 && point <= 0xfaff) || (point >= 0xfe30 && point <= 0xfe6f) || (point >= 0xff01 && point <= 0xff60) ||
      (point >= 0xffe0 && point <= 0xffe6) || (point >= 0x1f300 && point <= 0x1f64f) || (point >= 0x1f900 && point <= 0x1f9ff) ||
      (point >= 0x20000 && point <= 0x3fffd));

  const isWidthless = (point) =>
    point < 0x20 || (point >= 0x7f && point < 0xa0) || (point >= 0x300 && point <= 0x36f) || (point >= 0x200b && point <= 0x200f) ||
    (point >= 0x20d0 && point <= 0x20ff) || (point >= 0xfe00 && point <= 0xfe0f) || (point >= 0xfe20 && point <= 0xfe2f);

  // Columns that a text takes: none for combining marks, two for East Asian wide characters and emoji.
  const textWidth = (text) => {
    if (regexpExec(ascii, text)) return text.length;
    let width = 0;
    for (let at = 0; at < text.length; at++) {
      const point = kit.stringCodePointAt(text, at);
      if (point > 0xffff) at++;
      width += isWidthless(point) ? 0 : isWide(point) ? 2 : 1;
    }
    return width;
  };

  kit.textWidth = textWidth;
  kit.quote = quote;
  kit.plural = plural;
  kit.inspectString = inspectString;
  kit.inspectKey = inspectKey;
});
