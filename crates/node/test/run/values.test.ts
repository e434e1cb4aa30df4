// Values on their way in and out.
import assert from 'node:assert/strict'
import type { HostFunctions } from '../../dist/run/index.js'
import { beyond, published } from './behaviour.ts'
import { answers, ask, codeOf, evaluate, interruptedOf, openCodec, rejection, signedRunner, valueOf } from './helpers.ts'
import { createRunner, getHostFunctionContext, RunProtocolError } from './subject.ts'

published('a result keeps every kind of value, identities and cycles', async () => {
  const value: any = await evaluate(`
    const shared = { shared: true };
    const cycle = { shared }; cycle.self = cycle;
    const cause = new RangeError('cause');
    return {
      nothing: undefined, nan: NaN, numbers: [Infinity, -Infinity, -0], big: 12345678901234567890n,
      date: new Date('2020-01-02T03:04:05.006Z'), pattern: /a+b/gi, map: new Map([[shared, 1], ['k', new Map()]]),
      set: new Set([1, shared]), bytes: new Uint8Array([1, 2, 255]), view: new DataView(new Uint8Array([9, 8]).buffer),
      sparse: [1, , 3], shared, again: shared, cycle, error: new TypeError('wrong', { cause }), cause,
    };`)
  assert.ok('nothing' in value && value.nothing === undefined)
  assert.ok(Number.isNaN(value.nan))
  assert.ok(value.numbers[0] === Infinity && value.numbers[1] === -Infinity && Object.is(value.numbers[2], -0))
  assert.equal(value.big, 12345678901234567890n)
  assert.ok(value.date instanceof Date && value.date.toISOString() === '2020-01-02T03:04:05.006Z')
  assert.ok(value.pattern instanceof RegExp && String(value.pattern) === '/a+b/gi')
  assert.ok(value.map instanceof Map && value.map.get(value.shared) === 1 && value.map.get('k') instanceof Map)
  assert.ok(value.set instanceof Set && value.set.has(value.shared))
  assert.ok(value.bytes instanceof Uint8Array)
  assert.deepEqual([...value.bytes], [1, 2, 255])
  assert.ok(value.view instanceof DataView && value.view.getUint8(1) === 8)
  assert.ok(value.sparse.length === 3 && !(1 in value.sparse) && value.sparse[2] === 3)
  assert.equal(value.shared, value.again)
  assert.equal(value.cycle.self, value.cycle)
  assert.equal(value.cycle.shared, value.shared)
  assert.ok(value.error instanceof TypeError && value.error.message === 'wrong')
  assert.equal(value.error.cause, value.cause)
  assert.ok(value.cause instanceof RangeError)
  assert.doesNotMatch(String(value.error.stack), /run\.js/)
})

for (const name of ['constructor', 'toString', '__proto__']) {
  published(`an error named ${name} comes out as an error`, async () => {
    const value: any = await evaluate(`const error = new Error('x'); Object.defineProperty(error, 'name', { value: '${name}' }); return error;`)
    assert.ok(value instanceof Error)
    assert.deepEqual([value.name, value.message], [name, 'x'])
    assert.equal(Object.getPrototypeOf(value), Error.prototype)
  })
}

published('an error named constructor reaches a host function as an error', async () => {
  const seen: any[] = []
  await evaluate(`const error = new Error('x'); Object.defineProperty(error, 'name', { value: 'constructor' }); await tools.take(error);`, {
    tools: {
      take: (error: unknown) => {
        seen.push(error)
      },
    },
  })
  assert.ok(seen[0] instanceof Error)
  assert.deepEqual([seen[0].name, seen[0].message], ['constructor', 'x'])
})

published('identities, cycles, typed arrays and the causes of errors survive both directions', async () => {
  const hostFunctions: HostFunctions = {
    tools: {
      echo: (value: any) => {
        assert.equal(value.self, value)
        assert.equal(value.a, value.b)
        assert.ok(value.floats instanceof Float64Array && value.floats[1] === 2.5)
        assert.equal(value.error.cause.error, value.error)
        return { ...value, self: undefined, back: value }
      },
    },
  }
  const value = await evaluate(
    `
    const a = {}; const cause = {}; const error = new Error('outer', { cause }); cause.error = error;
    const value = { a, b: a, floats: new Float64Array([1, 2.5]), cause, error }; value.self = value;
    const { back } = await tools.echo(value);
    return [back.self === back, back.a === back.b, back.a !== a, back.floats instanceof Float64Array, back.floats[1],
      back.error instanceof Error, back.error.cause.error === back.error];`,
    hostFunctions,
  )
  assert.deepEqual(value, [true, true, true, true, 2.5, true, true])
})

