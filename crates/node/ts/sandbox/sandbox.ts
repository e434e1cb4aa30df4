import { createNativeRunner } from '../drive/engine.js'
import { RunError, refusal } from '../errors.js'
import { type Limits, limitsMessage } from '../limits.js'
import { encode } from '../value/index.js'
import { isPlain } from '../value/plain.js'
import type { Action } from './action.js'
import { CallLogError } from './errors.js'
import { Evaluation } from './evaluation.js'
import { type Recorded, isAction, readCallLog } from './recorded.js'
import type { CallLogEntry, SandboxConsoleEntry } from './types.js'

/** What a sandbox has. */
export interface SandboxOptions {
  /** What its scripts can do. */
  readonly actions: readonly Action[]
  /** What each evaluation may use, what it does again included. `calls` counts actions; `ledger` bounds the log: inputs, outcomes, and some 400 bytes for each read of the clock and of `Math.random`. */
  readonly limits?: Limits | undefined
  /** How long actions that are still under way at the end of a script are waited for, in milliseconds, within the deadline. Default: 5,000. */
  readonly drainMs?: number | undefined
}

/** What is to be evaluated. */
export interface Evaluated {
  /** JavaScript or TypeScript: the body of an async function. */
  readonly script: string
  /** The global `data`, which the script may change. To go on, give what the first evaluation was given. Default: an empty object. */
  readonly data?: Record<string, unknown> | undefined
  /** What the script did before. Default: nothing. */
  readonly callLog?: readonly (CallLogEntry | null)[] | undefined
  /** The answer to the call in a slot of the log that is not finished. With the `call` of the {@link SandboxInterrupt} it is refused where the script now calls something else there. */
  readonly resumption?:
    | {
        readonly position: number
        readonly data?: unknown
        readonly state?: unknown
        readonly call?: { readonly id: string; readonly input?: unknown } | undefined
      }
    | undefined
  /** Ends the evaluation when aborted. */
  readonly signal?: AbortSignal | undefined
}

/** What came of an evaluation. */
export interface SandboxResult {
  /** The global `data` as the script left it. */
  readonly data: Record<string, unknown>
  /** What the script returned. */
  readonly value: unknown
  /** Everything that the script printed, from the top. */
  readonly console: SandboxConsoleEntry[]
  /** Everything that it did. A `null` is a call that the script did without: it asked, or it was still under way when nobody waited any longer. */
  readonly callLog: (CallLogEntry | null)[]
  /** Questions of this evaluation that need no answer any more, because the script did without; absent where there are none. */
  readonly abandoned?: readonly AbandonedQuestion[]
}

/** A question whose answer no script waits for. */
export interface AbandonedQuestion {
  /** The slot of the call that asked. */
  readonly position: number
  /** As its {@link ActionInterrupt} has it. */
  readonly message: string
  readonly data: unknown
}

/** Where scripts run, with the actions that they can call. */
export interface Sandbox {
  /**
   * Runs a script to its end, or to where an action asks somebody.
   *
   * @throws {SandboxInterrupt} An action has thrown an {@link ActionInterrupt}, also where the script has ended without waiting for it.
   * @throws {CallLogMismatchError} The script does something else than its log says.
   * @throws {CallLogError} The log is none, or has no place for the resumption.
   * @throws {EvaluationError} The script threw (`ScriptError`), is none (`SourceError`), or a limit was hit (`LimitError`): with the log up to there.
   */
  eval(evaluated: Evaluated): Promise<SandboxResult>
}

/**
 * A sandbox for scripts that call actions.
 *
 * @throws {OptionsError} where two actions have one id, or an id that scripts cannot call.
 */
export function createSandbox({ actions, drainMs = 5_000, limits }: SandboxOptions): Sandbox {
  const list = [...actions]
  if (typeof drainMs !== 'number' || !(drainMs >= 0)) throw new TypeError(`drainMs is a number of at least 0, not ${String(drainMs)}`)
  checkNames(list)
  const { deadlineMs = 30_000, ledger: ledgerBytes = 64 * 1024 * 1024, output: outputBytes = 8 * 1024 * 1024 } = limitsMessage(limits) ?? {}
  return {
    async eval({ callLog = [], data = {}, resumption, script, signal }) {
      if (typeof script !== 'string') throw new TypeError(`a script is a string, not ${typeof script}`)
      if (!isPlain(data)) throw new TypeError('data is an object')
      const recorded = readCallLog(callLog)
      checkActions(recorded, list)
      if (resumption !== undefined) checkResumption(resumption, recorded)
      if (signal?.aborted === true) throw new RunError('ABORTED', 'the run was aborted')
      return await new Evaluation({
        script,
        data: encode(data, 'data'),
        actions: list,
        limits,
        deadlineMs,
        outputBytes,
        ledgerBytes,
        drainMs,
        recorded,
        resumption: resumption === undefined ? undefined : { position: resumption.position, data: resumption.data, state: resumption.state, call: resumption.call },
        signal,
      }).run()
    },
  }
}

/** The library knows what a script can call. */
function checkNames(actions: readonly Action[]): void {
  try {
    createNativeRunner({ functions: actions.map(({ id }) => ({ name: id })) })
  } catch (error) {
    throw refusal(error)
  }
}

function checkActions(recorded: readonly Recorded[], actions: readonly Action[]): void {
  const ids = new Set(actions.map(({ id }) => id))
  recorded.forEach((slot, position) => {
    if (isAction(slot) && !ids.has(slot.entry.id)) {
      throw new CallLogError(`callLog[${position}] is a call of ${slot.entry.id}, which is no action of this sandbox`)
    }
  })
}

function checkResumption(resumption: unknown, recorded: readonly Recorded[]): void {
  const { call, position } = (isPlain(resumption) ? resumption : {}) as { call?: unknown; position?: unknown }
  if (!Number.isSafeInteger(position) || (position as number) < 0) throw new CallLogError('resumption.position is the number of a slot of the log, from 0')
  if (call !== undefined && !(isPlain(call) && typeof call['id'] === 'string' && Object.keys(call).every((key) => ['id', 'input'].includes(key)))) {
    throw new CallLogError('resumption.call is that of a SandboxInterrupt: an id and an input')
  }
  if ((recorded[position as number] ?? null) !== null) throw new CallLogError(`resumption.position is the slot of a call that is not finished; ${position} is`)
}
