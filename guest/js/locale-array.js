// Array.prototype.toLocaleString and that of typed arrays: locales and options reach each item (https://tc39.es/ecma402/#sup-array.prototype.tolocalestring).
(function (native, kit) {
  'use strict';

  const { apply, list, typedArrayLength } = kit;

  // Arrays that are being written: one inside of itself is an empty text.
  const open = list();

  const joinLocale = (array, length, locales, options) => {
    for (let i = 0; i < open.length; i++) if (open[i] === array) return '';
    open[open.length] = array;
    try {
      let text = '';
      for (let i = 0; i < length; i++) {
        if (i) text += ',';
        const item = array[i];
        if (item !== undefined && item !== null) text += kit.String(apply(item.toLocaleString, item, [locales, options]));
      }
      return text;
    } finally {
      open.length--;
    }
  };

  const toLength = (value) => {
    const length = kit.trunc(kit.Number(value));
    return length > 0 ? kit.min(length, Number.MAX_SAFE_INTEGER) : 0;
  };

  const methods = {
    array: {
      toLocaleString(locales = undefined, options = undefined) {
        if (this === undefined || this === null) throw new kit.TypeError('toLocaleString: there is no array');
        const array = kit.Object(this);
        return joinLocale(array, toLength(array.length), locales, options);
      },
    },
    typedArray: {
      toLocaleString(locales = undefined, options = undefined) {
        return joinLocale(this, typedArrayLength(this), locales, options);
      },
    },
  };
  kit.define(Array.prototype, 'toLocaleString', methods.array.toLocaleString);
  kit.define(Object.getPrototypeOf(Uint8Array.prototype), 'toLocaleString', methods.typedArray.toLocaleString);
});
