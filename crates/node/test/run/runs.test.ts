// Runs, host functions and their context: what a first user of the package sees.
import assert from 'node:assert/strict'
import type { HostFunctionContext } from '../../dist/run/index.js'
import { published } from './behaviour.ts'
import { codeOf, deferred, evaluate, plainRunner, rejection, turn, valueOf } from './helpers.ts'
import { getHostFunctionContext } from './subject.ts'

published('runs at the same time keep their globals and their host functions apart', async () => {
  const runner = plainRunner()
  const values = await Promise.all(
    [1, 2, 3, 4].map(async (n) =>
      valueOf(
        await runner.run({
          source: `globalThis.mine = (globalThis.mine ?? 0) + await host.number(); return [globalThis.mine, await host.number()];`,
          hostFunctions: {
            host: {
              number: async () => {
                await turn()
                return n
              },
            },
          },
        }),
      ),
    ),
  )
  assert.deepEqual(values, [
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 4],
  ])
})

published('the value that a source returns is the value of the run', async () => {
  assert.deepEqual(await plainRunner().run({ source: 'return 2 + 3' }), { status: 'completed', value: 5 })
})

published('a group of host functions is a global of the script', async () => {
  const seen: unknown[] = []
  const value = await evaluate('return await tools.greet({ name: "Ada" });', {
    tools: {
      greet: async (input: { name: string }) => {
        seen.push(input)
        return `hello ${input.name}`
      },
    },
  })
  assert.equal(value, 'hello Ada')
  assert.deepEqual(seen, [{ name: 'Ada' }])
})

published('all positional arguments reach the host function, undefined ones too', async () => {
  const value = await evaluate('return await tools.count("a", undefined, null, 4, undefined);', {
    tools: { count: (...args: unknown[]) => [args.length, args[0], args[1] === undefined, args[2], args[3]] },
  })
  assert.deepEqual(value, [5, 'a', true, null, 4])
})

published('the context is one object for a host call, has a request id of its own, and is not to be had outside', async () => {
  assert.throws(
    () => getHostFunctionContext(),
    (error: Error) => !('code' in error) && error.constructor === Error,
  )
  const contexts: HostFunctionContext[] = []
  await evaluate('await tools.look(); await tools.look();', {
    tools: {
      look: async () => {
        const before = getHostFunctionContext()
        await turn()
        assert.equal(getHostFunctionContext(), before)
        contexts.push(before)
      },
    },
  })
  assert.deepEqual(
    contexts.map((context) => context.requestIndex),
    [1, 2],
  )
  assert.notEqual(contexts[0]!.requestId, contexts[1]!.requestId)
  assert.equal(contexts[0]!.invocationId, contexts[1]!.invocationId)
  assert.match(contexts[0]!.invocationId, /^run-\d+$/)
  assert.equal(contexts[1]!.requestId, `${contexts[0]!.invocationId}:bridge-2`)
  assert.match(contexts[0]!.logicalRunId, /^[0-9a-f]{32}$/)
  assert.equal(contexts[0]!.hostFunctionName, 'tools.look')
  assert.equal('resume' in contexts[0]!, false)
  assert.throws(() => getHostFunctionContext())
})

published('work that outlives its host call has no context', async () => {
  const outcome = deferred<unknown>()
  const gate = deferred()
  await evaluate('await tools.detach();', {
    tools: {
      detach: () => {
        void (async () => {
          await gate.promise
          try {
            outcome.resolve(getHostFunctionContext())
          } catch (error) {
            outcome.resolve(error)
          }
        })()
      },
    },
  })
  gate.resolve()
  assert.ok((await outcome.promise) instanceof Error)
})

published('after an abort the context of a host call that is still running is good, and its signal aborted', async () => {
  const controller = new AbortController()
  const started = deferred()
  const seen = deferred<HostFunctionContext>()
  const running = plainRunner().run({
    source: 'await tools.stay();',
    abortSignal: controller.signal,
    hostFunctions: {
      tools: {
        stay: async () => {
          const { abortSignal } = getHostFunctionContext()
          started.resolve()
          await new Promise((resolve) => {
            abortSignal.addEventListener('abort', resolve, { once: true })
          })
          seen.resolve(getHostFunctionContext())
        },
      },
    },
  })
  const code = codeOf(running)
  await started.promise
  controller.abort()
  const context = await seen.promise
  assert.equal(context.abortSignal.aborted, true)
  assert.equal(context.hostFunctionName, 'tools.stay')
  assert.equal(await code, 'RUN_ABORTED')
})

published('host calls of one Promise.all run at the same time', async () => {
  let running = 0
  let most = 0
  const all = deferred()
  const value = await evaluate('return await Promise.all([tools.work(1), tools.work(2), tools.work(3)]);', {
    tools: {
      work: async (n: number) => {
        running += 1
        most = Math.max(most, running)
        if (running === 3) all.resolve()
        await all.promise
        return n * 2
      },
    },
  })
  assert.deepEqual(value, [2, 4, 6])
  assert.equal(most, 3)
})

published('types are stripped', async () => {
  assert.equal(await evaluate('const n: number = 4; type T = string; return (n as number) + 1;'), 5)
})

published('an unknown host function is an error of its own', async () => {
  const error = await rejection(evaluate('return await tools.missing();', { tools: { known: () => 1 } }))
  assert.equal(error.code, 'RUN_HOST_FUNCTION_ERROR')
  assert.match(error.message, /tools\.missing/)
})

published('what a group inherits cannot be called', async () => {
  let called = 0
  const group = Object.create({
    inherited: () => {
      called += 1
    },
  }) as Record<string, () => void>
  group['own'] = () => undefined
  assert.equal(await codeOf(evaluate('await tools.inherited();', { tools: group })), 'RUN_HOST_FUNCTION_ERROR')
  assert.equal(called, 0)
})

for (const name of ['constructor', 'hasOwnProperty', 'valueOf']) {
  published(`${name} of a group is no host function`, async () => {
    assert.equal(await codeOf(evaluate(`await tools.${name}();`, { tools: { own: () => 1 } })), 'RUN_HOST_FUNCTION_ERROR')
  })
}

published('a host function is looked up again for each call', async () => {
  const tools: Record<string, any> = {
    spoil: () => {
      tools['later'] = 'no function any more'
    },
    later: () => 'called',
  }
  const error = await rejection(evaluate('await tools.spoil(); return await tools.later();', { tools }))
  assert.equal(error.code, 'RUN_HOST_FUNCTION_ERROR')
})

published('a group cannot be named console', async () => {
  assert.ok((await rejection(evaluate('return 1', { console: { log: () => undefined } }))) instanceof TypeError)
})

published('an unknown sourceType is refused', async () => {
  await assert.rejects(plainRunner().run({ source: 'return 1', sourceType: 'script' as any }), {
    name: 'TypeError',
    message: /Invalid sourceType configuration\./,
  })
})
