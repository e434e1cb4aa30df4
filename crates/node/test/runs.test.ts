import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  DetachedError, DivergedError, LimitError, RunError, ScriptError, SourceError, ValueError, createRunner, getHostCall, run, unwrap,
} from 'intermission'

const value = async (source: string, options = {}): Promise<unknown> => unwrap(await run(source, options))

test('a script gives its value, what it was given, and what it said', async () => {
  const result = await run<number>("console.log('n is', input.n); data.seen = true; return input.n + 1", {
    input: { n: 41 },
    data: { seen: false },
  })
  assert.equal(result.status, 'completed')
  assert.equal(unwrap(result), 42)
  assert.deepEqual(result.report.data, { seen: true })
  assert.deepEqual(result.report.console, [{ method: 'log', text: 'n is 41', arguments: ['n is', 41] }])
  assert.match(result.report.runId, /^run_[a-z2-7]{26}$/)
  assert.equal(result.report.stats.calls, 0)
  assert.ok(result.report.stats.fuel > 0)
})

test('values cross as they are, in both directions', async () => {
  const cause = new RangeError('deep')
  const cyclic: Record<string, unknown> = { name: 'loop' }
  cyclic['self'] = cyclic
  const buffer = new ArrayBuffer(16)
  const given = {
    undefined: undefined,
    null: null,
    minusZero: -0,
    big: 2n ** 70n,
    holes: [1, , 3], // eslint-disable-line no-sparse-arrays
    date: new Date(1_700_000_000_123),
    regexp: /a\/b/giu,
    map: new Map<unknown, unknown>([['k', new Set([1, 'two'])]]),
    bytes: new Uint8Array([1, 2, 255]),
    doubles: new Float64Array([0.1, Infinity]),
    buffer: new Uint8Array([9]).buffer,
    views: [new Uint8Array(buffer, 0, 4), new DataView(buffer, 8)],
    error: new TypeError('no', { cause }),
    aggregate: new AggregateError([new Error('one')], 'many'),
    coded: Object.assign(new Error('file'), { code: 'ENOENT' }),
    bare: Object.assign(Object.create(null) as object, { x: 1 }),
    proto: JSON.parse('{"__proto__": 1}') as unknown,
    surrogate: 'a\ud800b',
    cyclic,
  }
  const back = (await value('return input', { input: given })) as typeof given
  assert.deepEqual(back, given)
  assert.ok(!(1 in back.holes))
  assert.ok(Number.isNaN(((await value('return new Date(NaN)')) as Date).getTime()))
  assert.ok(Object.is(back.minusZero, -0))
  assert.ok(back.error instanceof TypeError && back.error.cause instanceof RangeError)
  assert.equal(back.coded.code, 'ENOENT')
  assert.equal(Object.getPrototypeOf(back.bare), null)
  assert.deepEqual(Object.keys(back.proto as object), ['__proto__'])
  assert.equal(back.cyclic['self'], back.cyclic)
  assert.equal(back.views[0]?.buffer, back.views[1]?.buffer)
})

test('what cannot cross is refused with the path to it', async () => {
  class Point {}
  const refused: [unknown, string, RegExp][] = [
    [{ rows: [{ callback: () => 1 }] }, 'input.rows[0].callback', /function/],
    [{ 'not a name': Symbol('s') }, 'input["not a name"]', /symbol/],
    [new Map([[1, new Point()]]), 'input<value 0>', /an instance of Point/],
    [[new Proxy({}, {})], 'input[0]', /proxy/],
    [{ later: Promise.resolve() }, 'input.later', /promise/],
    [new WeakMap(), 'input', /WeakMap/],
    [[Object(1)], 'input[0]', /boxed/],
    [new Uint8Array(new SharedArrayBuffer(8)), 'input', /SharedArrayBuffer/],
  ]
  for (const [input, path, why] of refused) {
    await assert.rejects(run('return 1', { input }), (error: ValueError) => {
      assert.equal(error.code, 'VALUE_REFUSED')
      assert.equal(error.path, path)
      assert.match(error.message, why)
      return error instanceof ValueError
    })
  }
})

