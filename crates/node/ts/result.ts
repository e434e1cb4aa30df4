import { Continuation } from './continuation.js'
import type { EndMessage, ReportMessage } from './drive/message.js'
import { RunError, runError, thrownValue } from './errors.js'
import type { Position } from './host-call.js'
import { type Interruption, interruption } from './interruption.js'
import type { StoredRun } from './stored-run.js'
import { decode } from './value/index.js'

/** How a run ended. Nothing that it said on the way is lost, however it ended. */
export type RunResult<T = unknown> = Completed<T> | Interrupted | Cancelled | Failed

/** It has a value. */
export interface Completed<T = unknown> {
  readonly status: 'completed'
  /** What the script returned. */
  readonly value: T
  /** Its ledger, to be looked at, replayed or forked. */
  readonly continuation: Continuation
  readonly report: Report
}

/** It asks somebody, or waits for longer than its deadline: it was put away. */
export interface Interrupted {
  readonly status: 'interrupted'
  /** What it asks, in order of the calls. Empty where it waits for a timer only. */
  readonly interruptions: readonly Interruption[]
  /** What is needed to go on. */
  readonly continuation: Continuation
  /** When it is worth going on without any answer, in milliseconds since 1970. */
  readonly wakeAt: number | undefined
  readonly report: Report
}

/** It was cancelled: it can never go on. */
export interface Cancelled {
  readonly status: 'cancelled'
  readonly continuation: Continuation
  readonly report: Report
}

/** It has no value. */
export interface Failed {
  readonly status: 'failed'
  /** Why. */
  readonly error: RunError
  /** What happened so far, to go on from: with `retry`, where the script's own error ended it. Absent where nothing happened. */
  readonly continuation: Continuation | undefined
  readonly report: Report
}

/** What there is to say of a run besides its value. */
export interface Report {
  readonly runId: string
  readonly invocationId: string
  /** The final state of the global `data`; absent where the run was stopped, or where it cannot be sent. */
  readonly data?: unknown
  /** Why `data` cannot be sent, where that is so. */
  readonly dataError?: unknown
  /** Everything that came on the console, in order. */
  readonly console: readonly ConsoleEntry[]
  /** How many of these an earlier invocation has said already. */
  readonly replayed: number
  /** Host calls that the script had not waited for when it ended. */
  readonly detached: readonly DetachedCall[]
  /** What was asked and never answered, because the run ended without it. */
  readonly abandoned: readonly Interruption[]
  /** Rejections that nothing in the script handled. */
  readonly unhandled: readonly unknown[]
  readonly stats: Stats
}

export interface ConsoleEntry {
  /** `log`, `warn`, `table`. */
  readonly method: string
  /** As it would be printed, indented by its groups. */
  readonly text: string
  readonly arguments: readonly unknown[]
}

/** A host call that was under way when its script ended. */
export interface DetachedCall {
  readonly requestIndex: number
  readonly hostFunction: string
  /** What became of it. `refused`: in strict mode, when the script had ended before it was made. */
  readonly fate: 'fulfilled' | 'rejected' | 'aborted' | 'unknown' | 'refused'
  readonly file?: string
  readonly position?: Position
}

/** What a run used. Times in milliseconds, memory in bytes. */
export interface Stats {
  readonly cpuMs: number
  readonly wallMs: number
  readonly waitedMs: number
  /** Backward jumps and calls of the script: the same number on every machine. */
  readonly fuel: number
  readonly memory: number
  /** Host calls and module requests. */
  readonly calls: number
  /** Whether it went on in the sandbox in which it had paused: nothing was replayed. */
  readonly inPlace: boolean
}

/** The value, or the error of a run that has none. @throws {RunError} */
export function unwrap<T>(result: RunResult<T> | StoredRun<T>): T {
  if ('state' in result) return unwrapStored(result)
  switch (result.status) {
    case 'completed':
      return result.value
    case 'failed':
      throw result.error
    case 'interrupted':
      throw new RunError('INTERRUPTED', `the run was put away: ${result.interruptions.length} of its questions are open`)
    case 'cancelled':
      throw new RunError('CANCELLED', 'the run was cancelled')
  }
}

function unwrapStored<T>(run: StoredRun<T>): T {
  switch (run.state) {
    case 'completed':
      return run.value
    case 'failed':
      throw run.error
    case 'cancelled':
      throw new RunError('CANCELLED', 'the run was cancelled')
    default:
      throw new RunError('INTERRUPTED', `the run is not over: it is ${run.state}, and ${run.questions} of its questions are open`)
  }
}

/** @internal */
export function runResult<T>(end: EndMessage): RunResult<T> {
  const report = new LazyReport(end.report)
  const continuation = end.continuation === undefined ? undefined : new Continuation(end.continuation)
  switch (end.status) {
    case 'completed':
      return { status: 'completed', value: decode(end.value as Uint8Array) as T, continuation: continuation as Continuation, report }
    case 'interrupted':
      return {
        status: 'interrupted',
        interruptions: (end.interruptions ?? []).map(interruption),
        continuation: continuation as Continuation,
        wakeAt: end.wakeAt,
        report,
      }
    case 'cancelled':
      return { status: 'cancelled', continuation: continuation as Continuation, report }
    case 'failed':
      return { status: 'failed', error: runError(end.error ?? { code: 'SANDBOX_TRAPPED', message: 'unknown' }), continuation, report }
  }
}

/** Reads what is asked for: most of it, most of the time, is not. */
class LazyReport implements Report {
  readonly runId: string
  readonly invocationId: string
  readonly stats: Stats
  readonly replayed: number
  readonly #said: ReportMessage

  constructor(said: ReportMessage) {
    this.runId = said.runId
    this.invocationId = said.invocationId
    this.stats = said.stats as unknown as Stats
    this.replayed = said.replayed ?? 0
    this.#said = said
  }

  get data(): unknown {
    return this.#said.data === undefined ? undefined : decode(this.#said.data)
  }

  get dataError(): unknown {
    return this.#said.dataError === undefined ? undefined : thrownValue(this.#said.dataError)
  }

  get console(): ConsoleEntry[] {
    const entries = this.#said.console ?? []
    return entries.map((entry) => ({ method: entry.method, text: entry.text, arguments: decode(entry.arguments) as unknown[] }))
  }

  get detached(): DetachedCall[] {
    return (this.#said.detached ?? []).map((said) => {
      const { requestIndex, hostFunction, fate, file, line, column } = said as unknown as DetachedCall & Partial<Position>
      return {
        requestIndex,
        hostFunction,
        fate,
        ...(file === undefined ? {} : { file }),
        ...(line === undefined || column === undefined ? {} : { position: { line, column } }),
      }
    })
  }

  get abandoned(): Interruption[] {
    return (this.#said.abandoned ?? []).map(interruption)
  }

  get unhandled(): unknown[] {
    return (this.#said.unhandled ?? []).map(thrownValue)
  }
}
