// Nothing of the realm's own code is reachable.
let checks = 0;
const check = (condition, what) => {
  checks += 1;
  if (!condition) throw new Error(what);
};

// Source.
for (const value of [console.log, setTimeout, URL, URL.prototype.toString, AbortSignal.timeout, structuredClone, WeakRef, Number.prototype.toLocaleString,
  Object.getOwnPropertyDescriptor(URL.prototype, 'href').get]) {
  check(/\{\s*\[native code\]\s*\}$/.test(Function.prototype.toString.call(value)), `the source of ${value.name} is hidden`);
}

// Everything that can be reached from the global object: no function of the host, no kit.
const seen = new Set();
const forbidden = ['emitConsole', 'setTimer', 'urlParse', 'promiseParts', 'uncurryThis', 'platformClass', 'randomBytes', 'listFrom'];
const walk = (value, path) => {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
  seen.add(value);
  if (typeof value === 'function') check(!forbidden.includes(value.name), `${path} is a function of the realm's own`);
  walk(Object.getPrototypeOf(value), `${path}.__proto__`);
  for (const key of Reflect.ownKeys(value)) {
    check(!forbidden.includes(key), `${path}.${String(key)}`);
    const descriptor = Object.getOwnPropertyDescriptor(value, key);
    walk(descriptor.value, `${path}.${String(key)}`);
    walk(descriptor.get, `get ${path}.${String(key)}`);
    walk(descriptor.set, `set ${path}.${String(key)}`);
  }
};
walk(globalThis, 'globalThis');
check(seen.size > 500, 'the walk went far');

// Call sites: functions of frames are not handed out, nor are callers.
const { prepareStackTrace } = Error;
let sites = [];
let error;
Error.prepareStackTrace = (_, given) => {
  sites = sites.concat(given);
  return '';
};
const collect = () => new Error('here').stack;
const target = new EventTarget();
target.addEventListener('x', collect);
target.dispatchEvent(new Event('x'));
new URLSearchParams('a=1').forEach(collect);
console.log('%s', { toString: collect });
structuredClone({ get a() { return collect(); } });
new URL({ toString() { collect(); return 'https://a/'; } });
try {
  new URL('nonsense');
} catch (caught) {
  error = caught;
}
await new Promise((resolve) => setTimeout(() => resolve(collect()), 0));
Error.prepareStackTrace = prepareStackTrace;
check(sites.length > 10, 'call sites were seen');
for (const site of sites) {
  check(site.getFunction() === undefined, 'a call site has no function');
  for (const name of Reflect.ownKeys(Object.getPrototypeOf(site))) {
    const method = Object.getPrototypeOf(site)[name];
    const value = typeof method === 'function' && name !== 'constructor' ? method.call(site) : undefined;
    check(typeof value !== 'function' && (typeof value !== 'object' || value === null), `${String(name)} of a call site is plain`);
  }
}
check(Reflect.ownKeys(error).every((key) => ['stack', 'message', 'code', 'input'].includes(key)), 'an error has nothing more');

// No caller, no arguments of the functions that called.
let reached;
function sloppy() {
  try {
    reached = sloppy.caller;
  } catch {
    reached = null;
  }
}
new URLSearchParams('a=1').forEach(sloppy);
check(reached === undefined || reached === null, 'no caller');
let given;
new URLSearchParams('a=1').forEach(function () {
  given = this;
});
check(given === undefined || given === globalThis, 'no odd this');
setTimeout(function () {
  given = this;
}, 0);
await sleep(1);
check(given === undefined || given === globalThis, 'no odd this in a timer');

// Private parts cannot be reached by subclassing.
class Sub extends URLSearchParams {
  constructor() {
    super('a=1');
  }
}
check(Reflect.ownKeys(new Sub()).length === 0, 'no own keys');
return checks;
