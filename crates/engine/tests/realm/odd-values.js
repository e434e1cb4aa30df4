// The console takes anything: it runs no code of the script, throws nothing and comes to an end.
let checks = 0;
let ran = '';
const trap = (name) => () => {
  if (ran === '') ran = name;
  throw new Error(name);
};
const show = (name, make, log = console.log) => {
  const value = make();
  ran = '';
  try {
    log(value);
    log([value], { value });
  } catch (error) {
    throw new Error(`${name}: threw ${error}`);
  }
  checks += 1;
  if (ran !== '') throw new Error(`${name}: ran ${ran}`);
};
const handler = {};
for (const name of Reflect.ownKeys(Reflect)) if (typeof name === 'string') handler[name] = trap(`the trap ${name}`);
const hostile = (target) => new Proxy(target, handler);

show('getters', () => ({ get a() { return trap('a getter')(); } }));
show('getters of a class', () => Object.create({ get [Symbol.toStringTag]() { return trap('a tag')(); }, get constructor() { return trap('a constructor')(); } }));
show('a getter of the tag', () => Object.defineProperty({ a: 1 }, Symbol.toStringTag, { get: trap('a tag') }));
show('a proxy', () => hostile({ a: 1 }));
show('a proxy of a proxy', () => hostile(hostile([1])));
show('a proxy of a function', () => hostile(() => {}));
show('a proxy of a class', () => hostile(class {}));
show('a proxy of a map', () => hostile(new Map([[1, 2]])));
show('a proxy of a date', () => hostile(new Date()));
show('a proxy of an error', () => hostile(new Error('x')));
show('a revoked proxy', () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
});
show('a proxy as prototype', () => Object.create(hostile({})));
show('a proxy as prototype of a class', () => Object.setPrototypeOf(class {}, hostile(class {})));
show('a proxy as constructor', () => ({ __proto__: { constructor: hostile(class {}) }, a: 1 }));
show('a chain of proxies', () => {
  let proxy = {};
  for (let i = 0; i < 10000; i += 1) proxy = new Proxy(proxy, {});
  return proxy;
});
show('a chain of prototypes', () => {
  let object = null;
  for (let i = 0; i < 100000; i += 1) object = Object.create(object);
  return object;
});
show('Symbol.hasInstance', () => {
  class Odd {}
  Object.defineProperty(Odd, Symbol.hasInstance, { value: trap('hasInstance') });
  return new Odd();
});
show('an own inspect', () => ({ inspect: trap('inspect'), [Symbol.for('nodejs.util.inspect.custom')]: trap('inspect'), toString: trap('toString'), valueOf: trap('valueOf'), toJSON: trap('toJSON'), [Symbol.toPrimitive]: trap('toPrimitive') }));
show('names that are none', () => [Object.defineProperty(() => {}, 'name', { get: trap('a name') }), Object.defineProperty(class {}, 'name', { value: 5 }), Object.defineProperty(() => {}, 'name', { value: Symbol('n') }), class { static name() {} }]);
show('a constructor that is none', () => [{ constructor: 5, a: 1 }, { constructor: { name: 'x' }, a: 1 }, { constructor: undefined }, { constructor: null }]);
show('errors', () => {
  const errors = [];
  for (const key of ['name', 'message', 'stack', 'cause', 'errors', 'constructor']) {
    for (const descriptor of [{ get: trap(key) }, { value: undefined }, { value: Symbol('s') }, { value: {} }, { value: '' }, { value: null }, { value: 5 }]) {
      errors.push(Object.defineProperty(new Error('message'), key, { ...descriptor, configurable: true, enumerable: errors.length % 2 === 0 }));
    }
  }
  errors.push(Object.create(Error.prototype), Object.setPrototypeOf(new Error('x'), null), Object.setPrototypeOf(new Error('x'), hostile({})), Error.prototype, new AggregateError([1, new Error('y')]));
  const loop = new Error('loop');
  loop.cause = loop;
  errors.push(loop);
  return errors;
});
show('internals without their prototype', () => [new Map([[1, 2]]), new Set([1]), new Date(0), /x/, new Uint8Array(2), new ArrayBuffer(2), new DataView(new ArrayBuffer(2)), Promise.resolve(1), Object(1), Object('s'), Object(Symbol('s')),
  () => {}, class {}, [1, 2], new WeakMap(), new Map().entries(), new URL('https://a/'), new URLSearchParams('a=1'), new Event('x'), new DOMException('x')].map((value) => Object.setPrototypeOf(value, null)));
