import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { test } from 'node:test'

import { LimitError, RunError, ScriptError, SourceError } from 'intermission'
import { type Action, ActionInterrupt, type CallLogEntry, type EvaluationError, createSandbox, defineAction, z } from 'intermission/sandbox'

import { ODD } from '../odd.ts'
import { interrupted, stored, world } from './actions.ts'

const code = async (evaluation: Promise<unknown>): Promise<unknown> => await evaluation.then(() => 'nothing', (error: unknown) => (error as { code?: unknown }).code)

test('a script has a value, its data, its console and its log; TypeScript is a script, too', async () => {
  const { sandbox } = world()
  const script = "const { a }: { a: number } = data; console.group('g'); console.error('%s!', a); data = { a: a + 1 }; return [a] as const"
  assert.deepEqual(await sandbox.eval({ script, data: { a: 1 } }), {
    data: { a: 2 },
    value: [1],
    console: [{ method: 'group', text: 'g' }, { method: 'error', text: '  1!' }],
    callLog: [],
  })
  assert.deepEqual(await sandbox.eval({ script: '' }), { data: {}, value: undefined, console: [], callLog: [] })
})

test('the realm is the language and the console; there is nothing to import', async () => {
  const { sandbox } = world()
  const script = "return [...['setTimeout', 'crypto', 'fetch', 'process', 'input'].filter((name) => globalThis[name] !== undefined), await import('x').catch(({ message }) => message)]"
  assert.deepEqual((await sandbox.eval({ script })).value, ['there are no modules here: `x` cannot be imported'])
})

test('Math.random is what it is elsewhere', async () => {
  const { sandbox } = world()
  const script = `
    const numbers = Array.from({ length: 20 }, Math.random);
    const { writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(Math, 'random');
    return [numbers.every((number) => number >= 0 && number < 1), new Set(numbers).size, Math.random.name, Math.random.length, writable, enumerable, configurable, Object.keys(globalThis).filter((name) => name.startsWith('#'))]`
  const { callLog, value } = await sandbox.eval({ script })
  assert.deepEqual(value, [true, 20, 'random', 0, true, false, true, []])
  assert.deepEqual(new Set(callLog.map((slot) => slot?.kind)), new Set(['random']))
  assert.equal(callLog.length, 20)
})

test('the clock goes on, and each read has its place among the calls', async () => {
  const { sandbox } = world()
  const script = 'const sum = add({ a: Date.now() * 0, b: 1 }); const now = Date.now(); Math.random(); await sum; return new Date().getTime() >= now'
  const { callLog, value } = await sandbox.eval({ script })
  assert.equal(value, true)
  assert.deepEqual(callLog.map((slot) => slot?.kind), ['clock', 'action', 'clock', 'random', 'clock'])
})

test('a script that computes for long is finished on another thread, and goes on from its log as before', async () => {
  const { sandbox } = world()
  const script = `
    const busy = () => { for (let i = 0; i < 300_000; i++); };
    busy(); const times = [Date.now()]; busy(); const dice = Math.random(); busy(); times.push(Date.now());
    const { approved } = await gate({}); busy(); const { sum } = await add({ a: 1, b: 1 }); return { times, dice, approved, sum }`
  const { callLog, position } = await interrupted(sandbox.eval({ script }))
  assert.deepEqual([callLog.map((slot) => slot?.kind ?? null), position], [['clock', 'random', 'clock', null], 3])
  const { value } = await sandbox.eval({ script, callLog, resumption: { position, data: 'yes' } })
  const [first, dice, second] = callLog.map((slot) => slot !== null && 'value' in slot && slot.value)
  assert.deepEqual(value, { times: [first, second], dice, approved: true, sum: 2 })
})

test('actions run where eval was called', async () => {
  const storage = new AsyncLocalStorage<string>()
  const where = defineAction({ id: 'where', name: 'Where', input: z.any(), output: z.any(), execute: () => storage.getStore() })
  const sandbox = createSandbox({ actions: [where] })
  const script = 'const first = await where(); for (let i = 0; i < 1_000_000; i++); return [first, await where()]'
  const results = await Promise.all(['a', 'b'].map((name) => storage.run(name, () => sandbox.eval({ script }))))
  assert.deepEqual(results.map(({ value }) => value), [['a', 'a'], ['b', 'b']])
})

