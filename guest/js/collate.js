// String.prototype.localeCompare (https://tc39.es/ecma402/#sup-String.prototype.localeCompare), in the root order for every locale.
(function (native, kit) {
  'use strict';

  const { checkLocaleList, optionReader, String, TypeError } = kit;
  const { compareText } = native;

  const NUMERIC = 1;
  const NO_PUNCTUATION = 2;
  const UPPER_FIRST = 4;
  const SENSITIVITY = { __proto__: null, base: 0, accent: 1, case: 2, variant: 3 };

  const compare = (a, b, raw) => {
    if (raw === undefined) return compareText(a, b, 0, SENSITIVITY.variant);
    const options = optionReader(raw);
    options.text('usage', ['sort', 'search'], 'sort');
    const numeric = options.read('numeric') ? NUMERIC : 0;
    const upperFirst = options.text('caseFirst', ['upper', 'lower', 'false'], 'false') === 'upper' ? UPPER_FIRST : 0;
    const sensitivity = SENSITIVITY[options.text('sensitivity', ['base', 'accent', 'case', 'variant'], 'variant')];
    const noPunctuation = options.read('ignorePunctuation') ? NO_PUNCTUATION : 0;
    return compareText(a, b, numeric + upperFirst + noPunctuation, sensitivity);
  };

  const { localeCompare } = {
    localeCompare(that, locales = undefined, options = undefined) {
      if (this === undefined || this === null) throw new TypeError('localeCompare: there is no text');
      const text = String(this);
      const other = String(that);
      checkLocaleList(locales);
      return compare(text, other, options);
    },
  };
  kit.define(String.prototype, 'localeCompare', localeCompare);
});
