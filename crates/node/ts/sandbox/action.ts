import type { StandardSchemaV1 } from '@standard-schema/spec'

import { isStandard } from '../schema.js'

/** The answer to what an action asked, as the action gets it. */
export interface Resumption {
  /** The answer. */
  readonly data: unknown
  /** What the action kept for itself: the `state` of its {@link ActionInterrupt}. */
  readonly state: unknown
}

/** One call of an action. */
export interface ActionCall<INPUT = unknown> {
  /** As its schema lets it through. */
  readonly input: INPUT
  /** Only where this very call has asked and was answered. */
  readonly resumption: Resumption | undefined
  /** Aborted when nobody waits for the outcome any more. */
  readonly signal: AbortSignal
}

/** What scripts can do: a function of this process, between two schemas. */
export interface Action<I extends StandardSchemaV1 = StandardSchemaV1, O extends StandardSchemaV1 = StandardSchemaV1> {
  /** What scripts call it: `name` or `group.name`. */
  readonly id: string
  /** What people call it. */
  readonly name: string
  /** Of what a script gives. A call that does not fit is rejected with a `TypeError`, and the action is not executed. Zod, or any other Standard Schema. */
  readonly input: I
  /** Of what the script gets. A result that does not fit is a rejection. */
  readonly output: O
  /** Does it. What it throws, the script can catch, but for an {@link ActionInterrupt}. */
  execute(call: ActionCall<StandardSchemaV1.InferOutput<I>>): StandardSchemaV1.InferInput<O> | Promise<StandardSchemaV1.InferInput<O>>
}

/**
 * An action.
 *
 * ```ts
 * const add = defineAction({
 *   id: 'add',
 *   name: 'Add two numbers',
 *   input: z.object({ a: z.number(), b: z.number() }),
 *   output: z.object({ sum: z.number() }),
 *   execute: ({ input }) => ({ sum: input.a + input.b }),
 * })
 * ```
 *
 * @throws {TypeError} for what is none.
 */
export function defineAction<I extends StandardSchemaV1, O extends StandardSchemaV1>(action: Action<I, O>): Action<I, O> {
  const { execute, id, input, name, output } = action
  if (typeof id !== 'string' || typeof name !== 'string') throw new TypeError('an action has an id and a name, which are strings')
  for (const [what, schema] of Object.entries({ input, output })) {
    if (schema === null || !['object', 'function'].includes(typeof schema) || !isStandard(schema)) {
      throw new TypeError(`the ${what} of ${id} is a schema, of zod or another that is a Standard Schema`)
    }
  }
  if (typeof execute !== 'function') throw new TypeError(`the execute of ${id} is a function`)
  return action
}