test('actions may be in groups', async () => {
  const find = defineAction({ id: 'users.find', name: 'Find', input: z.string(), output: z.string(), execute: ({ input }) => `found ${input}` })
  const { callLog, value } = await createSandbox({ actions: [find] }).eval({ script: "return await users.find('ann')" })
  assert.equal(value, 'found ann')
  assert.deepEqual(callLog, [{ kind: 'action', id: 'users.find', input: 'ann', output: 'found ann', settled: 1 }])
})

test('what a script throws is a ScriptError, with its cause and its place', async () => {
  const { sandbox } = world()
  await assert.rejects(sandbox.eval({ script: "\n  throw new TypeError('mine')" }), (error) => {
    assert.ok(error instanceof ScriptError)
    assert.deepEqual([error.code, error.message, error.frames[0]?.line, (error.cause as Error).name], ['SCRIPT_ERROR', 'TypeError: mine', 2, 'TypeError'])
    return true
  })
  await assert.rejects(sandbox.eval({ script: 'await fail()' }), (error) => error instanceof ScriptError && (error.cause as { code?: string }).code === 'FAR')
  await assert.rejects(sandbox.eval({ script: 'const = 1' }), (error) => error instanceof SourceError && error.line === 1)
})

test('what a script does not wait for is done all the same, and is in the log', async () => {
  const { did, sandbox } = world()
  const { callLog, value } = await sandbox.eval({ script: 'add({ a: 1, b: 1 }); fail(); return 5' })
  assert.deepEqual(callLog.map((slot) => slot?.kind === 'action' && slot.id), ['add', 'fail'])
  assert.deepEqual([value, did], [5, ['add 1 1', 'fail']])
})

test('a race that is won without the answer needs none', async () => {
  const { sandbox } = world()
  const { abandoned, value } = await sandbox.eval({ script: 'return await Promise.race([gate({}), add({ a: 1, b: 1 })])' })
  assert.deepEqual([value, abandoned?.map(({ position }) => position)], [{ sum: 2 }, [0]])
  // Nor does a question that was asked before, of a call that another answer has made superfluous.
  const script = "const x = gate({ of: 'x' }); await Promise.race([x, add({ a: 1, b: 1 })]); return (await gate({ of: 'y' })).approved"
  const { callLog } = await interrupted(sandbox.eval({ script }))
  const done = await sandbox.eval({ script, callLog, resumption: { position: 2, data: 'yes' } })
  assert.deepEqual([done.value, done.callLog.map((slot) => slot?.kind ?? null)], [true, [null, 'action', 'action']])
})

test('what never ends is waited for a while, then aborted, and its slot stays empty', async () => {
  const { actions } = world()
  const reasons: unknown[] = []
  const hang = defineAction({
    id: 'hang', name: 'Hang', input: z.any(), output: z.any(),
    execute: ({ signal }) => {
      signal.addEventListener('abort', () => reasons.push((signal.reason as Error).name))
      return new Promise(() => {})
    },
  })
  const script = 'const { sum } = await Promise.race([hang(), add({ a: 1, b: 1 })]); return sum'
  // As long as the deadline allows, where that is sooner.
  for (const options of [{ drainMs: 0 }, { drainMs: Infinity, limits: { deadlineMs: 300 } }]) {
    const sandbox = createSandbox({ actions: [...actions, hang], ...options })
    const { callLog, value } = await sandbox.eval({ script })
    assert.deepEqual([value, callLog], [2, [null, { kind: 'action', id: 'add', input: { a: 1, b: 1 }, output: { sum: 2 }, settled: 1 }]])
    assert.deepEqual(reasons.splice(0), ['AbortError'])
    await sandbox.eval({ script, callLog })
    assert.deepEqual(reasons, [])
    const asking = await interrupted(sandbox.eval({ script: 'hang(); gate({})' }))
    assert.deepEqual([asking.position, asking.callLog, reasons.splice(0).length], [1, [null, null], 1])
  }
  for (const drainMs of [-1, NaN, '5' as unknown as number]) assert.throws(() => createSandbox({ actions, drainMs }), TypeError)
})

