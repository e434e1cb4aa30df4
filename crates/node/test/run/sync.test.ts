// Host functions that the script waits for on the spot.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { HostFunctions, RunnerOptions } from '../../dist/run/index.js'
import { published } from './behaviour.ts'
import { SECRET, answers, ask, codeOf, deferred, hanging, interruptedOf, openCodec, rejection, valueOf } from './helpers.ts'
import { createRunner, getHostFunctionContext, RunBridgeLimitError, RunError, RunProtocolError, RunTimeoutError } from './subject.ts'

const runner = (syncHostFunctions: HostFunctions, options: RunnerOptions<any> = {}) => createRunner<any>({ syncHostFunctions, ...options })

const secret = { continuationSecret: SECRET }

published('a synchronous host function returns its value at once, and throws what it is allowed to tell', async () => {
  const value = valueOf(
    await runner({
      host: {
        now: async (n: number) => {
          await Promise.resolve()
          return { n }
        },
        secret: () => {
          throw new TypeError('the password is x')
        },
        open: () => {
          throw new RunError('no such file', 'ENOENT')
        },
      },
    }).run({
      source: `const outcome = [host.now(7).n];
      try { host.secret(); } catch (error) { outcome.push(error.name, error.message, error.code, error instanceof Error); }
      try { host.open(); } catch (error) { outcome.push(error.name, error.message, error.code); }
      return outcome;`,
    }),
  )
  assert.deepEqual(value, [7, 'Error', 'Host function failed.', 'RUN_HOST_FUNCTION_ERROR', true, 'RunError', 'no such file', 'ENOENT'])
})

published('what was written is there to be read in the next statement', async () => {
  const files = new Map<string, string>()
  const value = valueOf(
    await runner({
      fs: {
        write: async (path: string, text: string) => {
          await Promise.resolve()
          files.set(path, text)
        },
        read: async (path: string) => files.get(path),
      },
    }).run({ source: `fs.write('/a', 'one'); const a = fs.read('/a'); fs.write('/a', a + ' two'); return fs.read('/a');` }),
  )
  assert.equal(value, 'one two')
})

published('synchronous and asynchronous calls share one limit', async () => {
  const error = await rejection(
    runner({ host: { step: () => 1 } }).run({
      source: 'host.step(); await tools.step(); host.step(); return 1;',
      hostFunctions: { tools: { step: () => 1 } },
      limits: { maxBridgeRequests: 2 },
    }),
  )
  assert.ok(error instanceof RunBridgeLimitError)
  assert.equal(error.code, 'RUN_BRIDGE_LIMIT')
})

published('calls of both kinds are numbered together, in the order of the script', async () => {
  const seen: string[] = []
  const note = () => {
    seen.push(`${getHostFunctionContext().hostFunctionName}:${getHostFunctionContext().requestIndex}`)
  }
  await runner({ host: { step: note } }).run({
    source: 'await tools.step(); host.step(); await tools.step();',
    hostFunctions: { tools: { step: note } },
  })
  assert.deepEqual(seen, ['tools.step:1', 'host.step:2', 'tools.step:3'])
})

published('a synchronous call over the limit is not made', async () => {
  let made = 0
  const error = await rejection(
    runner({
      host: {
        step: () => {
          made += 1
        },
      },
    }).run({ source: 'try { host.step(); host.step(); } catch {} return "went on";', limits: { maxBridgeRequests: 1 } }),
  )
  assert.equal(error.code, 'RUN_BRIDGE_LIMIT')
  assert.equal(made, 1)
})

published('a synchronous host function cannot interrupt, and the script does not go on', async () => {
  let later = 0
  const error = await rejection(
    runner(
      {
        host: {
          ask: () => getHostFunctionContext().interrupt('?'),
          later: () => {
            later += 1
          },
        },
      },
      secret,
    ).run({ source: 'try { host.ask(); } catch {} host.later(); return 1;' }),
  )
  assert.ok(error instanceof RunProtocolError)
  assert.equal(later, 0)
})

published('sizes for which the bridge would be larger than memory, or than 64 MiB, are refused', async () => {
  let made = 0
  const subject = runner({
    host: {
      step: () => {
        made += 1
      },
    },
  })
  const small = await rejection(
    subject.run({ source: 'host.step()', limits: { memoryLimitBytes: 1024 * 1024, maxHostFunctionOutputBytes: 2 * 1024 * 1024 } }),
  )
  assert.ok(small instanceof RunBridgeLimitError)
  assert.equal((small.details as any).memoryLimitBytes, 1024 * 1024)
  const large = await rejection(
    subject.run({ source: 'host.step()', limits: { memoryLimitBytes: 256 * 1024 * 1024, maxHostFunctionOutputBytes: 65 * 1024 * 1024 } }),
  )
  assert.ok(large instanceof RunBridgeLimitError)
  assert.equal((large.details as any).maxSyncBridgeBytes, 64 * 1024 * 1024)
  assert.equal(made, 0)
})

published('the end of time reaches a synchronous call that hangs, and its signal', async () => {
  const seen = deferred<unknown>()
  const error = await rejection(
    runner({
      host: {
        hang: hanging(seen.resolve),
      },
    }).run({ source: 'host.hang();', limits: { timeoutMs: 300 } }),
  )
  assert.ok(error instanceof RunTimeoutError)
  assert.ok((await seen.promise) instanceof RunTimeoutError)
})

