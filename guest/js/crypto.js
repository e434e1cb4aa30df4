// crypto.getRandomValues and crypto.randomUUID (https://w3c.github.io/webcrypto/#crypto-interface), from the run's own stream.
(function (native, kit) {
  'use strict';

  const { arrayIncludes, bytesOf, DOMException, needArguments, TypeError, typedArrayLength, Uint8Array } = kit;
  const { kind, randomBytes } = native;

  const MOST_BYTES = 65536;
  const INTEGER_ARRAYS = ['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array', 'BigInt64Array', 'BigUint64Array'];
  const makesCrypto = { __proto__: null };

  const hex = (bytes, from, to) => {
    let text = '';
    for (let i = from; i < to; i++) text += (bytes[i] < 16 ? '0' : '') + kit.numberToString(bytes[i], 16);
    return text;
  };

  class Crypto {
    #brand;

    constructor(secret) {
      if (secret !== makesCrypto) throw new TypeError('Crypto cannot be constructed: use the global crypto');
    }

    getRandomValues(array) {
      this.#brand;
      needArguments(arguments.length, 1, 'getRandomValues');
      if (!kit.isView(array)) throw new TypeError('getRandomValues: the argument must be an integer typed array');
      if (!arrayIncludes(INTEGER_ARRAYS, kind(array))) {
        throw new DOMException(`getRandomValues: an integer typed array is needed, not a ${kind(array)}`, 'TypeMismatchError');
      }
      const bytes = bytesOf(array, 'getRandomValues');
      if (typedArrayLength(bytes) > MOST_BYTES) {
        throw new DOMException(`getRandomValues: ${MOST_BYTES} bytes at most, not ${typedArrayLength(bytes)}`, 'QuotaExceededError');
      }
      randomBytes(bytes);
      return array;
    }

    // RFC 9562, section 5.4: version 4
    randomUUID() {
      this.#brand;
      const bytes = new Uint8Array(16);
      randomBytes(bytes);
      bytes[6] = (bytes[6] & 0x0f) | 0x40;
      bytes[8] = (bytes[8] & 0x3f) | 0x80;
      return `${hex(bytes, 0, 4)}-${hex(bytes, 4, 6)}-${hex(bytes, 6, 8)}-${hex(bytes, 8, 10)}-${hex(bytes, 10, 16)}`;
    }
  }

  kit.platformClass(Crypto);
  kit.define(kit.global, 'crypto', new Crypto(makesCrypto));
});
