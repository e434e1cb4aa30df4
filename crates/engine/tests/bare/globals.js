// The bare realm: ECMAScript and console.
let checks = 0;
const check = (condition, what) => {
  checks += 1;
  if (!condition) throw new Error(what);
};
for (const name of ['setTimeout', 'sleep', 'queueMicrotask', 'URL', 'URLSearchParams', 'Event', 'EventTarget', 'AbortController', 'AbortSignal', 'TextEncoder', 'TextDecoder', 'structuredClone',
  'atob', 'btoa', 'crypto', 'performance', 'DOMException', 'Intl', 'SharedArrayBuffer', 'Atomics', 'WebAssembly', 'navigator']) {
  check(!(name in globalThis), `${name} is absent`);
}
for (const name of ['console', 'Promise', 'Map', 'Proxy', 'Reflect', 'BigInt', 'WeakRef', 'FinalizationRegistry', 'Iterator', 'JSON', 'Math', 'globalThis']) check(name in globalThis, `${name} is there`);
console.log({ a: [1, new Map([[1, 2]])] }, '%s', 1.5);
console.table([{ a: 1 }]);
check((1234.5).toLocaleString() === '1,234.5', 'numbers');
check(new Date(0).toLocaleDateString() === '1/1/1970', 'dates');
check(['b', 'A', 'a'].sort((x, y) => x.localeCompare(y)).join('') === 'aAb', 'texts');
check(new WeakRef(globalThis).deref() === globalThis, 'WeakRef');
return checks;
