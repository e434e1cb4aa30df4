// A script that patches every built-in neither breaks the realm nor sees its insides.
let checks = 0;
const failures = [];
const check = (condition, message) => {
  checks += 1;
  if (!condition) failures[failures.length] = message;
};

const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { ownKeys, apply } = Reflect;
const realm = { ...globalThis, console, setTimeout, clearTimeout, setInterval, sleep, structuredClone, URL, URLSearchParams, Event, CustomEvent, EventTarget,
  AbortController, AbortSignal, TextEncoder, TextDecoder, crypto, performance, atob, btoa, DOMException, WeakRef, FinalizationRegistry, Map, Set, Uint8Array,
  Date, Error, Promise };

// Every method and accessor of every built-in prototype, found before any is patched.
const prototypes = [Object, Function, Array, String, Number, Boolean, Symbol, BigInt, RegExp, Date, Map, Set, WeakMap, WeakSet, Promise, ArrayBuffer, DataView,
  Error, TypeError, RangeError, Uint8Array, URL, URLSearchParams, Event, EventTarget, AbortSignal, AbortController, TextEncoder, TextDecoder, DOMException].map((c) => c.prototype);
prototypes.push(getPrototypeOf(Uint8Array.prototype));
for (const iterable of [[], new Map(), new Set(), '', new URLSearchParams()]) prototypes.push(getPrototypeOf(iterable[Symbol.iterator]()));
prototypes.push(getPrototypeOf(getPrototypeOf([][Symbol.iterator]())), getPrototypeOf(async () => {}), getPrototypeOf(function* () {}));
const statics = [Object, Reflect, Array, String, Number, Promise, Math, JSON, ArrayBuffer, Date, Symbol, Error];
const kept = new Set(['constructor', 'prototype', 'name', 'length', '__proto__']);

const patches = [];
const collect = (object) => {
  for (const key of ownKeys(object)) {
    const descriptor = getOwnPropertyDescriptor(object, key);
    if (!descriptor.configurable || kept.has(key)) continue;
    if (object === Promise.prototype && key === 'then') continue; // `await` is the language's own
    if (object === Function.prototype && key === Symbol.hasInstance) continue;
    if (typeof descriptor.value === 'function' || descriptor.get) patches.push({ object, key, descriptor });
  }
};
for (const object of prototypes) collect(object);
for (const object of statics) collect(object);

let hit = '';
const patch = (patched) => {
  const { object, key, descriptor } = patched;
  const name = String(key);
  const trap = function () {
    if (hit === '') hit = name;
    throw name;
  };
  const replacement = descriptor.get ? { __proto__: null, get: trap, set: trap, configurable: true } : { __proto__: null, value: trap, configurable: true, writable: true };
  patched.replacement = replacement;
};
for (const patched of patches) patch(patched);

// Accessors where an object literal, a descriptor or a list without care would meet them.
const planted = ['0', '1', '2', 'get', 'set', 'value', 'writable', 'enumerable', 'text', 'digits', 'point', 'cells', 'title', 'callback', 'capture', 'once', 'signal',
  'isRemoved', 'open', 'close', 'base', 'keys', 'fill', 'whole', 'isEmpty', 'hasTrailer', 'name', 'delay', 'repeats', 'args', 'symbol', 'significant', 'weekday',
  'hour', 'month', 'year', 'depth', 'style', 'code', 'maxByteLength', 'isTrusted', 'stops'];
const plant = (prototype) => {
  for (let i = 0; i < planted.length; i++) {
    const key = planted[i];
    if (getOwnPropertyDescriptor(prototype, key)) continue;
    let get = () => undefined;
    if (!(key === 'get' || key === 'set' || key === 'value' || key === 'writable' || key === 'enumerable')) {
      get = () => {
        if (hit === '') hit = `read of a planted ${key}`;
        return undefined;
      };
    }
    const set = () => {
      if (hit === '') hit = `write of a planted ${key}`;
    };
    defineProperty(prototype, key, { __proto__: null, get, set, configurable: true });
    plantedOn[plantedOn.length] = { __proto__: null, prototype, key };
  }
};
const plantedOn = [];
const globals = ['Array', 'Map', 'Set', 'WeakMap', 'Promise', 'Error', 'TypeError', 'RangeError', 'RegExp', 'String', 'Number', 'Symbol', 'BigInt', 'Date', 'ArrayBuffer',
  'Uint8Array', 'DOMException', 'Event', 'EventTarget', 'URLSearchParams', 'Math', 'JSON', 'Reflect', 'parseInt', 'parseFloat'];
