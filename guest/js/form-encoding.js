// application/x-www-form-urlencoded (https://url.spec.whatwg.org/#application/x-www-form-urlencoded).
(function (native, kit) {
  'use strict';

  const { fromCharCode, list, regexpExec, stringCharCodeAt, stringIncludes, stringIndexOf, stringSlice, typedArrayLength, Uint8Array } = kit;
  const { decodeText, encodeUtf8 } = native;

  const PLUS = 43;
  const PERCENT = 37;
  const SPACE = 32;
  const plain = /^[*\-.0-9A-Z_a-z]*$/;
  const HEX = '0123456789ABCDEF';

  const hexDigit = (byte) => {
    if (byte >= 48 && byte <= 57) return byte - 48;
    const letter = byte | 32;
    return letter >= 97 && letter <= 102 ? letter - 87 : -1;
  };

  const decode = (text) => {
    if (!stringIncludes(text, '%') && !stringIncludes(text, '+')) return text;
    const bytes = new Uint8Array(encodeUtf8(text));
    const length = typedArrayLength(bytes);
    let written = 0;
    for (let at = 0; at < length; at++) {
      let byte = bytes[at];
      if (byte === PLUS) byte = SPACE;
      else if (byte === PERCENT && at + 2 < length) {
        const high = hexDigit(bytes[at + 1]);
        const low = hexDigit(bytes[at + 2]);
        if (high >= 0 && low >= 0) {
          byte = high * 16 + low;
          at += 2;
        }
      }
      bytes[written++] = byte;
    }
    return decodeText('utf-8', new Uint8Array(kit.typedArrayBuffer(bytes), 0, written), false);
  };

  // A list of pairs: [name, value], as { name, value }.
  kit.parseForm = (text) => {
    const pairs = list();
    for (let from = 0; from <= text.length; ) {
      let end = stringIndexOf(text, '&', from);
      if (end < 0) end = text.length;
      const piece = stringSlice(text, from, end);
      from = end + 1;
      if (piece === '') continue;
      const mark = stringIndexOf(piece, '=');
      const name = mark < 0 ? piece : stringSlice(piece, 0, mark);
      const value = mark < 0 ? '' : stringSlice(piece, mark + 1);
      pairs[pairs.length] = { __proto__: null, name: decode(name), value: decode(value) };
    }
    return pairs;
  };

  const encode = (text) => {
    if (regexpExec(plain, text)) return text;
    const bytes = new Uint8Array(encodeUtf8(text));
    const length = typedArrayLength(bytes);
    let written = '';
    for (let at = 0; at < length; at++) {
      const byte = bytes[at];
      if (byte === SPACE) written += '+';
      else {
        const character = fromCharCode(byte);
        written += byte < 0x80 && regexpExec(plain, character) ? character : `%${HEX[byte >> 4]}${HEX[byte & 15]}`;
      }
    }
    return written;
  };

  kit.writeForm = (pairs) => {
    let text = '';
    for (let i = 0; i < pairs.length; i++) text += `${i ? '&' : ''}${encode(pairs[i].name)}=${encode(pairs[i].value)}`;
    return text;
  };
});
