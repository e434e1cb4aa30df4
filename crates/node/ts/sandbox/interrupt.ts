import { IntermissionError } from '../errors.js'
import type { CallLogEntry, SandboxConsoleEntry } from './types.js'

/**
 * What an action throws to pause its run until somebody has answered. No script can see it.
 *
 * ```ts
 * if (!resumption) throw new ActionInterrupt('needs a human', { amount: 120 })
 * ```
 */
export class ActionInterrupt extends Error {
  /** The question, for whoever answers it. */
  readonly data: unknown
  /** What the action gets back with the answer. It goes into the caller's store: plain JSON where that takes nothing else. */
  readonly state: unknown

  constructor(message: string, data?: unknown, state?: unknown) {
    super(message)
    this.name = 'ActionInterrupt'
    this.data = data
    this.state = state
  }
}

/** An action has asked, and everything else that the script could do meanwhile is done. What it says is needed to go on. */
export class SandboxInterrupt extends IntermissionError {
  /** A slot for every operation of the script so far; `null` where it is not finished. */
  readonly callLog: (CallLogEntry | null)[]
  /** The global `data` at this moment. */
  readonly data: Record<string, unknown>
  /** What the script has printed so far. */
  readonly console: SandboxConsoleEntry[]
  /** The slot of the call that asks. */
  readonly position: number
  /** That call: its action's id, and its input as the log would have it. Given back with the answer, the answer is for this call alone. */
  readonly call: { readonly id: string; readonly input?: unknown }
  /** What the action gave along: the question, and what it keeps for itself. */
  readonly interrupt: { readonly data?: unknown; readonly state?: unknown }

  /** @internal */
  constructor(of: ActionInterrupt, at: Pick<SandboxInterrupt, 'call' | 'callLog' | 'console' | 'data' | 'position'>) {
    super('INTERRUPTED', of.message, { cause: of })
    this.callLog = at.callLog
    this.data = at.data
    this.console = at.console
    this.position = at.position
    this.call = at.call
    this.interrupt = { data: of.data, state: of.state }
  }
}