const oldGlobals = globals.map((name) => getOwnPropertyDescriptor(globalThis, name));

const results = { __proto__: null };
const probe = (name, run, expected) => {
  hit = '';
  let got;
  try {
    got = run();
  } catch (error) {
    got = `threw ${typeof error === 'string' ? error : realm.describe(error)}`;
  }
  results[name] = { __proto__: null, got, expected, hit };
};
const describeMessage = getOwnPropertyDescriptor(Error.prototype, 'toString').value;
realm.describe = (error) => (typeof error === 'object' && error !== null && typeof error.message === 'string' ? error.message : 'something');

const sample = { a: 1, b: "it's", c: [1, 2, { d: { e: {} } }], m: new Map([[1, 2]]), s: new Set([1]), f() {}, e: new Error('x'), d: new Date(0), r: /x/g, u: new Uint8Array(3),
  p: Promise.resolve(1), n: null, big: 1n, boxed: Object('s'), y: Symbol('y'), url: new URL('https://a/?b=c'), x: new Proxy({}, {}) };
const rows = [{ a: 1 }, { a: 2, b: 'x' }];
const signalled = new AbortController();
let heard = 0;
const target = new EventTarget();
const bytes = new Uint8Array([0xe2, 0x82, 0xac]);
const parameters = new URLSearchParams('b=1&a=2');
const link = new URL('https://example.org/a?b=c#d');
const pair = ['k', 'v'];
const currency = { __proto__: null, style: 'currency', currency: 'USD' };
const day = { __proto__: null, dateStyle: 'medium' };
const date = new Date(0);
const numberText = Number.prototype.toLocaleString;
const dateText = Date.prototype.toLocaleString;
const methods = { __proto__: null };
for (const [owner, names] of [[EventTarget, ['addEventListener', 'dispatchEvent', 'removeEventListener']], [AbortController, ['abort']], [TextEncoder, ['encode', 'encodeInto']],
  [TextDecoder, ['decode']], [URLSearchParams, ['append', 'get', 'getAll', 'sort', 'toString', 'set', 'delete', 'has']], [URL, ['toString']]]) {
  for (const name of names) methods[owner.name + name] = owner.prototype[name];
}
const hrefOf = getOwnPropertyDescriptor(URL.prototype, 'href');
const searchOf = getOwnPropertyDescriptor(URL.prototype, 'search');
const paramsOf = getOwnPropertyDescriptor(URL.prototype, 'searchParams').get;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const random = crypto.getRandomValues;
const uuid = crypto.randomUUID;
const now = performance.now;
const clone = structuredClone;
const { log, table, group, groupEnd, dir, count, time, timeEnd, trace } = console;
const canParse = URL.canParse;
const setParse = URL.prototype.constructor;
const deref = WeakRef.prototype.deref;
const weak = new WeakRef(date);
const joinArray = Array.prototype.toLocaleString;

let fired = '';
const timed = new Promise((resolve) => {
  results.resolve = resolve;
});

// From here to the restoring, nothing but syntax and what was kept above.
for (let i = 0; i < patches.length; i++) defineProperty(patches[i].object, patches[i].key, patches[i].replacement);
for (let i = 0; i < globals.length; i++) {
  const name = globals[i];
  defineProperty(globalThis, name, { __proto__: null, configurable: true, get() {
    if (hit === '') hit = `the global ${name}`;
    return undefined;
  } });
}
plant(prototypes[0]);
plant(prototypes[2]);

