// What the locale methods share (https://tc39.es/ecma402): which locales there are, how options are read. This realm has en-US and UTC.
// Whatever would need other data throws a RangeError that names it; nothing is formatted wrongly in silence.
(function (native, kit) {
  'use strict';

  const { join, list, RangeError, String, stringToLowerCase, TypeError } = kit;

  const ENGLISH = { __proto__: null, en: true, 'en-us': true, default: true };
  // Regions whose plain numbers look as in en-US.
  const SAME_NUMBERS = { __proto__: null, 'en-au': true, 'en-ca': true, 'en-gb': true, 'en-hk': true, 'en-ie': true, 'en-nz': true, 'en-sg': true };

  // https://tc39.es/ecma402/#sec-canonicalizelocalelist
  const requested = (locales) => {
    const tags = list();
    if (typeof locales === 'string') {
      tags[0] = locales;
      return tags;
    }
    if (locales === null) throw new TypeError('locales must be a string, an array of strings or undefined, not null');
    const length = kit.trunc(kit.Number(locales.length)) || 0;
    for (let i = 0; i < length; i++) {
      const tag = locales[i];
      if (typeof tag !== 'string' && (typeof tag !== 'object' || tag === null)) throw new TypeError('each of the locales must be a string');
      tags[tags.length] = String(tag);
    }
    return tags;
  };

  // Any locale will do, if only it is one.
  kit.checkLocaleList = (locales) => {
    if (locales !== undefined) requested(locales);
  };

  // `kind`: "number", "currency" or "date".
  kit.checkLocales = (locales, kind) => {
    if (locales === undefined) return;
    const tags = requested(locales);
    for (let i = 0; i < tags.length; i++) {
      const tag = stringToLowerCase(tags[i]);
      if (ENGLISH[tag] || (kind === 'number' && SAME_NUMBERS[tag])) return;
    }
    if (tags.length) throw new RangeError(`locale "${join(tags, '", "')}" is not available here: use "en-US" or leave it out`);
  };

  // Reads the options of one call. A value that the standard has but this realm has not is in `absent`.
  kit.optionReader = (options) => {
    if (options === null) throw new TypeError('options must be an object or undefined, not null');
    const read = (name) => (options === undefined ? undefined : options[name]);
    return {
      __proto__: null,
      read,
      text(name, values, fallback, absent) {
        const value = read(name);
        if (value === undefined) return fallback;
        const text = String(value);
        if (kit.arrayIncludes(values, text)) return text;
        if (absent && kit.arrayIncludes(absent, text)) throw new RangeError(`${name} "${text}" is not available here`);
        throw new RangeError(`${name} must be one of "${join(values, '", "')}", not "${text}"`);
      },
      integer(name, least, most, fallback) {
        const value = read(name);
        if (value === undefined) return fallback;
        const number = kit.Number(value);
        if (!(number >= least && number <= most)) throw new RangeError(`${name} must be from ${least} to ${most}, not ${number}`);
        return kit.floor(number);
      },
      // Options that only other data could serve.
      only(name, values) {
        const value = read(name);
        if (value !== undefined && !kit.arrayIncludes(values, String(value))) {
          throw new RangeError(`${name} "${value}" is not available here`);
        }
      },
    };
  };
});
