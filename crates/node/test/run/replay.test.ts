// Replays: what is the same again, and what is refused.
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { HostFunctions } from '../../dist/run/index.js'
import { anyNumberOfRuns, beyond, published } from './behaviour.ts'
import { answers, ask, codeOf, deferred, interruptedOf, openCodec, rejection, signedRunner, valueOf } from './helpers.ts'
import { createRunner, RunProtocolError, RunTimeoutError, setMaxWorkers } from './subject.ts'

published('a long trace of time and chance is the same in each of two replays', async () => {
  const traces: unknown[] = []
  const source = `const trace = [];
    const look = () => { for (let i = 0; i < 50; i++) trace.push(Date.now(), new Date().getTime(), Math.random()); };
    look(); await tools.record(trace); const a = await tools.ask('a');
    look(); await tools.record(trace); const b = await tools.ask('b');
    look(); return { a, b, trace };`
  const hostFunctions = {
    tools: {
      ask,
      record: (trace: unknown) => {
        traces.push(trace)
      },
    },
  }
  const runner = signedRunner()
  const first = interruptedOf(await runner.run({ source, hostFunctions }))
  const second = interruptedOf(await runner.run({ source, hostFunctions, continuation: first.continuation, resolutions: answers(first) }))
  const third: any = valueOf(await runner.run({ source, hostFunctions, continuation: second.continuation, resolutions: answers(second) }))
  assert.equal(traces.length, 2)
  assert.equal(third.trace.length, 450)
  assert.deepEqual(third.trace.slice(0, 150), traces[0])
  assert.deepEqual(third.trace.slice(0, 300), traces[1])
})

published('dates that are given explicitly are ordinary ones, and the clock takes a step with each look', async () => {
  const runner = signedRunner()
  const value = valueOf(
    await runner.run({
      source: `const date = new Date(2020, 0, 2, 3, 4, 5, 6);
      return {
        fields: [date.getFullYear(), date.getMonth(), date.getDate(), date.getHours(), date.getMilliseconds()],
        parsed: Date.parse('2020-01-01T00:00:00.000Z'), utc: Date.UTC(2020, 0, 1), epoch: new Date(0).toISOString(),
        constructor: new Date(0).constructor === Date && Date.prototype.constructor === Date,
        instance: new Date() instanceof Date, text: typeof Date(), step: Date.now() + 1 === Date.now(),
      };`,
    }),
  )
  assert.deepEqual(value, {
    fields: [2020, 0, 2, 3, 6],
    parsed: 1_577_836_800_000,
    utc: 1_577_836_800_000,
    epoch: '1970-01-01T00:00:00.000Z',
    constructor: true,
    instance: true,
    text: 'string',
    step: true,
  })
})

published('a resume without exactly the right resolutions is refused, and no host function is called', async () => {
  let calls = 0
  const source = 'return await tools.ask();'
  const hostFunctions = {
    tools: {
      ask: () => {
        calls += 1
        return ask()
      },
    },
  }
  const runner = signedRunner()
  const { continuation } = interruptedOf(await runner.run({ source, hostFunctions }))
  const good = { interruptionId: 'interrupt-1', value: true }
  const wrong: any[] = [
    undefined,
    [],
    [good, good],
    [{ interruptionId: 'interrupt-2', value: true }],
    [good, { interruptionId: 'interrupt-9', value: 1 }],
  ]
  for (const resolutions of wrong) {
    const error = await rejection(runner.run({ source, hostFunctions, continuation, resolutions }))
    assert.ok(error instanceof RunProtocolError)
  }
  assert.equal(calls, 1)
  assert.equal(await codeOf(runner.run({ source, hostFunctions, resolutions: [good] })), 'RUN_PROTOCOL_ERROR')
  assert.equal(valueOf(await runner.run({ source, hostFunctions, continuation, resolutions: [good] })), true)
})