test('what ends an evaluation in its midst has the log, so that nothing is done twice', async () => {
  const { actions, did } = world()
  const late = defineAction({ id: 'late', name: 'Late', input: z.any(), output: z.any(), execute: () => new Promise(() => {}) })
  let controller = new AbortController()
  const stop = defineAction({
    id: 'stop', name: 'Stop', input: z.any(), output: z.any(),
    execute: () => {
      setImmediate(() => controller.abort())
      return new Promise(() => {})
    },
  })
  const done = { kind: 'action', id: 'add', input: { a: 1, b: 1 }, output: { sum: 2 }, settled: 1 }
  const cases: [script: string, code: string, callLog: unknown[]][] = [
    ["console.log('x'); await add({ a: 1, b: 1 }); throw new Error('mine')", 'SCRIPT_ERROR', [done]],
    ["console.log('x'); await add({ a: 1, b: 1 }); await late()", 'LIMIT_DEADLINE', [done, null]],
    ["console.log('x'); await add({ a: 1, b: 1 }); await stop()", 'ABORTED', [done, null]],
    ["console.log('x'); await add({ a: 1, b: 1 }); await new Promise(() => {})", 'DEADLOCK', [done]],
    // What was not begun is not in it: it is when the script goes on.
    ["console.log('x'); await add({ a: 1, b: 1 }); add({ a: 2, b: 2 }); Math.random(); throw 1", 'SCRIPT_ERROR', [done]],
    ["console.log('x'); await add({ a: 1, b: 1 }); await 0; add({ a: 2, b: 2 }); for (;;);", 'LIMIT_DEADLINE', [done]],
    ["add({ a: 1, b: 1 }); throw 1", 'SCRIPT_ERROR', []],
  ]
  for (const [script, expected, callLog] of cases) {
    did.length = 0
    controller = new AbortController()
    const sandbox = createSandbox({ actions: [...actions, late, stop], limits: { deadlineMs: 300 } })
    const error = (await sandbox.eval({ script, signal: controller.signal }).catch((error: unknown) => error)) as EvaluationError
    assert.deepEqual([error.code, error.callLog, did], [expected, callLog, callLog.length === 0 ? [] : ['add 1 1']], script)
    if (callLog.length > 0) assert.deepEqual(error.console, [{ method: 'log', text: 'x' }], script)
    if (expected === 'ABORTED') continue
    await assert.rejects(sandbox.eval({ script, callLog: stored(error.callLog) }), { code: expected, callLog: error.callLog })
    assert.deepEqual(did, callLog.length === 0 ? [] : ['add 1 1'], script)
  }
  // Where not everything that is recorded was done again, it is the log that was given.
  const sandbox = createSandbox({ actions, limits: { deadlineMs: 300 } })
  await assert.rejects(sandbox.eval({ script: 'for (;;);', callLog: [done as CallLogEntry, null] }), { code: 'LIMIT_DEADLINE', callLog: [done, null] })
})

test('an outcome that came in the end is in the log, though the script was not told of it', async () => {
  const { actions, did } = world()
  const script = "const first = add({ a: 1, b: 1 }); await add({ a: 2, b: 2 }); for (;;);"
  const { callLog } = (await createSandbox({ actions, limits: { deadlineMs: 300 } }).eval({ script }).catch((error: unknown) => error)) as EvaluationError
  assert.deepEqual(callLog.map((slot) => slot?.kind === 'action' && slot.settled).toSorted(), [1, 2])
  assert.deepEqual(did, ['add 1 1', 'add 2 2'])
})

test('data that cannot be sent takes neither the question nor the log along', async () => {
  const { did, sandbox } = world()
  const cases: [statement: string, message: RegExp][] = [
    ['data.f = () => 1', /cannot be sent: .*function/],
    ['data = 5', /has to be an object, and is number/],
    ['data = []', /has to be an object, and is an array/],
    ['data = null', /has to be an object, and is null/],
  ]
  for (const [statement, message] of cases) {
    did.length = 0
    const script = (mend: string): string => `await add({ a: 1, b: 1 }); ${statement}; const { approved } = await gate({ of: 'x' }); ${mend}; return approved`
    const error = (await sandbox.eval({ script: script('data = {}') }).catch((error: unknown) => error)) as EvaluationError
    assert.match(error.message, message)
    assert.deepEqual(
      [error.code, error.position, error.call, error.interrupt, error.callLog.map((slot) => slot?.kind ?? null)],
      ['DATA_REFUSED', 1, { id: 'gate', input: { of: 'x' } }, { data: { reason: 'needs-human', of: 'x' }, state: { token: 'checkpoint' } }, ['action', null]],
    )
    const { callLog, call, position } = error as Required<EvaluationError>
    const { value } = await sandbox.eval({ script: script('data = {}'), callLog, resumption: { position, call, data: 'yes' } })
    assert.deepEqual([value, did], [true, ['add 1 1', 'gate x undefined', 'gate x {"data":"yes"}']])
    // At the end there is no question.
    await assert.rejects(sandbox.eval({ script: script(''), callLog, resumption: { position, data: 'yes' } }), (error: EvaluationError) =>
      error.code === 'DATA_REFUSED' && error.position === undefined && error.callLog.length === 2)
  }
})

