// Resumes that answer some of the questions.
import assert from 'node:assert/strict'
import type { HostFunctions } from '../../dist/run/index.js'
import { published } from './behaviour.ts'
import { answers, ask, interruptedOf, signedRunner, valueOf } from './helpers.ts'
import { getHostFunctionContext } from './subject.ts'

type Shape = {
  name: string
  source: string
  /** The questions that come up behind the first two. */
  later: number
  value: unknown
  effects: (first: number) => string[]
}

const shapes: Shape[] = [
  {
    name: 'Promise.all',
    source: 'return await Promise.all([tools.ask(0), tools.ask(1)]);',
    later: 0,
    value: ['answer 0', 'answer 1'],
    effects: () => [],
  },
  {
    name: 'effects that depend on them',
    source: `const branch = async (n) => { const a = await tools.ask(n); await tools.effect(n + ': ' + a); return a; };
      return await Promise.all([branch(0), branch(1)]);`,
    later: 0,
    value: ['answer 0', 'answer 1'],
    effects: (first) => [`${first}: answer ${first}`, `${1 - first}: answer ${1 - first}`],
  },
  {
    name: 'a race and then both',
    source: `const calls = [tools.ask(0), tools.ask(1)];
      const winner = await Promise.race(calls);
      await tools.effect('winner ' + winner);
      const all = await Promise.all(calls);
      await tools.effect('all');
      return all;`,
    later: 0,
    value: ['answer 0', 'answer 1'],
    effects: (first) => [`winner answer ${first}`, 'all'],
  },
  {
    name: 'questions behind the questions',
    source: `const branch = async (n) => [await tools.ask(n), await tools.ask(n + 10)];
      return await Promise.all([branch(0), branch(1)]);`,
    later: 2,
    value: [
      ['answer 0', 'answer 10'],
      ['answer 1', 'answer 11'],
    ],
    effects: () => [],
  },
]

for (const shape of shapes) {
  for (const first of [0, 1]) {
    published(`${shape.name}: call ${first} is answered first, the other stays as it was`, async () => {
      const effects: string[] = []
      const asked: number[] = []
      const hostFunctions: HostFunctions = {
        tools: {
          ask: (n: number) => {
            asked.push(n)
            return ask(n)
          },
          effect: (what: string) => {
            effects.push(what)
          },
        },
      }
      const runner = signedRunner()
      let result = await runner.run({ source: shape.source, hostFunctions })
      let pending = interruptedOf(result)
      assert.deepEqual(
        pending.interruptions.map(({ id }) => id),
        ['interrupt-1', 'interrupt-2'],
      )
      const other = pending.interruptions[1 - first]!
      const chosen = pending.interruptions[first]!
      result = await runner.run({
        source: shape.source,
        hostFunctions,
        continuation: pending.continuation,
        resolutions: [{ interruptionId: chosen.id, value: `answer ${first}` }],
      })
      pending = interruptedOf(result)
      assert.deepEqual(
        pending.interruptions.find(({ id }) => id === other.id),
        other,
      )
      assert.equal(asked.filter((n) => n === 1 - first).length, 1)
      let rounds = 1
      while (result.status === 'interrupted') {
        assert.ok(rounds <= 3)
        rounds += 1
        result = await runner.run({
          source: shape.source,
          hostFunctions,
          continuation: result.continuation,
          resolutions: result.interruptions.map(({ id, arguments: [n] }) => ({ interruptionId: id, value: `answer ${n}` })),
        })
      }
      assert.deepEqual(valueOf(result), shape.value)
      assert.deepEqual(effects, shape.effects(first))
      assert.equal(asked.length, 2 * (2 + shape.later))
    })
  }
}

published('two of three are answered, one with undefined; the one between stays', async () => {
  let calls = 0
  const source = 'return (await Promise.all([tools.ask(0), tools.ask(1), tools.ask(2)])).map((value) => [typeof value, value]);'
  const hostFunctions = {
    tools: {
      ask: (n: number) => {
        calls += 1
        return ask(n)
      },
    },
  }
  const runner = signedRunner()
  const first = interruptedOf(await runner.run({ source, hostFunctions }))
  const second = interruptedOf(
    await runner.run({
      source,
      hostFunctions,
      continuation: first.continuation,
      resolutions: [
        { interruptionId: 'interrupt-3', value: 'c' },
        { interruptionId: 'interrupt-1', value: undefined },
      ],
    }),
  )
  assert.deepEqual(second.interruptions, [first.interruptions[1]])
  assert.equal(calls, 5)
  const third = await runner.run({ source, hostFunctions, continuation: second.continuation, resolutions: answers(second, () => 'b') })
  assert.deepEqual(valueOf(third), [
    ['undefined', undefined],
    ['string', 'b'],
    ['string', 'c'],
  ])
  assert.equal(calls, 6)
})

published(
  'a call that asks again has a new payload; one that fails after its answer fails in every replay',
  async () => {
    let failures = 0
    const source = `const outcome = await Promise.allSettled([tools.twice(), tools.fail()]);
    return outcome.map(({ status, value, reason }) => [status, value ?? reason.message]);`
    const hostFunctions = {
      tools: {
        twice: () => {
          const { interrupt, resume } = getHostFunctionContext()
          if (resume === undefined) interrupt({ round: 1 })
          if ((resume!.payload as { round: number }).round === 1) interrupt({ round: 2, after: resume!.resolution })
          return resume!.resolution
        },
        fail: () => {
          const { interrupt, resume } = getHostFunctionContext()
          if (resume === undefined) interrupt('fail?')
          failures += 1
          throw new Error('no')
        },
      },
    }
    const runner = signedRunner()
    const first = interruptedOf(await runner.run({ source, hostFunctions }))
    assert.deepEqual(
      first.interruptions.map(({ id }) => id),
      ['interrupt-1', 'interrupt-2'],
    )
    const second = interruptedOf(
      await runner.run({ source, hostFunctions, continuation: first.continuation, resolutions: answers(first, (index) => index) }),
    )
    assert.deepEqual(
      second.interruptions.map(({ id, payload }) => [id, payload]),
      [['interrupt-1.2', { round: 2, after: 0 }]],
    )
    const third = await runner.run({ source, hostFunctions, continuation: second.continuation, resolutions: answers(second, () => 'end') })
    assert.deepEqual(valueOf(third), [
      ['fulfilled', 'end'],
      ['rejected', 'Host function failed.'],
    ])
    assert.equal(failures, 1)
  },
  { differs: 'both questions of one call have the same id' },
)
