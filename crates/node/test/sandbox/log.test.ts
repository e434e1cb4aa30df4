import assert from 'node:assert/strict'
import { test } from 'node:test'

import { type ActionEntry, ActionInterrupt, type CallLogEntry, CallLogError, CallLogMismatchError, createSandbox, defineAction, z } from 'intermission/sandbox'

import { interrupted, stored, world } from './actions.ts'

const add = (a: number, b: number, settled: number): ActionEntry => ({ kind: 'action', id: 'add', input: { a, b }, output: { sum: a + b }, settled })

test('what is no log is refused, with the entry and the reason, before anything runs', async () => {
  const { did, sandbox } = world()
  const good = { kind: 'action', id: 'add', input: { a: 1, b: 1 }, output: { sum: 2 }, settled: 1 }
  const cases: [log: unknown, message: string][] = [
    [{}, 'callLog is no list'],
    [['clock'], 'callLog[0] is no entry: an entry is an object, or null where a call is not finished'],
    [[undefined], 'callLog[0] is no entry: an entry is an object, or null where a call is not finished'],
    [[null, new (class Entry {})()], 'callLog[1] is no entry: an entry is an object, or null where a call is not finished'],
    [[{ kind: 'timer', value: 1 }], 'callLog[0] is no entry: its kind is none of action, clock and random'],
    [[{ kind: 'clock', value: 1.5 }], 'callLog[0] is no entry: a time is in whole milliseconds since 1970'],
    [[{ kind: 'clock', value: -1 }], 'callLog[0] is no entry: a time is in whole milliseconds since 1970'],
    [[{ kind: 'clock', value: 1, of: 'x' }], 'callLog[0] is no entry: a read has a kind and a value'],
    [[{ kind: 'random', value: 1 }], 'callLog[0] is no entry: a random number is from 0 up to 1'],
    [[{ ...good, id: 5 }], 'callLog[0] is no entry: its id is a text'],
    [[{ ...good, at: 5 }], 'callLog[0] is no entry: an action has no more than kind, id, input, output, error, settled'],
    [[{ ...good, settled: 0 }], 'callLog[0] is no entry: settled is a whole number, from 1'],
    [[{ ...good, settled: '1' }], 'callLog[0] is no entry: settled is a whole number, from 1'],
    [[{ ...good, error: { name: 'Error', message: 'x' } }], 'callLog[0] is no entry: an action has an output or an error, not both'],
    [[{ kind: 'action', id: 'add', error: { message: 'x' }, settled: 1 }], 'callLog[0] is no entry: an error has a name, a message and perhaps a code'],
    [[{ ...good, output: new Date(0) }], 'callLog[0] is no entry: it is no plain JSON'],
    [[{ ...good, output: () => 1 }], 'callLog[0] is no entry: the value cannot cross: it is a function'],
    [[{ ...good, output: { $cbor: 'AQ' } }], 'callLog[0] is no entry: it is no plain JSON'],
    [[good, { ...good }], 'callLog[1] is no entry: another one is settled 1, too'],
    [[{ ...good, settled: 2 }], 'callLog is not whole: nothing is settled 1, but something is behind it'],
    [[{ ...good, id: 'gone' }], 'callLog[0] is a call of gone, which is no action of this sandbox'],
  ]
  for (const [callLog, message] of cases) {
    await assert.rejects(sandbox.eval({ script: '', callLog: callLog as CallLogEntry[] }), (error) => {
      assert.ok(error instanceof CallLogError)
      assert.deepEqual([error.message, error.code], [message, 'CALL_LOG_INVALID'])
      return true
    })
  }
  await assert.rejects(sandbox.eval({ script: '', callLog: [{ ...good, output: { $cbor: '!' } } as CallLogEntry] }), CallLogError)
  assert.deepEqual(did, [])
})

test('an answer needs the slot of a call that is not finished', async () => {
  const { sandbox } = world()
  const resume = (position: unknown, callLog = [add(1, 1, 1), null]): Promise<unknown> =>
    sandbox.eval({ script: 'await add({ a: 1, b: 1 }); return await gate({})', callLog, resumption: { position: position as number, data: 'yes' } })
  for (const position of [undefined, -1, 1.5, '1']) {
    await assert.rejects(resume(position), { code: 'CALL_LOG_INVALID', message: 'resumption.position is the number of a slot of the log, from 0' })
  }
  await assert.rejects(resume(0), { code: 'CALL_LOG_INVALID', message: 'resumption.position is the slot of a call that is not finished; 0 is' })
  await resume(1)
  // The empty slots at the end of a log need not be there.
  await resume(1, [add(1, 1, 1)])
  const two = await sandbox.eval({ script: "return (await Promise.all([gate({ of: 'a' }), gate({ of: 'b' })])).length", callLog: [], resumption: { position: 1, data: 'yes' } }).catch((error: unknown) => error)
  assert.equal((two as { position: number }).position, 0)
  await resume(2, [add(1, 1, 1), null]).then(
    () => assert.fail('there is no such call'),
    (error: unknown) => assert.equal((error as CallLogMismatchError).position, 2),
  )
})

test('an answer to a slot where the script does something else is a mismatch', async () => {
  const { did, sandbox } = world()
  for (const [script, position] of [['Date.now(); await gate({})', 0], ['return 1', 0], ['await add({ a: 1, b: 1 }); await gate({})', 1]] as const) {
    const callLog = position === 0 ? [] : [add(1, 1, 1)]
    const resumed = sandbox.eval({ script, callLog, resumption: { position, data: 'yes' } })
    if (position === 1) await resumed
    else await assert.rejects(resumed, (error) => error instanceof CallLogMismatchError && error.position === 0)
  }
  assert.deepEqual(did, ['gate  {"data":"yes"}'])
})

test('a log that is too short is one of an earlier moment: what is behind it happens', async () => {
  const { did, sandbox } = world()
  const script = 'return [(await add({ a: 1, b: 1 })).sum, (await add({ a: 2, b: 2 })).sum]'
  const { value } = await sandbox.eval({ script, callLog: [add(1, 1, 1)] })
  assert.deepEqual([value, did], [[2, 4], ['add 2 2']])
})

test('a log that is too long is a mismatch', async () => {
  const { did, sandbox } = world()
  for (const extra of [add(5, 5, 2), { kind: 'clock', value: 5 } as const, null]) {
    await assert.rejects(sandbox.eval({ script: 'await add({ a: 1, b: 1 })', callLog: [add(1, 1, 1), extra] }), (error) => {
      assert.ok(error instanceof CallLogMismatchError)
      assert.equal(error.position, 1)
      return true
    })
  }
  assert.deepEqual(did, [])
})

test('a mismatch says what is recorded and what the script does', async () => {
  const { sandbox } = world()
  const message = async (script: string, callLog: (CallLogEntry | null)[]): Promise<string> =>
    await sandbox.eval({ script, callLog }).then(() => 'nothing', (error: unknown) => (error as Error).message.replace('the script does something else than its log says, ', ''))
  const clock = { kind: 'clock', value: 5 } as const
  assert.equal(await message('Date.now()', [add(1, 1, 1)]), 'in slot 0: there is a call of add, and it reads the clock')
  assert.equal(await message('Math.random()', [clock]), 'in slot 0: there is a read of the clock, and it reads a random number')
  assert.equal(await message('await gate({})', [{ kind: 'random', value: 0.5 }]), 'in slot 0: there is a random number, and it calls gate')
  assert.equal(await message('await add({ a: 2, b: 1 })', [add(1, 1, 1)]), 'in slot 0: there is a call of add, and it gives it another input')
  assert.equal(await message('Date.now()', [null]), 'in slot 0: there is a call that was not finished, and it reads the clock')
  assert.equal(await message('Date.now()', [clock, null]), 'in slot 1: there is a call that was not finished, and the script ends')
  await assert.rejects(sandbox.eval({ script: "throw new Error('early')", callLog: [clock] }), (error: Error) => (error.cause as Error & { code: string }).code === 'SCRIPT_ERROR')
})

test('outcomes are told in the order in which they were told before, whatever the order of the calls', async () => {
  const waiting = new Map<string, () => void>()
  const wait = defineAction({
    id: 'wait', name: 'Wait', input: z.string(), output: z.string(),
    execute: async ({ input }) => {
      await new Promise<void>((resolve) => waiting.set(input, resolve))
      return input
    },
  })
  const { actions } = world()
  const sandbox = createSandbox({ actions: [...actions, wait] })
  const script = `
    const order = [];
    await Promise.all(['a', 'b', 'c'].map(async (name) => { order.push(await wait(name)); if (name === 'b') await wait('d'); }));
    data.order = order.join('');
    await gate({})`
  const running = interrupted(sandbox.eval({ script, data: {} }))
  for (const name of ['c', 'b', 'd', 'a']) {
    while (!waiting.has(name)) await new Promise(setImmediate)
    waiting.get(name)?.()
    await new Promise(setImmediate)
  }
  const { callLog, data, position } = await running
  assert.deepEqual(data, { order: 'cba' })
  assert.deepEqual(callLog.map((slot) => slot !== null && 'settled' in slot && [slot.input, slot.settled]), [['a', 4], ['b', 2], ['c', 1], ['d', 3], false])
  const resumed = await sandbox.eval({ script, data: {}, callLog: stored(callLog), resumption: { position, data: 'yes' } })
  assert.deepEqual(resumed.data, { order: 'cba' })
})

test('what an action threw is recorded, and thrown again without the action', async () => {
  const { did, sandbox } = world()
  const script = 'try { await fail() } catch (error) { data.caught = [error instanceof RangeError, error.name, error.message, error.code] } await gate({})'
  const { callLog, data, position } = await interrupted(sandbox.eval({ script, data: {} }))
  assert.deepEqual(callLog, [{ kind: 'action', id: 'fail', error: { name: 'RangeError', message: 'far', code: 'FAR' }, settled: 1 }, null])
  assert.deepEqual(data, { caught: [true, 'RangeError', 'far', 'FAR'] })
  did.length = 0
  const resumed = await sandbox.eval({ script, data: {}, callLog: stored(callLog), resumption: { position, data: 'yes' } })
  assert.deepEqual(resumed.data, data)
  assert.equal(did.length, 1)
})

test('input and output that do not fit their schemas are errors of the script, recorded as any', async () => {
  let executed = 0
  const half = defineAction({
    id: 'half', name: 'Halve', input: z.number(), output: z.int(),
    execute: ({ input }) => {
      executed += 1
      return input / 2
    },
  })
  const sandbox = createSandbox({ actions: [half, ...world().actions] })
  const script = "const errors = []; for (const input of ['x', 3]) await half(input).catch(({ name, code, message }) => errors.push([name, code, message])); await gate({}); return errors"
  const { callLog, position } = await interrupted(sandbox.eval({ script }))
  assert.equal(executed, 1)
  const errors = [
    ['TypeError', 'HOST_INPUT_INVALID', 'half was called with what does not fit its schema: Invalid input: expected number, received string'],
    ['Error', 'HOST_OUTPUT_INVALID', 'half returned what does not fit its schema: Invalid input: expected int, received number'],
  ]
  assert.deepEqual(callLog.map((slot) => slot !== null && 'error' in slot && slot.error?.code), ['HOST_INPUT_INVALID', 'HOST_OUTPUT_INVALID', false])
  const { value } = await sandbox.eval({ script, callLog: stored(callLog), resumption: { position, data: 'yes' } })
  assert.deepEqual([value, executed], [errors, 1])
})

