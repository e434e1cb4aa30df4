// Values of every kind.
const circular = { a: 1, b: 'x', c: [1, 2, { d: { e: { f: 1 } } }], get g() { return 1; }, set s(v) {}, get gs() { return 1; }, set gs(v) {} };
circular.self = circular;
console.log(circular);
class Foo { constructor() { this.a = 1; } get x() { return 1; } }
class Bar extends Foo {}
class M extends Map {}
console.log([new Foo(), new Bar(), Object.create(null), Object.create({ a: 1 }), new M([[1, 2]]), new WeakMap(), new WeakSet(), new WeakRef({ a: 1 }), new FinalizationRegistry(() => {})]);
console.log([Foo, Bar, class {}, () => {}, function f() {}, async () => {}, function* g() {}, async function* ag() {}, Math, JSON, Reflect, Symbol('a'), Symbol()]);
console.log([new Number(1), new String('abc'), Object(1n), Object(Symbol('q')), new Boolean(false), -0, 1n, NaN, undefined, null]);
console.log(new Map([[1, { a: { b: { c: {} } } }]]).entries(), new Set([1]).values(), [1][Symbol.iterator](), 'a'[Symbol.iterator](), (function* () {})(), (async function* () {})());
console.log((function () { return arguments; })(1, 2));
console.log(new Uint8Array(3), new ArrayBuffer(4), new DataView(new ArrayBuffer(2)), new Float32Array(0), new BigInt64Array(2));
console.log(Promise.resolve(4), Promise.resolve({ a: 1 }), new Promise(() => {}));
console.log(new Proxy({ a: 1 }, {}), new Proxy(function f() {}, {}), new Proxy([1], {}));
console.log([, 1, , , 2], [undefined], Object.assign([1], { x: 1, '-1': 2 }), new Array(200).fill(1), 'a'.repeat(3));
console.log({ 'a-b': 1, 1: 2, [Symbol('s')]: 3, 'ünï': 1 }, "it's", ["it's", '"', '`"\'', '\n\t\x00\u007f\x1b\ud800']);
console.log(new Date(0), new Date(NaN), /a/g, Object.assign(/a/, { x: 1 }), Object.assign(new Date(0), { y: 1 }), Object.assign(() => {}, { z: 1 }), Object.assign(function q() {}, { z: 1 }));
console.log([Foo.prototype, Object.prototype, Function.prototype, Array.prototype, Map.prototype]);
console.log(new (class extends Array {})(3), new (class X extends Array {})(1, 2), new (class Y extends Promise {})(() => {}), new (class Z extends Uint8Array {})(2));
console.log({ [Symbol.toStringTag]: 'T', a: 1 });
console.log([1.5, -2.25, 1e21, 1e-7, 12345678901], [[[[1]]]], { a: { b: { c: { d: 1 } } } });
console.log(new URL('https://a:b@c.d:81/e?f=g#h'), new URLSearchParams('a=1&b=2'), new URLSearchParams());
console.log(new AbortController(), new AbortController().signal, new TextDecoder(), new EventTarget());
const error = new TypeError('bad', { cause: new Error('cause') });
error.stack = 'TypeError: bad\n    at x';
error.cause.stack = 'Error: cause\n    at y';
error.code = 'E';
console.log(error, [error], { error });
console.log('x'.repeat(200), ['x'.repeat(200), 'line\nline\nline'.repeat(4)], ['x'.repeat(10100)]);
console.log(Array.from({ length: 30 }, (_, i) => i * 37), Array.from({ length: 27 }, (_, i) => 'abcdefg'.slice(0, 1 + (i % 7))), [['a', 'b'], ['c', 'd']]);
console.log(new Map([['key', { nested: new Map([[{ k: 1 }, 'v']]) }]]), new Set(['a', { b: 1 }, new Set([1])]), new Map(Array.from({ length: 120 }, (_, i) => [i, i])));
