import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { test } from 'node:test'

import { type RunnerOptions, type ScriptError, createRunner, getHostCall, hostFunction, unwrap } from 'intermission'
import { z } from 'zod'

import { ODD } from './odd.ts'

const value = async (source: string, hostFunctions: RunnerOptions['hostFunctions'], options: RunnerOptions = {}): Promise<unknown> =>
  unwrap(await createRunner({ hostFunctions, ...options }).run(source))

test('functions get their arguments and give their results, synchronous or not', async () => {
  const functions = { add: (a: number, b: number) => a + b, later: { add: async (a: number, b: number) => a + b } }
  assert.deepEqual(await value('return [await add(1, 2), await later.add(3, 4)]', functions), [3, 7])
})

test('calls are begun in their order, run at the same time, and are settled as they finish', async () => {
  const begun: string[] = []
  const waiting = new Map<string, (value: string) => void>()
  const wait = (name: string): Promise<string> => {
    begun.push(name)
    return new Promise((resolve) => waiting.set(name, resolve)).then(() => name)
  }
  const runner = createRunner({ hostFunctions: { wait } })
  const under = runner.run("const order = []; await Promise.all(['a', 'b', 'c'].map((n) => wait(n).then((x) => order.push(x)))); return order")
  // At once, or by a worker where this machine is slow.
  while (begun.length < 3) await new Promise(setImmediate)
  assert.deepEqual(begun, ['a', 'b', 'c'])
  for (const name of ['b', 'c', 'a']) {
    waiting.get(name)?.('')
    await new Promise(setImmediate)
  }
  assert.deepEqual(unwrap(await under), ['b', 'c', 'a'])
})

test('AsyncLocalStorage of the caller works in host functions, also after a wake from another thread', async () => {
  const user = new AsyncLocalStorage<string>()
  const runner = createRunner({ hostFunctions: { who: async () => user.getStore() } })
  const source = 'const first = await who(); let n = 0; while (n < 3_000_000) n++; await sleep(1); return [first, await who()]'
  const runs = ['ann', 'bob'].map((name) => user.run(name, () => runner.run(source)))
  assert.deepEqual((await Promise.all(runs)).map((result) => unwrap(result)), [['ann', 'ann'], ['bob', 'bob']])
})

test('getHostCall() tells of the call, through every await, and nowhere else', async () => {
  assert.throws(getHostCall, /none is under way here/)
  const look = async (): Promise<unknown> => {
    const before = getHostCall()
    await new Promise(setImmediate)
    const call = getHostCall()
    assert.equal(call, before)
    const { requestIndex, hostFunction: name, position, requestId, runId, resume, editedFrom } = call
    assert.equal(requestId, `${runId}.${requestIndex}`)
    assert.deepEqual([resume, editedFrom], [undefined, undefined])
    assert.match(call.idempotencyKey, /^[a-z0-9:_]{20,}$/)
    return { requestIndex, name, line: position?.line, key: call.idempotencyKey }
  }
  const [one, two] = (await value('return [await t.look(),\n await t.look()]', { t: { look } })) as { key: string }[]
  assert.deepEqual({ ...one, key: '' }, { requestIndex: 1, name: 't.look', line: 1, key: '' })
  assert.deepEqual({ ...two, key: '' }, { requestIndex: 2, name: 't.look', line: 2, key: '' })
  assert.notEqual(one?.key, two?.key)
})

test('what a function throws reaches the script with name, message and code, and the stack stays here', async () => {
  const stacks: string[] = []
  function explode(): never {
    const error = Object.assign(new RangeError('boom'), { code: 'BOOM' })
    stacks.push(error.stack ?? '')
    throw error
  }
  const source = 'try { await explode() } catch (e) { return [e instanceof RangeError, e.name, e.message, e.code, String(e.stack).includes("host-functions")] }'
  assert.deepEqual(await value(source, { explode }), [true, 'RangeError', 'boom', 'BOOM', false])
  assert.match(stacks[0] ?? '', /at explode .*host-functions\.test/)
  assert.deepEqual(await value(source, { explode }, { redactErrors: true }), [false, 'Error', 'the host function failed', 'HOST_FUNCTION_FAILED', false])
  assert.equal(await value('try { await f() } catch (e) { return e.message }', { f: () => Promise.reject('a text') }), 'a text')
})

test('a result that cannot cross is a rejection with the path', async () => {
  const source = 'try { await f() } catch (e) { return [e.code, e.message] }'
  assert.deepEqual(await value(source, { f: () => ({ rows: [() => 1] }) }), [
    'HOST_OUTPUT_INVALID', 'the result of f cannot be sent: rows[0] cannot cross: it is a function',
  ])
})

