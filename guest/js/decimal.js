// Decimal numbers as digits, for formatting: { digits, point } is 0.DIGITS times ten to the power of `point`, without zeros at either end;
// zero has no digits. A Number stands for its shortest decimal form, as in ICU, so 1.005 rounds to 1.01.
(function (native, kit) {
  'use strict';

  const { min, Number, stringCharCodeAt, stringIndexOf, stringRepeat, stringSlice } = kit;
  const ZERO = 48;

  const trimmed = (digits, point) => {
    let start = 0;
    let end = digits.length;
    while (start < end && stringCharCodeAt(digits, start) === ZERO) start++;
    while (end > start && stringCharCodeAt(digits, end - 1) === ZERO) end--;
    if (start === end) return { __proto__: null, digits: '', point: 0 };
    return { __proto__: null, digits: stringSlice(digits, start, end), point: point - start };
  };

  // `text`: a finite number that is not negative, as `String` writes it.
  const parse = (text) => {
    let exponent = 0;
    const mark = stringIndexOf(text, 'e');
    if (mark >= 0) {
      exponent = Number(stringSlice(text, mark + 1));
      text = stringSlice(text, 0, mark);
    }
    const dot = stringIndexOf(text, '.');
    if (dot < 0) return trimmed(text, text.length + exponent);
    return trimmed(stringSlice(text, 0, dot) + stringSlice(text, dot + 1), dot + exponent);
  };

  // Whether what is cut off from `keep` on moves the last kept digit away from zero.
  const roundsAway = (digits, keep, mode, negative) => {
    if (keep >= digits.length) return false;
    switch (mode) {
      case 'expand':
        return true;
      case 'trunc':
        return false;
      case 'ceil':
        return !negative;
      case 'floor':
        return negative;
    }
    const first = keep < 0 ? 0 : stringCharCodeAt(digits, keep) - ZERO;
    if (first !== 5 || keep + 1 < digits.length) return first >= 5;
    switch (mode) {
      case 'halfTrunc':
        return false;
      case 'halfCeil':
        return !negative;
      case 'halfFloor':
        return negative;
      case 'halfEven':
        return keep > 0 && (stringCharCodeAt(digits, keep - 1) - ZERO) % 2 === 1;
      default:
        return true;
    }
  };

  // Keeps `keep` digits.
  const round = (decimal, keep, mode, negative) => {
    const { digits, point } = decimal;
    if (digits === '' || keep >= digits.length) return decimal;
    const away = roundsAway(digits, keep, mode, negative);
    if (keep <= 0) return away ? { __proto__: null, digits: '1', point: point - keep + 1 } : { __proto__: null, digits: '', point: 0 };
    if (!away) return trimmed(stringSlice(digits, 0, keep), point);
    let last = keep - 1;
    while (last >= 0 && stringCharCodeAt(digits, last) === ZERO + 9) last--;
    if (last < 0) return { __proto__: null, digits: '1', point: point + 1 };
    return trimmed(stringSlice(digits, 0, last) + (stringCharCodeAt(digits, last) - ZERO + 1), point);
  };

  const integerPart = (decimal) => {
    const { digits, point } = decimal;
    if (point <= 0) return '0';
    return stringSlice(digits, 0, point) + stringRepeat('0', point - min(point, digits.length));
  };

  const fractionPart = (decimal) => {
    const { digits, point } = decimal;
    return point > 0 ? stringSlice(digits, point) : stringRepeat('0', -point) + digits;
  };

  kit.decimal = { __proto__: null, parse, round, integerPart, fractionPart };
});