for (const [place, index] of [
  ['first', 0],
  ['middle', 1],
  ['last', 2],
] as const) {
  published(`arguments that differ from the record's at the ${place} call are found before anything is called`, async () => {
    let calls = 0
    const source = 'await tools.step(0); await tools.step(1); await tools.step(2); return await tools.ask();'
    const hostFunctions = {
      tools: {
        ask,
        step: () => {
          calls += 1
        },
      },
    }
    const codec = openCodec((state) => {
      ;(state.ledger[index] as { inputJson: string }).inputJson = state.ledger[(index + 1) % 3]!.inputJson
      return state
    })
    const runner = createRunner<any>({ continuationCodec: codec })
    const first = interruptedOf<any>(await runner.run({ source, hostFunctions }))
    const error = await rejection(runner.run({ source, hostFunctions, continuation: first.continuation, resolutions: answers(first) }))
    assert.ok(error instanceof RunProtocolError)
    assert.equal(calls, 3)
  })
}

published('a rejection that the script caught and the order of a race are the same in a replay', async () => {
  const effects: unknown[] = []
  const slow = deferred<string>()
  const source = `const order = [];
    const calls = ['slow', 'fail', 'fast'].map((name) =>
      tools.call(name).then(() => { order.push(name); }, () => { order.push('not ' + name); }));
    await Promise.race(calls);
    await tools.effect('raced');
    await Promise.all(calls);
    await tools.effect(order);
    const answer = await tools.ask();
    return { answer, order };`
  const hostFunctions = {
    tools: {
      ask,
      call: (name: string) => {
        if (name === 'fail') throw new Error('no')
        return name === 'slow' ? slow.promise : name
      },
      effect: (what: unknown) => {
        effects.push(what)
        if (what === 'raced') slow.resolve('slow')
      },
    },
  }
  const runner = signedRunner()
  const first = interruptedOf(await runner.run({ source, hostFunctions }))
  const second: any = valueOf(
    await runner.run<any>({ source, hostFunctions, continuation: first.continuation, resolutions: answers(first, () => 'yes') }),
  )
  assert.equal(effects.length, 2)
  assert.deepEqual(second, { answer: 'yes', order: effects[1] })
  assert.deepEqual([...(second.order as string[])].sort(), ['fast', 'not fail', 'slow'])
  assert.equal((second.order as string[])[2], 'slow')
})

published('a record as long as the limit allows is replayed without a call made twice', async () => {
  const made: number[] = []
  const source = `const all = []; for (let i = 0; i < 64; i++) all.push(await tools.step(i));
    return [all.length, await tools.ask()];`
  const hostFunctions = {
    tools: {
      ask,
      step: (n: number) => {
        made.push(n)
        return n
      },
    },
  }
  const runner = signedRunner({ limits: { maxBridgeRequests: 65 } })
  const first = interruptedOf(await runner.run({ source, hostFunctions }))
  assert.equal(first.interruptions[0]!.id, 'interrupt-65')
  const second = await runner.run({ source, hostFunctions, continuation: first.continuation, resolutions: answers(first, () => 'end') })
  assert.deepEqual(valueOf(second), [64, 'end'])
  assert.deepEqual(
    made,
    Array.from({ length: 64 }, (_, index) => index),
  )
})

published('a signed token can be tried again, with the same interruption id', async () => {
  const ids: unknown[] = []
  let failing = true
  const source = 'return await tools.pay();'
  const { getHostFunctionContext } = await import('./subject.ts')
  const hostFunctions: HostFunctions = {
    tools: {
      pay: () => {
        const { interrupt, resume } = getHostFunctionContext()
        if (resume === undefined) return interrupt('pay?')
        ids.push(resume.interruptionId)
        if (failing) throw new Error('the bank is closed')
        return 'paid'
      },
    },
  }
  const runner = signedRunner()
  const first = interruptedOf(await runner.run({ source, hostFunctions }))
  const going = { source, hostFunctions, continuation: first.continuation, resolutions: answers(first) }
  assert.equal(await codeOf(runner.run(going)), 'RUN_HOST_FUNCTION_ERROR')
  failing = false
  assert.equal(valueOf(await runner.run(going)), 'paid')
  assert.deepEqual(ids, ['interrupt-1', 'interrupt-1'])
})

