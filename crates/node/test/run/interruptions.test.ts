// Interruptions, continuations and secrets: what a first user of the package sees.
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { HostFunctions } from '../../dist/run/index.js'
import { published } from './behaviour.ts'
import { answers, ask, codeOf, deferred, evaluate, interruptedOf, openCodec, plainRunner, rejection, SECRET, signedRunner, turn, valueOf } from './helpers.ts'
import { createRunner, createStoredContinuationCodec, getHostFunctionContext, run, RunProtocolError, RunTimeoutError } from './subject.ts'

published('a run that is interrupted goes on where it was, and what was done is not done again', async () => {
  const effects: string[] = []
  let approvals = 0
  const hostFunctions: HostFunctions = {
    tools: {
      effect: (name: string) => {
        effects.push(name)
        return effects.length
      },
      approve: (subject: string) => {
        approvals += 1
        const { interrupt, resume } = getHostFunctionContext()
        if (resume === undefined) interrupt({ question: `Approve ${subject}?` })
        assert.deepEqual(resume!.payload, { question: 'Approve refund?' })
        return resume!.resolution
      },
    },
  }
  const source = `const first = await tools.effect('before');
    const approved = await tools.approve('refund', 12);
    const second = await tools.effect('after');
    return { approved, first, second };`
  const runner = signedRunner()
  const first = interruptedOf(await runner.run({ source, hostFunctions }))
  assert.deepEqual(first.interruptions, [
    { id: 'interrupt-2', hostFunctionName: 'tools.approve', arguments: ['refund', 12], payload: { question: 'Approve refund?' } },
  ])
  assert.equal(typeof first.continuation, 'string')
  const second = await runner.run({
    source,
    hostFunctions,
    continuation: first.continuation,
    resolutions: [{ interruptionId: 'interrupt-2', value: 'yes' }],
  })
  assert.deepEqual(second, { status: 'completed', value: { approved: 'yes', first: 1, second: 2 } })
  assert.deepEqual(effects, ['before', 'after'])
  assert.equal(approvals, 2)
})

published('two calls that ask at the same time are asked about together', async () => {
  const source = 'return await Promise.all([tools.ask("a"), tools.ask("b")]);'
  const hostFunctions = { tools: { ask } }
  const runner = signedRunner()
  const first = interruptedOf(await runner.run({ source, hostFunctions }))
  assert.deepEqual(
    first.interruptions.map(({ id, payload }) => [id, payload]),
    [
      ['interrupt-1', { asked: ['a'] }],
      ['interrupt-2', { asked: ['b'] }],
    ],
  )
  const second = await runner.run({
    source,
    hostFunctions,
    continuation: first.continuation,
    resolutions: answers(first, (index) => index * 10).reverse(),
  })
  assert.deepEqual(valueOf(second), [0, 10])
})

published('a token that was changed is refused', async () => {
  const runner = signedRunner()
  const input = { source: 'return await tools.ask();', hostFunctions: { tools: { ask } } }
  const first = interruptedOf(await runner.run(input))
  const token = first.continuation
  const at = Math.floor(token.length / 3)
  const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
  const error = await rejection(runner.run({ ...input, continuation: changed, resolutions: answers(first) }))
  assert.ok(error instanceof RunProtocolError)
  assert.equal(error.code, 'RUN_PROTOCOL_ERROR')
})

published('time and chance are the same again in a replay', async () => {
  const effects: unknown[] = []
  const source = `const before = { now: Date.now(), chance: Math.random(), date: new Date().getTime() };
    await tools.effect(before);
    const answer = await tools.ask();
    return { before, answer };`
  const hostFunctions = {
    tools: {
      ask,
      effect: (input: unknown) => {
        effects.push(input)
      },
    },
  }
  const runner = signedRunner()
  const first = interruptedOf(await runner.run({ source, hostFunctions }))
  await wait(5)
  const second: any = valueOf(await runner.run({ source, hostFunctions, continuation: first.continuation, resolutions: answers(first) }))
  assert.deepEqual(effects, [second.before])
})

