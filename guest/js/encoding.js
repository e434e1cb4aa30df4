// TextEncoder and TextDecoder (https://encoding.spec.whatwg.org) for UTF-8, UTF-16 and windows-1252.
(function (native, kit) {
  'use strict';

  const { bufferByteLength, dictionary, isView, needArguments, RangeError, stringCharCodeAt, stringSlice, stringToLowerCase, typedArrayLength,
    TypeError, Uint8Array } = kit;
  const { decodeText, encodeUtf8, encodeUtf8Into, kind } = native;

  const LABELS = { __proto__: null };
  const addLabels = (encoding, labels) => {
    for (let i = 0; i < labels.length; i++) LABELS[labels[i]] = encoding;
  };
  addLabels('utf-8', ['unicode-1-1-utf-8', 'unicode11utf8', 'unicode20utf8', 'utf-8', 'utf8', 'x-unicode20utf8']);
  addLabels('utf-16le', ['csunicode', 'iso-10646-ucs-2', 'ucs-2', 'unicode', 'unicodefeff', 'utf-16', 'utf-16le']);
  addLabels('utf-16be', ['unicodefffe', 'utf-16be']);
  addLabels('windows-1252', ['ansi_x3.4-1968', 'ascii', 'cp1252', 'cp819', 'csisolatin1', 'ibm819', 'iso-8859-1', 'iso-ir-100', 'iso8859-1', 'iso88591',
    'iso_8859-1', 'iso_8859-1:1987', 'l1', 'latin1', 'us-ascii', 'windows-1252', 'x-cp1252']);

  const isAsciiSpace = (unit) => unit === 32 || unit === 9 || unit === 10 || unit === 12 || unit === 13;

  const encodingOf = (label) => {
    const text = `${label}`;
    let start = 0;
    let end = text.length;
    while (start < end && isAsciiSpace(stringCharCodeAt(text, start))) start++;
    while (end > start && isAsciiSpace(stringCharCodeAt(text, end - 1))) end--;
    const encoding = LABELS[stringToLowerCase(stringSlice(text, start, end))];
    if (encoding === undefined) throw new RangeError(`TextDecoder: the encoding "${text}" is not available here: utf-8, utf-16le, utf-16be and windows-1252 are`);
    return encoding;
  };

  // The bytes of an ArrayBuffer or a view, not copied.
  const bytesOf = (source, name) => {
    if (kind(source) === 'ArrayBuffer') return new Uint8Array(source, 0, bufferByteLength(source));
    if (!isView(source)) throw new TypeError(`${name}: the input must be an ArrayBuffer or a view on one`);
    if (kind(source) === 'DataView') return new Uint8Array(kit.dataViewBuffer(source), kit.dataViewByteOffset(source), kit.dataViewByteLength(source));
    return new Uint8Array(kit.typedArrayBuffer(source), kit.typedArrayByteOffset(source), kit.typedArrayByteLength(source));
  };

  const utf8SequenceLength = (lead) => (lead >= 0xf0 && lead <= 0xf4 ? 4 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xc2 && lead < 0xe0 ? 2 : 1);

  // Whether `second` can stand behind `lead`: the decoder gives up at once where it cannot.
  const canFollow = (lead, second) => {
    const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    return second >= least && second <= most;
  };

  // How many bytes at the end are the beginning of a character whose rest is still to come.
  const unfinished = {
    __proto__: null,
    'utf-8'(bytes, length) {
      for (let back = 1; back <= 3 && back <= length; back++) {
        const lead = bytes[length - back];
        if (lead >= 0x80 && lead < 0xc0) continue;
        if (utf8SequenceLength(lead) <= back) return 0;
        return back === 1 || canFollow(lead, bytes[length - back + 1]) ? back : 0;
      }
      return 0;
    },
    'utf-16le': (bytes, length) => unfinishedUtf16(bytes, length, 1),
    'utf-16be': (bytes, length) => unfinishedUtf16(bytes, length, 0),
    'windows-1252': () => 0,
  };

  const unfinishedUtf16 = (bytes, length, highByte) => {
    const odd = length % 2;
    const whole = length - odd;
    const isLead = whole >= 2 && (bytes[whole - 2 + highByte] & 0xfc) === 0xd8;
    return odd + (isLead ? 2 : 0);
  };

  const concat = (first, second) => {
    const both = new Uint8Array(typedArrayLength(first) + typedArrayLength(second));
    kit.typedArraySet(both, first);
    kit.typedArraySet(both, second, typedArrayLength(first));
    return both;
  };

  class TextEncoder {
    #brand;

    static {
      kit.platform[kit.platform.length] = (value) => (#brand in value ? ['encoding: ', 'utf-8'] : undefined);
    }

    get encoding() {
      this.#brand;
      return 'utf-8';
    }

    encode(input = '') {
      this.#brand;
      return new Uint8Array(encodeUtf8(`${input}`));
    }

    encodeInto(source, destination) {
      this.#brand;
      needArguments(arguments.length, 2, 'encodeInto');
      const text = `${source}`;
      if (kind(destination) !== 'Uint8Array') throw new TypeError('encodeInto: the destination must be a Uint8Array');
      const counts = encodeUtf8Into(text, bytesOf(destination, 'encodeInto'));
      return { read: counts[0], written: counts[1] };
    }
  }

  class TextDecoder {
    #encoding;
    #fatal;
    #ignoreBOM;
    #pending = undefined; // bytes of a character that another chunk is to finish
    #isStarted = false; // whether a byte order mark could no longer come

    static {
      kit.platform[kit.platform.length] = (value) =>
        #fatal in value ? ['encoding: ', value.#encoding, 'fatal: ', value.#fatal, 'ignoreBOM: ', value.#ignoreBOM] : undefined;
    }

    constructor(label = 'utf-8', options = undefined) {
      this.#encoding = encodingOf(label);
      const { fatal, ignoreBOM } = dictionary(options, 'TextDecoder');
      this.#fatal = !!fatal;
      this.#ignoreBOM = !!ignoreBOM;
    }

    get encoding() {
      return this.#encoding;
    }

    get fatal() {
      return this.#fatal;
    }

    get ignoreBOM() {
      return this.#ignoreBOM;
    }

    decode(input = undefined, options = undefined) {
      const encoding = this.#encoding;
      const stream = !!dictionary(options, 'decode').stream;
      let bytes = input === undefined ? new Uint8Array(0) : bytesOf(input, 'decode');
      if (this.#pending) bytes = concat(this.#pending, bytes);
      const length = typedArrayLength(bytes);
      const held = stream ? unfinished[encoding](bytes, length) : 0;
      const start = kit.typedArrayByteOffset(bytes);
      const buffer = kit.typedArrayBuffer(bytes);
      let text = decodeText(encoding, new Uint8Array(buffer, start, length - held), this.#fatal);
      this.#pending = held ? kit.copyBytes(buffer, start + length - held, start + length) : undefined;
      if (text === undefined) {
        this.#pending = undefined;
        this.#isStarted = false;
        throw malformed(encoding);
      }
      if (!this.#isStarted && !this.#ignoreBOM && stringCharCodeAt(text, 0) === 0xfeff && encoding !== 'windows-1252') text = stringSlice(text, 1);
      this.#isStarted = stream && (this.#isStarted || length - held > 0);
      return text;
    }
  }

  const malformed = (encoding) => {
    const error = new TypeError(`decode: the bytes are not valid ${encoding}`);
    error.code = 'ERR_ENCODING_INVALID_ENCODED_DATA';
    return error;
  };

  kit.platformClass(TextEncoder);
  kit.platformClass(TextDecoder);
  kit.bytesOf = bytesOf;
});