test('a value that is too deep is refused, and one just at the bound passes', async () => {
  const nested = (depth: number): unknown => Array.from({ length: depth }).reduce((inner) => [inner], 0 as unknown)
  let inner = await value('return input', { input: nested(1000) })
  let depth = 0
  // Node's own comparison does not go so deep everywhere.
  for (; Array.isArray(inner); depth++) inner = inner[0] as unknown
  assert.deepEqual([depth, inner], [1000, 0])
  await assert.rejects(run('return 1', { input: nested(1001) }), ValueError)
})

test('Buffers of the pool are sent alone: nothing that lies between them goes with them', async () => {
  const [one, secret, two] = ['first', 'secret', 'second'].map((text) => Buffer.from(text))
  const result = await run('return input.map((view) => view.buffer.byteLength)', { input: [one, two] })
  assert.ok(secret !== undefined && one?.buffer === two?.buffer, 'they share the pool')
  assert.deepEqual(unwrap(result), [5, 6])
  assert.ok(!Buffer.from((result.status === 'completed' && result.continuation.bytes) || []).includes('secret'))
})

test('what a script throws is the cause of the error, with its own stack', async () => {
  const source = `function inner() { throw Object.assign(new RangeError('too far', { cause: 'chance' }), { code: 'FAR', at: 7 }) }
inner()`
  const result = await run(source, { name: 'walk.ts' })
  assert.ok(result.status === 'failed' && result.error instanceof ScriptError)
  assert.equal(result.error.code, 'SCRIPT_ERROR')
  assert.equal(result.error.message, 'RangeError: too far')
  const thrown = result.error.cause as RangeError & { code: string; at: number }
  assert.ok(thrown instanceof RangeError)
  assert.deepEqual([thrown.code, thrown.at, thrown.cause], ['FAR', 7, 'chance'])
  assert.match(thrown.stack ?? '', /^RangeError: too far\n\s+at inner \(walk\.ts:1:\d+\)\n\s+at .*walk\.ts:2:/)
  assert.deepEqual(result.error.frames[0], { function: 'inner', file: 'walk.ts', line: 1, column: result.error.frames[0]?.column })
  const other = await run("throw { what: 'ever' }")
  assert.deepEqual(other.status === 'failed' && other.error.cause, { what: 'ever' })
})

test('each way to fail has its class and its code', async () => {
  const failures: [string, Parameters<typeof run>[1], new (...args: never[]) => RunError, string][] = [
    ['let x = ;', {}, SourceError, 'SOURCE_SYNTAX'],
    ['for (;;) {}', { limits: { fuel: 1000 } }, LimitError, 'LIMIT_FUEL'],
    ['for (;;) {}', { limits: { cpuMs: 30 } }, LimitError, 'LIMIT_CPU'],
    ['await new Promise(() => {})', {}, RunError, 'DEADLOCK'],
    ['t.f(); return 1', { strict: true, hostFunctions: { t: { f: async () => 1 } } }, DetachedError, 'DETACHED_CALLS'],
  ]
  for (const [source, options, constructor, code] of failures) {
    const result = await run(source, options)
    assert.ok(result.status === 'failed', source)
    assert.equal(result.error.code, code)
    assert.ok(result.error instanceof constructor, `${code}: ${result.error.name}`)
    assert.throws(() => unwrap(result), result.error)
  }
  const tooLong = await run('for (;;) {}', { limits: { fuel: 1000 } })
  assert.ok(tooLong.status === 'failed' && tooLong.error instanceof LimitError)
  assert.deepEqual([tooLong.error.limit, tooLong.error.allowed], ['fuel', 1000])
  const wrong = await run('\n  let x = ;')
  assert.ok(wrong.status === 'failed' && wrong.error instanceof SourceError)
  assert.deepEqual([wrong.error.line, wrong.error.column], [2, 11])
})