published('payloads of interruptions and resolutions keep every kind of value and cycles', async () => {
  const payload: any = { date: new Date(5), map: new Map([[1n, new Set(['x'])]]) }
  payload.self = payload
  const resolution: any = { bytes: new Uint8Array([7]), error: new RangeError('r') }
  resolution.self = resolution
  const seen: any[] = []
  const source = `const answer = await tools.ask(new Map([['k', [1n]]]));
    return [answer.self === answer, answer.bytes[0], answer.error instanceof RangeError];`
  const hostFunctions: HostFunctions = {
    tools: {
      ask: () => {
        const { interrupt, resume } = getHostFunctionContext()
        if (resume === undefined) return interrupt(payload)
        seen.push(resume.payload)
        assert.notEqual(resume.resolution, resolution)
        return resume.resolution
      },
    },
  }
  const runner = signedRunner()
  const first = interruptedOf(await runner.run({ source, hostFunctions }))
  const shown: any = first.interruptions[0]!.payload
  assert.deepEqual(first.interruptions[0]!.arguments, [new Map([['k', [1n]]])])
  for (const each of [shown]) {
    assert.equal(each.self, each)
    assert.deepEqual(each.date, new Date(5))
    assert.deepEqual(each.map, new Map([[1n, new Set(['x'])]]))
  }
  const second = await runner.run({ source, hostFunctions, continuation: first.continuation, resolutions: answers(first, () => resolution) })
  assert.deepEqual(valueOf(second), [true, 7, true])
  assert.equal(seen[0].self, seen[0])
})

published('a value of no kind that can cross is refused with its code and the name of the function', async () => {
  const error = await rejection(evaluate('return await tools.give();', { tools: { give: () => ({ a: { b: [() => 1] } }) } }))
  assert.equal(error.code, 'RUN_SERIALIZATION_ERROR')
  assert.match(error.message, /tools\.give/)
  assert.match(error.message, /\.a\.b\[0\]/)
})

for (const [name, text, bytes] of [
  ['ascii', 'abcd', 8],
  ['é', 'éé', 8],
  ['an emoji', '😀', 8],
] as const) {
  published(`the size of a result is counted in the bytes of its text: ${name}`, async () => {
    const source = `return ${JSON.stringify(text)};`
    assert.equal(await evaluate(source, {}, { limits: { maxResultBytes: bytes } }), text)
    const error = await rejection(evaluate(source, {}, { limits: { maxResultBytes: bytes - 1 } }))
    assert.deepEqual([error.code, error.details], ['RUN_SERIALIZATION_ERROR', { bytes, maxBytes: bytes - 1 }])
  })
}

published('a key __proto__ of a value is a key, in and out', async () => {
  const seen: any[] = []
  const value: any = await evaluate(
    `const value = JSON.parse('{"__proto__": {"polluted": true}, "a": 1}');
     const back = await tools.echo(value);
     return [Object.keys(back), back.polluted, ({}).polluted, back];`,
    {
      tools: {
        echo: (input: any) => {
          seen.push(input)
          return input
        },
      },
    },
  )
  assert.deepEqual(value.slice(0, 3), [['__proto__', 'a'], undefined, undefined])
  for (const each of [seen[0], value[3]]) {
    assert.deepEqual(Object.keys(each), ['__proto__', 'a'])
    assert.equal(each.polluted, undefined)
    assert.equal(Object.getPrototypeOf(each), Object.prototype)
  }
})