test('whatever an action throws is an error of its call', async () => {
  const actions = Object.entries(ODD).flatMap(([id, [make]]) => [
    defineAction({ id: `now.${id}`, name: id, input: z.any(), output: z.any(), execute: () => { throw make() } }),
    defineAction({ id: `later.${id}`, name: id, input: z.any(), output: z.any(), execute: () => Promise.reject(make()) }),
  ])
  const sandbox = createSandbox({ actions })
  for (const { id } of actions) {
    const { value } = await sandbox.eval({ script: `return await ${id}().catch(({ name, message }) => [name, message])` })
    assert.deepEqual(value, ['Error', ODD[id.split('.')[1] as string]?.[1]], id)
  }
})

test('a deadline may be as far away as one likes', async () => {
  const soon = defineAction({ id: 'soon', name: 'Soon', input: z.any(), output: z.any(), execute: () => new Promise((resolve) => setTimeout(resolve, 20)) })
  for (const deadlineMs of [2 ** 31 + 60_000, 2 ** 40, Infinity]) {
    assert.equal((await createSandbox({ actions: [soon], limits: { deadlineMs } }).eval({ script: 'await soon(); return 1' })).value, 1)
  }
})

test('a script that reads the clock without end does not fill the host', async () => {
  const sandbox = createSandbox({ actions: world().actions })
  await assert.rejects(sandbox.eval({ script: 'for (let i = 0; i < 4e6; i++) Date.now()' }), { code: 'LIMIT_LEDGER' })
})

test('what a script comes to behind its deadline is nothing, whatever kept the timer from its turn', async (t) => {
  const late = defineAction({
    id: 'late', name: 'Late', input: z.any(), output: z.any(),
    execute: () => {
      const hence = Date.now() + 30_000
      t.mock.method(Date, 'now', () => hence)
      return 1
    },
  })
  const log = [{ kind: 'action', id: 'late', output: 1, settled: 1 }]
  await assert.rejects(createSandbox({ actions: [late] }).eval({ script: 'return await late()' }), { code: 'LIMIT_DEADLINE', callLog: log })
})

test('a script that waits for nothing is told so', async () => {
  assert.equal(await code(world().sandbox.eval({ script: 'await new Promise(() => {})' })), 'DEADLOCK')
})

test('data that cannot be sent is an error', async () => {
  const { sandbox } = world()
  for (const script of ['data.f = () => 1', 'data.f = () => 1; await gate({})', 'Object.defineProperty(data, "now", { get: () => Math.random(), enumerable: true }); await gate({})']) {
    assert.equal(await code(sandbox.eval({ script })), 'DATA_REFUSED', script)
  }
  assert.equal(await code(sandbox.eval({ script: '', data: { f: () => 1 } })), 'VALUE_REFUSED')
})

test('what cannot be sent to a script is an error of the call', async () => {
  const odd = defineAction({ id: 'odd', name: 'Odd', input: z.any(), output: z.any(), execute: () => ({ f: () => 1 }) })
  const { value } = await createSandbox({ actions: [odd] }).eval({ script: 'return await odd().catch(({ code, message }) => [code, message])' })
  assert.deepEqual(value, ['HOST_OUTPUT_INVALID', 'the result of odd cannot be sent: f cannot cross: it is a function'])
})

test('random numbers are no calls', async () => {
  const { value } = await createSandbox({ actions: [], limits: { calls: 1 } }).eval({ script: 'return Array.from({ length: 20_000 }, Math.random).length' })
  assert.equal(value, 20_000)
})

