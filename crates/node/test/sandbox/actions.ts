import { ActionInterrupt, type Sandbox, SandboxInterrupt, type SandboxResult, createSandbox, defineAction, z } from 'intermission/sandbox'

/** The actions of most tests, and what they did. */
export function world(): { sandbox: Sandbox; did: string[]; actions: Parameters<typeof createSandbox>[0]['actions'] } {
  const did: string[] = []
  const gate = defineAction({
    id: 'gate',
    name: 'Await approval',
    input: z.object({ of: z.string().optional() }),
    output: z.object({ approved: z.boolean() }),
    execute: async ({ input, resumption }) => {
      did.push(`gate ${input.of ?? ''} ${JSON.stringify(resumption)}`)
      if (!resumption) throw new ActionInterrupt('awaiting approval', { reason: 'needs-human', of: input.of }, { token: 'checkpoint' })
      return { approved: resumption.data === 'yes' }
    },
  })
  const add = defineAction({
    id: 'add',
    name: 'Add two numbers',
    input: z.object({ a: z.number(), b: z.number() }),
    output: z.object({ sum: z.number() }),
    execute: ({ input: { a, b } }) => {
      did.push(`add ${a} ${b}`)
      return { sum: a + b }
    },
  })
  const fail = defineAction({
    id: 'fail',
    name: 'Fail',
    input: z.undefined(),
    output: z.never(),
    execute: () => {
      did.push('fail')
      throw Object.assign(new RangeError('far'), { code: 'FAR' })
    },
  })
  const actions = [gate, add, fail]
  return { sandbox: createSandbox({ actions }), did, actions }
}

/** What an evaluation that asks throws. */
export async function interrupted(evaluation: Promise<SandboxResult>): Promise<SandboxInterrupt> {
  const error: unknown = await evaluation.then(
    (result) => new Error(`it asks, but there was ${JSON.stringify(result)}`),
    (error: unknown) => error,
  )
  if (error instanceof SandboxInterrupt) return error
  throw error
}

/** What a store keeps of a value. */
export const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
