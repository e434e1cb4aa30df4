// structuredClone: https://html.spec.whatwg.org/#structured-cloning
let checks = 0;
const is = (got, expected, what) => {
  checks += 1;
  if (!Object.is(got, expected)) throw new Error(`${what}: ${String(got)} in place of ${String(expected)}`);
};
const caught = (run) => {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
};

for (const value of [undefined, null, true, 0, -0, NaN, 1.5, 12n, 'text', '\ud800']) is(structuredClone(value), value, 'a primitive');

const source = { a: [1, , { b: null }], date: new Date(5), pattern: /x+/gi, map: new Map([[{ k: 1 }, new Set([1, 'x'])]]), big: 2n, 1: 'index', __proto__: { inherited: 1 } };
source.pattern.lastIndex = 3;
const copy = structuredClone(source);
is(copy !== source && copy.a !== source.a, true, 'nothing is shared');
is(Object.keys(copy).join(), '1,a,date,pattern,map,big', 'own keys in order');
is(Object.getPrototypeOf(copy), Object.prototype, 'a plain object');
is(copy.a.length, 3, 'length');
is(1 in copy.a, false, 'a hole stays a hole');
is(copy.a[2].b, null, 'nested');
is(copy.date.getTime(), 5, 'Date');
is(copy.date instanceof Date, true, 'a Date');
is(`${copy.pattern} ${copy.pattern.lastIndex}`, '/x+/gi 0', 'RegExp');
is([...copy.map][0][0].k, 1, 'a key of a Map');
is([...[...copy.map.values()][0]].join(), '1,x', 'a Set');
is(Number.isNaN(structuredClone(new Date(NaN)).getTime()), true, 'an invalid date');

// Identity and cycles.
const shared = {};
const knot = { x: shared, y: shared, list: [] };
knot.self = knot;
knot.list.push(knot);
knot.set = new Set([knot]);
const untied = structuredClone(knot);
is(untied.x, untied.y, 'shared once');
is(untied.self, untied, 'a cycle');
is(untied.list[0], untied, 'a cycle through an array');
is(untied.set.has(untied), true, 'a cycle through a set');

// Instances, accessors, arrays with more, boxed values.
class Point {
  constructor() {
    this.x = 1;
  }
  get twice() {
    return this.x * 2;
  }
}
const point = structuredClone(new Point());
is(point instanceof Point, false, 'an instance becomes a plain object');
is(JSON.stringify(point), '{"x":1}', 'of its own properties');
const accessor = structuredClone({ get a() { return 5; } });
is(Object.getOwnPropertyDescriptor(accessor, 'a').value, 5, 'a getter is read');
is(structuredClone(Object.assign([1], { extra: 2 })).extra, 2, 'an array keeps what it has beside its items');
is(Object.keys(structuredClone({ [Symbol('s')]: 1, a: 2 })).join(), 'a', 'symbols are left');
is(typeof structuredClone(Object('x')), 'object', 'boxed');
is(structuredClone(Object('x')).valueOf(), 'x', 'boxed string');
is(structuredClone(Object(3n)).valueOf(), 3n, 'boxed BigInt');
is(structuredClone(Object(false)).valueOf(), false, 'boxed Boolean');
const own = structuredClone(JSON.parse('{"__proto__":{"a":1}}'));
is(Object.hasOwn(own, '__proto__'), true, 'an own __proto__ stays one');

// Errors.
const error = new RangeError('message', { cause: { why: 1 } });
error.extra = 1;
const again = structuredClone(error);
is(again instanceof RangeError, true, 'its class');
is(again.message, 'message', 'its message');
is(again.cause.why, 1, 'its cause');
is(again.stack, error.stack, 'its stack');
is(Object.hasOwn(again, 'extra'), false, 'nothing else');
class Own extends Error {}
is(structuredClone(new Own('x')).constructor, Error, 'an own class is an Error');
is(structuredClone(new DOMException('m', 'AbortError')).name, 'AbortError', 'a DOMException');

// Bytes.
const buffer = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]).buffer;
const views = structuredClone({ a: new Uint8Array(buffer, 2, 3), b: new DataView(buffer, 1, 4), c: new Float32Array(buffer, 4, 1), buffer });
is(views.a.join(), '3,4,5', 'a view');
is(views.a.buffer, views.b.buffer, 'one buffer');
is(views.buffer, views.c.buffer, 'the buffer itself');
is(views.buffer !== buffer && views.buffer.byteLength, 8, 'a copy of it');
is(views.b.getUint8(0), 2, 'a DataView');
is(structuredClone(new ArrayBuffer(2, { maxByteLength: 4 })).maxByteLength, 4, 'a resizable buffer');

// Transfer.
const moved = new ArrayBuffer(8);
const result = structuredClone({ view: new Uint8Array(moved, 4), moved }, { transfer: [moved] });
is(result.moved.byteLength, 8, 'arrives');
is(result.view.buffer, result.moved, 'with its views');
is(moved.byteLength, 0, 'and is gone here');
const kept = new ArrayBuffer(4);
is(caught(() => structuredClone([kept, () => {}], { transfer: [kept] })).name, 'DataCloneError', 'a failure');
is(kept.byteLength, 4, 'moves nothing');
is(caught(() => structuredClone(1, { transfer: [kept, kept] })).name, 'DataCloneError', 'twice');
is(caught(() => structuredClone(1, { transfer: [{}] })).name, 'DataCloneError', 'what cannot be moved');
is(caught(() => structuredClone(1, { transfer: [moved] })).name, 'DataCloneError', 'what is gone');

// What cannot be cloned.
for (const value of [() => {}, Symbol('s'), Promise.resolve(), new WeakMap(), new WeakSet(), new WeakRef({}), (function* () {})(), new Proxy({}, {}), class {},
  new Map().entries(), new URL('https://a/'), new EventTarget(), new AbortController().signal, moved]) {
  const refused = caught(() => structuredClone({ deep: [value] }));
  is(refused instanceof DOMException && refused.name, 'DataCloneError', `refuses ${Object.prototype.toString.call(value)}`);
  is(refused.code, 25, 'code');
}
const thrown = {};
is(caught(() => structuredClone({ get a() { throw thrown; } })), thrown, 'what a getter throws passes on');
is(caught(() => structuredClone()) instanceof TypeError, true, 'an argument is needed');
let deep = {};
for (let i = 0; i < 100000; i += 1) deep = { deep };
is(caught(() => structuredClone(deep)) instanceof RangeError, true, 'too deep is a RangeError');
return checks;
