import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { type Reconciled, answer, approve, createRunner, didNotHappen, getHostCall, happened, hostFunction, interrupt, unwrap } from 'intermission'
import { z } from 'zod'

import { Bed, asked } from './bed.js'

test('getHostCall() tells of the call, through every await, and its key is the same when it is made again', async (t) => {
  const keys: string[] = []
  const look = async (question: string): Promise<unknown> => {
    const before = getHostCall()
    await new Promise(setImmediate)
    const call = getHostCall()
    assert.equal(call, before)
    keys.push(call.idempotencyKey)
    const { runId, requestIndex, requestId, hostFunction: name, position, resume } = call
    if (resume === undefined) return interrupt({ question }, { asked: 1 })
    return [runId, requestIndex, requestId, name, position, resume]
  }
  const runs = await new Bed(t).open({ hostFunctions: { t: { look } } })
  const run = await runs.start("return await t.look('who?')")
  const { id } = await asked(runs, run)
  await runs.resolve(run, answer(id, 'ann'))
  const resume = { interruptionId: id, resolution: 'ann', expired: false, payload: { question: 'who?' }, state: { asked: 1 } }
  assert.deepEqual(unwrap(await runs.wait(run)), [run, 1, `${run}.1`, 't.look', { line: 1, column: 16 }, resume])
  assert.equal(keys.length, 2)
  assert.equal(keys[0], keys[1])
})

test('AsyncLocalStorage is that of whoever opened the runs, whoever starts or answers one', async (t) => {
  const user = new AsyncLocalStorage<string>()
  const who = async (): Promise<unknown> => {
    await new Promise(setImmediate)
    return user.getStore()
  }
  const runs = await user.run('opener', () => new Bed(t).open({ hostFunctions: { who } }))
  const run = await user.run('starter', () => runs.start('return [await who(), await who()]'))
  assert.deepEqual(unwrap(await runs.wait(run)), ['opener', 'opener'])
})

test('calls are begun in their order, run at the same time, and are settled as they finish', async (t) => {
  const begun: string[] = []
  const waiting = new Map<string, () => void>()
  let all: (() => void) | undefined
  const allBegun = new Promise<void>((resolve) => { all = resolve })
  const wait = (name: string): Promise<string> => {
    begun.push(name)
    if (begun.length === 3) all?.()
    return new Promise<void>((resolve) => waiting.set(name, resolve)).then(() => name)
  }
  const next = (name: string): void => waiting.get(name)?.()
  const runs = await new Bed(t).open({ hostFunctions: { wait, next } })
  const run = await runs.start("const order = []; await Promise.all(['a', 'b', 'c'].map((n, at) => wait(n).then(async (x) => { order.push(x); await next('ca'[order.length - 1]) }))); return order")
  await allBegun
  next('b')
  assert.deepEqual(unwrap(await runs.wait(run)), ['b', 'c', 'a'])
  assert.deepEqual(begun, ['a', 'b', 'c'])
})

test('what a function throws, or gives and cannot be sent, reaches the script', async (t) => {
  const explode = (): never => { throw Object.assign(new RangeError('boom'), { code: 'BOOM' }) }
  const later = async (): Promise<never> => { throw 'a text' }
  const runs = await new Bed(t).open({ hostFunctions: { explode, later, give: () => ({ rows: [() => 1] }) } })
  const script = 'const told = []; for (const f of [explode, later, give]) try { await f() } catch (e) { told.push([e.name, e.message, e.code]) } return told'
  assert.deepEqual(unwrap(await runs.wait(await runs.start(script))), [
    ['RangeError', 'boom', 'BOOM'], ['Error', 'a text', undefined],
    ['Error', 'the result of give cannot be sent: rows[0] cannot cross: it is a function', 'HOST_OUTPUT_INVALID'],
  ])
})

test('a function whose error cannot be read takes nothing from other runs', async (t) => {
  const unreadable = new Proxy(new Error('it says nothing'), { get: () => { throw new TypeError('no field') } })
  const hostFunctions = { bad: () => { throw unreadable }, later: async () => { throw unreadable }, good: () => 1 }
  const runs = await new Bed(t).open({ hostFunctions })
  const script = "return await globalThis[input]().catch(() => 'caught')"
  const started = await Promise.all(['bad', 'good', 'later', 'good'].map((input) => runs.start(script, { input })))
  const values = await Promise.all(started.map(async (run) => unwrap(await runs.wait(run))))
  assert.deepEqual(values, ['caught', 1, 'caught', 1])
})

test('a call that nobody wants any more when it is heard of is not made', async (t) => {
  const bed = new Bed(t)
  let calls = 0
  const late = (): number => ++calls
  const runs = await bed.open({ hostFunctions: { late }, limits: { deadlineMs: 200 } })
  const started = runs.start('return await late()')
  // Nothing is heard of here until the run is over.
  execFileSync(process.execPath, [fileURLToPath(new URL('../process/durable.js', import.meta.url)), 'hearsOfFailure', bed.path])
  const run = await started
  const stored = await runs.wait(run)
  assert.equal(stored.state === 'failed' && stored.error.code, 'LIMIT_DEADLINE')
  assert.equal(calls, 0)
})

test('a question whose end is no time is not asked', async (t) => {
  const ask = (): never => interrupt('?', undefined, { expiresAt: new Date('no date') })
  const runs = await new Bed(t).open({ hostFunctions: { ask } })
  const run = await runs.start('return await ask().catch((error) => [error.name, error.code])')
  assert.deepEqual(unwrap(await runs.wait(run)), ['OptionsError', 'OPTIONS'])
})

