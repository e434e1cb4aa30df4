import type { InterruptionMessage } from './drive/message.js'
import { thrown } from './drive/thrown.js'
import type { Position } from './host-call.js'
import { told } from './options.js'
import { decode, encode } from './value/index.js'

/** One question of a run that somebody has to answer before a host call can go on. */
export interface Interruption {
  /** The same in every replay; the next question of the same call has another. */
  readonly id: string
  /**
   * Who asks, and so what answers there are: the host function itself (`question`: {@link answer}), the library for one that needs approval (`approval`: {@link approve},
   * {@link approveWith}, {@link deny}), the script with `waitFor` (`event`: {@link answer}), or the library because a process died while the function was under way (`outcome-unknown`: {@link happened}, {@link failed}, {@link didNotHappen}).
   */
  readonly kind: 'question' | 'approval' | 'event' | 'outcome-unknown'
  /** The call's number in its run, from 1. */
  readonly requestIndex: number
  readonly hostFunction: string
  /** What the script calls it with, complete. */
  readonly arguments: readonly unknown[]
  /** A hash of the arguments: an answer that carries it is refused where it differs. */
  readonly argumentsDigest: string
  /** What the host function wants to be shown. */
  readonly payload: unknown
  /** The script or module that calls. */
  readonly file: string | undefined
  readonly position: Position | undefined
  /** When it was asked, in milliseconds since 1970. */
  readonly created: number
  /** When it can no longer be answered. */
  readonly expires: number | undefined
  /** What stands for an answer then; without one the call is rejected. */
  readonly default: unknown
}

/** @internal */
export function interruption(said: InterruptionMessage): Interruption {
  const { id, kind, requestIndex, hostFunction, argumentsDigest, file, line, column, created, expires } = said
  return {
    id,
    kind,
    requestIndex,
    hostFunction,
    arguments: decode(said.arguments) as unknown[],
    argumentsDigest,
    payload: decode(said.payload),
    file,
    position: line === undefined || column === undefined ? undefined : { line, column },
    created,
    expires,
    default: said.default === undefined ? undefined : decode(said.default),
  }
}

/** The answer to one interruption. */
export interface Resolution {
  readonly interruptionId: string
  readonly kind: 'value' | 'approve' | 'approveWith' | 'deny' | 'happened' | 'failed' | 'didNotHappen'
  /** What is answered: a value; the arguments of `approveWith`; the error of `failed`. */
  readonly value?: unknown
  /** Of `deny`: the error's message. */
  readonly reason?: string
  /** The {@link Interruption.argumentsDigest} that the answer was given to: it is refused where it differs. */
  readonly argumentsDigest?: string
  /** When it was given: timers that were due before go first. Default: now. */
  readonly at?: Date | number
}

/** What may be said with an answer. */
export type ResolutionOptions = Pick<Resolution, 'argumentsDigest' | 'at'>

/** To a question: this. */
export const answer = (interruptionId: string, value: unknown, options?: ResolutionOptions): Resolution => ({ interruptionId, kind: 'value', value, ...options })
/** To an approval: yes. */
export const approve = (interruptionId: string, options?: ResolutionOptions): Resolution => ({ interruptionId, kind: 'approve', ...options })
/** To an approval: yes, with these arguments. */
export const approveWith = (interruptionId: string, args: readonly unknown[], options?: ResolutionOptions): Resolution => ({
  interruptionId, kind: 'approveWith', value: args, ...options,
})
/** To an approval: no. The call is rejected with an error that the script can catch. */
export const deny = (interruptionId: string, reason?: string, options?: ResolutionOptions): Resolution => ({
  interruptionId, kind: 'deny', ...(reason === undefined ? {} : { reason }), ...options,
})
/** To an unknown outcome: this came of it. */
export const happened = (interruptionId: string, value: unknown, options?: ResolutionOptions): Resolution => ({ interruptionId, kind: 'happened', value, ...options })
/** To an unknown outcome: it failed so. */
export const failed = (interruptionId: string, error: Error, options?: ResolutionOptions): Resolution => ({ interruptionId, kind: 'failed', value: error, ...options })
/** To an unknown outcome: nothing did. The function is called again, with the same idempotency key. */
export const didNotHappen = (interruptionId: string, options?: ResolutionOptions): Resolution => ({ interruptionId, kind: 'didNotHappen', ...options })

/** As the native layer takes them. @internal */
export function givenAll(resolutions: readonly Resolution[]): Record<string, unknown>[] {
  if (!Array.isArray(resolutions)) throw new TypeError(`resolutions is a list of answers, not ${told(resolutions)}`)
  return resolutions.map(given)
}

/** As the native layer takes it. @internal */
export function given(resolution: Resolution): Record<string, unknown> {
  if (typeof resolution !== 'object' || resolution === null) throw new TypeError(`an answer is made by answer(), approve(), deny() and the like; this is ${told(resolution)}`)
  if (typeof resolution.interruptionId !== 'string') throw new TypeError(`an answer is to the id of an interruption, a string, not to ${told(resolution.interruptionId)}`)
  const { interruptionId, kind, value, reason, argumentsDigest, at } = resolution
  const said: Record<string, unknown> = { interruptionId, kind }
  if (kind === 'failed') said['body'] = encode(thrown(value))
  else if ('value' in resolution) said['body'] = encode(value, 'value')
  if (reason !== undefined) said['reason'] = reason
  if (argumentsDigest !== undefined) said['argumentsDigest'] = argumentsDigest
  if (at !== undefined) said['at'] = Number(at)
  return said
}
