// TextEncoder, TextDecoder (https://encoding.spec.whatwg.org), atob and btoa.
let checks = 0;
const is = (got, expected, what) => {
  checks += 1;
  if (!Object.is(got, expected)) throw new Error(`${what}: ${String(got)} in place of ${String(expected)}`);
};
const nameOf = (run) => {
  try {
    run();
  } catch (error) {
    return error.name;
  }
  return 'nothing thrown';
};
const bytes = (...values) => new Uint8Array(values);

// TextEncoder
const encoder = new TextEncoder();
is(encoder.encoding, 'utf-8', 'encoding');
is(encoder.encode('aé€😀').join(), '97,195,169,226,130,172,240,159,152,128', 'encode');
is(encoder.encode('\ud800x\udc00').join(), '239,191,189,120,239,191,189', 'lone surrogates');
is(encoder.encode().length, 0, 'encode of nothing');
is(encoder.encode(undefined).length, 0, 'encode of undefined');
is(encoder.encode(null).join(), '110,117,108,108', 'encode makes strings');
is(encoder.encode('x'.repeat(100000)).length, 100000, 'a long text');
is(encoder.encode('x').buffer.byteLength, 1, 'no byte too many');
is(Object.getPrototypeOf(encoder.encode('')), Uint8Array.prototype, 'a Uint8Array');
for (const [text, room, read, written] of [['aé€😀', 10, 5, 10], ['aé€😀', 9, 3, 6], ['aé€😀', 5, 2, 3], ['€', 2, 0, 0], ['', 2, 0, 0], ['\ud800', 3, 1, 3]]) {
  const result = encoder.encodeInto(text, new Uint8Array(room));
  is(`${result.read},${result.written}`, `${read},${written}`, `encodeInto ${text} ${room}`);
}
const destination = new Uint8Array(6).fill(9);
encoder.encodeInto('hi', destination.subarray(2, 5));
is(destination.join(), '9,9,104,105,9,9', 'encodeInto writes where it is told');
is(nameOf(() => encoder.encodeInto('x', new Uint8ClampedArray(1))), 'TypeError', 'encodeInto needs a Uint8Array');
is(nameOf(() => encoder.encodeInto('x')), 'TypeError', 'encodeInto needs a destination');
is(nameOf(() => TextEncoder.prototype.encode.call({}, 'x')), 'TypeError', 'encode is for TextEncoder');

// TextDecoder: inputs, byte order marks, errors.
const decoder = new TextDecoder();
is(decoder.decode(bytes(97, 195, 169, 240, 159, 152, 128)), 'aé😀', 'decode');
is(decoder.decode(), '', 'decode of nothing');
is(decoder.decode(bytes(97, 98, 99).buffer), 'abc', 'an ArrayBuffer');
is(decoder.decode(bytes(97, 98, 99).subarray(1)), 'bc', 'a part');
is(decoder.decode(new DataView(bytes(97, 98, 99).buffer, 1, 1)), 'b', 'a DataView');
is(decoder.decode(new Uint16Array(bytes(97, 0).buffer)), 'a\0', 'any view');
is(decoder.decode(bytes(0xef, 0xbb, 0xbf, 97)), 'a', 'the byte order mark goes');
is(decoder.decode(bytes(0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf)), '\ufeff', 'once');
is(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes(0xef, 0xbb, 0xbf, 97)), '\ufeffa', 'or stays');
for (const [malformed, expected] of [
  [[0xff], '\ufffd'],
  [[0xc0, 0x80], '\ufffd\ufffd'],
  [[0xe2, 0x82], '\ufffd'],
  [[0xe2, 0x82, 97], '\ufffda'],
  [[0xed, 0xa0, 0x80], '\ufffd\ufffd\ufffd'],
  [[0xf0, 0x90, 0x41], '\ufffdA'],
  [[0xf4, 0x90, 0x80, 0x80], '\ufffd\ufffd\ufffd\ufffd'],
  [[0xf8, 0x88], '\ufffd\ufffd'],
  [[0x80, 97], '\ufffda'],
]) {
  is(decoder.decode(bytes(...malformed)), expected, `malformed ${malformed}`);
  is(nameOf(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes(...malformed))), 'TypeError', `fatal ${malformed}`);
}
is(nameOf(() => decoder.decode('text')), 'TypeError', 'a string is no input');
is(nameOf(() => decoder.decode([1])), 'TypeError', 'an array is no input');

