// What npm `run` gets wrong, and ours does not: docs/run-compat.md.
import assert from 'node:assert/strict'
import { ODD } from '../odd.ts'
import { beyond } from './behaviour.ts'
import { answers, ask, codeOf, deferred, evaluate, interruptedOf, plainRunner, rejection, signedRunner, valueOf } from './helpers.ts'
import { getHostFunctionContext, RunError, RunProtocolError, RunTimeoutError } from './subject.ts'

beyond(
  'calls start when they are made',
  async () => {
    let running = 0
    const both = deferred()
    const meet = async (): Promise<void> => {
      running += 1
      if (running === 2) both.resolve()
      await both.promise
    }
    await evaluate('const a = tools.meet(); const b = tools.meet(); await a; await b', { tools: { meet } }, { limits: { timeoutMs: 2_000 } })
  },
  { differs: 'a call starts when something waits for it' },
)

beyond(
  'a call gives a promise',
  async () => {
    const source = 'const call = tools.one(); const is = call instanceof Promise; await call; return is'
    assert.equal(await evaluate(source, { tools: { one: () => 1 } }), true)
  },
  { differs: 'it gives an object of its own' },
)

beyond(
  'a call that nobody waits for, and that has come back, is no error',
  async () => {
    let made = 0
    const tools = { effect: () => { made += 1 }, other: () => 1 }
    await evaluate('tools.effect(); await tools.other(); await tools.other()', { tools })
    assert.equal(made, 1)
  },
  { differs: 'it is never made, and an error' },
)

beyond(
  'a script that fails while a question is pending has failed',
  async () => {
    const source = 'await Promise.all([tools.ask(), Promise.reject(new Error("mine"))])'
    const error = await rejection(signedRunner().run({ source, hostFunctions: { tools: { ask } } }))
    assert.deepEqual([error.code, error.message], ['RUN_USER_SOURCE_ERROR', 'mine'])
  },
  { differs: 'it is interrupted' },
)

beyond(
  'a script that waits for nothing fails at once',
  async () => {
    const error = await rejection(evaluate('await new Promise(() => {})', {}, { limits: { timeoutMs: 1_500 } }))
    assert.deepEqual([error.code, error.details], ['RUN_USER_SOURCE_ERROR', { reason: 'deadlock' }])
  },
  { differs: 'it waits for the whole timeout' },
)

beyond(
  'words can be counted, whatever they are',
  async () => {
    const source = `const counts = {};
      for (const word of ['a', 'toString', 'constructor', 'a']) counts[word] = (Object.hasOwn(counts, word) ? counts[word] : 0) + 1;
      return counts`
    assert.deepEqual(await evaluate(source), { a: 2, toString: 1, constructor: 1 })
  },
  { differs: 'frozen prototypes keep objects from having such keys' },
)

beyond(
  'Date is a class that can be extended, and its clock does not go back',
  async () => {
    const source = `class Day extends Date {}
      let last = 0; for (let i = 0; i < 500; i++) last = Date.now();
      await tools.one();
      return [new Day(0) instanceof Day, Date.name, Date.length, Date.now() > last, new Date().getTimezoneOffset()]`
    assert.deepEqual(await evaluate(source, { tools: { one: () => 1 } }), [true, 'Date', 7, true, 0])
  },
  { differs: 'it is a function named RunDate, and its clock goes back' },
)

beyond(
  'groups tell what they have',
  async () => {
    assert.deepEqual(await evaluate('return [Object.keys(tools), "one" in tools, "two" in tools]', { tools: { one: () => 1 } }), [['one'], true, false])
  },
  { differs: 'they have no properties' },
)

/** What is written to the standard output meanwhile. */
async function printed(body: () => Promise<unknown>): Promise<string> {
  const { write } = process.stdout
  let text = ''
  // The test runner's own messages are bytes.
  process.stdout.write = ((chunk: string | Uint8Array) => {
    if (typeof chunk !== 'string') return write.call(process.stdout, chunk)
    text += chunk
    return true
  }) as typeof write
  try {
    await body()
  } finally {
    process.stdout.write = write
  }
  return text
}

beyond(
  'what a script prints is printed once, whatever method it uses and however often it goes on',
  async () => {
    const source = "console.log('before %s', 1); const answer = await tools.ask(); console.dir({ answer }); return 1"
    const hostFunctions = { tools: { ask } }
    const runner = signedRunner()
    const text = await printed(async () => {
      const first = interruptedOf(await runner.run({ source, hostFunctions }))
      await runner.run({ source, hostFunctions, continuation: first.continuation, resolutions: answers(first) })
    })
    assert.equal(text, 'before 1\n{ answer: true }\n')
    const cut = await printed(() => evaluate("console.log('1234'); console.log('\\u001b12345678'); console.log('5')", {}, { limits: { maxConsoleOutputBytes: 12 } }))
    assert.equal(cut, '1234\n')
  },
  { differs: 'it prints again with every resume, from another thread, and lacks most methods' },
)

