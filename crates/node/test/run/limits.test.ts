// Limits, time and aborts.
import assert from 'node:assert/strict'
import type { HostFunctions, RunLimits } from '../../dist/run/index.js'
import { anyNumberOfRuns, beyond, published } from './behaviour.ts'
import { ask, codeOf, deferred, evaluate, hanging, plainRunner, rejection, signedRunner, valueOf } from './helpers.ts'
import {
  getHostFunctionContext,
  RunAbortedError,
  RunBridgeLimitError,
  RunDetachedBridgeRequestError,
  RunTimeoutError,
  setMaxWorkers,
} from './subject.ts'

const names: (keyof RunLimits)[] = [
  'timeoutMs',
  'memoryLimitBytes',
  'maxStackSizeBytes',
  'maxResultBytes',
  'maxConsoleOutputBytes',
  'maxSourceBytes',
  'maxHostFunctionArgumentsBytes',
  'maxHostFunctionOutputBytes',
  'maxBridgeRequests',
  'maxInFlightBridgeRequests',
  'maxContinuationBytes',
]

for (const name of names) {
  published(`${name} is a positive whole number`, async () => {
    for (const value of [0, -1, 1.5, NaN, Infinity]) {
      await assert.rejects(plainRunner().run({ source: 'return 1', limits: { [name]: value } }), {
        name: 'TypeError',
        message: `limits.${name} must be a positive integer.`,
      })
    }
  })
}

for (const name of names) {
  published(`${name} has a ceiling`, () =>
    assert.rejects(plainRunner().run({ source: 'return 1', limits: { [name]: 2_147_483_648 } }), {
      name: 'TypeError',
      message: `limits.${name} must be at most 2147483647.`,
    }),
  )
}

published('loops, recursion, allocation and floods of jobs come to an end, and the next run is good', async () => {
  const runner = signedRunner({ limits: { timeoutMs: 400, memoryLimitBytes: 16 * 1024 * 1024 } })
  for (const source of [
    'for (;;) {}',
    'const down = () => down() + 1; return down();',
    'const all = []; for (;;) all.push(new Uint8Array(1_000_000));',
    'const next = () => Promise.resolve().then(next); await next();',
  ]) {
    await assert.rejects(runner.run({ source }))
    assert.equal(valueOf(await runner.run({ source: 'return "well"' })), 'well')
  }
})

published('the end of time aborts a host function that is pending, and gives its place back', async () => {
  setMaxWorkers(1)
  try {
    const seen = deferred<unknown>()
    const error = await rejection(
      evaluate(
        'await tools.hang();',
        {
          tools: {
            hang: hanging(seen.resolve),
          },
        },
        { limits: { timeoutMs: 300 } },
      ),
    )
    assert.ok(error instanceof RunTimeoutError)
    assert.ok((await seen.promise) instanceof RunTimeoutError)
    assert.equal(await evaluate('return 1'), 1)
  } finally {
    anyNumberOfRuns()
  }
})

published('a run that was stopped settles when its place is free', async () => {
  setMaxWorkers(1)
  try {
    for (let i = 0; i < 3; i += 1) {
      assert.equal(await codeOf(plainRunner().run({ source: 'for (;;) {}', limits: { timeoutMs: 60 } })), 'RUN_TIMEOUT')
      assert.equal(valueOf(await plainRunner().run({ source: 'return 1' })), 1)
    }
  } finally {
    anyNumberOfRuns()
  }
})

published("the caller's abort is the outcome, whatever else happens, and a host function sees one abort", async () => {
  const controller = new AbortController()
  const started = deferred()
  let aborts = 0
  const running = rejection(
    plainRunner().run({
      source: 'await tools.hang();',
      abortSignal: controller.signal,
      hostFunctions: {
        tools: {
          hang: () => {
            const { abortSignal } = getHostFunctionContext()
            abortSignal.addEventListener('abort', () => {
              aborts += 1
            })
            started.resolve()
            return new Promise(() => {})
          },
        },
      },
    }),
  )
  await started.promise
  controller.abort(new Error('mine'))
  controller.abort(new Error('again'))
  const error = await running
  assert.ok(error instanceof RunAbortedError)
  assert.deepEqual([error.code, error.details], ['RUN_ABORTED', undefined])
  assert.equal(aborts, 1)
})

