import { bytesOf, hasExactly, isPlain } from '../value/plain.js'
import { RunAbortedError, RunError, RunProtocolError, RunTimeoutError } from './errors.js'
import type { Limits } from './limits.js'
import { type Bounds, operate } from './operation.js'
import { checkState } from './state.js'
import type { ContinuationCodec, RunContinuationState, RunInput, RunResolution } from './types.js'
import { encodePayload } from './values.js'

/** What a run goes on from. */
export interface Resumed {
  readonly state: RunContinuationState
  /** The bytes of the answers, by the ids of their questions. */
  readonly resolutions: ReadonlyMap<string, Uint8Array>
}

/** Refuses a token that is longer than it may be. */
export function checkTokenSize(token: unknown, maxBytes: number): void {
  const bytes = typeof token === 'string' ? bytesOf(token) : token instanceof Uint8Array ? token.byteLength : 0
  if (bytes > maxBytes) {
    throw new RunProtocolError(`The continuation's token exceeds the ${maxBytes} byte size limit.`, { bytes, maxBytes })
  }
}

/** Reads and checks a continuation and its answers; only a good one is consumed. `undefined`: a run from its beginning. */
export async function resumedFrom(
  input: RunInput, codec: ContinuationCodec<never>, scopeHash: () => string, limits: Limits, bounds: Bounds,
): Promise<Resumed | undefined> {
  const { continuation, resolutions = [], source } = input
  if (continuation === undefined) {
    if (resolutions.length > 0) throw new RunProtocolError('There are resolutions, and no continuation.')
    return undefined
  }
  const expected = { source, scopeHash: scopeHash(), limits }
  checkTokenSize(continuation, limits.maxContinuationBytes)
  const taken = await take(continuation as never, codec, bounds)
  let committing = false
  try {
    const state = checkState(taken.state, expected)
    const answers = answersOf(state, resolutions, limits)
    if (bounds.abortSignal?.aborted === true) throw new RunAbortedError()
    if (Date.now() >= bounds.deadlineMs) throw new RunTimeoutError(bounds.timeoutMs)
    committing = true
    await taken.commit?.()
    return { state, resolutions: answers }
  } catch (error) {
    if (!committing) await taken.rollback?.()
    throw error
  }
}

interface Taken {
  readonly state: unknown
  commit?(): void | Promise<void>
  rollback?(): void | Promise<void>
}

async function take(token: never, codec: ContinuationCodec<never>, bounds: Bounds): Promise<Taken> {
  try {
    if (codec.decodeTransaction === undefined) return { state: await operate(bounds, (context) => codec.decode(token, context)) }
    const { decodeTransaction } = codec
    const transaction = await operate(bounds, (context) => decodeTransaction.call(codec, token, context), (late) => late.rollback())
    return {
      state: transaction.state,
      commit: () => transaction.commit(),
      rollback: () => transaction.rollback(),
    }
  } catch (error) {
    if (RunError.isInstance(error)) throw error
    throw new RunProtocolError('The codec cannot read the continuation.', { cause: error instanceof Error ? error.message : String(error) })
  }
}

/** The answers: to pending questions, one each, and one at least. */
function answersOf(state: RunContinuationState, resolutions: readonly RunResolution[], limits: Limits): ReadonlyMap<string, Uint8Array> {
  const pending = new Set(state.ledger.flatMap((entry) => (entry.status === 'interrupted' ? [entry.interruptionId] : [])))
  const answers = new Map<string, Uint8Array>()
  for (const resolution of resolutions as readonly unknown[]) {
    if (!isPlain(resolution) || !hasExactly(resolution, ['interruptionId', 'value'])) {
      throw new RunProtocolError('A resolution has an interruptionId and a value, and nothing else.')
    }
    const { interruptionId, value } = resolution as unknown as RunResolution
    if (!pending.has(interruptionId) || answers.has(interruptionId)) {
      throw new RunProtocolError('A resolution answers one pending interruption, which no other does.', { interruptionId })
    }
    answers.set(interruptionId, encodePayload(value, `Resolution "${interruptionId}"`, limits.maxHostFunctionOutputBytes))
  }
  if (answers.size === 0) {
    throw new RunProtocolError('A continuation wants an answer to one of its pending interruptions at least.', {
      pending: pending.size,
      received: 0,
    })
  }
  return answers
}