test('an action gets what its input schema makes of the input, and the log has what the script gave', async () => {
  const greet = defineAction({
    id: 'greet', name: 'Greet', input: z.object({ name: z.string().trim().default('you') }), output: z.string().toUpperCase(),
    execute: ({ input: { name } }) => `hi ${name}`,
  })
  const { callLog, value } = await createSandbox({ actions: [greet] }).eval({ script: "return [await greet({}), await greet({ name: ' Ann ' })]" })
  assert.deepEqual(value, ['HI YOU', 'HI ANN'])
  assert.deepEqual(callLog.map((slot) => slot !== null && 'input' in slot && slot.input), [{}, { name: ' Ann ' }])
})

test('what is no plain JSON is in the log in its bytes, and comes back as it was', async () => {
  const echo = defineAction({ id: 'echo', name: 'Echo', input: z.any(), output: z.any(), execute: ({ input }: { input: unknown }) => input })
  const sandbox = createSandbox({ actions: [echo, ...world().actions] })
  const script = `
    const all = [undefined, null, -0, 12n, new Date(5), new Map([[1, new Set([2])]]), { a: undefined }, { $cbor: 'AQ' }, { $cbor: 5 }, { nested: { $cbor: 'AQ' } }, [1, 'x', { a: [] }]];
    const back = []; for (const value of all) back.push(await echo(value));
    await gate({}); return back`
  const { callLog, position } = await interrupted(sandbox.eval({ script }))
  const inputs = callLog.map((slot) => (slot !== null && 'input' in slot ? slot.input : 'absent'))
  const cbor = (text: string): unknown => ({ $cbor: text })
  assert.deepEqual(inputs, [
    'absent', null, cbor('-YAA'), cbor('wkEM'), inputs[4], inputs[5], cbor('oWFh9w'), inputs[7], { $cbor: 5 }, { nested: { $cbor: 'AQ' } }, [1, 'x', { a: [] }], 'absent',
  ])
  assert.deepEqual(Object.keys(inputs[7] as object), ['$cbor'])
  const { value } = await sandbox.eval({ script, callLog: stored(callLog), resumption: { position, data: 'yes' } })
  const expected = [undefined, null, -0, 12n, new Date(5), new Map([[1, new Set([2])]]), { a: undefined }, { $cbor: 'AQ' }, { $cbor: 5 }, { nested: { $cbor: 'AQ' } }, [1, 'x', { a: [] }]]
  assert.deepEqual(value, expected)
})

test('a store may change the order of keys', async () => {
  const { did, sandbox } = world()
  const callLog: CallLogEntry[] = [{ settled: 1, output: { sum: 2 }, input: { b: 1, a: 1 }, id: 'add', kind: 'action' }]
  assert.equal((await sandbox.eval({ script: 'return (await add({ a: 1, b: 1 })).sum', callLog })).value, 2)
  assert.deepEqual(did, [])
})

test('a log is trusted: the script is told whatever it says', async () => {
  const { sandbox } = world()
  const callLog: CallLogEntry[] = [{ kind: 'clock', value: 86_400_000 }, { kind: 'random', value: 0.25 }, { ...add(1, 1, 1), output: { sum: 3 } }]
  const { value } = await sandbox.eval({ script: 'return [new Date().toISOString(), Math.random(), (await add({ a: 1, b: 1 })).sum]', callLog })
  assert.deepEqual(value, ['1970-01-02T00:00:00.000Z', 0.25, 3])
})

test('the log that was given is left as it was', async () => {
  const { sandbox } = world()
  const callLog = Object.freeze([Object.freeze(add(1, 1, 1))])
  const result = await sandbox.eval({ script: 'await add({ a: 1, b: 1 }); await add({ a: 2, b: 2 })', callLog })
  assert.equal(callLog.length, 1)
  assert.deepEqual(result.callLog, [add(1, 1, 1), add(2, 2, 2)])
})