test('a schema of zod checks and shapes the input, gives its types, and is shown to whoever writes scripts', async () => {
  const add = hostFunction({
    description: 'Adds two numbers',
    input: z.object({ a: z.number(), b: z.number().default(1) }),
    output: z.number(),
    run: ({ a, b }) => a + b,
  })
  const runner = createRunner({ hostFunctions: { math: { add } } })
  assert.equal(unwrap(await runner.run('return await math.add({ a: 2 })')), 3)
  const types = runner.types()
  assert.match(types, /Adds two numbers/)
  assert.match(types, /function add\(input: \{[^}]*a: number;[^}]*b\?: number/s)
  const refused = await runner.run("try { await math.add({ a: 'two' }) } catch (e) { return [e.name, e.code] }")
  assert.deepEqual(unwrap(refused), ['TypeError', 'HOST_INPUT_INVALID'])
})

test('a schema that JSON cannot say checks in JavaScript alone', async () => {
  const year = hostFunction({ input: z.object({ at: z.date() }), run: ({ at }) => at.getUTCFullYear() })
  assert.equal(await value('return await year({ at: new Date(0) })', { year }), 1970)
  const refused = await value("try { await year({ at: 'now' }) } catch (e) { return [e.name, e.code, e.message] }", { year })
  assert.deepEqual((refused as string[]).slice(0, 2), ['TypeError', 'HOST_INPUT_INVALID'])
  assert.match((refused as string[])[2] ?? '', /^year was called with what does not fit its schema at \/at: /)
})

test('a JSON Schema is checked by the library', async () => {
  const half = hostFunction({
    input: { type: 'integer', minimum: 0 },
    output: { type: 'integer' },
    run: (n) => (n as number) / 2,
  })
  assert.equal(await value('return await half(4)', { half }), 2)
  const codes = 'const codes = []; for (const n of [-1, 3]) try { await half(n) } catch (e) { codes.push(e.code) } return codes'
  assert.deepEqual(await value(codes, { half }), ['HOST_INPUT_INVALID', 'HOST_OUTPUT_INVALID'])
  const bad = hostFunction({ input: { type: 'nonsense' }, run: () => 1 })
  assert.throws(() => createRunner({ hostFunctions: { bad } }), { name: 'OptionsError', code: 'HOST_FUNCTION_SCHEMA' })
})

test('a blocking function gives the value itself, also where it takes its time', async () => {
  const now = hostFunction({ blocking: true, run: () => 5 })
  const slow = hostFunction({ blocking: true, run: async (n) => { await new Promise(setImmediate); return n } })
  assert.deepEqual(await value('return [now(), slow(6), typeof now()]', { now, slow }), [5, 6, 'number'])
})

test('a function may run scripts of its own', async () => {
  const inner = createRunner({ hostFunctions: { one: () => 1 } })
  const outer = createRunner({ hostFunctions: { nested: async (source: string) => unwrap(await inner.run(source)) } })
  assert.equal(unwrap(await outer.run("return 1 + await nested('return await one()')")), 2)
})

test('a call that nobody waits for is awaited, aborted and reported', async () => {
  let aborted = false
  const stay = (): Promise<never> => new Promise(() => {
    getHostCall().signal.addEventListener('abort', () => { aborted = true })
  })
  const result = await createRunner({ hostFunctions: { stay, quick: async () => 1 }, drainMs: 20 }).run('stay(); quick(); return 1')
  assert.equal(unwrap(result), 1)
  const fates = result.report.detached.map(({ hostFunction: name, fate }) => [name, fate])
  assert.deepEqual(fates, [['stay', 'aborted'], ['quick', 'fulfilled']])
  assert.equal(aborted, true)
})

test('an uncaught rejection is the error of the script', async () => {
  const result = await createRunner({ hostFunctions: { f: () => { throw Object.assign(new Error('no'), { code: 'NO' }) } } }).run('await f()')
  assert.ok(result.status === 'failed')
  assert.equal(((result.error as ScriptError).cause as { code: string }).code, 'NO')
})

test('whatever a function throws, at once or later, is an error of its call', async () => {
  for (const [name, [make, message]] of Object.entries(ODD)) {
    const now = (): never => { throw make() }
    const later = (): Promise<never> => Promise.reject(make())
    const blocking = hostFunction({ blocking: true, run: now })
    const source = 'return [await now().catch(({ message }) => message), await later().catch(({ message }) => message), (() => { try { blocking() } catch ({ message }) { return message } })()]'
    assert.deepEqual(await value(source, { now, later, blocking }), [message, message, message], name)
  }
})