test('schemas, blocking functions and modules are as in any run', async (t) => {
  const add = hostFunction({ input: z.object({ a: z.number(), b: z.number().default(1) }), output: z.number(), run: ({ a, b }) => a + b })
  const now = hostFunction({ blocking: true, run: async () => 5 })
  const runs = await new Bed(t).open({ hostFunctions: { add, now }, modules: { './double.js': 'export default (n) => 2 * n', 'double.js': 'export default (n) => 2 * n' } })
  const run = await runs.start("import double from './double.js'; const told = await add({ a: 'x' }).catch((e) => e.code); export default [double(await add({ a: 2 })), now(), told]")
  assert.deepEqual(unwrap(await runs.wait(run)), [6, 5, 'HOST_INPUT_INVALID'])
  assert.match(runs.types(), /declare function add\(input: /)
})

test('a policy decides about each call, each time that it is made', async (t) => {
  const asks: unknown[] = []
  const bed = new Bed(t)
  const open = (most: number) => bed.open({
    hostFunctions: { pay: (amount: number) => `paid ${amount}` },
    policy: ({ hostFunction: name, requestIndex, arguments: args, effect, runId }) => {
      asks.push([name, requestIndex, args, effect, runId.slice(0, 4)])
      const [amount] = args as [number]
      if (amount > most) return { deny: 'too much', reason: 'ask your boss' }
      return amount > 10 ? { ask: 'much' } : 'allow'
    },
  })
  const runs = await open(100)
  const run = await runs.start("return [await pay(1), await pay(500).catch((e) => [e.name, e.message]), await pay(50), await pay(60).catch((e) => e.code)]")
  const { id, payload } = await asked(runs, run)
  assert.deepEqual(payload, { kind: 'approval', rule: 'much' })
  assert.deepEqual(asks, [1, 500, 50].map((amount, at) => ['pay', at + 1, [amount], 'unsafe', 'run_']))
  await runs.close()

  const stricter = await open(55)
  await stricter.resolve(run, approve(id))
  const denied = ['PolicyDenied', 'pay is denied by the rule "too much": ask your boss']
  assert.deepEqual(unwrap(await stricter.wait(run)), ['paid 1', denied, 'paid 50', 'POLICY_DENIED'])
})

/** A run whose process died while `refund` was under way. */
async function killed(): Promise<Uint8Array> {
  let entries: Uint8Array[] = []
  let called: (() => void) | undefined
  const isCalled = new Promise<void>((resolve) => { called = resolve })
  const runner = createRunner({
    hostFunctions: { refund: () => { called?.(); return new Promise(() => {}) } },
    ledgerSink: { append: (_, __, more) => { entries = [...entries, ...more] } },
    drainMs: 0,
  })
  const handle = runner.start('return await refund(10)')
  await isCalled
  const kept = Buffer.concat([Uint8Array.of(1), ...entries])
  handle.cancel()
  await handle.result
  return kept
}

test('a probe tells what became of a call whose outcome was lost, in any run', async (t) => {
  const { Continuation } = await import('intermission')
  const known: [Reconciled | Error, unknown, number][] = [
    [{ kind: 'happened', value: { amount: 10 } }, { amount: 10 }, 0],
    [{ kind: 'failed', error: Object.assign(new Error('no money'), { code: 'POOR' }) }, ['no money', 'POOR'], 0],
    [{ kind: 'didNotHappen' }, 'made', 1],
    [{ kind: 'unknown' }, 'told', 0],
    [new Error('the probe fails'), 'told', 0],
  ]
  for (const [reconciled, value, made] of known) {
    let calls = 0
    const probed: unknown[] = []
    const refund = hostFunction({
      reconcile: async (amount, call) => {
        probed.push([amount, call === getHostCall(), call.requestIndex, typeof call.idempotencyKey])
        if (reconciled instanceof Error) throw reconciled
        return reconciled
      },
      run: () => {
        calls++
        return 'made'
      },
    })
    const source = 'return await refund(10)'
    const resumed = await createRunner({ hostFunctions: { refund } }).resume(new Continuation(await killed()))
    const seen = resumed.status === 'completed' ? resumed.value : resumed.status === 'failed' ? resumed.error.code : resumed.status
    assert.equal(resumed.continuation?.source, source)
    assert.deepEqual(seen, value === 'told' ? 'interrupted' : Array.isArray(value) ? 'SCRIPT_ERROR' : value)

    const runs = await new Bed(t).open({ hostFunctions: { refund } })
    const run = await runs.adopt(new Continuation(await killed()))
    if (value === 'told') {
      const question = await asked(runs, run)
      assert.equal(question.kind, 'outcome-unknown')
      await runs.resolve(run, happened(question.id, 'told'))
    }
    const done = await runs.wait(run)
    if (done.state === 'failed') assert.match(done.error.message, /no money/)
    else assert.deepEqual(unwrap(done), value)
    assert.deepEqual([calls, probed], [2 * made, [[10, true, 1, 'string'], [10, true, 1, 'string']]])
  }
})

test('without a probe an unsafe call is asked about, and others are made again', async (t) => {
  const { Continuation } = await import('intermission')
  for (const effect of ['unsafe', 'idempotent', 'pure'] as const) {
    let calls = 0
    const refund = hostFunction({ effect, run: () => ++calls })
    const runs = await new Bed(t).open({ hostFunctions: { refund } })
    const run = await runs.adopt(new Continuation(await killed()))
    if (effect === 'unsafe') {
      const question = await asked(runs, run)
      assert.deepEqual([question.kind, calls], ['outcome-unknown', 0])
      await runs.resolve(run, didNotHappen(question.id))
    }
    assert.deepEqual([unwrap(await runs.wait(run)), calls], [1, 1])
  }
})
