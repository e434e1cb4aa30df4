// A script never sees that it was put away: no catch, no finally, nothing of its own runs for it.
import assert from 'node:assert/strict'
import type { HostFunctions, RunSourceType } from '../../dist/run/index.js'
import { published } from './behaviour.ts'
import { answers, codeOf, interruptedOf, rejection, signedRunner } from './helpers.ts'
import { getHostFunctionContext, RunError, RunHostFunctionError, RunTimeoutError } from './subject.ts'

/** Runs a source, answering every question with its number, until it ends. */
async function toTheEnd(body: string, sourceType: RunSourceType, answer: (round: number) => unknown = (round) => round) {
  const effects: unknown[] = []
  const log: unknown[] = []
  let pauses = 0
  const hostFunctions: HostFunctions = {
    tools: {
      effect: (what: unknown) => {
        effects.push(what)
      },
      tell: (what: unknown) => {
        log.push(what)
      },
      pause: (subject: unknown) => {
        pauses += 1
        const { interrupt, resume } = getHostFunctionContext()
        if (resume === undefined) return interrupt(subject)
        const resolution: any = resume.resolution
        if (resolution?.fail !== undefined) throw new RunError(resolution.fail, 'TEST_FAILURE')
        return resolution
      },
    },
  }
  const source = sourceType === 'module' ? body.replaceAll('return await ', 'await ') : body
  const runner = signedRunner()
  const effectsAtPause: number[] = []
  let rounds = 0
  let result = await runner.run({ source, sourceType, hostFunctions })
  while (result.status === 'interrupted') {
    effectsAtPause.push(effects.length)
    rounds += 1
    assert.ok(rounds < 100)
    result = await runner.run({
      source,
      sourceType,
      hostFunctions,
      continuation: result.continuation,
      resolutions: answers(result, () => answer(rounds)),
    })
  }
  return { effects, effectsAtPause, log, pauses, rounds, value: result.value }
}

const cleanups = [
  ['catch', 1, 'try { await tools.pause(); } catch (error) { await tools.effect("caught"); } await tools.effect("end");'],
  ['finally', 1, 'try { await tools.pause(); } finally { await tools.effect("end"); }'],
  ['the catch of a promise', 1, 'await tools.pause().catch(() => tools.effect("caught")); await tools.effect("end");'],
  ['the finally of a promise', 1, 'await tools.pause().finally(() => tools.effect("end"));'],
  ['a loop with a finally', 4, 'for (let i = 0; i < 4; i++) { try { await tools.pause(i); } finally { i = i + 0; } } await tools.effect("end");'],
  [
    'a helper with a cleanup',
    4,
    `const guarded = async (n) => { try { return await tools.pause(n); } catch (error) { await tools.effect("caught"); throw error; } };
     let last; for (let i = 0; i < 4; i++) last = await guarded(i); await tools.effect("end");`,
  ],
] as const

for (const sourceType of ['function-body', 'module'] as const) {
  for (const [name, rounds, body] of cleanups) {
    published(`${sourceType}: a pause within ${name} is put away and gone on with`, async () => {
      const seen = await toTheEnd(body, sourceType)
      assert.equal(seen.rounds, rounds)
      assert.deepEqual(seen.effects, ['end'])
      assert.equal(seen.pauses, rounds * 2)
    })
  }
}