test('an answer with the call that asked is for that call alone', async () => {
  const { did, sandbox } = world()
  const script = 'data.n = (data.n ?? 0) + 1; return await gate({ of: `pay ${data.n}` })'
  const { call, callLog, data, position } = stored({ ...(await interrupted(sandbox.eval({ script, data: {} }))) })
  assert.deepEqual(call, { id: 'gate', input: { of: 'pay 1' } })
  did.length = 0
  // The data of the interrupt in the place of the first.
  const answered = (data: Record<string, unknown>, call: { id: string; input?: unknown }): Promise<unknown> =>
    sandbox.eval({ script, data, callLog, resumption: { position, data: 'yes', call } })
  const mismatch = (what: string) => ({ name: 'CallLogMismatchError', position: 0, message: `the script does something else than its log says, in slot 0: an answer is given to a call of ${what}` })
  await assert.rejects(answered(data, call), mismatch('gate, and it gives it another input'))
  await assert.rejects(answered({}, { id: 'add', input: { of: 'pay 1' } }), mismatch('add, and it calls gate'))
  await assert.rejects(answered({}, { id: 'gate' }), mismatch('gate, and it gives it another input'))
  await assert.rejects(answered({}, { input: 5 } as never), { code: 'CALL_LOG_INVALID' })
  await assert.rejects(answered({}, { ...call, more: 5 } as never), { code: 'CALL_LOG_INVALID' })
  assert.deepEqual(did, [])
  await answered({}, call)
  assert.deepEqual(did, ['gate pay 1 {"data":"yes"}'])
})

test('of a call without an input there is nothing but the action', async () => {
  const ask = defineAction({ id: 'ask', name: 'Ask', input: z.undefined(), output: z.any(), execute: ({ resumption }) => {
    if (resumption === undefined) throw new ActionInterrupt('?')
    return resumption.data
  } })
  const sandbox = createSandbox({ actions: [ask] })
  const { call, callLog, position } = stored({ ...(await interrupted(sandbox.eval({ script: 'return await ask()' }))) })
  assert.deepEqual(call, { id: 'ask' })
  assert.equal((await sandbox.eval({ script: 'return await ask()', callLog, resumption: { position, data: 1, call } })).value, 1)
})

test('going through a whole log executes nothing, not even what asked and was not needed', async () => {
  const { did, sandbox } = world()
  const script = "return await Promise.race([gate({ of: 'x' }), add({ a: 1, b: 1 })])"
  const { abandoned, callLog, value } = await sandbox.eval({ script })
  assert.deepEqual([value, callLog], [{ sum: 2 }, [null, add(1, 1, 1)]])
  assert.deepEqual(abandoned, [{ position: 0, message: 'awaiting approval', data: { reason: 'needs-human', of: 'x' } }])
  did.length = 0
  assert.deepEqual(await sandbox.eval({ script, callLog: stored(callLog) }), { data: {}, value, console: [], callLog })
  assert.deepEqual(did, [])
  // With an answer it is one.
  await sandbox.eval({ script, callLog, resumption: { position: 0, data: 'yes' } })
  assert.deepEqual(did, ['gate x {"data":"yes"}'])
})

test('the clock behind an import has its place behind the calls before it', async () => {
  const { sandbox } = world()
  const script = "add({ a: 1, b: 1 }); Date.now(); await import('x').catch(() => {}); add({ a: 2, b: 2 }); Date.now(); await gate({}); return Date.now() >= 0"
  const { call, callLog, position } = await interrupted(sandbox.eval({ script }))
  assert.deepEqual(callLog.map((slot) => slot?.kind ?? null), ['action', 'clock', 'action', 'clock', null])
  assert.equal((await sandbox.eval({ script, callLog: stored(callLog), resumption: { position, data: 'yes', call } })).value, true)
})
