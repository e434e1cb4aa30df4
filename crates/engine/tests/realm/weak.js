// WeakRef and FinalizationRegistry: https://tc39.es/ecma262/#sec-managing-memory
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

// A target is never lost.
const references = [];
for (let i = 0; i < 1000; i += 1) references.push(new WeakRef({ i }));
let called = 0;
const registry = new FinalizationRegistry(() => (called += 1));
for (let i = 0; i < 1000; i += 1) registry.register({ i }, i);
for (let i = 0; i < 100; i += 1) new Array(10000).fill(i);
await sleep(1);
is(references.every((reference, i) => reference.deref()?.i === i), true, 'deref gives the target');
is(called, 0, 'a registry never calls');

for (const [constructor, length, methods] of [[WeakRef, 1, { deref: 0 }], [FinalizationRegistry, 1, { register: 2, unregister: 1 }]]) {
  is(constructor.length, length, 'length');
  is(constructor.prototype[Symbol.toStringTag], constructor.name, 'tag');
  is(constructor.prototype.constructor, constructor, 'constructor');
  is(Object.keys(constructor.prototype).length, 0, 'nothing enumerable');
  for (const [name, arguments_] of Object.entries(methods)) is(constructor.prototype[name].length, arguments_, `${name}.length`);
  throwsTypeError(() => constructor({}), 'new is needed');
}
is(WeakRef.name, 'WeakRef', 'name');
is(FinalizationRegistry.name, 'FinalizationRegistry', 'name');
const symbol = Symbol('s');
is(new WeakRef(symbol).deref(), symbol, 'a symbol');
is(new WeakRef(Symbol.iterator).deref(), Symbol.iterator, 'a well-known symbol');
for (const value of [undefined, null, 1, 'x', Symbol.for('registered')]) {
  throwsTypeError(() => new WeakRef(value), 'no target');
  throwsTypeError(() => registry.register(value, 1), 'nothing to register');
  throwsTypeError(() => registry.unregister(value), 'no token');
  if (value !== undefined) throwsTypeError(() => registry.register({}, 1, value), 'no token');
}
throwsTypeError(() => new FinalizationRegistry(), 'a callback is needed');
throwsTypeError(() => new FinalizationRegistry({}), 'a callback is a function');
throwsTypeError(() => registry.register(registry, registry), 'target and held value differ');
throwsTypeError(() => WeakRef.prototype.deref.call({}), 'deref is for WeakRef');
throwsTypeError(() => FinalizationRegistry.prototype.register.call({}, {}, 1), 'register is for FinalizationRegistry');
const token = {};
is(registry.register({}, 1, token), undefined, 'register');
registry.register({}, 2, token);
is(registry.unregister(token), true, 'unregister');
is(registry.unregister(token), false, 'once');
class Own extends WeakRef {}
is(new Own(token).deref(), token, 'a subclass');
return checks;