published('a run can be interrupted again and again', async () => {
  const source = 'const a = await tools.ask("a"); const b = await tools.ask("b"); return [a, b];'
  const hostFunctions = { tools: { ask } }
  const runner = signedRunner()
  const first = interruptedOf(await runner.run({ source, hostFunctions }))
  const second = interruptedOf(await runner.run({ source, hostFunctions, continuation: first.continuation, resolutions: answers(first, () => 1) }))
  assert.deepEqual(
    second.interruptions.map(({ id }) => id),
    ['interrupt-2'],
  )
  const third = await runner.run({ source, hostFunctions, continuation: second.continuation, resolutions: answers(second, () => 2) })
  assert.deepEqual(valueOf(third), [1, 2])
})

published('a host call that failed fails again in a replay without being made', async () => {
  let made = 0
  const source = `let message; try { await tools.fail(); } catch (error) { message = error.message; }
    return [message, await tools.ask()];`
  const hostFunctions = {
    tools: {
      ask,
      fail: () => {
        made += 1
        throw new Error('a secret')
      },
    },
  }
  const runner = signedRunner()
  const first = interruptedOf(await runner.run({ source, hostFunctions }))
  const second = await runner.run({ source, hostFunctions, continuation: first.continuation, resolutions: answers(first, () => 'go') })
  assert.deepEqual(valueOf(second), ['Host function failed.', 'go'])
  assert.equal(made, 1)
})

published("a state that is none is refused, and decoding has the run's deadline", async () => {
  const input = { source: 'return await tools.ask();', hostFunctions: { tools: { ask } } }
  const broken = createRunner<any>({ continuationCodec: { encode: () => 'x', decode: () => ({ version: 2 }) as any } })
  const resolutions = [{ interruptionId: 'interrupt-1', value: true }]
  assert.equal(await codeOf(broken.run({ ...input, continuation: 'x', resolutions })), 'RUN_PROTOCOL_ERROR')
  const hanging = createRunner<any>({ continuationCodec: { encode: () => 'x', decode: () => new Promise<never>(() => {}) } })
  const error = await rejection(hanging.run({ ...input, continuation: 'x', resolutions, limits: { timeoutMs: 20 } }))
  assert.ok(error instanceof RunTimeoutError)
  assert.deepEqual([error.code, error.details], ['RUN_TIMEOUT', { timeoutMs: 20 }])
})

published('an abort ends a decoding that hangs, and tells the codec', async () => {
  const controller = new AbortController()
  const started = deferred<AbortSignal>()
  const runner = createRunner<any>({
    continuationCodec: {
      encode: () => 'x',
      decode: (_token, context) => {
        started.resolve(context!.abortSignal)
        return new Promise<never>(() => {})
      },
    },
  })
  const running = codeOf(
    runner.run({
      source: 'return await tools.ask();',
      hostFunctions: { tools: { ask } },
      continuation: 'x',
      resolutions: [{ interruptionId: 'interrupt-1', value: 1 }],
      abortSignal: controller.signal,
    }),
  )
  const signal = await started.promise
  assert.equal(signal.aborted, false)
  controller.abort()
  assert.equal(await running, 'RUN_ABORTED')
  assert.equal(signal.aborted, true)
})

published('a decoding that ends after the abort is rolled back, once', async () => {
  const controller = new AbortController()
  const started = deferred()
  const decoded = deferred<any>()
  const rolledBack = deferred()
  const calls: string[] = []
  const runner = createRunner<any>({
    continuationCodec: {
      encode: () => 'x',
      decode: () => assert.fail('not used'),
      decodeTransaction: () => {
        started.resolve()
        return decoded.promise
      },
    },
  })
  const running = codeOf(
    runner.run({ source: 'return 1', continuation: 'x', resolutions: [{ interruptionId: 'interrupt-1', value: 1 }], abortSignal: controller.signal }),
  )
  await started.promise
  controller.abort()
  assert.equal(await running, 'RUN_ABORTED')
  decoded.resolve({
    state: {},
    commit: () => {
      calls.push('commit')
    },
    rollback: () => {
      calls.push('rollback')
      rolledBack.resolve()
    },
  })
  await rolledBack.promise
  await turn()
  assert.deepEqual(calls, ['rollback'])
})

