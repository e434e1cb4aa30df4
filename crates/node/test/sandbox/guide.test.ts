// What the guide of the package that this takes the place of says, sentence by sentence, in our own words.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import {
  ActionInterrupt, type CallLogEntry, CallLogMismatchError, type SandboxConsoleEntry, SandboxInterrupt, createSandbox, defineAction, z,
} from 'intermission/sandbox'

import { interrupted, stored, world } from './actions.ts'

const PROCESS = fileURLToPath(new URL('./process.js', import.meta.url))
const SCRIPT = 'data.sum = (await add({ a: 1, b: 1 })).sum; data.ok = (await gate({})).approved;'

test('an action that throws an ActionInterrupt pauses the whole run, and eval throws a SandboxInterrupt', async () => {
  const { did, sandbox } = world()
  const script = "await gate({}); await add({ a: 1, b: 1 }); console.log('behind')"
  const asking = await interrupted(sandbox.eval({ script, data: {} }))
  assert.ok(asking instanceof Error)
  assert.equal(asking.name, 'SandboxInterrupt')
  assert.equal(asking.message, 'awaiting approval')
  assert.deepEqual([did, asking.console], [['gate  undefined'], []])
})

test('no try and no finally of the script sees the interrupt', async () => {
  const { sandbox } = world()
  const script = "try { await gate({}) } catch { console.log('caught') } finally { console.log('finally') }"
  const asking = await interrupted(sandbox.eval({ script }))
  assert.deepEqual(asking.console, [])
  assert.deepEqual((await interrupted(sandbox.eval({ script: 'await Promise.allSettled([gate({})]); data.over = true' }))).data, {})
})

test('a SandboxInterrupt carries the log, the data at that moment, the console so far, the slot of the call, and what the action gave along', async () => {
  const { sandbox } = world()
  const script = `console.log('adding'); ${SCRIPT} console.log('never')`
  const asking = await interrupted(sandbox.eval({ script, data: { before: [1] } }))
  assert.deepEqual(asking.callLog, [{ kind: 'action', id: 'add', input: { a: 1, b: 1 }, output: { sum: 2 }, settled: 1 }, null])
  assert.deepEqual(asking.data, { before: [1], sum: 2 })
  assert.deepEqual(asking.console, [{ method: 'log', text: 'adding' }])
  assert.equal(asking.position, 1)
  // Of these very types.
  const typed: {
    callLog: (CallLogEntry | null)[]
    data: Record<string, unknown>
    console: SandboxConsoleEntry[]
    position: number
    interrupt: { data?: unknown; state?: unknown }
  } = asking
  assert.deepEqual(typed.interrupt, { data: { reason: 'needs-human', of: undefined }, state: { token: 'checkpoint' } })
})

test('an action that asks pauses the run also where the script forgets to wait for it', async () => {
  const { did, sandbox } = world()
  const script = "gate({ of: 'a' }); gate({ of: 'b' }); data.over = true; return 'done'"
  const first = await interrupted(sandbox.eval({ script }))
  assert.deepEqual([first.position, first.callLog, first.data, first.interrupt.data], [0, [null, null], { over: true }, { reason: 'needs-human', of: 'a' }])
  const second = await interrupted(sandbox.eval({ script, callLog: first.callLog, resumption: { position: 0, data: 'yes' } }))
  assert.deepEqual([second.position, second.callLog.map((slot) => slot?.kind ?? null)], [1, ['action', null]])
  const { callLog, value } = await sandbox.eval({ script, callLog: second.callLog, resumption: { position: 1, data: 'no' } })
  assert.deepEqual([value, callLog.map((slot) => slot?.kind)], ['done', ['action', 'action']])
  assert.deepEqual(did.filter((what) => what.includes('"data"')), ['gate a {"data":"yes"}', 'gate b {"data":"no"}'])
})

test('an action need give nothing along', async () => {
  const ask = defineAction({ id: 'ask', name: 'Ask', input: z.any(), output: z.any(), execute: () => Promise.reject(new ActionInterrupt('why not')) })
  const asking = await interrupted(createSandbox({ actions: [ask] }).eval({ script: 'await ask()' }))
  assert.deepEqual([asking.interrupt.data, asking.interrupt.state, asking.position, asking.callLog], [undefined, undefined, 0, [null]])
})