beyond(
  'a script that needs too much memory cannot catch it, and has a code of its own',
  async () => {
    const source = 'try { const all = []; for (;;) all.push(new Uint8Array(1_000_000)) } catch { return "caught" }'
    const error = await rejection(evaluate(source, {}, { limits: { memoryLimitBytes: 16 * 1024 * 1024 } }))
    assert.deepEqual([error.code, error.details], ['RUN_MEMORY_LIMIT', { memoryLimitBytes: 16 * 1024 * 1024 }])
  },
  { differs: 'it is an exception of the script' },
)

beyond(
  'what was thrown is told, with its cause',
  async () => {
    const thrown = await rejection(evaluate('throw { code: 42 }'))
    assert.deepEqual([thrown.message, thrown.cause], ['{ code: 42 }', { code: 42 }])
    const error = await rejection(evaluate('throw new Error("outer", { cause: new RangeError("inner") })'))
    assert.ok(error.cause instanceof RangeError)
    assert.equal(error.cause.message, 'inner')
    const text = await rejection(evaluate('\nthrow "text"'))
    assert.equal(text.stack, 'Error: text')
  },
  { differs: 'it tells [object Object], and drops causes' },
)

beyond(
  'an argument that cannot cross has its code and its place',
  async () => {
    const error = await rejection(evaluate('await tools.take({ list: [1, () => 1] })', { tools: { take: () => 1 } }))
    assert.equal(error.code, 'RUN_SERIALIZATION_ERROR')
    assert.match(error.message, /\.list\[1\]/)
    const large = evaluate('await tools.take("x".repeat(2_000))', { tools: { take: () => 1 } }, { limits: { maxHostFunctionArgumentsBytes: 1_000 } })
    assert.equal(await codeOf(large), 'RUN_HOST_FUNCTION_ERROR')
  },
  { differs: 'it is an error of the source, without a place' },
)

beyond(
  'what a host function throws is not taken for the run\'s own end',
  async () => {
    const value = await evaluate('try { await tools.fail() } catch (error) { return [error.name, error.code] }', {
      tools: { fail: () => { throw new RunProtocolError('mine') } },
    })
    assert.deepEqual(value, ['RunProtocolError', 'RUN_PROTOCOL_ERROR'])
    const error = await rejection(evaluate('await tools.fail()', { tools: { fail: () => { throw new RunTimeoutError(5) } } }))
    assert.deepEqual([error.constructor, error.name, error.code], [RunError, 'RunTimeoutError', 'RUN_TIMEOUT'])
  },
  { differs: 'the first ends the run, the second is its timeout' },
)

beyond(
  'TypeScript that needs code works, places are those of the source, and JavaScript is left alone',
  async () => {
    assert.equal(await evaluate('enum Color { Red = 1, Green }\nreturn Color.Green'), 2)
    assert.equal(await evaluate('const a = 3, b = 2, c = 1; return a < b > (c)'), false)
    const error = await rejection(evaluate('interface A {\n  a: number\n}\nconst a: A = { a: 1 };\n\nthrow new Error(`x${a.a}`)'))
    assert.match(error.stack, /run\.js:6:\d+/)
  },
  { differs: 'it depends on the version of Node' },
)

beyond('the limits of a script are those of the run, and an abort finds a script that computes', async () => {
  const controller = new AbortController()
  const running = codeOf(plainRunner().run({ source: 'await tools.one(); for (;;) {}', hostFunctions: { tools: { one: () => { setImmediate(() => controller.abort()) } } }, abortSignal: controller.signal }))
  assert.equal(await running, 'RUN_ABORTED')
})

beyond('AsyncLocalStorage of whoever runs a script works in its host functions, wherever the script computes', async () => {
  const { AsyncLocalStorage } = await import('node:async_hooks')
  const storage = new AsyncLocalStorage<string>()
  const seen: unknown[] = []
  const source = 'await tools.look(); for (let i = 0; i < 3e6; i++); await tools.look(); for (let i = 0; i < 3e6; i++); await tools.look()'
  const look = (): void => { seen.push(storage.getStore(), getHostFunctionContext().hostFunctionName) }
  const result = await storage.run('mine', () => plainRunner().run({ source, hostFunctions: { tools: { look } } }))
  assert.equal(valueOf(result), undefined)
  assert.deepEqual(seen, ['mine', 'tools.look', 'mine', 'tools.look', 'mine', 'tools.look'])
})

beyond('whatever a host function throws is an error of its call', async () => {
  const source = 'return [await tools.now().catch(({ code }) => code), await tools.later().catch(({ code }) => code)]'
  for (const [name, [make]] of Object.entries(ODD)) {
    const tools = { now: () => { throw make() }, later: () => Promise.reject(make()) }
    assert.deepEqual(await evaluate(source, { tools }), ['RUN_HOST_FUNCTION_ERROR', 'RUN_HOST_FUNCTION_ERROR'], name)
  }
})