published('a stored continuation is given back when the source is another, and good afterwards', async () => {
  const kept = new Map<string, any>()
  const calls: string[] = []
  const runner = createRunner({
    continuationCodec: createStoredContinuationCodec({
      storage: {
        set: (key, value) => {
          kept.set(key, value)
        },
        acquire: (key) => {
          calls.push('acquire')
          return kept.get(key)
        },
        consume: (key) => {
          calls.push('consume')
          kept.delete(key)
        },
        release: () => {
          calls.push('release')
        },
      },
    }),
  })
  const source = 'return await tools.ask();'
  const hostFunctions = { tools: { ask } }
  const first = interruptedOf(await runner.run({ source, hostFunctions }))
  const going = { hostFunctions, continuation: first.continuation, resolutions: answers(first, () => 'done') }
  assert.equal(await codeOf(runner.run({ ...going, source: `${source} ` })), 'RUN_PROTOCOL_ERROR')
  assert.deepEqual(calls, ['acquire', 'release'])
  assert.equal(valueOf(await runner.run({ ...going, source })), 'done')
  assert.deepEqual(calls, ['acquire', 'release', 'acquire', 'consume'])
})

published('a continuation larger than its limit is an error', async () => {
  const error = await rejection(
    signedRunner().run({ source: 'return await tools.ask();', hostFunctions: { tools: { ask } }, limits: { maxContinuationBytes: 128 } }),
  )
  assert.equal(error.code, 'RUN_PROTOCOL_ERROR')
})

published('sixteen questions at the same time have their ids in order', async () => {
  const source = 'return await Promise.all(Array.from({ length: 16 }, (_, index) => tools.ask(index)));'
  const hostFunctions = { tools: { ask } }
  const runner = signedRunner()
  const first = interruptedOf(await runner.run({ source, hostFunctions }))
  assert.deepEqual(
    first.interruptions.map(({ id }) => id),
    Array.from({ length: 16 }, (_, index) => `interrupt-${index + 1}`),
  )
  assert.deepEqual(
    first.interruptions.map((each) => each.arguments[0]),
    Array.from({ length: 16 }, (_, index) => index),
  )
  const second = await runner.run({
    source,
    hostFunctions,
    continuation: first.continuation,
    resolutions: answers(first, (index) => `answer ${index}`),
  })
  assert.deepEqual(
    valueOf(second),
    Array.from({ length: 16 }, (_, index) => `answer ${index}`),
  )
})

published('the winner of a race is the winner in a replay, and nothing is waited for again', async () => {
  let made = 0
  const slow = deferred<string>()
  const source = `const calls = [tools.call('slow'), tools.call('fast')];
    const winner = await Promise.race(calls);
    await tools.open();
    const both = await Promise.all(calls);
    return [winner, both, await tools.ask()];`
  const hostFunctions = {
    tools: {
      ask,
      call: (name: string) => {
        made += 1
        return name === 'slow' ? slow.promise : name
      },
      open: () => {
        slow.resolve('slow')
      },
    },
  }
  const runner = signedRunner()
  const first = interruptedOf(await runner.run({ source, hostFunctions }))
  const second = await runner.run({ source, hostFunctions, continuation: first.continuation, resolutions: answers(first, () => 'end') })
  assert.deepEqual(valueOf(second), ['fast', ['slow', 'fast'], 'end'])
  assert.equal(made, 2)
})

