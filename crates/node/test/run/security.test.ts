// What a script can reach, and what it cannot change or pretend.
import assert from 'node:assert/strict'
import type { HostFunctions } from '../../dist/run/index.js'
import { published } from './behaviour.ts'
import { ask, evaluate, interruptedOf, plainRunner, rejection, signedRunner, valueOf } from './helpers.ts'
import { RunDetachedBridgeRequestError, RunError } from './subject.ts'

const GLOBALS = `AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError
  FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array InternalError
  Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError
  TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet console decodeURI
  decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt undefined
  unescape`.split(/\s+/)

published(
  "the globals are the language's and the console, and no others",
  async () => {
    const names: any = await evaluate('return Object.getOwnPropertyNames(globalThis).sort();')
    assert.deepEqual(names, [...GLOBALS, 'AsyncDisposableStack', 'DisposableStack', 'SuppressedError'].sort())
  },
  { differs: 'it shows three helpers of its own, __run…, and lacks what belongs to `using`' },
)

published('nothing of the machine is there', async () => {
  const names = [
    'process',
    'require',
    'module',
    'Buffer',
    'fetch',
    'setTimeout',
    'setInterval',
    'setImmediate',
    'queueMicrotask',
    'crypto',
    'performance',
    'WebAssembly',
    'SharedArrayBuffer',
    'Atomics',
    'Deno',
    'Bun',
  ]
  assert.deepEqual(await evaluate(`return ${JSON.stringify(names)}.filter((name) => typeof globalThis[name] !== 'undefined');`), [])
})

published('no text becomes code', async () => {
  const tricks = [
    'eval("1")',
    '(0, eval)("1")',
    'globalThis.eval("1")',
    'globalThis["ev" + "al"]("1")',
    'new Function("return 1")()',
    'Function("return 1")()',
    'Function.prototype.constructor("return 1")()',
    '(() => {}).constructor("return 1")()',
    '(function () {}).constructor("return 1")()',
    '(async () => {}).constructor("return 1")()',
    '(function* () {}).constructor("yield 1")()',
    '(async function* () {}).constructor("yield 1")()',
    '(class {}).constructor("return 1")()',
    '[].map.constructor("return 1")()',
    'Math.max.constructor("return 1")()',
    '({ m() {} }).m.constructor("return 1")()',
    '(() => {}).__proto__.constructor("return 1")()',
    'Object.getPrototypeOf(async () => {}).constructor("return 1")()',
    'Reflect.construct(Function, ["return 1"])()',
    'Reflect.apply(Function, null, ["return 1"])()',
    'new (Object.getPrototypeOf(function* () {}).constructor)("yield 1")()',
  ]
  const source = `const outcome = [];
    ${tricks.map((trick) => `try { ${trick}; outcome.push(${JSON.stringify(trick)}); } catch {}`).join('\n')}
    return outcome;`
  assert.deepEqual(await evaluate(source), [])
})

published('modules of the machine cannot be imported', async () => {
  await assert.rejects(evaluate('return await import("node:fs");'))
})

published('prototypes, namespaces and what the runtime uses resist change', async () => {
  const source = `'use strict';
    const outcome = {};
    const attempt = (name, change) => { try { change(); outcome[name] = 'changed'; } catch { outcome[name] = 'refused'; } };
    attempt('object', () => { Object.prototype.polluted = 1; });
    attempt('array', () => { Array.prototype.push = () => 0; });
    attempt('promise', () => { Promise.prototype.then = () => 0; });
    attempt('function', () => { Function.prototype.call = () => 0; });
    attempt('json', () => { JSON.stringify = () => ''; });
    attempt('math', () => { Math.random = () => 0; });
    attempt('date', () => { Date.now = () => 0; });
    attempt('map', () => { Map.prototype.get = () => 0; });
    attempt('set', () => { Set.prototype.add = () => 0; });
    attempt('tools', () => { globalThis.tools = 1; });
    attempt('define', () => { Object.defineProperty(globalThis, 'tools', { value: 1 }); });
    attempt('delete', () => { delete globalThis.tools; });
    outcome.clean = ({}).polluted === undefined;
    outcome.works = await tools.one();
    return outcome;`
  assert.deepEqual(await evaluate(source, { tools: { one: () => 1 } }), {
    object: 'refused',
    array: 'refused',
    promise: 'refused',
    function: 'refused',
    json: 'refused',
    math: 'refused',
    date: 'refused',
    map: 'refused',
    set: 'refused',
    tools: 'refused',
    define: 'refused',
    delete: 'refused',
    clean: true,
    works: 1,
  })
})

