import type { ErrorMessage, RefusedMessage, ThrownMessage } from './drive/message.js'
import { type Given, type GivenMessage, givenOf } from './given.js'
import { BUILT_IN_ERRORS, define } from './value/built-in-errors.js'
import { decode } from './value/index.js'

/** Everything that this package throws or tells, but for {@link ValueError}. `code` is stable: what a program decides by. */
export class IntermissionError extends Error {
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.code = code
  }
}

/** Options that are refused: a name of a host function, a schema, a key. */
export class OptionsError extends IntermissionError {}

/** Why a run has no value. */
export class RunError extends IntermissionError {}

/** The script threw, or rejected: `cause` is what it threw, an error with the script's own stack or any other value. */
export class ScriptError extends RunError {
  /** The script's own frames, innermost first, at their places in the original text. */
  readonly frames: readonly Frame[]

  constructor(code: string, message: string, thrown: ThrownMessage) {
    super(code, message, { cause: thrownValue(thrown) })
    this.frames = thrown.frames
  }
}

/** A line of a script's stack. */
export interface Frame {
  /** Absent for the script's top level and for anonymous functions. */
  readonly function?: string
  readonly file: string
  readonly line: number
  readonly column: number
}

/** A limit is exhausted. */
export class LimitError extends RunError {
  /** Its name in the configuration. */
  readonly limit: string
  /** What was allowed, in `unit`. */
  readonly allowed: number
  /** What was used, or would have been. */
  readonly used: number
  readonly unit: string

  constructor({ code, message, limit, allowed, used, unit }: ErrorMessage) {
    super(code, message)
    this.limit = String(limit)
    this.allowed = Number(allowed)
    this.used = Number(used)
    this.unit = String(unit)
  }
}

/** The text is no script. */
export class SourceError extends RunError {
  readonly line: number | undefined
  readonly column: number | undefined

  constructor({ code, message, line, column }: ErrorMessage) {
    super(code, message)
    this.line = line as number | undefined
    this.column = column as number | undefined
  }
}

/** The script does not do what its ledger says. Nothing was called. */
export class DivergedError extends RunError {
  /** The index of the ledger's entry, from 0. */
  readonly entry: number
  readonly file: string | undefined
  readonly line: number | undefined
  readonly column: number | undefined

  constructor({ code, message, entry, file, line, column }: ErrorMessage) {
    super(code, message)
    this.entry = Number(entry)
    this.file = file as string | undefined
    this.line = line as number | undefined
    this.column = column as number | undefined
  }
}

/** In strict mode: the script ended without having waited for host calls. */
export class DetachedError extends RunError {
  /** `function (line:column)` of each. */
  readonly calls: readonly string[]

  constructor({ code, message, calls }: ErrorMessage) {
    super(code, message)
    this.calls = calls as string[]
  }
}

/** Why a resume is refused. Nothing has run then, and nothing has changed: the next correct resume works. */
export class ResumeError extends IntermissionError {
  /** What was answered, where it is the answer that is refused. */
  readonly interruptionId: string | undefined
  /** The answers that were first, of a conflict. */
  readonly winner: string | undefined
  /** The host function that is missing or has changed. */
  readonly hostFunction: string | undefined

  constructor({ code, message, interruptionId, winner, hostFunction }: ErrorMessage) {
    super(code, message)
    this.interruptionId = interruptionId as string | undefined
    this.winner = winner as string | undefined
    this.hostFunction = hostFunction as string | undefined
  }
}

/** Why a token could not be made or read. */
export class CodecError extends IntermissionError {
  constructor({ code, message }: ErrorMessage) {
    super(code, message)
  }
}

/** Why something could not be done with a durable run. Nothing has changed then. */
export class RunsError extends IntermissionError {
  /** The run that there is not (`RUN_UNKNOWN`), or that is not over (`RUN_NOT_OVER`). */
  readonly runId: string | undefined
  /** The answer that was first, of a `RESOLUTION_CONFLICT`. */
  readonly winner: Given | undefined
  /** The event that was first, of an `EVENT_CONFLICT`. */
  readonly event: { readonly key: string; readonly value: unknown } | undefined

  constructor({ code, message, runId, winner, key, value }: ErrorMessage) {
    super(code, message)
    this.runId = runId as string | undefined
    this.winner = winner === undefined ? undefined : givenOf(winner as GivenMessage)
    this.event = key === undefined ? undefined : { key: key as string, value: decode(value as Uint8Array) }
  }
}

/** Why a store could not do what it was asked to. Nothing of it happened then, and nothing is lost. */
export class StoreError extends IntermissionError {
  constructor({ code, message }: ErrorMessage) {
    super(code, message)
  }
}

/** @internal */
export function runsRefused({ of, error }: RefusedMessage): IntermissionError {
  switch (of) {
    case 'runs':
      return new RunsError(error)
    case 'store':
      return new StoreError(error)
    case 'resume':
      return new ResumeError(error)
    case 'run':
      return runError(error)
  }
}

/** @internal */
export function runError(said: ErrorMessage): RunError {
  const { code, message } = said
  if ('thrown' in said) return new ScriptError(code, message, said['thrown'] as ThrownMessage)
  if ('limit' in said) return new LimitError(said)
  if (code.startsWith('SOURCE_')) return new SourceError(said)
  if ('entry' in said) return new DivergedError(said)
  if ('calls' in said) return new DetachedError(said)
  return new RunError(code, message)
}

/** What a script threw, as a value of this realm. @internal */
export function thrownValue(thrown: ThrownMessage): unknown {
  const { name, message } = thrown
  if (name === undefined && message === undefined) return thrown.value === undefined ? undefined : decode(thrown.value)
  const errors = thrown.errors?.map(thrownValue)
  const error =
    errors === undefined ? new (BUILT_IN_ERRORS[name ?? ''] ?? Error)(message) : new AggregateError(errors, message)
  if (name !== undefined && error.name !== name) define(error, 'name', name, false)
  const properties = thrown.properties === undefined ? undefined : decode(thrown.properties)
  if (properties !== null && typeof properties === 'object') {
    for (const [key, value] of Object.entries(properties)) define(error, key, value, true)
  }
  if (thrown.cause !== undefined) define(error, 'cause', thrownValue(thrown.cause), false)
  define(error, 'stack', `${thrown.text}\n${thrown.stack}`.trimEnd(), false)
  return error
}

/** What the native layer throws has a code as its `code`. @internal */
export function refusal(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof IntermissionError) return error
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code !== 'string') return error
  return /^[A-Z][A-Z_]+$/.test(code) && code !== 'VALUE_REFUSED' ? new OptionsError(code, String(message)) : error
}