probe('log', () => log(sample, rows, '%s', 1.5, -0, sample.y));
probe('format', () => log('%s %d %i %f %j %O %c %%', 'a', 4.5, 5.5, '1.5', 1, rows, 'css', rows));
probe('errors', () => log(sample.e));
probe('dir', () => dir(sample, { __proto__: null, depth: 4 }));
probe('table', () => table(rows));
probe('group', () => {
  group('g');
  log('a\nb');
  groupEnd();
});
probe('count', () => count('primordials'));
probe('time', () => {
  time('primordials');
  timeEnd('primordials');
});
probe('trace', () => trace('x'));
probe('number', () => apply(numberText, 1234.5, ['en-US', currency]), '$1,234.50');
probe('plain number', () => apply(numberText, 1234567.891, []), '1,234,567.891');
probe('date', () => apply(dateText, date, ['en-US', day]), 'Jan 1, 1970');
probe('plain date', () => apply(dateText, date, []), '1/1/1970, 12:00:00 AM');
probe('clone', () => clone(rows)[1].b, 'x');
probe('clone map', () => typeof clone(sample.m), 'object');
probe('clone refused', () => {
  try {
    clone(log);
  } catch (error) {
    return typeof error;
  }
}, 'object');
probe('url', () => apply(hrefOf.get, new setParse('../x?y=z', 'https://a.b/c/d'), []), 'https://a.b/x?y=z');
probe('url set', () => {
  apply(searchOf.set, link, ['?q=1&r=2']);
  return apply(methods.URLtoString, link, []);
}, 'https://example.org/a?q=1&r=2#d');
probe('url params', () => apply(methods.URLSearchParamsget, apply(paramsOf, link, []), ['r']), '2');
probe('params', () => {
  apply(methods.URLSearchParamsappend, parameters, ['c d', 'é&']);
  apply(methods.URLSearchParamsset, parameters, ['b', '9']);
  apply(methods.URLSearchParamssort, parameters, []);
  return apply(methods.URLSearchParamstoString, parameters, []);
}, 'a=2&b=9&c+d=%C3%A9%26');
probe('params all', () => apply(methods.URLSearchParamsgetAll, parameters, ['a']).length, 1);
probe('can parse', () => canParse('x:y'), true);
probe('events', () => {
  apply(methods.EventTargetaddEventListener, target, ['x', () => {
    heard += 1;
  }, { __proto__: null, once: true }]);
  apply(methods.EventTargetaddEventListener, target, ['x', () => {}]);
  return apply(methods.EventTargetdispatchEvent, target, [new realm.Event('x')]);
}, true);
probe('abort', () => {
  apply(methods.AbortControllerabort, signalled, []);
}, undefined);
probe('encode', () => apply(methods.TextEncoderencode, encoder, ['€'])[2], 0xac);
probe('decode', () => apply(methods.TextDecoderdecode, decoder, [bytes]), '€');
probe('random', () => apply(random, realm.crypto, [bytes]) === bytes, true);
probe('uuid', () => apply(uuid, realm.crypto, []).length, 36);
probe('now', () => typeof apply(now, realm.performance, []), 'number');
probe('weak', () => apply(deref, weak, []) === date, true);
probe('base64', () => realm.atob(realm.btoa('hi')), 'hi');
probe('timers', () => {
  const id = realm.setTimeout(() => {}, 5);
  realm.clearTimeout(id);
  realm.setTimeout((value) => {
    fired = value;
    results.resolve();
  }, 1, 'fired');
  return typeof id;
}, 'number');
probe('sleep', () => typeof realm.sleep(0), 'object');

// The way back.
for (let i = 0; i < plantedOn.length; i++) delete plantedOn[i].prototype[plantedOn[i].key];
for (let i = 0; i < globals.length; i++) defineProperty(globalThis, globals[i], oldGlobals[i]);
for (let i = 0; i < patches.length; i++) defineProperty(patches[i].object, patches[i].key, patches[i].descriptor);

await timed;
check(heard === 1, 'the listener was not called once');
check(fired === 'fired', 'the timer did not fire');
for (const name of ownKeys(results)) {
  if (name === 'resolve') continue;
  const { got, expected, hit: seen } = results[name];
  check(Object.is(got, expected), `${name}: ${String(got)} in place of ${String(expected)}`);
  check(seen === '', `${name}: reached ${seen}`);
}
check(patches.length > 300, 'few built-ins were patched');
if (failures.length) throw new Error(failures.join('\n'));
return checks;