published('values are encoded by what was there before the script', async () => {
  const source = `for (const name of ['__runSerializeJsonPayload', 'JSON', 'Map', 'Object']) {
      try { Object.defineProperty(globalThis, name, { value: () => '["forged"]', configurable: true }); } catch {}
      try { globalThis[name] = () => '["forged"]'; } catch {}
    }
    return { real: await tools.echo({ a: [1] }) };`
  assert.deepEqual(await evaluate(source, { tools: { echo: (value: unknown) => value } }), { real: { a: [1] } })
})

published('calls are kept track of by what was there before the script', async () => {
  let effects = 0
  const source = `for (const name of ['__runAssertNoDetachedBridgeCalls', '__runCreateBridgePromise', 'Promise', 'Set', 'Map']) {
      try { Object.defineProperty(globalThis, name, { value: () => undefined, configurable: true }); } catch {}
      try { globalThis[name] = () => undefined; } catch {}
    }
    tools.effect();
    return 1;`
  const error = await rejection(
    evaluate(source, {
      tools: {
        effect: () => {
          effects += 1
        },
      },
    }),
  )
  assert.ok(error instanceof RunDetachedBridgeRequestError)
  assert.equal(effects, 0)
})

published('the globals that matter are locked', async () => {
  const names = [
    'Array',
    'Date',
    'Function',
    'JSON',
    'Map',
    'Math',
    'Number',
    'Object',
    'Promise',
    'Proxy',
    'Reflect',
    'Set',
    'String',
    'Symbol',
    'WeakMap',
  ]
  const source = `const names = ${JSON.stringify(names)};
    return names.filter((name) => {
      const before = globalThis[name];
      const { writable, configurable } = Object.getOwnPropertyDescriptor(globalThis, name);
      try { globalThis[name] = 1; } catch {}
      try { Object.defineProperty(globalThis, name, { value: 1 }); } catch {}
      try { delete globalThis[name]; } catch {}
      return writable || configurable || globalThis[name] !== before;
    });`
  assert.deepEqual(await evaluate(source), [])
})

published('built-ins do their work after a script tried to replace them', async () => {
  const source = `try { Array.prototype.map = () => 'forged'; } catch {}
    try { String.prototype.toUpperCase = () => 'forged'; } catch {}
    try { Object.keys = () => 'forged'; } catch {}
    try { Promise.all = () => 'forged'; } catch {}
    return [[1].map((n) => n + 1), 'a'.toUpperCase(), Object.keys({ k: 1 }), await Promise.all([tools.one()])];`
  assert.deepEqual(await evaluate(source, { tools: { one: () => 1 } }), [[2], 'A', ['k'], [1]])
})

published('setters that a script puts on the prototype of errors are not used for errors of the runtime', async () => {
  const source = `let seen = 0;
    for (const name of ['code', 'name', 'details']) {
      try { Object.defineProperty(Error.prototype, name, { set() { seen += 1; }, configurable: true }); } catch {}
    }
    let code;
    try { await tools.fail(); } catch (error) { code = error.code; }
    return [seen, code];`
  assert.deepEqual(
    await evaluate(source, {
      tools: {
        fail: () => {
          throw new RunError('x', 'MINE')
        },
      },
    }),
    [0, 'MINE'],
  )
})

published('each run begins in a clean realm: after changes, after failures, after interruptions', async () => {
  const runner = signedRunner()
  const look = async () => valueOf(await runner.run({ source: 'return [typeof globalThis.left, Error.prototype.left, console.left, typeof left];' }))
  const clean = ['undefined', undefined, undefined, 'undefined']
  const dirt = 'globalThis.left = 1; try { Error.prototype.left = 1; console.left = 1; } catch {}'
  await runner.run({ source: dirt })
  assert.deepEqual(await look(), clean)
  await rejection(runner.run({ source: `${dirt} throw new Error('x');` }))
  assert.deepEqual(await look(), clean)
  interruptedOf(await runner.run({ source: `${dirt} await tools.ask();`, hostFunctions: { tools: { ask } } }))
  assert.deepEqual(await look(), clean)
})

for (const code of ['RUN_BRIDGE_LIMIT', 'RUN_HOST_FUNCTION_ERROR', 'RUN_SERIALIZATION_ERROR', 'RUN_TIMEOUT']) {
  published(`a script cannot pretend the code ${code}`, async () => {
    const error = await rejection(evaluate(`throw Object.assign(new Error('mine'), { code: '${code}', details: { a: [1] } });`))
    assert.deepEqual([error.code, error.message, error.details], ['RUN_USER_SOURCE_ERROR', 'mine', { a: [1] }])
    assert.equal(error.constructor, RunError)
  })
}