published('values at the edges survive both directions', async () => {
  const all: unknown[] = [
    undefined,
    null,
    '',
    '\u0000',
    '\u2028<script>\\"',
    0,
    -0,
    Number.MAX_VALUE,
    Number.MIN_VALUE,
    Number.MAX_SAFE_INTEGER,
    0n,
    -(2n ** 80n),
    [],
    {},
    [undefined],
    [null],
    new Map(),
    new Set(),
    new ArrayBuffer(0),
  ]
  const seen: unknown[] = []
  const value: any = await evaluate('const all = await tools.give(); await tools.take(all); return all;', {
    tools: {
      give: () => all,
      take: (given: unknown) => {
        seen.push(given)
      },
    },
  })
  assert.deepEqual(seen[0], all)
  assert.deepEqual(value, all)
  const never: any = await evaluate('return new Date(NaN);')
  assert.ok(never instanceof Date && Number.isNaN(never.getTime()))
})

for (const [name, output] of [
  ['a function', () => () => 1],
  ['a symbol', () => Symbol('x')],
  [
    'an instance of a class',
    () =>
      new (class Thing {
        a = 1
      })(),
  ],
] as const) {
  published(`${name} as an output is refused`, async () => {
    assert.equal(await codeOf(evaluate('return await tools.give();', { tools: { give: output } })), 'RUN_SERIALIZATION_ERROR')
  })
}

published('a date as a resolution is a date', async () => {
  const runner = signedRunner()
  const input = { source: 'const answer = await tools.ask(); return [answer instanceof Date, answer.getTime()];', hostFunctions: { tools: { ask } } }
  const first = interruptedOf(await runner.run(input))
  const second = await runner.run({ ...input, continuation: first.continuation, resolutions: answers(first, () => new Date(86_400_000)) })
  assert.deepEqual(valueOf(second), [true, 86_400_000])
})

const refusesDecoded = async (changes: ((state: any) => unknown)[]) => {
  const input = { source: 'return await tools.ask();', hostFunctions: { tools: { ask } } }
  for (const change of changes) {
    const runner = createRunner<any>({ continuationCodec: openCodec(change) })
    const first = interruptedOf<any>(await runner.run(input))
    const error = await rejection(runner.run({ ...input, continuation: first.continuation, resolutions: answers(first) }))
    assert.ok(error instanceof RunProtocolError)
  }
}

published('a decoded state with accessors that throw, cycles or lists with holes is refused', () =>
  refusesDecoded([
    (state) =>
      Object.defineProperty(state.ledger[0], 'status', {
        get: () => {
          throw new Error('x')
        },
        enumerable: true,
      }) && state,
    (state) => {
      state.determinism.self = state
      return state
    },
    (state) => {
      state.ledger[0].extra = state.ledger
      return state
    },
    (state) => {
      delete state.ledger[0]
      return state
    },
  ]),
)

beyond(
  'a decoded state with any accessor, or of a class, is refused',
  () =>
    refusesDecoded([
      (state) => Object.defineProperty(state, 'source', { get: () => 'return await tools.ask();', enumerable: true }),
      (state) => Object.defineProperty(state.ledger[0], 'status', { get: () => 'interrupted', enumerable: true }) && state,
      (state) => Object.assign(new (class State {})(), state),
    ]),
  { differs: 'it reads accessors, and takes instances of classes' },
)

beyond(
  'an error that is its own cause comes out',
  async () => {
    const value: any = await evaluate('const error = new Error("x"); error.cause = error; return error;')
    assert.equal(value.cause, value)
  },
  { differs: 'it cannot be revived' },
)

beyond(
  'a boxed primitive is refused',
  async () => {
    assert.equal(await codeOf(evaluate('return Object(1);')), 'RUN_SERIALIZATION_ERROR')
    assert.equal(await codeOf(evaluate('return await tools.give();', { tools: { give: () => Object('s') } })), 'RUN_SERIALIZATION_ERROR')
  },
  { differs: 'it sends them' },
)

beyond(
  'lone surrogates survive synchronous calls',
  async () => {
    const runner = createRunner({ syncHostFunctions: { host: { echo: (text: string) => text } } })
    assert.equal(valueOf(await runner.run({ source: 'return host.echo("\\ud800") === "\\ud800";' })), true)
  },
  { differs: 'they become U+FFFD' },
)

beyond(
  'a value that cannot cross is named by its path in the script as well',
  async () => {
    const error = await rejection(evaluate('return { a: [1, { b: () => 1 }] };'))
    assert.match(error.message, /a\[1\]\.b/)
  },
  { differs: 'its messages carry no path' },
)
