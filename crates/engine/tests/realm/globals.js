// Which globals there are, and that they are what the standards say.
let checks = 0;
const is = (got, expected, what) => {
  checks += 1;
  if (!Object.is(got, expected)) throw new Error(`${what}: ${String(got)} in place of ${String(expected)}`);
};
const throwsTypeError = (run, what) => {
  let error;
  try {
    run();
  } catch (caught) {
    error = caught;
  }
  is(error instanceof TypeError, true, what);
};

const functions = { setTimeout: 1, setInterval: 1, setImmediate: 1, clearTimeout: 0, clearInterval: 0, clearImmediate: 0, queueMicrotask: 1, structuredClone: 1, atob: 1, btoa: 1, sleep: 1 };
const classes = { URL: 1, URLSearchParams: 0, Event: 1, CustomEvent: 1, EventTarget: 0, AbortController: 0, AbortSignal: 0, TextEncoder: 0, TextDecoder: 0, DOMException: 0, WeakRef: 1,
  FinalizationRegistry: 1, Crypto: 0, Performance: 0 };
const objects = ['console', 'crypto', 'performance'];
const absent = ['Atomics', 'Intl', 'SharedArrayBuffer', 'WebAssembly', 'gc', 'navigator', 'print', 'scriptArgs', 'process', 'require', 'Buffer', 'fetch', 'window', 'self', 'global',
  'native', 'kit', 'std', 'os', 'bjson'];

for (const name of [...Object.keys(functions), ...Object.keys(classes), ...objects]) {
  const descriptor = Object.getOwnPropertyDescriptor(globalThis, name);
  is(descriptor?.writable, true, `${name} is writable`);
  is(descriptor.configurable, true, `${name} is configurable`);
  is(descriptor.enumerable, false, `${name} is not enumerable`);
}
for (const name of absent) is(name in globalThis, false, `${name} is absent`);
for (const [name, length] of Object.entries(functions)) {
  const { [name]: value } = globalThis;
  is(value.name, name, 'name');
  is(Object.getOwnPropertyDescriptor(value, 'length').value, length, `${name}.length`);
  is('prototype' in value, false, `${name} is no constructor`);
  throwsTypeError(() => new value(() => {}), `new ${name}`);
}
const hidden = new Set(['AbortSignal', 'Crypto', 'Performance']);
for (const [name, length] of Object.entries(classes)) {
  const { [name]: value } = globalThis;
  is(value.name, name, 'name');
  if (!hidden.has(name)) is(value.length, length, `${name}.length`);
  is(value.prototype[Symbol.toStringTag], name, `${name} has a tag`);
  const tag = Object.getOwnPropertyDescriptor(value.prototype, Symbol.toStringTag);
  is(tag.writable || tag.enumerable, false, `${name}: the tag is fixed`);
  is(tag.configurable, true, `${name}: the tag is configurable`);
  is(value.prototype.constructor, value, `${name}.prototype.constructor`);
  is(Object.getOwnPropertyDescriptor(value, 'prototype').writable, false, `${name}.prototype is fixed`);
  throwsTypeError(() => value('x'), `${name} needs new`);
  is(Object.isExtensible(value) && Object.isExtensible(value.prototype), true, `${name} is not frozen`);
  const ecmaScript = name === 'WeakRef' || name === 'FinalizationRegistry';
  for (const key of Reflect.ownKeys(value.prototype)) {
    if (key === 'constructor' || typeof key === 'symbol') continue;
    const member = Object.getOwnPropertyDescriptor(value.prototype, key);
    is(member.enumerable, !ecmaScript, `${name}.prototype.${key} is enumerable`);
    if (member.get) {
      is(member.get.name, `get ${key}`, `${name}.prototype.${key}`);
      throwsTypeError(() => member.get.call({}), `${name}.prototype.${key} needs its own kind`);
      throwsTypeError(() => value.prototype[key], `${name}.prototype is not of its kind: ${key}`);
    } else if (typeof member.value === 'function') {
      is(member.value.name, key, `${name}.prototype.${key}`);
      is(member.value.prototype, undefined, `${name}.prototype.${key} is no constructor`);
      throwsTypeError(() => member.value.call({}, 'x', () => {}), `${name}.prototype.${key} needs its own kind`);
    }
  }
}

// console: methods that need no `this`, writable, enumerable.
for (const name of ['log', 'info', 'debug', 'warn', 'error', 'trace', 'table', 'group', 'groupCollapsed', 'groupEnd', 'count', 'countReset', 'time', 'timeEnd', 'timeLog', 'assert', 'dir', 'dirxml']) {
  const descriptor = Object.getOwnPropertyDescriptor(console, name);
  is(typeof descriptor.value, 'function', `console.${name}`);
  is(descriptor.value.name, name, `the name of console.${name}`);
  is(descriptor.enumerable && descriptor.writable && descriptor.configurable, true, `console.${name} is ordinary`);
}
is(Object.prototype.toString.call(console), '[object console]', 'console has a tag');
is(Object.getPrototypeOf(Object.getPrototypeOf(console)), Object.prototype, 'console is a namespace');

// What the realm replaces keeps its form.
for (const [owner, names] of [[Number, ['toLocaleString']], [BigInt, ['toLocaleString']], [Date, ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']], [Array, ['toLocaleString']],
  [Object.getPrototypeOf(Uint8Array), ['toLocaleString']]]) {
  for (const name of names) {
    const descriptor = Object.getOwnPropertyDescriptor(owner.prototype, name);
    is(descriptor.value.name, name, name);
    is(descriptor.value.length, 0, `${name}.length`);
    is(descriptor.enumerable, false, `${name} is not enumerable`);
    is(descriptor.writable && descriptor.configurable, true, `${name} is ordinary`);
    throwsTypeError(() => new descriptor.value(), `${name} is no constructor`);
    throwsTypeError(() => descriptor.value.call(null), `${name} needs its own kind`);
  }
}
is(Date.name, 'Date', 'Date is the built-in');
is(Date.length, 7, 'Date.length');
class Day extends Date {
  get day() {
    return this.getUTCDate();
  }
}
is(new Day(0).day, 1, 'Date can be extended');
is(Object.prototype.toString.call(new Day()), '[object Date]', 'and stays a Date');
is(new Date().getTimezoneOffset(), 0, 'the time zone is UTC');

// Prototypes are ordinary: a script may extend them.
for (const prototype of [Array.prototype, Object.prototype, String.prototype, URL.prototype]) {
  prototype.addedByTest = 1;
  is(prototype.addedByTest, 1, 'an extension');
  delete prototype.addedByTest;
}
const { URL: original } = globalThis;
globalThis.URL = 5;
is(URL, 5, 'a global can be replaced');
globalThis.URL = original;
return checks;
