import type { Limits } from '../limits.js'
import type { Action, Resumption } from './action.js'
import type { Called } from './log.js'
import type { Recorded } from './recorded.js'

/** What is to be done, checked. */
export interface Job {
  readonly script: string
  /** In bytes. */
  readonly data: Uint8Array
  readonly actions: readonly Action[]
  readonly limits: Limits | undefined
  readonly deadlineMs: number
  readonly outputBytes: number
  readonly ledgerBytes: number
  readonly drainMs: number
  /** What was done before. */
  readonly recorded: readonly Recorded[]
  /** An answer, and the slot of the call that it is for. */
  readonly resumption: (Resumption & { readonly position: number; readonly call: Called | undefined }) | undefined
  readonly signal: AbortSignal | undefined
}