for (const sourceType of ['function-body', 'module'] as const) {
  published(`${sourceType}: what a finally does is done after the resume alone`, async () => {
    const seen = await toTheEnd(
      'try { await tools.effect("before"); await tools.pause(); } finally { await tools.effect("one"); await tools.effect("two"); }',
      sourceType,
    )
    assert.deepEqual(seen.effectsAtPause, [1])
    assert.deepEqual(seen.effects, ['before', 'one', 'two'])
  })

  for (const [outcome, answer, told] of [
    ['a value', 'yes', ['value yes', 'cleanup']],
    ['an error', { fail: 'refused' }, ['caught refused TEST_FAILURE', 'cleanup']],
  ] as const) {
    published(`${sourceType}: catch and cleanup are untouched until the call is settled with ${outcome}`, async () => {
      const seen = await toTheEnd(
        `try { await tools.tell('value ' + await tools.pause()); }
         catch (error) { await tools.tell('caught ' + error.message + ' ' + error.code); }
         finally { await tools.tell('cleanup'); }`,
        sourceType,
        () => answer,
      )
      assert.deepEqual(seen.log, told)
      assert.equal(seen.rounds, 1)
    })
  }

  published(`${sourceType}: a pause within a finally does not repeat the cleanup before it`, async () => {
    const seen = await toTheEnd(
      `try { await tools.pause('first'); } finally {
         await tools.effect('cleanup'); await tools.pause('second'); await tools.effect('end');
       }`,
      sourceType,
    )
    assert.deepEqual(seen.effectsAtPause, [0, 1])
    assert.deepEqual(seen.effects, ['cleanup', 'end'])
    assert.equal(seen.rounds, 2)
  })

  published(`${sourceType}: allSettled sees two pending calls settle, answered in reverse order`, async () => {
    const hostFunctions: HostFunctions = {
      tools: {
        tell: (what: unknown) => {
          told.push(what)
        },
        pause: (n: number) => {
          const { interrupt, resume } = getHostFunctionContext()
          if (resume === undefined) return interrupt(n)
          if (resume.resolution === 'no') throw new RunError('refused', 'NO')
          return resume.resolution
        },
      },
    }
    const told: unknown[] = []
    const source = `const all = await Promise.allSettled([tools.pause(1), tools.pause(2)]);
      await tools.tell(all.map((each) => each.status + ' ' + (each.value ?? each.reason.message)));`
    const runner = signedRunner()
    const first = interruptedOf(await runner.run({ source, sourceType, hostFunctions }))
    const second = interruptedOf(
      await runner.run({
        source,
        sourceType,
        hostFunctions,
        continuation: first.continuation,
        resolutions: [{ interruptionId: 'interrupt-2', value: 'no' }],
      }),
    )
    assert.deepEqual(second.interruptions, [first.interruptions[0]])
    assert.deepEqual(told, [])
    const third = await runner.run({
      source,
      sourceType,
      hostFunctions,
      continuation: second.continuation,
      resolutions: [{ interruptionId: 'interrupt-1', value: 'yes' }],
    })
    assert.equal(third.status, 'completed')
    assert.deepEqual(told, [['fulfilled yes', 'rejected refused']])
  })

  for (const [kind, override, told] of [
    ['return', 'return "from finally";', 'from finally'],
    ['throw', 'throw new Error("from finally");', 'threw from finally'],
  ] as const) {
    published(`${sourceType}: a ${kind} of a finally takes the place of the outcome, after the resume`, async () => {
      const seen = await toTheEnd(
        `const work = async () => { try { return await tools.pause(); } finally { await tools.effect('finally'); ${override} } };
         let outcome; try { outcome = await work(); } catch (error) { outcome = 'threw ' + error.message; }
         await tools.tell(outcome);`.replace('return await tools.pause()', 'const answer = await tools.pause(); return answer'),
        sourceType,
      )
      assert.deepEqual(seen.effectsAtPause, [0])
      assert.deepEqual(seen.log, [told])
    })
  }
}

for (const [name, body] of [
  ['that are thrown away', 'for (let i = 0; i < 40; i++) await tools.pause(i);'],
  ['that are kept', 'const all = []; for (let i = 0; i < 40; i++) all.push(await tools.pause(i)); await tools.tell(all.length);'],
] as const) {
  published(`forty pauses one behind the other, with values ${name}`, async () => {
    const seen = await toTheEnd(body, 'function-body')
    assert.equal(seen.rounds, 40)
    assert.equal(seen.pauses, 80)
  })
}

const clean = (source: string) => signedRunner().run({ source })

for (const [name, source, check] of [
  ['a syntax error', 'return (;', (error: any) => error.name === 'SyntaxError'],
  ['an Error', 'throw new RangeError("too far");', (error: any) => error.name === 'RangeError' && error.message === 'too far'],
  ['a primitive', 'throw "just a text";', (error: any) => /just a text/.test(error.message)],
  ['an error with a code of its own', 'throw Object.assign(new Error("x"), { code: "RUN_TIMEOUT" });', (error: any) => error.message === 'x'],
] as const) {
  published(`${name} is an error of the source`, async () => {
    const error = await rejection(clean(source))
    assert.ok(RunError.isInstance(error))
    assert.equal(error.code, 'RUN_USER_SOURCE_ERROR')
    assert.ok(!(error instanceof RunTimeoutError))
    assert.ok(check(error))
  })
}

published('errors of host functions and of time keep their codes, and the next run is good', async () => {
  const runner = signedRunner()
  assert.equal(
    await codeOf(
      runner.run({
        source: 'await tools.fail();',
        hostFunctions: {
          tools: {
            fail: () => {
              throw new RunHostFunctionError('not today')
            },
          },
        },
      }),
    ),
    'RUN_HOST_FUNCTION_ERROR',
  )
  assert.equal(await codeOf(runner.run({ source: 'for (;;) {}', limits: { timeoutMs: 100 } })), 'RUN_TIMEOUT')
  assert.deepEqual(await runner.run({ source: 'return "well"' }), { status: 'completed', value: 'well' })
})
