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
  /** What each evaluation may use. `calls` counts actions and reads of `Math.random`, `ledger` bounds reads of the clock as well. */
  readonly limits?: Limits | undefined
}

/** What is to be evaluated. */
export interface Evaluated {
  /** JavaScript or TypeScript: the body of an async function. */
  readonly script: string
  /** The global `data`, which the script may change. To go on, give what the first evaluation was given. Default: an empty object. */
  readonly data?: Record<string, unknown> | undefined
  /** What the script did before. Default: nothing. */
  readonly callLog?: readonly (CallLogEntry | null)[] | undefined
  /** The answer to the call in a slot of the log that is not finished. */
  readonly resumption?: { readonly position: number; readonly data?: unknown; readonly state?: unknown } | undefined
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
  /** Everything that it did. A `null` is a call that asked, and that the script did without. */
  readonly callLog: (CallLogEntry | null)[]
}

/** Where scripts run, with the actions that they can call. */
export interface Sandbox {
  /**
   * Runs a script to its end, or to where an action asks somebody.
   *
   * @throws {SandboxInterrupt} An action has thrown an {@link ActionInterrupt}.
   * @throws {CallLogMismatchError} The script does something else than its log says.
   * @throws {CallLogError} The log is none, or has no place for the resumption.
   * @throws {RunError} The script threw (`ScriptError`), is none (`SourceError`), or a limit was hit (`LimitError`).
   */
  eval(evaluated: Evaluated): Promise<SandboxResult>
}

/**
 * A sandbox for scripts that call actions.
 *
 * @throws {OptionsError} where two actions have one id, or an id that scripts cannot call.
 */
export function createSandbox({ actions, limits }: SandboxOptions): Sandbox {
  const list = [...actions]
  checkNames(list)
  const { deadlineMs = 30_000, output: outputBytes = 8 * 1024 * 1024 } = limitsMessage(limits) ?? {}
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
        recorded,
        resumption: resumption === undefined ? undefined : { position: resumption.position, data: resumption.data, state: resumption.state },
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
  const { position } = (isPlain(resumption) ? resumption : {}) as { position?: unknown }
  if (!Number.isSafeInteger(position) || (position as number) < 0 || (position as number) > recorded.length) {
    throw new CallLogError(`resumption.position is a slot of the log, which has ${recorded.length}`)
  }
  if ((recorded[position as number] ?? null) !== null) throw new CallLogError(`resumption.position is the slot of a call that is not finished; ${position} is`)
}