show('prototypes of what they are not', () => [Map, Set, Date, RegExp, Uint8Array, ArrayBuffer, Promise, Number, String, Array, Error, URL, URLSearchParams, Event, AbortSignal, DOMException, WeakRef].map((constructor) => Object.create(constructor.prototype)));
show('prototypes themselves', () => [Map, Set, Date, RegExp, Uint8Array, ArrayBuffer, Promise, Number, String, Symbol, BigInt, Array, Error, URL, URLSearchParams, Event, AbortSignal, DOMException, WeakRef].map((constructor) => constructor.prototype));
show('detached', () => {
  const buffer = new ArrayBuffer(8);
  const values = [buffer, new Uint8Array(buffer), new DataView(buffer)];
  buffer.transfer();
  return values;
});
show('out of bounds', () => {
  const buffer = new ArrayBuffer(8, { maxByteLength: 8 });
  const values = [buffer, new Uint8Array(buffer, 4), new Uint8Array(buffer, 4, 2), new DataView(buffer, 4), new Uint8Array(buffer)];
  buffer.resize(2);
  return values;
});
show('the global object', () => globalThis);
show('what is running', () => (function () { return arguments; })(1, 2));
show('a knot', () => {
  const knot = { map: new Map(), set: new Set(), list: [] };
  knot.map.set(knot, knot.map);
  knot.set.add(knot);
  knot.list.push(knot, knot.list);
  return knot;
});

// Large and deep ones.
show('a long array', () => new Array(1000000).fill(7));
show('a sparse array', () => {
  const array = [];
  array[4294967294] = 1;
  array[5] = 2;
  return array;
});
show('a long array of holes', () => new Array(4294967295));
show('many properties', () => Object.fromEntries(Array.from({ length: 100000 }, (_, i) => [`key${i}`, i])));
show('a long text', () => 'x'.repeat(10000000));
show('a text of lines', () => '\n'.repeat(1000000));
show('a large map', () => new Map(Array.from({ length: 100000 }, (_, i) => [i, { i }])));
show('large bytes', () => new Uint8Array(10000000));
show('wide and deep', () => {
  const wide = (levels) => (levels === 0 ? 'leaf' : Array.from({ length: 100 }, () => (levels > 1 ? shared[levels - 1] : 'leaf')));
  const shared = [];
  for (let levels = 1; levels < 6; levels += 1) shared[levels] = wide(levels);
  return shared[5];
});
const deep = () => {
  let value = {};
  for (let i = 0; i < 100000; i += 1) value = { value };
  return value;
};
show('deep', deep);
show('deep, all of it', deep, (value) => console.dir(value, { depth: null }));
show('deep arrays, all of it', () => {
  let value = [];
  for (let i = 0; i < 100000; i += 1) value = [value, value];
  return value;
}, (value) => console.dir(value, { depth: Infinity }));
show('odd options', () => ({ a: { b: { c: {} } } }), (value) => {
  console.dir(value, null);
  console.dir(value, 5);
  console.dir(value, { depth: 'x' });
  console.dir(value, { depth: NaN });
  console.dir(value, { depth: -1 });
});
show('tables', () => [hostile([1]), { get a() { return trap('a getter')(); } }, [hostile({})], new Map([[hostile({}), 1]]), [[, 1]], 'text', new Array(100000).fill({ a: 1 })], (values) => {
  for (const value of [].concat(values)) {
    console.table(value);
    console.table(value, ['a']);
    console.table(value, hostile(['a']));
    console.table(value, 'a');
  }
});

// Near the end of the stack, an entry is made or a RangeError thrown that can be caught; the run goes on.
const down = (levels) => {
  console.log({ a: { b: [1, 2, 3] } });
  return down(levels + 1);
};
try {
  down(0);
} catch (error) {
  checks += 1;
  if (!(error instanceof RangeError)) throw error;
}
console.log({ still: 'here' });
return checks;