test('with the answer the script goes on, in another process that has nothing but what was stored', async () => {
  const inProcess = async (...args: string[]): Promise<string> => (await promisify(execFile)(process.execPath, [PROCESS, ...args])).stdout
  const resumed = JSON.parse(await inProcess('resume', await inProcess('ask', SCRIPT))) as unknown
  // What is recorded is not executed again; the call that asked is, with the answer and the state as they were given.
  assert.deepEqual(resumed, { data: { sum: 2, ok: true }, did: ['gate  {"data":"yes","state":{"token":"checkpoint"}}'] })
})

test('the answer is the action’s to judge', async () => {
  const { sandbox } = world()
  const { callLog, interrupt: { state }, position } = await interrupted(sandbox.eval({ script: SCRIPT, data: {} }))
  const resumed = await sandbox.eval({ script: SCRIPT, data: {}, callLog, resumption: { position, data: 'no', state } })
  assert.deepEqual(resumed.data, { sum: 2, ok: false })
})

test('the script runs again from the top, from the data that it is given, and its console is the complete output', async () => {
  const { sandbox } = world()
  const script = "data.starts = (data.starts ?? 0) + 1; console.log('first'); await gate({}); console.warn('second')"
  const { callLog, data, position } = await interrupted(sandbox.eval({ script, data: {} }))
  assert.deepEqual(data, { starts: 1 })
  const resumed = await sandbox.eval({ script, data: {}, callLog, resumption: { position, data: 'yes' } })
  assert.deepEqual(resumed.data, { starts: 1 })
  assert.deepEqual(resumed.console, [{ method: 'log', text: 'first' }, { method: 'warn', text: 'second' }])
})

test('the log has the calls that finish behind the one that asks, too', async () => {
  const { did, sandbox } = world()
  const script = 'const [ok, sum] = await Promise.all([gate({}), add({ a: 1, b: 2 }).then(({ sum }) => add({ a: sum, b: 4 }))]); Object.assign(data, ok, sum)'
  const { callLog, position } = await interrupted(sandbox.eval({ script, data: {} }))
  assert.equal(position, 0)
  assert.deepEqual(callLog, [
    null,
    { kind: 'action', id: 'add', input: { a: 1, b: 2 }, output: { sum: 3 }, settled: 1 },
    { kind: 'action', id: 'add', input: { a: 3, b: 4 }, output: { sum: 7 }, settled: 2 },
  ])
  const resumed = await sandbox.eval({ script, data: {}, callLog: stored(callLog), resumption: { position, data: 'yes' } })
  assert.deepEqual(resumed.data, { approved: true, sum: 7 })
  assert.deepEqual(did.slice(3), ['gate  {"data":"yes"}'])
})

test('of several that ask the first is thrown; the others are null, too, and ask again', async () => {
  const { did, sandbox } = world()
  const script = "data.all = (await Promise.all(['a', 'b', 'c'].map((of) => gate({ of })))).map(({ approved }) => approved)"
  let asking = await interrupted(sandbox.eval({ script, data: {} }))
  const positions = []
  for (const answer of ['yes', 'no']) {
    positions.push([asking.position, asking.callLog.map((slot) => slot?.kind ?? null)])
    const resumption = { position: asking.position, data: answer }
    asking = await interrupted(sandbox.eval({ script, data: {}, callLog: stored(asking.callLog), resumption }))
  }
  assert.deepEqual(positions, [[0, [null, null, null]], [1, ['action', null, null]]])
  assert.deepEqual([asking.position, asking.interrupt.data], [2, { reason: 'needs-human', of: 'c' }])
  const { data } = await sandbox.eval({ script, data: {}, callLog: stored(asking.callLog), resumption: { position: 2, data: 'yes' } })
  assert.deepEqual(data, { all: [true, false, true] })
  assert.deepEqual(did.filter((what) => what.includes('"data"')), ['gate a {"data":"yes"}', 'gate b {"data":"no"}', 'gate c {"data":"yes"}'])
})

