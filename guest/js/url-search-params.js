// URLSearchParams (https://url.spec.whatwg.org/#interface-urlsearchparams).
(function (native, kit) {
  'use strict';

  const { apply, define, defineProperty, list, needArguments, parseForm, setPrototypeOf, stringCharCodeAt, stringSlice, TypeError, usvString,
    writeForm } = kit;

  const pair = (name, value) => ({ __proto__: null, name: usvString(name), value: usvString(value) });

  const pairsFromSequence = (items) => {
    const pairs = list();
    for (let i = 0; i < items.length; i++) {
      const item = items[i];
      const isObject = (typeof item === 'object' && item !== null) || typeof item === 'function';
      const parts = isObject ? kit.listFrom(item) : undefined;
      if (!parts || parts.length !== 2) throw new TypeError(`URLSearchParams: item ${i} must be a pair of a name and a value`);
      pairs[i] = pair(parts[0], parts[1]);
    }
    return pairs;
  };

  const pairsFromRecord = (record) => {
    const pairs = list();
    const keys = kit.ownKeys(record);
    for (let i = 0; i < keys.length; i++) {
      const property = kit.descriptor(record, keys[i]);
      if (!property || !property.enumerable) continue;
      const made = pair(keys[i], record[keys[i]]);
      let at = 0; // two keys may be one name after conversion: the later value counts
      while (at < pairs.length && pairs[at].name !== made.name) at++;
      pairs[at] = made;
    }
    return pairs;
  };

  const byName = (a, b) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1);

  const readPairs = {
    __proto__: null,
    entries: (made) => [made.name, made.value],
    keys: (made) => made.name,
    values: (made) => made.value,
  };

  class URLSearchParams {
    #pairs = list();
    #onChange = undefined; // tells the URL that this is a part of

    static {
      kit.setParams = (params, query) => {
        params.#pairs = parseForm(query);
      };
      kit.paramsOf = (query, onChange) => {
        const params = new URLSearchParams();
        params.#pairs = parseForm(query);
        params.#onChange = onChange;
        return params;
      };
      kit.pairAt = (params, index) => params.#pairs[index];
      kit.platform[kit.platform.length] = (value) => {
        if (!(#pairs in value)) return undefined;
        const parts = list();
        for (let i = 0; i < value.#pairs.length; i++) {
          parts[parts.length] = `${kit.quote(value.#pairs[i].name)} => `;
          parts[parts.length] = value.#pairs[i].value;
        }
        return parts;
      };
    }

    #changed() {
      if (this.#onChange) this.#onChange(writeForm(this.#pairs));
    }

    constructor(init = undefined) {
      if (init === undefined) return;
      if (init === null || (typeof init !== 'object' && typeof init !== 'function')) {
        const query = usvString(init);
        this.#pairs = parseForm(stringCharCodeAt(query, 0) === 63 ? stringSlice(query, 1) : query);
        return;
      }
      const items = kit.listFrom(init);
      this.#pairs = items ? pairsFromSequence(items) : pairsFromRecord(init);
    }

    get size() {
      return this.#pairs.length;
    }

    append(name, value) {
      const pairs = this.#pairs;
      needArguments(arguments.length, 2, 'append');
      pairs[pairs.length] = pair(name, value);
      this.#changed();
    }

    delete(name, value = undefined) {
      const pairs = this.#pairs;
      needArguments(arguments.length, 1, 'delete');
      const wanted = usvString(name);
      const wantedValue = value === undefined ? undefined : usvString(value);
      let kept = 0;
      for (let i = 0; i < pairs.length; i++) {
        const goes = pairs[i].name === wanted && (wantedValue === undefined || pairs[i].value === wantedValue);
        if (!goes) pairs[kept++] = pairs[i];
      }
      pairs.length = kept;
      this.#changed();
    }

    get(name) {
      const pairs = this.#pairs;
      needArguments(arguments.length, 1, 'get');
      const wanted = usvString(name);
      for (let i = 0; i < pairs.length; i++) if (pairs[i].name === wanted) return pairs[i].value;
      return null;
    }

    getAll(name) {
      const pairs = this.#pairs;
      needArguments(arguments.length, 1, 'getAll');
      const wanted = usvString(name);
      const values = list();
      for (let i = 0; i < pairs.length; i++) if (pairs[i].name === wanted) values[values.length] = pairs[i].value;
      return setPrototypeOf(values, kit.arrayPrototype);
    }

    has(name, value = undefined) {
      const pairs = this.#pairs;
      needArguments(arguments.length, 1, 'has');
      const wanted = usvString(name);
      const wantedValue = value === undefined ? undefined : usvString(value);
      for (let i = 0; i < pairs.length; i++) {
        if (pairs[i].name === wanted && (wantedValue === undefined || pairs[i].value === wantedValue)) return true;
      }
      return false;
    }

    set(name, value) {
      const pairs = this.#pairs;
      needArguments(arguments.length, 2, 'set');
      const made = pair(name, value);
      let kept = 0;
      let isSet = false;
      for (let i = 0; i < pairs.length; i++) {
        if (pairs[i].name !== made.name) pairs[kept++] = pairs[i];
        else if (!isSet) {
          pairs[kept++] = made;
          isSet = true;
        }
      }
      pairs.length = kept;
      if (!isSet) pairs[kept] = made;
      this.#changed();
    }

    sort() {
      kit.arraySort(this.#pairs, byName);
      this.#changed();
    }

    forEach(callback, thisArg = undefined) {
      const params = this;
      needArguments(arguments.length, 1, 'forEach');
      if (typeof callback !== 'function') throw new TypeError('forEach: the callback must be a function');
      for (let i = 0; i < params.#pairs.length; i++) apply(callback, thisArg, [params.#pairs[i].value, params.#pairs[i].name, params]);
    }

    keys() {
      return iterate(this, this.#pairs && readPairs.keys);
    }

    values() {
      return iterate(this, this.#pairs && readPairs.values);
    }

    entries() {
      return iterate(this, this.#pairs && readPairs.entries);
    }

    toString() {
      return writeForm(this.#pairs);
    }
  }

  // https://webidl.spec.whatwg.org/#js-default-iterator-object
  class Iterator {
    #params;
    #read;
    #next = 0;

    constructor(params, read) {
      this.#params = params;
      this.#read = read;
    }

    next() {
      const made = this.#params && kit.pairAt(this.#params, this.#next);
      if (made === undefined) {
        this.#params = undefined;
        return { value: undefined, done: true };
      }
      this.#next++;
      return { value: this.#read(made), done: false };
    }
  }
  const iterate = (params, read) => new Iterator(params, read);
  const { prototype } = Iterator;
  delete prototype.constructor;
  setPrototypeOf(prototype, kit.iteratorPrototype);
  defineProperty(prototype, 'next', { __proto__: null, enumerable: true });
  defineProperty(prototype, Symbol.toStringTag, { __proto__: null, value: 'URLSearchParams Iterator', configurable: true });

  kit.platformClass(URLSearchParams);
  define(URLSearchParams.prototype, Symbol.iterator, URLSearchParams.prototype.entries);
});
