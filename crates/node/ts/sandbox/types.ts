/** An operation of a script, in a slot of its own, in the order in which the script began them. Plain JSON. */
export type CallLogEntry = ActionEntry | ClockEntry | RandomEntry

/** A call of an action that is finished. It has `output` or `error`. */
export interface ActionEntry {
  readonly kind: 'action'
  readonly id: string
  /** What the script gave; absent for `undefined`. What is no plain JSON is `{ "$cbor": "…" }`, as in the open form of ledgers. */
  readonly input?: unknown
  /** What the script got; absent for `undefined`. */
  readonly output?: unknown
  /** What the script caught. */
  readonly error?: ActionError
  /** Its number among the outcomes, in the order in which the script was told of them, from 1. */
  readonly settled: number
}

/** An error as a script sees it. */
export interface ActionError {
  readonly name: string
  readonly message: string
  readonly code?: string
}

/** A read of the clock. */
export interface ClockEntry {
  readonly kind: 'clock'
  /** Milliseconds since 1970. */
  readonly value: number
}

/** A read of `Math.random`. */
export interface RandomEntry {
  readonly kind: 'random'
  /** From 0 up to 1. */
  readonly value: number
}

/** What a script printed in one go. */
export interface SandboxConsoleEntry {
  /** `log`, `warn`, `table`. */
  readonly method: string
  /** As it would be printed, indented by its groups. */
  readonly text: string
}