test('any of several can be answered first', async () => {
  const { sandbox } = world()
  const script = "data.all = await Promise.all(['a', 'b'].map((of) => gate({ of })))"
  const { callLog } = await interrupted(sandbox.eval({ script, data: {} }))
  const asking = await interrupted(sandbox.eval({ script, data: {}, callLog, resumption: { position: 1, data: 'yes' } }))
  assert.deepEqual([asking.position, asking.callLog[1]?.kind], [0, 'action'])
})

test('an action can ask a second time, with another state', async () => {
  const twice = defineAction({
    id: 'twice',
    name: 'Ask twice',
    input: z.any(),
    output: z.array(z.unknown()),
    execute: ({ resumption }) => {
      const answers = [...((resumption?.state as unknown[] | undefined) ?? []), ...(resumption === undefined ? [] : [resumption.data])]
      if (answers.length < 2) throw new ActionInterrupt('more', answers.length, answers)
      return answers
    },
  })
  const sandbox = createSandbox({ actions: [twice] })
  const script = 'return await twice()'
  let asking = await interrupted(sandbox.eval({ script }))
  asking = await interrupted(sandbox.eval({ script, callLog: asking.callLog, resumption: { position: 0, data: 'one', state: asking.interrupt.state } }))
  assert.deepEqual([asking.interrupt.data, asking.callLog], [1, [null]])
  const { value } = await sandbox.eval({ script, callLog: asking.callLog, resumption: { position: 0, data: 'two', state: asking.interrupt.state } })
  assert.deepEqual(value, ['one', 'two'])
})

test('the clock and the random numbers are recorded, so a script may branch on them', async () => {
  const { sandbox } = world()
  const script = 'const [time, dice] = [Date.now(), Math.random()]; if (dice >= 0) await gate({}); Object.assign(data, { time, dice, later: Date.now() >= time })'
  const { callLog, position } = await interrupted(sandbox.eval({ script, data: {} }))
  const [clock, random] = callLog as [{ kind: 'clock'; value: number }, { kind: 'random'; value: number }]
  assert.deepEqual(callLog, [{ kind: 'clock', value: clock.value }, { kind: 'random', value: random.value }, null])
  assert.equal(position, 2)
  const resumed = await sandbox.eval({ script, data: {}, callLog: stored(callLog), resumption: { position, data: 'yes' } })
  assert.deepEqual(resumed.data, { time: clock.value, dice: random.value, later: true })
})

test('another operation than the recorded one is a CallLogMismatchError with its slot, and nothing is executed', async () => {
  const { did, sandbox } = world()
  const { callLog, position } = await interrupted(sandbox.eval({ script: `const now = new Date(); ${SCRIPT}`, data: {} }))
  did.length = 0
  const cases: [script: string, position: number][] = [
    // An action where the clock was read, and the other way round.
    [SCRIPT, 0],
    ['Date.now(); Date.now(); await add({ a: 1, b: 1 })', 1],
    ['Math.random()', 0],
    ['Date.now(); Math.random()', 1],
    // A call of another action; with another input.
    ['Date.now(); await gate({})', 1],
    ['Date.now(); await fail({ a: 1, b: 1 })', 1],
    ['Date.now(); await add({ a: 1, b: 2 })', 1],
    // Less than was done.
    ['Date.now(); await add({ a: 1, b: 1 })', 2],
    ["Date.now(); throw new Error('early')", 1],
    ['Date.now(); await new Promise(() => {})', 1],
    ['', 0],
  ]
  for (const [script, slot] of cases) {
    await assert.rejects(sandbox.eval({ script, data: {}, callLog, resumption: { position, data: 'yes' } }), (error) => {
      assert.ok(error instanceof CallLogMismatchError, `${script}: ${String(error)}`)
      assert.deepEqual([error.position, error.code, error.name], [slot, 'CALL_LOG_MISMATCH', 'CallLogMismatchError'], script)
      return true
    })
  }
  assert.deepEqual(did, [])
})

test('a SandboxInterrupt is told from whatever else is thrown', async () => {
  const { sandbox } = world()
  await assert.rejects(sandbox.eval({ script: "throw new TypeError('mine')" }), (error) => !(error instanceof SandboxInterrupt) && !(error instanceof CallLogMismatchError))
})
