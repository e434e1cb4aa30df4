import { decode } from '../value/index.js'

/** A call of a host function, as it comes out of a run. */
export interface CallMessage {
  readonly index: number
  readonly name: string
  /** The encoded list of arguments. */
  readonly arguments: Uint8Array
  readonly line?: number
  readonly column?: number
  readonly resume?: {
    readonly interruptionId: string
    readonly resolution: Uint8Array
    readonly expired: boolean
    readonly payload: Uint8Array
    readonly state?: Uint8Array
  }
  /** The encoded list of the script's own arguments. */
  readonly editedFrom?: Uint8Array
}

/** What the library asks besides: modules, codecs, stores, claims, sinks. */
export type AskMessage = { readonly id: number; readonly kind: string } & Readonly<Record<string, unknown>>

export interface ErrorMessage {
  readonly code: string
  readonly message: string
  readonly [detail: string]: unknown
}

/** Why something could not be done with durable runs, and whose error it is. */
export interface RefusedMessage {
  readonly of: 'runs' | 'store' | 'resume' | 'run'
  readonly error: ErrorMessage
}

export interface InterruptionMessage {
  readonly id: string
  readonly kind: 'question' | 'approval' | 'event' | 'outcome-unknown'
  readonly requestIndex: number
  readonly hostFunction: string
  readonly arguments: Uint8Array
  readonly argumentsDigest: string
  readonly payload: Uint8Array
  readonly created: number
  readonly expires?: number
  readonly default?: Uint8Array
  readonly file?: string
  readonly line?: number
  readonly column?: number
}

export interface ReportMessage {
  readonly runId: string
  readonly invocationId: string
  readonly stats: Readonly<Record<string, number>>
  readonly data?: Uint8Array
  readonly dataError?: ThrownMessage
  readonly console?: readonly { readonly method: string; readonly text: string; readonly arguments: Uint8Array }[]
  readonly detached?: readonly Readonly<Record<string, unknown>>[]
  readonly abandoned?: readonly InterruptionMessage[]
  readonly unhandled?: readonly ThrownMessage[]
  readonly replayed?: number
}

/** What a script threw. */
export interface ThrownMessage {
  readonly name?: string
  readonly message?: string
  readonly text: string
  readonly stack: string
  readonly frames: readonly { readonly function?: string; readonly file: string; readonly line: number; readonly column: number }[]
  readonly properties?: Uint8Array
  readonly cause?: ThrownMessage
  readonly errors?: readonly ThrownMessage[]
  readonly value?: Uint8Array
}

/** How a run ended. */
export interface EndMessage {
  readonly status: 'completed' | 'interrupted' | 'cancelled' | 'failed'
  readonly report: ReportMessage
  readonly continuation?: Uint8Array
  readonly value?: Uint8Array
  readonly interruptions?: readonly InterruptionMessage[]
  readonly wakeAt?: number
  readonly error?: ErrorMessage
}

/** How a task ended: a run, something else, or that it was refused. */
export type TaskEnd = EndMessage | { readonly ok: unknown } | { readonly refused: ErrorMessage }

export interface ProgressMessage {
  readonly runId?: string
  readonly invocationId?: string
  readonly calls?: readonly CallMessage[]
  readonly events?: readonly { readonly type: 'interrupted'; readonly interruption: InterruptionMessage }[]
  readonly asks?: readonly AskMessage[]
  readonly answers?: readonly { readonly number: number; readonly error?: ErrorMessage }[]
  /** Calls under way are to be told that nobody waits for them any more. */
  readonly aborted?: true
  readonly end?: TaskEnd
}

export function read(message: Uint8Array): ProgressMessage {
  return decode(message, 'parts') as ProgressMessage
}
