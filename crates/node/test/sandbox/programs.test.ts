// The laws, for generated programs: interrupted and resumed equals uninterrupted, and what happened does not happen again.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { ActionInterrupt, type CallLogEntry, SandboxInterrupt, type SandboxResult, createSandbox, defineAction, z } from 'intermission/sandbox'

import { stored } from './actions.ts'

/** Numbers from a seed: a program can be made again. */
function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

/** A program that notes what it sees in `data.seen` and on the console. */
function program(roll: (sides: number) => number): string {
  let calls = 0
  const call = (): string => {
    calls += 1
    return [`slow({ n: ${calls} })`, `quick({ n: ${calls} })`, `gate({ n: ${calls} })`, `fail({ n: ${calls} })`][roll(4)] as string
  }
  const branch = (depth: number): string => `(async () => { ${block(depth - 1)} })()`
  const several = (depth: number): string => Array.from({ length: 1 + roll(3) }, () => (depth > 0 && roll(2) === 0 ? branch(depth) : call())).join(', ')
  const statement = (depth: number): string => {
    switch (roll(9)) {
      case 0:
        return 'see(Date.now() > 0)'
      case 1:
        return 'see(Math.random())'
      case 2:
        return `if (Math.random() < 0.5) { ${block(depth - 1)} } else { ${block(depth - 1)} }`
      case 3:
        return `see(await Promise.allSettled([${several(depth)}]))`
      case 4:
        return `see(await Promise.race([${several(depth)}]).catch(told))`
      case 5:
        return `see(await Promise.any([${several(depth)}]).catch(told))`
      case 6:
        return `see(await Promise.all([${several(depth)}]).catch(told))`
      case 7:
        return `${call()}.then(see, see)`
      default:
        return `see(await ${call()}.catch(told))`
    }
  }
  const block = (depth: number): string => (depth < 0 ? '' : Array.from({ length: 1 + roll(3) }, () => statement(depth)).join('; '))
  return `data.seen = []; const told = ({ message }) => message; const see = (what) => { data.seen.push(what); console.log(what) }; ${block(2)}; ${block(1)}`
}

function world(did: string[], entered: string[]): ReturnType<typeof createSandbox> {
  const schemas = { input: z.object({ n: z.number() }), output: z.object({ n: z.number() }) }
  return createSandbox({
    actions: [
      defineAction({
        ...schemas, id: 'slow', name: 'Slow',
        execute: async ({ input }) => {
          did.push(`slow ${input.n}`)
          for (let i = 0; i < input.n % 3; i += 1) await new Promise(setImmediate)
          return input
        },
      }),
      defineAction({
        ...schemas, id: 'quick', name: 'Quick',
        execute: ({ input }) => {
          did.push(`quick ${input.n}`)
          return input
        },
      }),
      defineAction({
        ...schemas, id: 'fail', name: 'Fail',
        execute: ({ input }) => {
          did.push(`fail ${input.n}`)
          throw new Error(`no ${input.n}`)
        },
      }),
      defineAction({
        ...schemas, id: 'gate', name: 'Gate',
        execute: ({ input, resumption }) => {
          entered.push(`gate ${input.n}`)
          if (resumption === undefined) throw new ActionInterrupt('?', input.n, { n: input.n })
          assert.deepEqual(resumption.state, { n: input.n })
          did.push(`gate ${input.n}`)
          return { n: resumption.data as number }
        },
      }),
    ],
  })
}

const PROGRAMS = 300

test(`${PROGRAMS} programs, interrupted wherever they ask, do what they do in one go, and each thing once`, async () => {
  let asked = 0
  let dropped = 0
  for (let seed = 1; seed <= PROGRAMS; seed += 1) {
    const script = program(dice(seed * 7_919))
    const did: string[] = []
    const entered: string[] = []
    const sandbox = world(did, entered)
    let callLog: (CallLogEntry | null)[] = []
    let resumption: { position: number; data: unknown; state: unknown; call: SandboxInterrupt['call'] } | undefined
    let result: SandboxResult | undefined
    while (result === undefined) {
      try {
        result = await sandbox.eval({ script, callLog, resumption })
      } catch (error) {
        if (!(error instanceof SandboxInterrupt)) throw new Error(`program ${seed}: ${script}`, { cause: error })
        asked += 1
        const { call, interrupt: { data, state }, position } = error
        // What was known stays known, in its slot.
        callLog.forEach((slot, at) => slot !== null && assert.deepEqual(error.callLog[at], slot))
        callLog = stored(error.callLog)
        resumption = stored({ position, data: (data as number) * 100, state, call })
      }
    }
    const finished = result.callLog.flatMap((slot) => (slot?.kind === 'action' ? [`${slot.id} ${(slot.input as { n: number }).n}`] : []))
    assert.deepEqual(did.toSorted(), finished.toSorted(), `program ${seed}: each once`)
    const before = [did.length, entered.length]
    // Nobody is asked, so there is nothing that is abandoned.
    const { abandoned, ...whole } = result
    dropped += abandoned?.length ?? 0
    assert.deepEqual(await sandbox.eval({ script, callLog: stored(result.callLog) }), whole, `program ${seed}: in one go`)
    assert.deepEqual([did.length, entered.length], before, `program ${seed}: nothing again`)
  }
  assert.ok(asked > PROGRAMS / 2, `${asked} questions`)
  assert.ok(dropped > PROGRAMS / 20, `${dropped} questions that nobody has to answer`)
})
