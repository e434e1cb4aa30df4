import type { InterruptionMessage } from './drive/message.js'
import { RunError } from './errors.js'
import { type Interruption, interruption } from './interruption.js'
import { decode } from './value/index.js'

/** A durable run: what is known of it, and where it stands. */
export type StoredRun<T = unknown> = StoredRunBase & StoredRunState<T>

interface StoredRunBase {
  readonly runId: string
  /** The caller's own name for the request. */
  readonly key: string | undefined
  /** The script's name. */
  readonly name: string
  /** The run that it was forked from. */
  readonly forkedFrom: string | undefined
  /** When it began, in milliseconds since 1970. */
  readonly created: number
  /** When its state changed last. */
  readonly updated: number
  /** How many questions it asks that nobody has answered. */
  readonly questions: number
}

type StoredRunState<T> =
  /** It may be gone on with at once, and nobody does yet. */
  | { readonly state: 'ready' }
  /** Somebody goes on with it: until then, unless he says that he still does. */
  | { readonly state: 'running'; readonly until: number }
  /** It was put away: it waits for answers, events, or a time. */
  | { readonly state: 'waiting'; readonly wakeAt: number | undefined }
  | { readonly state: 'completed'; readonly value: T }
  /** It can be tried again. The error has code and message; {@link Runs.replay} tells all that the script threw. */
  | { readonly state: 'failed'; readonly error: RunError }
  | { readonly state: 'cancelled' }

/** A question that nobody has answered. */
export interface StoredInterruption {
  /** Of which run. */
  readonly runId: string
  /** The script's name. */
  readonly name: string
  readonly interruption: Interruption
}

/** Something that happened to a run. */
export type Notice = {
  /** It grows, in the order in which things were kept. */
  readonly number: number
  readonly runId: string
  /** When, in milliseconds since 1970. */
  readonly at: number
} & (
  | { readonly what: 'began' | 'putAway' | 'completed' | 'retried' | 'cancelled' }
  /** It asks (once a question); somebody has answered; nobody did in time; it ended without the answer. */
  | { readonly what: 'asked' | 'answered' | 'expired' | 'abandoned'; readonly interruptionId: string }
  | { readonly what: 'emitted'; readonly key: string }
  | { readonly what: 'failed'; readonly code: string }
)

/** @internal */
export interface StoredRunMessage extends StoredRunBase {
  readonly state: StoredRun['state']
  readonly until?: number
  readonly wakeAt?: number
  readonly value?: Uint8Array
  readonly code?: string
  readonly message?: string
}

/** @internal */
export function storedRun<T>(said: StoredRunMessage): StoredRun<T> {
  const { runId, key, name, forkedFrom, created, updated, questions, state } = said
  const base = { runId, key, name, forkedFrom, created, updated, questions }
  switch (state) {
    case 'ready':
    case 'cancelled':
      return { ...base, state }
    case 'running':
      return { ...base, state, until: said.until as number }
    case 'waiting':
      return { ...base, state, wakeAt: said.wakeAt }
    case 'completed':
      return { ...base, state, value: decode(said.value as Uint8Array) as T }
    case 'failed':
      return { ...base, state, error: new RunError(said.code as string, said.message as string) }
  }
}

/** @internal */
export function storedInterruption(said: { readonly runId: string; readonly name: string; readonly interruption: InterruptionMessage }): StoredInterruption {
  return { runId: said.runId, name: said.name, interruption: interruption(said.interruption) }
}

const SUBJECTS: Readonly<Record<string, string>> = {
  asked: 'interruptionId', answered: 'interruptionId', expired: 'interruptionId', abandoned: 'interruptionId', emitted: 'key', failed: 'code',
}

/** @internal */
export function notice(said: { readonly what: string; readonly subject?: string }): Notice {
  const { subject, ...base } = said
  const name = SUBJECTS[said.what]
  return (name === undefined ? base : { ...base, [name]: subject }) as unknown as Notice
}