published(
  'a race that a sibling won ends the run, however slow the codec, and nobody is asked',
  async () => {
    const open = openCodec()
    const runner = createRunner<any>({
      continuationCodec: {
        ...open,
        encode: async (state) => {
          await wait(30)
          return open.encode(state)
        },
      },
    })
    const result = await runner.run({
      source: 'return await Promise.race([tools.ask(), tools.fast()]);',
      hostFunctions: { tools: { ask, fast: () => 'fast' } },
    })
    assert.deepEqual(result, { status: 'completed', value: 'fast' })
  },
  { differs: 'it interrupts the run, and fails it once the question is answered' },
)

published('audience, context and the names of the host functions are bound', async () => {
  const source = 'return await tools.ask();'
  const hostFunctions: HostFunctions = { tools: { ask } }
  const input = { source, hostFunctions, continuationContext: { tenant: 1 } }
  const runner = signedRunner({ continuationAudience: 'one' })
  const first = interruptedOf(await runner.run(input))
  const going = { ...input, continuation: first.continuation, resolutions: answers(first) }
  assert.equal(await codeOf(signedRunner({ continuationAudience: 'two' }).run(going)), 'RUN_PROTOCOL_ERROR')
  assert.equal(await codeOf(runner.run({ ...going, continuationContext: { tenant: 2 } })), 'RUN_PROTOCOL_ERROR')
  assert.equal(await codeOf(runner.run({ ...going, hostFunctions: { tools: { ask, more: () => 1 } } })), 'RUN_PROTOCOL_ERROR')
  assert.equal(valueOf(await runner.run(going)), true)
})

published('a resolution with one key more is refused', async () => {
  const input = { source: 'return await tools.ask();', hostFunctions: { tools: { ask } } }
  const runner = signedRunner()
  const first = interruptedOf(await runner.run(input))
  const resolutions = [{ ...answers(first)[0]!, extra: 1 }]
  assert.equal(await codeOf(runner.run({ ...input, continuation: first.continuation, resolutions })), 'RUN_PROTOCOL_ERROR')
})

published('without a secret a run works until it is interrupted', async () => {
  assert.equal(await evaluate('return await tools.one();', { tools: { one: () => 1 } }), 1)
  const error = await rejection(plainRunner().run({ source: 'await tools.ask();', hostFunctions: { tools: { ask } } }))
  assert.ok(error instanceof TypeError)
  assert.match(error.message, /Continuation signing is not configured/)
})

published('a runner goes on with what another of the same secret began', async () => {
  const input = { source: 'return await tools.ask();', hostFunctions: { tools: { ask } } }
  const first = interruptedOf(await signedRunner().run(input))
  const second = await signedRunner().run({ ...input, continuation: first.continuation, resolutions: answers(first) })
  assert.equal(valueOf(second), true)
})

published('the secret of the environment is shared by all runners', async () => {
  process.env['RUN_CONTINUATION_SECRET'] = `${SECRET} of the environment`
  try {
    const input = { source: 'return await tools.ask("x", 1);', hostFunctions: { tools: { ask } } }
    const first = interruptedOf(await createRunner().run(input))
    assert.deepEqual(first.interruptions[0]!.arguments, ['x', 1])
    assert.equal(valueOf(await createRunner().run({ ...input, continuation: first.continuation, resolutions: answers(first) })), true)
  } finally {
    delete process.env['RUN_CONTINUATION_SECRET']
  }
})

published('a codec and a secret cannot be given together', () => {
  assert.throws(() => createRunner<any>({ continuationSecret: SECRET, continuationCodec: openCodec() }), {
    name: 'TypeError',
    message: /cannot be used together/,
  })
})

published('a secret that the environment got after the first run is used', async () => {
  assert.equal(valueOf(await run({ source: 'return 1' })), 1)
  process.env['RUN_CONTINUATION_SECRET'] = `${SECRET} that came later`
  try {
    const input = { source: 'return await tools.ask();', hostFunctions: { tools: { ask } } }
    const first = interruptedOf(await run(input))
    assert.equal(valueOf(await run({ ...input, continuation: first.continuation, resolutions: answers(first) })), true)
  } finally {
    delete process.env['RUN_CONTINUATION_SECRET']
  }
})
