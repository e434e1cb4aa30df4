import { AsyncLocalStorage } from 'node:async_hooks'

import type { CallMessage } from './drive/message.js'
import type { InvocationIds, Settlement, Wanted } from './drive/task.js'
import { OptionsError } from './errors.js'
import { addon } from './native.js'
import { checkKeys, keysOf } from './options.js'
import { decode, encode } from './value/index.js'

/** The answer to a question that this very call has asked. */
export interface Resume {
  readonly interruptionId: string
  /** The answer; of an expired question its default. */
  readonly resolution: unknown
  /** Whether nobody answered in time. */
  readonly expired: boolean
  /** What was shown. */
  readonly payload: unknown
  /** What the function kept for itself. */
  readonly state: unknown
}

/** A place in a script. */
export interface Position {
  /** From 1. */
  readonly line: number
  /** From 1. */
  readonly column: number
}

/** One call of a host function, as the function sees it. */
export class HostCall {
  /** The run: the same over every pause and resume. */
  readonly runId: string
  /** The pass over the source that makes this call. */
  readonly invocationId: string
  /** The call's number in its run, from 1, in call order. */
  readonly requestIndex: number
  /** `group.name` or `name`. */
  readonly hostFunction: string
  readonly #call: CallMessage
  readonly #wanted: Wanted
  #resume: Resume | undefined

  /** @internal */
  constructor(call: CallMessage, wanted: Wanted, ids: InvocationIds) {
    this.runId = ids.runId
    this.invocationId = ids.invocationId
    this.requestIndex = call.index
    this.hostFunction = call.name
    this.#call = call
    this.#wanted = wanted
  }

  /** `<run id>.<request index>`. */
  get requestId(): string {
    return `${this.runId}.${this.requestIndex}`
  }

  /** Where the script calls. */
  get position(): Position | undefined {
    const { line, column } = this.#call
    return line === undefined || column === undefined ? undefined : { line, column }
  }

  /** A key that is the same whenever this very call is made again, for services that do a thing once a key. */
  get idempotencyKey(): string {
    return addon.idempotencyKey(this.runId, this.requestIndex, this.hostFunction, this.#call.arguments)
  }

  /** The answer to this call's latest question; absent where it has not asked yet. */
  get resume(): Resume | undefined {
    const { resume } = this.#call
    if (resume === undefined) return undefined
    this.#resume ??= {
      interruptionId: resume.interruptionId,
      resolution: decode(resume.resolution),
      expired: resume.expired,
      payload: decode(resume.payload),
      state: resume.state === undefined ? undefined : decode(resume.state),
    }
    return this.#resume
  }

  /** The arguments that the script gave, where an approver put others in their place. */
  get editedFrom(): unknown[] | undefined {
    const { editedFrom } = this.#call
    return editedFrom === undefined ? undefined : (decode(editedFrom) as unknown[])
  }

  /** Aborted when nobody waits for the outcome any more. */
  get signal(): AbortSignal {
    return this.#wanted.signal
  }

  /** {@link interrupt}, for whoever has the call at hand. */
  interrupt(payload: unknown, state?: unknown, options?: InterruptOptions): never {
    return interrupt(payload, state, options)
  }
}

const calls = new AsyncLocalStorage<HostCall>()

/**
 * The call that is being answered: in a host function, and in everything that it awaits.
 *
 * @throws {Error} where no host function is under way.
 */
export function getHostCall(): HostCall {
  const call = calls.getStore()
  if (call === undefined) throw new Error('getHostCall() is for host functions: none is under way here')
  return call
}

/** Runs a host function's body as part of a call. */
export function within<R>(call: HostCall, body: () => R): R {
  return calls.run(call, body)
}

/** How a question ends that nobody answers. */
export interface InterruptOptions {
  /** When it can no longer be answered. The call is rejected with a `TimeoutError` then, unless there is a default. */
  readonly expiresAt?: Date | number | undefined
  /** What stands for an answer then. */
  readonly default?: unknown
}

const INTERRUPT_KEYS = keysOf<InterruptOptions>({ expiresAt: true, default: true })

/** What {@link interrupt} throws. Let it pass: no script ever sees it. */
export class Interrupt extends Error {
  readonly code = 'INTERRUPTED'
  readonly payload: unknown
  readonly state: unknown
  readonly options: InterruptOptions

  constructor(payload: unknown, state: unknown, options: InterruptOptions) {
    super('the host function interrupted the run')
    this.name = 'Interrupt'
    this.payload = payload
    this.state = state
    this.options = options
  }
}

/**
 * Asks before a host function goes on. The script sees nothing of it: its call stays pending while the rest of it runs on, and then the run is put away. When it is resumed with an answer, the
 * function is called again and finds it in `getHostCall().resume`.
 *
 * @param payload Shown to whoever answers.
 * @param state What the function gets back with the answer; shown to nobody.
 * @throws {OptionsError} where `expiresAt` is no time, or there is no such option; else always what asks.
 */
export function interrupt(payload: unknown, state?: unknown, options: InterruptOptions = {}): never {
  checkKeys('interrupt()', options, INTERRUPT_KEYS)
  const { expiresAt } = options
  if (expiresAt !== undefined && !Number.isFinite(Number(expiresAt))) {
    throw new OptionsError('OPTIONS', 'expiresAt is a date, or milliseconds since 1970: this one is none')
  }
  throw new Interrupt(payload, state, options)
}

/** A question as the native layer takes it. */
export function asked({ payload, state, options }: Interrupt): Settlement {
  const question: Record<string, unknown> = { payload: encode(payload, 'payload') }
  if (state !== undefined) question['state'] = encode(state, 'state')
  if (options.expiresAt !== undefined) question['expiresAt'] = Number(options.expiresAt)
  if (options.default !== undefined) question['default'] = encode(options.default, 'default')
  return { kind: 2, body: encode(question) }
}