published('encoding has the deadline of the run and gives its place back; what it throws is handed on', async () => {
  setMaxWorkers(1)
  try {
    const input = { source: 'return await tools.ask();', hostFunctions: { tools: { ask } } }
    const hanging = createRunner<any>({ continuationCodec: { encode: () => new Promise<never>(() => {}), decode: () => assert.fail() } })
    assert.ok((await rejection(hanging.run({ ...input, limits: { timeoutMs: 400 } }))) instanceof RunTimeoutError)
    const mistake = new Error('the store is full')
    const throwing = createRunner<any>({
      continuationCodec: {
        encode: () => {
          throw mistake
        },
        decode: () => assert.fail(),
      },
    })
    assert.equal((await rejection(throwing.run(input))).message, 'the store is full')
    assert.equal(valueOf(await throwing.run({ source: 'return 1' })), 1)
  } finally {
    anyNumberOfRuns()
  }
})

/** Numbers from a seed, the same on every machine. */
function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

published('programs made at random give the value and the effects that they give without a pause', async () => {
  for (let seed = 1; seed <= 16; seed += 1) {
    const below = numbers(seed)
    const steps: string[] = []
    for (let i = 0; i < 4 + below(5); i += 1) {
      const kind = below(4)
      if (kind === 0) steps.push(`log.push(await tools.effect(${i}));`)
      else if (kind === 1) steps.push(`log.push(await tools.ask(${i}));`)
      else if (kind === 2) steps.push(`log.push(await Promise.all([tools.ask(${i}), tools.effect(${i}), tools.ask(${i} + 100)]));`)
      else steps.push(`try { await tools.fail(${i}); } catch (error) { log.push(error.message); }`)
    }
    const source = `const log = []; ${steps.join('\n')} return log;`
    const run = async (pausing: boolean) => {
      const effects: number[] = []
      const hostFunctions: HostFunctions = {
        tools: {
          ask: (n: number) => (pausing && ask(n), `answer ${n}`),
          effect: (n: number) => {
            effects.push(n)
            return effects.length
          },
          fail: (n: number) => {
            effects.push(-n)
            throw new Error('no')
          },
        },
      }
      const runner = signedRunner()
      let result = await runner.run({ source, hostFunctions })
      while (result.status === 'interrupted') {
        const { interruptions, continuation } = result
        const resolutions = interruptions.filter((_, index) => index === 0 || below(2) === 0).map(({ id }) => ({ interruptionId: id, value: true }))
        result = await runner.run({ source, hostFunctions, continuation, resolutions })
      }
      return { value: valueOf(result), effects }
    }
    assert.deepEqual(await run(true), await run(false), `seed ${seed}`)
  }
})

beyond(
  'a recorded call that the script no longer makes is found at once',
  async () => {
    const source = 'const a = tools.step(0); const b = tools.step(1); await Promise.all([a, b]); return await tools.ask();'
    const hostFunctions = {
      tools: {
        ask,
        step: async (n: number) => {
          await wait(n)
          return n
        },
      },
    }
    const codec = openCodec((state) => {
      const extra = structuredClone(state.ledger[1]!) as { settledOrder: number }
      extra.settledOrder = 1
      ;(state.ledger[0] as { settledOrder: number }).settledOrder = 2
      ;(state.ledger[1] as { settledOrder: number }).settledOrder = 3
      state.ledger.push(extra as never)
      return state
    })
    const runner = createRunner<any>({ continuationCodec: codec })
    const first = interruptedOf<any>(await runner.run({ source, hostFunctions }))
    const error = await rejection(
      runner.run({ source, hostFunctions, continuation: first.continuation, resolutions: answers(first), limits: { timeoutMs: 1_000 } }),
    )
    assert.ok(error instanceof RunProtocolError)
  },
  { differs: 'it waits for the whole timeout' },
)