test('limits end an evaluation, and no script can catch them', async () => {
  const { actions } = world()
  const long = defineAction({ id: 'long', name: 'Long', input: z.any(), output: z.any(), execute: () => 'x'.repeat(100) })
  const never = defineAction({ id: 'never', name: 'Never', input: z.any(), output: z.any(), execute: () => new Promise(() => {}) })
  const cases: [limits: Parameters<typeof createSandbox>[0]['limits'], script: string, code: string][] = [
    [{ deadlineMs: 50 }, 'for (;;);', 'LIMIT_DEADLINE'],
    [{ deadlineMs: 50 }, 'await never()', 'LIMIT_DEADLINE'],
    [{ output: 50 }, 'await long()', 'LIMIT_OUTPUT'],
    [{ calls: 2 }, 'for (;;) await add({ a: 1, b: 1 })', 'LIMIT_CALLS'],
    [{ ledger: 40_000 }, 'for (;;) Math.random()', 'LIMIT_LEDGER'],
    // Inputs, outcomes and slots.
    [{ ledger: 4096 }, "await add({ a: 1, b: 1, more: 'x'.repeat(5000) })", 'LIMIT_LEDGER'],
    [{ ledger: 1000 }, 'for (let i = 0; i < 8; i++) await long(); await never()', 'LIMIT_LEDGER'],
    [{ ledger: 4096 }, 'for (;;) Date.now()', 'LIMIT_LEDGER'],
    [{ memory: 8 << 20 }, 'const all = []; for (;;) all.push(new Array(1000).fill(1))', 'LIMIT_MEMORY'],
  ]
  for (const [limits, script, expected] of cases) {
    const sandbox = createSandbox({ actions: [...actions, long, never], limits })
    await assert.rejects(sandbox.eval({ script: `try { ${script} } catch {}` }), (error) => error instanceof LimitError && error.code === expected, `${script}: ${expected}`)
  }
  assert.throws(() => createSandbox({ actions, limits: { calls: -1 } }), TypeError)
})

test('an evaluation can be aborted, and its actions hear of it', async () => {
  let heard: Promise<unknown> | undefined
  const controller = new AbortController()
  const hang = defineAction({
    id: 'hang', name: 'Hang', input: z.any(), output: z.any(),
    execute: ({ signal }) => {
      heard = new Promise((resolve) => signal.addEventListener('abort', () => resolve((signal.reason as RunError).code)))
      setImmediate(() => controller.abort())
      return new Promise(() => {})
    },
  })
  const sandbox = createSandbox({ actions: [hang] })
  assert.equal(await code(sandbox.eval({ script: 'await hang()', signal: controller.signal })), 'ABORTED')
  assert.equal(await heard, 'ABORTED')
  assert.equal(await code(sandbox.eval({ script: 'await hang()', signal: controller.signal })), 'ABORTED')
})

test('an action that wraps its interrupt in another error has thrown an error', async () => {
  const wrap = defineAction({
    id: 'wrap', name: 'Wrap', input: z.any(), output: z.any(),
    execute: () => {
      throw new Error('wrapped', { cause: new ActionInterrupt('hidden') })
    },
  })
  assert.equal((await createSandbox({ actions: [wrap] }).eval({ script: 'return await wrap().catch(({ message }) => message)' })).value, 'wrapped')
})

test('what is no action, no id and no script is refused', async () => {
  const any = { name: 'Any', input: z.any(), output: z.any(), execute: () => 1 }
  for (const wrong of [{ id: 5 }, { name: 5 }, { input: {} }, { output: undefined }, { execute: 1 }]) {
    assert.throws(() => defineAction({ id: 'any', ...any, ...wrong } as unknown as Action), TypeError)
  }
  const ids = (...ids: string[]) => () => createSandbox({ actions: ids.map((id) => defineAction({ id, ...any })) })
  assert.throws(ids('a', 'a'), { code: 'HOST_FUNCTION_DUPLICATE' })
  assert.throws(ids('await-approval'), { code: 'HOST_FUNCTION_NAME' })
  assert.throws(ids('#draw'), { code: 'HOST_FUNCTION_NAME' })
  for (const id of ['data', 'Math', 'console', 'await']) assert.throws(ids(id), { code: 'HOST_FUNCTION_RESERVED' }, id)
  const { sandbox } = world()
  await assert.rejects(sandbox.eval({ script: 5 as unknown as string }), TypeError)
  await assert.rejects(sandbox.eval({ script: '', data: [] as unknown as Record<string, unknown> }), TypeError)
})