published('the code that a host gave stays, whatever the script makes of the error', async () => {
  const error = await rejection(
    evaluate(`try { await tools.fail(); } catch (error) { error.code = 'MINE'; error.details = { forged: true }; throw error; }`, {
      tools: {
        fail: () => {
          throw new RunError('told', 'TRUSTED', { secret: 1 })
        },
      },
    }),
  )
  assert.deepEqual([error.code, error.message, error.details], ['TRUSTED', 'told', undefined])
})

published('a setter for codes cannot pretend an error of encoding', async () => {
  const error = await rejection(
    evaluate(
      `try { Object.defineProperty(Error.prototype, 'code', { get: () => 'RUN_SERIALIZATION_ERROR', set() {} }); } catch {}
     throw new TypeError('mine');`,
    ),
  )
  assert.deepEqual([error.code, error.message], ['RUN_USER_SOURCE_ERROR', 'mine'])
})

published('a message that throws cannot pretend anything', async () => {
  const error = await rejection(
    evaluate(
      `const error = new Error('x');
     Object.defineProperty(error, 'message', { get() { throw Object.assign(new Error('y'), { code: 'RUN_TIMEOUT' }); } });
     throw error;`,
    ),
  )
  assert.equal(error.code, 'RUN_USER_SOURCE_ERROR')
})

const refused = (hostFunctions: HostFunctions, message: RegExp) =>
  assert.rejects(plainRunner().run({ source: 'return 1', hostFunctions }), { name: 'TypeError', message })

for (const name of ['Array', 'Date', 'Error', 'JSON', 'Object', 'Promise', 'WebAssembly', 'globalThis', 'undefined']) {
  published(`a group cannot be named ${name}`, () => refused({ [name]: { f: () => 1 } }, /Reserved host function namespace/))
}

for (const name of ['constructor', 'prototype', 'then', '__runInternal']) {
  published(`a group cannot be named ${name}`, () => refused({ [name]: { f: () => 1 } }, /Reserved host function namespace/))
}

for (const name of ['__proto__', 'constructor', 'prototype', 'then', '__runInternal']) {
  published(`a host function cannot be named ${name}`, () => {
    const group = Object.defineProperty({}, name, { value: () => 1, enumerable: true })
    return refused({ tools: group as any }, /Invalid host function name/)
  })
}

for (const name of ['hidden', 'constructor']) {
  published(`a host function ${name} that cannot be enumerated is refused`, async () => {
    let called = 0
    const group = Object.defineProperty({}, name, {
      value: () => {
        called += 1
      },
      enumerable: false,
    })
    await refused({ tools: group as any }, new RegExp(`"tools\\.${name}" must be enumerable`))
    assert.equal(called, 0)
  })
}

published('a group that cannot be enumerated is refused', () => {
  const groups = Object.defineProperty({}, 'hidden', { value: { f: () => 1 }, enumerable: false })
  return refused(groups as any, /"hidden" must be enumerable/)
})

published('a host function that is added while a run is under way cannot be reached', async () => {
  let called = 0
  const tools: Record<string, any> = {
    add: () => {
      tools['later'] = () => {
        called += 1
      }
    },
  }
  const error = await rejection(evaluate('await tools.add(); await tools.later();', { tools }))
  assert.equal(error.code, 'RUN_HOST_FUNCTION_ERROR')
  assert.equal(called, 0)
})

for (const [groups, where] of [
  [{ '': { f: () => 1 } }, 'an empty group name'],
  [{ '1a': { f: () => 1 } }, 'a group name that begins with a digit'],
  [{ 'a-b': { f: () => 1 } }, 'a group name with a dash'],
  [{ 'a.b': { f: () => 1 } }, 'a group name with a dot'],
  [{ ä: { f: () => 1 } }, 'a group name beyond ASCII'],
  [{ tools: { '': () => 1 } }, 'an empty name'],
  [{ tools: { 'a b': () => 1 } }, 'a name with a space'],
  [{ tools: { 'a.b': () => 1 } }, 'a name with a dot'],
  [{ ['a'.repeat(513)]: { f: () => 1 } }, 'a group name that is too long'],
] as [HostFunctions, string][]) {
  published(`${where} is refused`, () => refused(groups, /Invalid host function/))
}

for (const [group, name] of [
  ['$', '_'],
  ['_private', '$x1'],
  ['process', 'env'],
  ['Tools2', 'camelCase'],
] as const) {
  published(`${group}.${name} can be lent`, async () => {
    assert.equal(await evaluate(`return await ${group}.${name}();`, { [group]: { [name]: () => 'here' } }), 'here')
  })
}
