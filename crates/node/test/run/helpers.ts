import assert from 'node:assert/strict'
import type {
  ContinuationCodec,
  HostFunctions,
  RunContinuationState,
  RunInput,
  RunInterruptedResult,
  RunnerOptions,
  RunResolution,
  RunResult,
} from '../../dist/run/index.js'
import { createRunner, getHostFunctionContext } from './subject.ts'

export const SECRET = 'a secret that is long enough: 32+'

/** A runner with a secret. */
export const signedRunner = (options: RunnerOptions = {}) => createRunner({ continuationSecret: SECRET, ...options })

/** A runner without continuations. */
export const plainRunner = () => createRunner()

/** A codec that hands out the state itself, for a look at it. */
export const openCodec = (change: (state: RunContinuationState) => unknown = (state) => state): ContinuationCodec<RunContinuationState> => ({
  encode: (state) => structuredClone(state),
  decode: (token) => change(structuredClone(token)) as RunContinuationState,
})

/** Never answers; tells the reason when nobody waits for it any more. */
export const hanging = (told: (reason: unknown) => void) => (): Promise<never> => {
  const { abortSignal } = getHostFunctionContext()
  abortSignal.addEventListener('abort', () => told(abortSignal.reason), { once: true })
  return new Promise(() => {})
}

/** The value of a completed run. */
export function valueOf<T = unknown>(result: RunResult<T>): T {
  assert.equal(result.status, 'completed')
  return (result as { value: T }).value
}

/** The interrupted result. */
export function interruptedOf<TOKEN>(result: RunResult<unknown, TOKEN>): RunInterruptedResult<TOKEN> {
  assert.equal(result.status, 'interrupted')
  return result as RunInterruptedResult<TOKEN>
}

/** Runs a source without continuations and gives its value. */
export async function evaluate(source: string, hostFunctions: HostFunctions = {}, input: Partial<RunInput<string>> = {}) {
  return valueOf(await plainRunner().run({ source, hostFunctions, ...input }))
}

/** What a promise is rejected with. */
export async function rejection(promise: Promise<unknown>): Promise<any> {
  let value: unknown
  try {
    value = await promise
  } catch (error) {
    return error
  }
  return assert.fail(`not rejected: ${JSON.stringify(value)}`)
}

/** The code with which a promise is rejected. */
export const codeOf = async (promise: Promise<unknown>): Promise<unknown> => (await rejection(promise)).code

/** A host function that asks with its arguments, and returns the answer. */
export const ask = (...args: any[]): any => {
  const { interrupt, resume } = getHostFunctionContext()
  if (resume === undefined) return interrupt({ asked: args })
  return resume.resolution
}

/** One answer for each interruption, by its arguments or index. */
export const answers = (result: RunInterruptedResult<any>, value: (index: number) => unknown = () => true): RunResolution[] =>
  result.interruptions.map((interruption, index) => ({ interruptionId: interruption.id, value: value(index) }))

/** A promise and what settles it. */
export function deferred<T = void>() {
  let resolve!: (value: T) => void
  let reject!: (reason: unknown) => void
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

/** Waits until what is queued in this process has run. */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })
