// crypto and performance.
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

const uuids = new Set();
for (let i = 0; i < 100; i += 1) {
  const uuid = crypto.randomUUID();
  is(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(uuid), true, uuid);
  uuids.add(uuid);
}
is(uuids.size, 100, 'each UUID is new');

for (const Type of [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, BigInt64Array, BigUint64Array]) {
  const array = new Type(64);
  is(crypto.getRandomValues(array), array, `${Type.name} comes back`);
  is(array.some((value) => value != 0), true, `${Type.name} is filled`);
}
const part = new Uint8Array(100);
crypto.getRandomValues(part.subarray(10, 90));
is(part.slice(0, 10).every((value) => value === 0) && part.slice(90).every((value) => value === 0), true, 'only the view is filled');
is(crypto.getRandomValues(new Uint8Array(0)).length, 0, 'nothing to fill');
is(crypto.getRandomValues(new Uint8Array(65536)).length, 65536, 'as much as there may be');
is(new Set(crypto.getRandomValues(new Uint8Array(65536))).size, 256, 'every byte occurs');
is(nameOf(() => crypto.getRandomValues(new Uint8Array(65537))), 'QuotaExceededError', 'too much');
is(nameOf(() => crypto.getRandomValues(new Float32Array(1))), 'TypeMismatchError', 'floats');
is(nameOf(() => crypto.getRandomValues(new DataView(new ArrayBuffer(1)))), 'TypeMismatchError', 'a DataView');
is(nameOf(() => crypto.getRandomValues([1])), 'TypeError', 'an array');
is(nameOf(() => crypto.getRandomValues()), 'TypeError', 'nothing');
is(nameOf(() => new Crypto()), 'TypeError', 'no Crypto by hand');
is(nameOf(() => crypto.getRandomValues.call({}, new Uint8Array(1))), 'TypeError', 'crypto is needed');
is(Object.prototype.toString.call(crypto), '[object Crypto]', 'tag');

const before = performance.now();
is(Number.isInteger(before) && before >= 0, true, 'now counts whole milliseconds');
await sleep(5);
is(performance.now() - before >= 5, true, 'now moves on');
is(Number.isInteger(performance.timeOrigin) && performance.timeOrigin > 0, true, 'timeOrigin');
is(JSON.stringify(performance), `{"timeOrigin":${performance.timeOrigin}}`, 'toJSON');
is(nameOf(() => new Performance()), 'TypeError', 'no Performance by hand');
is(nameOf(() => performance.now.call({})), 'TypeError', 'performance is needed');
is(performance instanceof EventTarget, true, 'performance is an EventTarget');
return checks;