// Streams: any cut gives the same text.
const text = '\ufeffaé€😀\ud7ff\uffff𐀀z';
for (const [label, encoded] of [
  ['utf-8', encoder.encode(text)],
  ['utf-16le', new Uint8Array([...text].flatMap((c) => c.split('')).flatMap((c) => [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8]))],
  ['utf-16be', new Uint8Array([...text].flatMap((c) => c.split('')).flatMap((c) => [c.charCodeAt(0) >> 8, c.charCodeAt(0) & 255]))],
]) {
  for (let size = 1; size < 9; size += 1) {
    const stream = new TextDecoder(label, { fatal: true });
    let whole = '';
    for (let at = 0; at < encoded.length; at += size) whole += stream.decode(encoded.subarray(at, at + size), { stream: true });
    whole += stream.decode();
    is(whole, text.slice(1), `${label} in pieces of ${size}`);
  }
}
const stream = new TextDecoder();
is(stream.decode(bytes(0xe2, 0x82), { stream: true }), '', 'held back');
is(stream.decode(bytes(97), { stream: true }), '\ufffda', 'and given up');
is(stream.decode(bytes(0xf0, 0x9f), { stream: true }), '', 'held back');
is(stream.decode(), '\ufffd', 'until the end');
is(stream.decode(bytes(97)), 'a', 'and then fresh');

// Other encodings and labels.
is(new TextDecoder('utf-16le').decode(bytes(97, 0, 0x3d, 0xd8, 0, 0xde)), 'a😀', 'UTF-16');
is(new TextDecoder('utf-16').decode(bytes(0xff, 0xfe, 97, 0)), 'a', 'UTF-16 with a mark');
is(new TextDecoder('utf-16le').decode(bytes(0, 0xd8, 97, 0, 1)), '\ufffda\ufffd', 'UTF-16, malformed');
is(new TextDecoder('latin1').decode(bytes(0xe9, 0x80, 0x9f, 0x81)), 'é€Ÿ\x81', 'windows-1252');
for (const [label, encoding] of [['utf8', 'utf-8'], [' UTF-8\n', 'utf-8'], ['unicode', 'utf-16le'], ['ascii', 'windows-1252'], ['ISO-8859-1', 'windows-1252'], [undefined, 'utf-8']]) {
  is(new TextDecoder(label).encoding, encoding, `label ${label}`);
}
is(nameOf(() => new TextDecoder('klingon')), 'RangeError', 'an unknown label');
const options = new TextDecoder('utf-8', { fatal: 1, ignoreBOM: '' });
is(options.fatal, true, 'fatal');
is(options.ignoreBOM, false, 'ignoreBOM');

// atob and btoa
is(btoa('hi\xff'), 'aGn/', 'btoa');
is(btoa(''), '', 'btoa of nothing');
is(btoa(undefined), 'dW5kZWZpbmVk', 'btoa makes strings');
is(nameOf(() => btoa('€')), 'InvalidCharacterError', 'btoa takes Latin-1');
is(nameOf(() => btoa()), 'TypeError', 'btoa needs an argument');
for (const [encoded, expected] of [['aGn/', 'hi\xff'], [' a G\tk\n= ', 'hi'], ['aGk', 'hi'], ['', ''], ['YQ==', 'a'], ['YQ', 'a'], ['YR==', 'a']]) is(atob(encoded), expected, `atob ${encoded}`);
for (const encoded of ['a', 'a===', 'YQ=', '=YQ', 'Y-Q_', 'YQ==YQ==', 'é', 'YWI=x', '====']) is(nameOf(() => atob(encoded)), 'InvalidCharacterError', `atob ${encoded}`);
is(nameOf(() => atob()), 'TypeError', 'atob needs an argument');
let all = '';
for (let unit = 0; unit < 256; unit += 1) all += String.fromCharCode(unit);
is(atob(btoa(all)), all, 'there and back');
return checks;