published('a call that nobody looked at is not made and is an error; one that was looked at and left is aborted', async () => {
  let made = 0
  const unobserved = await rejection(
    evaluate('tools.effect(); return 1;', {
      tools: {
        effect: () => {
          made += 1
        },
      },
    }),
  )
  assert.ok(unobserved instanceof RunDetachedBridgeRequestError)
  assert.equal(unobserved.code, 'RUN_DETACHED_BRIDGE_REQUEST')
  assert.equal(made, 0)

  const reasons: unknown[] = []
  const hostFunctions: HostFunctions = {
    tools: {
      tick: () => 1,
      hang: hanging((reason) => { reasons.push(reason) }),
    },
  }
  const left = await rejection(evaluate('tools.hang().then(() => {}); await tools.tick(); return 1;', hostFunctions))
  assert.ok(left instanceof RunDetachedBridgeRequestError)
  assert.equal(reasons.length, 1)
  assert.equal(await evaluate('return 1'), 1)
})

published('the limits of calls in all and at the same time hold further calls back', async () => {
  let made = 0
  const total = await rejection(
    evaluate(
      'for (let i = 0; i < 10; i++) await tools.step(); return 1;',
      {
        tools: {
          step: () => {
            made += 1
          },
        },
      },
      { limits: { maxBridgeRequests: 3 } },
    ),
  )
  assert.ok(total instanceof RunBridgeLimitError)
  assert.equal((total.details as any).maxBridgeRequests, 3)
  assert.equal(made, 3)

  made = 0
  const atOnce = await rejection(
    evaluate(
      'await Promise.all([1, 2, 3, 4, 5].map(() => tools.hang())); return 1;',
      {
        tools: {
          hang: () => {
            made += 1
            return new Promise(() => {})
          },
        },
      },
      { limits: { maxInFlightBridgeRequests: 2 } },
    ),
  )
  assert.ok(atOnce instanceof RunBridgeLimitError)
  assert.equal((atOnce.details as any).maxInFlightBridgeRequests, 2)
  assert.ok(made <= 2)
})

published('many outputs that are small enough alone are refused when the continuation would be too large', async () => {
  const error = await rejection(
    signedRunner().run({
      source: 'for (let i = 0; i < 20; i++) await tools.give(); return await tools.ask();',
      hostFunctions: { tools: { ask, give: () => 'x'.repeat(1_000) } },
      limits: { maxContinuationBytes: 8_000 },
    }),
  )
  assert.equal(error.code, 'RUN_PROTOCOL_ERROR')
})

beyond(
  'a loop of fifty million steps ends within its time',
  async () => {
    assert.equal(await evaluate('let n = 0; for (let i = 0; i < 5e7; i++) n += 1; return n;', {}, { limits: { timeoutMs: 60_000 } }), 5e7)
  },
  { differs: 'it stops every loop after some forty million steps, and calls it a timeout' },
)

beyond('limits are merged under those of the run, and null is the default', async () => {
  const runner = signedRunner({ limits: { maxResultBytes: 3 } })
  assert.equal(await codeOf(runner.run({ source: 'return "long"' })), 'RUN_SERIALIZATION_ERROR')
  assert.equal(valueOf(await runner.run({ source: 'return "long"', limits: { maxResultBytes: 100 } })), 'long')
  assert.equal(valueOf(await runner.run({ source: 'return "long"', limits: { maxResultBytes: null as any } })), 'long')
})

beyond('runs over the cap are refused at once', async () => {
  setMaxWorkers(1)
  try {
    const gate = deferred()
    const started = deferred()
    const first = evaluate('await tools.stay(); return 1;', {
      tools: {
        stay: () => {
          started.resolve()
          return gate.promise
        },
      },
    })
    await started.promise
    const error = await rejection(evaluate('return 2'))
    assert.deepEqual([error.name, error.code, error.details], ['RunConcurrencyError', 'RUN_CONCURRENCY_LIMIT', { maxWorkers: 1 }])
    gate.resolve()
    assert.equal(await first, 1)
  } finally {
    anyNumberOfRuns()
  }
  for (const wrong of [0, -1, 1.5, NaN])
    assert.throws(() => {
      setMaxWorkers(wrong)
    }, TypeError)
})