published('the script gets neither shared memory nor atomics', async () => {
  const value = valueOf(await runner({ host: { one: () => 1 } }).run({ source: 'return [typeof SharedArrayBuffer, typeof Atomics, host.one()];' }))
  assert.deepEqual(value, ['undefined', 'undefined', 1])
})

published('the names of synchronous host functions are bound', async () => {
  const input = { source: 'host.one(); return await tools.ask();', hostFunctions: { tools: { ask } } }
  const first = interruptedOf(await runner({ host: { one: () => 1 } }, secret).run(input))
  const going = { ...input, continuation: first.continuation, resolutions: answers(first) }
  const more = runner({ host: { one: () => 1, two: () => 2 } }, secret)
  assert.equal(await codeOf(more.run(going)), 'RUN_PROTOCOL_ERROR')
  assert.equal(valueOf(await runner({ host: { one: () => 1 } }, secret).run(going)), true)
})

published('the scope of a run without synchronous host functions and modules has the hash that it always had', async () => {
  const source = 'return await tools.ask();'
  const subject = createRunner<any>({ continuationCodec: openCodec() })
  const { continuation } = interruptedOf(await subject.run({ source, hostFunctions: { tools: { ask, also: () => 1 } } }))
  const sourceHash = createHash('sha256').update(source).digest('hex')
  const scope =
    `[{"audience":1,"bindingManifest":2,"continuationContext":-1,"transformedSourceHash":5},"run",[3,4],` +
    `"tools.also","tools.ask","${sourceHash}"]`
  assert.equal(continuation.scopeHash, createHash('sha256').update(scope).digest('hex'))
})

published('outcomes of synchronous calls are replayed through two interruptions', async () => {
  const effects: unknown[] = []
  const subject = runner(
    {
      host: {
        effect: (what: unknown) => {
          effects.push(what)
          return `did ${what}`
        },
        fail: () => {
          effects.push('fail')
          throw new Error('no')
        },
      },
    },
    secret,
  )
  const input = {
    source: `const log = [host.effect(1)];
      try { host.fail(); } catch (error) { log.push(error.message); }
      log.push(await tools.ask('a')); log.push(host.effect(2)); log.push(await tools.ask('b')); log.push(host.effect(3));
      return log;`,
    hostFunctions: { tools: { ask } },
  }
  const first = interruptedOf(await subject.run(input))
  const second = interruptedOf(await subject.run({ ...input, continuation: first.continuation, resolutions: answers(first, () => 'x') }))
  const third = await subject.run({ ...input, continuation: second.continuation, resolutions: answers(second, () => 'y') })
  assert.deepEqual(valueOf(third), ['did 1', 'Host function failed.', 'x', 'did 2', 'y', 'did 3'])
  assert.deepEqual(effects, [1, 'fail', 2, 3])
})

published('a synchronous call beside a call that asks is in the record', async () => {
  let made = 0
  const subject = runner(
    {
      host: {
        step: () => {
          made += 1
          return made
        },
      },
    },
    secret,
  )
  const input = {
    source: `const asked = tools.ask(); const waiting = asked.then((answer) => answer);
      const n = host.step(); return [n, await waiting, host.step()];`,
    hostFunctions: { tools: { ask } },
  }
  const first = interruptedOf(await subject.run(input))
  const second = await subject.run({ ...input, continuation: first.continuation, resolutions: answers(first, () => 'yes') })
  assert.deepEqual(valueOf(second), [1, 'yes', 2])
  assert.equal(made, 2)
})

published('synchronous calls behind an asynchronous answer are in the record', async () => {
  const made: unknown[] = []
  const subject = runner(
    {
      host: {
        step: (n: unknown) => {
          made.push(n)
          return n
        },
      },
    },
    secret,
  )
  const input = {
    source: 'const n = await tools.number(); const all = [host.step(n), host.step(n + 1)]; return [...all, await tools.ask()];',
    hostFunctions: { tools: { ask, number: () => 5 } },
  }
  const first = interruptedOf(await subject.run(input))
  const second = await subject.run({ ...input, continuation: first.continuation, resolutions: answers(first, () => 'end') })
  assert.deepEqual(valueOf(second), [5, 6, 'end'])
  assert.deepEqual(made, [5, 6])
})

published('an error larger than an output may be ends the run', async () => {
  const error = await rejection(
    runner({
      host: {
        fail: () => {
          throw new RunError('x'.repeat(4_000))
        },
      },
    }).run({ source: 'try { host.fail(); } catch {} return 1;', limits: { maxHostFunctionOutputBytes: 512 } }),
  )
  assert.equal(error.code, 'RUN_SERIALIZATION_ERROR')
})

published('without continuations nothing is kept of synchronous calls', async () => {
  const value = valueOf(
    await runner({ host: { text: () => 'x'.repeat(1_000) } }).run({
      source: 'let n = 0; for (let i = 0; i < 50; i++) n += host.text().length; return n;',
      limits: { maxContinuationBytes: 4_000 },
    }),
  )
  assert.equal(value, 50_000)
})

published('a synchronous error that the host meant for the script keeps its code in a module, without details', async () => {
  const error = await rejection(
    runner({
      host: {
        fail: () => {
          throw new RunError('no such file', 'ENOENT', { path: '/secret' })
        },
      },
    }).run({ source: 'host.fail();', sourceType: 'module' }),
  )
  assert.deepEqual([error.code, error.message, error.details], ['ENOENT', 'no such file', undefined])
})
