import { IntermissionError, type RunError } from '../errors.js'
import type { CallLogEntry, SandboxConsoleEntry } from './types.js'

/**
 * What ends an evaluation in its midst: a limit, an abort, what the script threw. With what was done by then: whoever goes on from `callLog` has none of that done again. A `null` in it is a call
 * that was under way, of which nobody knows what came of it, or that asked.
 */
export type EvaluationError = RunError & {
  readonly callLog: (CallLogEntry | null)[]
  /** What the script has printed. */
  readonly console: SandboxConsoleEntry[]
  /** Of `DATA_REFUSED`, where an action asked: as in a {@link SandboxInterrupt}. */
  readonly position?: number
  readonly call?: { readonly id: string; readonly input?: unknown }
  readonly interrupt?: { readonly data?: unknown; readonly state?: unknown }
}

/** The script does something else than its log says. Nothing was executed. */
export class CallLogMismatchError extends IntermissionError {
  /** The slot of the log. */
  readonly position: number

  /** @internal */
  constructor(position: number, what: string, options?: ErrorOptions) {
    super('CALL_LOG_MISMATCH', `the script does something else than its log says, in slot ${position}: ${what}`, options)
    this.position = position
  }
}

/** What was given is no call log, or does not fit together with the resumption or the actions. Nothing has run. */
export class CallLogError extends IntermissionError {
  /** @internal */
  constructor(message: string, options?: ErrorOptions) {
    super('CALL_LOG_INVALID', message, options)
  }
}