test('options that are wrong are refused with their names', () => {
  assert.throws(() => createRunner({ limits: { cpu: 5 } as never }), /limits\.cpu is no limit; there are: deadlineMs, cpuMs/)
  assert.throws(() => createRunner({ limits: { calls: 1.5 } }), /limits\.calls is a whole number of at least 0, not 1\.5/)
  assert.throws(() => createRunner({ hostFunctions: { 'a b': () => 1 } }), { name: 'OptionsError', code: 'HOST_FUNCTION_NAME' })
  assert.throws(() => createRunner({ hostFunctions: { console: () => 1 } }), { name: 'OptionsError', code: 'HOST_FUNCTION_RESERVED' })
  assert.throws(() => createRunner({ hostFunctions: { x: 5 as never } }), /hostFunctions\.x is neither a function/)
})

test('a seed makes a run the same again', async () => {
  const seed = new Uint8Array(32).fill(7)
  const source = 'return [Math.random(), crypto.randomUUID()]'
  assert.deepEqual(await value(source, { seed }), await value(source, { seed }))
  await assert.rejects(run(source, { seed: new Uint8Array(31) }), /a seed has 32 bytes, not 31/)
})

test('an abort signal ends the invocation, before it begins and in its middle', async () => {
  const before = await run('return 1', { signal: AbortSignal.abort() })
  assert.equal(before.status === 'failed' && before.error.code, 'ABORTED')
  const controller = new AbortController()
  let told: AbortSignal | undefined
  const runner = createRunner({
    hostFunctions: {
      wait: () => {
        told = getHostCall().signal
        setImmediate(() => controller.abort())
        return new Promise(() => {})
      },
    },
  })
  const itself = new AbortController()
  const atOnce = createRunner({ hostFunctions: { stop: () => itself.abort(), never: () => new Promise(() => {}) } })
  const aborted = await atOnce.run('await Promise.all([stop(), never()])', { signal: itself.signal })
  assert.equal(aborted.status === 'failed' && aborted.error.code, 'ABORTED')
  const middle = await runner.run('return await wait()', { signal: controller.signal })
  assert.equal(middle.status === 'failed' && middle.error.code, 'ABORTED')
  assert.equal(told?.aborted, true)
})

test('modules come from a table or from a loader', async () => {
  const modules = { 'lib/double.ts': 'export default (n: number) => n * 2' }
  assert.equal(await value("import double from './lib/double.ts'; export default double(21)", { modules }), 42)
  const missing = await run("import x from './none.ts'; export default x", { modules })
  assert.ok(missing.status === 'failed')
  assert.match(missing.error.message, /there is no module `none\.ts`; there are: lib\/double\.ts/)
  const asked: string[] = []
  const loader = {
    normalize: async (specifier: string, importer: string) => `${importer}>${specifier}`,
    load: async (name: string) => {
      asked.push(name)
      return 'export const n = 5'
    },
  }
  assert.equal(await value("import { n } from 'five'; export default n", { modules: loader }), 5)
  assert.deepEqual(asked, ['script.js>five'])
})

test('a long computation is finished on another thread, and the event loop goes on', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const result = await run('let n = 0; while (n < 20_000_000) n++; return n')
  clearInterval(timer)
  assert.equal(unwrap(result), 20_000_000)
  assert.ok(turns > 0, 'the event loop had its turns')
  let turned = false
  setImmediate(() => {
    turned = true
  })
  // However slow this machine is.
  assert.equal(unwrap(await createRunner({ tickMs: 60_000 }).run('return 1')), 1)
  assert.equal(turned, false, 'a short one needs none')
})

test('a divergence names the entry and the place', async () => {
  const runner = createRunner({ hostFunctions: { ask: () => 1, other: () => 2 } })
  const first = await runner.run('return await ask(1)')
  assert.ok(first.status === 'completed')
  const again = await runner.replay(first.continuation)
  assert.equal(unwrap(again), 1)
  const forked = first.continuation.fork(3)
  const other = await runner.resume(forked, { source: 'return await ask(2)' })
  assert.ok(other.status === 'failed' && other.error instanceof DivergedError)
  assert.equal(other.error.line, 1)
})
