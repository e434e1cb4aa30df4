import { driverOf } from './calling.js'
import { claimsHooks, type Claims } from './claims.js'
import { type Codec, type Hooks, codecParts } from './codec.js'
import { Continuation } from './continuation.js'
import { isDeciding } from './drive/deciding.js'
import { type EngineOptions, type NativeEngine, type NativeOptions, type NativeRunner, createEngine, createNativeRunner } from './drive/engine.js'
import type { EndMessage, ErrorMessage, InterruptionMessage, TaskEnd } from './drive/message.js'
import { type Begin, type Driver, Task } from './drive/task.js'
import { CodecError, ResumeError, refusal } from './errors.js'
import { type Callee, type HostFunctions, lend } from './host-function.js'
import { type Interruption, type Resolution, givenAll, interruption } from './interruption.js'
import { type Limits, limitsMessage } from './limits.js'
import { type Modules, moduleHooks } from './modules.js'
import { checkFunction, checkKeys, checkMethods, checkSignal, keysOf, told } from './options.js'
import { probeHooks } from './reconcile.js'
import { type RunResult, runResult } from './result.js'
import { type Policy, decider } from './policy.js'
import { type LedgerSink, sinkHooks } from './sink.js'
import { type RunHandle, LiveRun } from './run-handle.js'
import { encode } from './value/index.js'

/** What a runner has. Everything has a default. */
export interface RunnerOptions extends EngineOptions {
  /** What scripts can call. Default: nothing. */
  readonly hostFunctions?: HostFunctions | undefined
  /** Limits of runs that bring none of their own. */
  readonly limits?: Limits | undefined
  /** Decides which host calls are made, about which somebody is asked, and which are denied. Default: what needs approval is asked about, everything else is made. */
  readonly policy?: Policy | undefined
  /** Which realm scripts have: what language models expect, or ECMAScript and a console. Default: `full`. */
  readonly profile?: 'full' | 'bare' | undefined
  /** Where modules come from. Default: there are none. */
  readonly modules?: Modules | undefined
  /** How continuations become tokens, and tokens continuations. Default: not at all. */
  readonly codec?: Codec | undefined
  /** Who uses the tokens: one made for another audience is refused. Default: nobody in particular. */
  readonly audience?: string | undefined
  /** What remembers which answers a run was gone on with; `memory`: this process. Default: nothing; a copied continuation can be gone on from twice. */
  readonly claims?: Claims | 'memory' | undefined
  /** Keeps every run's ledger while it goes on. Default: nothing does. */
  readonly ledgerSink?: LedgerSink | undefined
  /** Whether `eval` and `Function` take strings. Default: no. */
  readonly allowEval?: boolean | undefined
  /** Whether every read of the clock and of randomness is an entry of the ledger. Default: no. */
  readonly recordReads?: boolean | undefined
  /** Whether a script that ends without having waited for its host calls fails. Default: no; they are awaited for a while and reported. */
  readonly strict?: boolean | undefined
  /** Whether scripts are told nothing of a host function's error but that there was one. Default: no. */
  readonly redactErrors?: boolean | undefined
  /** How long calls that are still under way at the end of a script are awaited. Default: 5,000. */
  readonly drainMs?: number | undefined
  /** For tests: where the clock stands that scripts and tokens see, in milliseconds since 1970. Default: the system's clock, which goes on. */
  readonly time?: number | undefined
}

/** @internal */
export const RUNNER_KEYS = keysOf<RunnerOptions>({
  hostFunctions: true, limits: true, policy: true, profile: true, modules: true, codec: true, audience: true, claims: true, ledgerSink: true, allowEval: true,
  recordReads: true, strict: true, redactErrors: true, drainMs: true, time: true, maxRuns: true, maxQueued: true, lanes: true, tickMs: true,
})

/** What is the same for every invocation. */
export interface InvocationOptions {
  /** Default: the runner's. */
  readonly limits?: Limits | undefined
  /** Where modules come from. Default: the runner's. */
  readonly modules?: Modules | undefined
  /** Ends the invocation when aborted. The run can be gone on with. */
  readonly signal?: AbortSignal | undefined
}

/** What a script is given, and its run keeps. */
export interface ScriptOptions {
  /** How it is run. Default: a module where it imports or exports, else a function body. */
  readonly kind?: 'auto' | 'function-body' | 'module' | undefined
  /** Its name in stack traces and error messages. Default: `script.js`. */
  readonly name?: string | undefined
  /** The global `input`. */
  readonly input?: unknown
  /** The global `data`, which the script may change: its final state is part of the report. */
  readonly data?: unknown
  /** The seed of `Math.random` and `crypto`: 32 bytes. Default: a new one. */
  readonly seed?: Uint8Array | undefined
}

/** What a run begins with. */
export interface RunOptions extends ScriptOptions, InvocationOptions {}

/** @internal */
export const RUN_KEYS = keysOf<RunOptions>({ kind: true, name: true, input: true, data: true, seed: true, limits: true, modules: true, signal: true })

/** What a run goes on with. */
export interface ResumeOptions extends InvocationOptions {
  /** Answers to some of its questions; none lets timers fire and questions expire. */
  readonly resolutions?: readonly Resolution[] | undefined
  /** The caller's context that the token is bound to. Default: nothing. */
  readonly context?: string | Uint8Array | undefined
  /** Another text to go on with. It must do what the run did so far. */
  readonly source?: string | undefined
  /** Whether the host call is made again whose rejection ended the run. Default: no. */
  readonly retry?: boolean | undefined
}

/** @internal */
export const RESUME_KEYS = keysOf<ResumeOptions>({ resolutions: true, context: true, source: true, retry: true, limits: true, modules: true, signal: true })

/** What a token says of its run. */
export interface Inspection {
  readonly runId: string
  readonly name: string
  /** When the run began, in milliseconds since 1970. */
  readonly started: number
  readonly interruptions: readonly Interruption[]
  readonly wakeAt: number | undefined
  /** Until when the token is good. */
  readonly expires: number | undefined
  /** Host calls and module requests so far. */
  readonly calls: number
  readonly over: boolean
}

/** Runs scripts with what it lends them. */
export class Runner {
  readonly #native: NativeRunner
  readonly #callees: ReadonlyMap<string, Callee>
  readonly #hooks: Hooks

  /** Use {@link createRunner}. */
  constructor(options: RunnerOptions = {}) {
    try {
      checkKeys('createRunner()', options, RUNNER_KEYS)
      const { message, engine, callees, hooks } = runnerParts(options)
      this.#callees = callees
      this.#hooks = hooks
      this.#native = createNativeRunner(message, engine, options.policy === undefined ? undefined : decider(options.policy))
    } catch (error) {
      throw refusal(error)
    }
  }

  /**
   * Runs a script to its end, or to where it asks somebody and is put away.
   *
   * @param source JavaScript or TypeScript, as a model may have written it.
   * @throws {ValueError} where the input cannot be sent. What the script does wrong is a result, not a rejection.
   */
  async run<T = unknown>(source: string, options: RunOptions = {}): Promise<RunResult<T>> {
    return ended<T>(await this.#task(this.#begins(source, options), options).end)
  }

  /** Starts a run whose questions can be answered while it goes on. */
  start<T = unknown>(source: string, options: RunOptions = {}): RunHandle<T> {
    return this.#live<T>(this.#begins(source, options), options)
  }

  /**
   * Goes on with a run, in this process or another, from what an earlier invocation has left: a continuation, or a token of the runner's codec. What happened is not done again.
   *
   * @throws {ResumeError} or {@link CodecError}. Nothing has run then, and nothing has changed: the next correct resume works.
   */
  async resume<T = unknown>(from: Continuation | string, options: ResumeOptions = {}): Promise<RunResult<T>> {
    return ended<T>(await this.#task(this.#goesOn(from, options, 'resume'), options).end)
  }

  /** Goes on with a run whose questions can be answered meanwhile. */
  startResume<T = unknown>(from: Continuation | string, options: ResumeOptions = {}): RunHandle<T> {
    return this.#live<T>(this.#goesOn(from, options, 'resume'), options)
  }

  /**
   * Ends a run that was put away, for good: what it asks can no longer be answered. Nothing of it runs.
   *
   * @throws {ResumeError} `RUN_OVER` where it is over already.
   */
  async cancel(from: Continuation | string, options: Pick<ResumeOptions, 'context'> = {}): Promise<RunResult> {
    return ended(await this.#task(this.#goesOn(from, options, 'cancelPutAway'), {}).end)
  }

  /** Runs a script against its ledger, and calls nothing: checks that it still does what it did, and says again what came of it. */
  async replay<T = unknown>(continuation: Continuation): Promise<RunResult<T>> {
    const bytes = bytesOfContinuation(continuation)
    return ended<T>(await this.#task((native, task) => native.replay(task, bytes), {}).end)
  }

  /** A token for a continuation, bound to the runner's audience and to the caller's context. @throws {CodecError} */
  async encode(continuation: Continuation, context?: string | Uint8Array): Promise<string> {
    const bytes = bytesOfContinuation(continuation)
    const begin: Begin = (native, task) => native.encode(task, bytes, bytesOf(context))
    return (await this.#ask(begin)) as string
  }

  /** The continuation in a token. Nothing changes. @throws {CodecError} */
  async decode(token: string, context?: string | Uint8Array): Promise<Continuation> {
    return new Continuation((await this.#ask((native, task) => native.decode(task, token, bytesOf(context)))) as Uint8Array)
  }

  /** What a token says of its run: nothing runs, and nothing changes. @throws {CodecError} */
  async inspect(token: string, context?: string | Uint8Array): Promise<Inspection> {
    const said = await this.#ask((native, task) => native.inspect(task, token, bytesOf(context)))
    const inspection = said as Omit<Inspection, 'interruptions'> & { interruptions: readonly InterruptionMessage[] }
    return { ...inspection, interruptions: inspection.interruptions.map(interruption) }
  }

  /** TypeScript declarations of what scripts can call: what a model is shown. */
  types(): string {
    if (isDeciding()) throw new Error('a policy decides on the spot: it can ask the runner nothing')
    return this.#native.types()
  }

  #begins(source: string, options: RunOptions): Begin {
    checkKeys('a run', options, RUN_KEYS)
    const { signal, modules } = options
    checkSignal(signal)
    const message = runMessage(source, options)
    if (options.limits !== undefined) message['limits'] = limitsMessage(options.limits)
    if (modules !== undefined) message['modules'] = true
    if (signal?.aborted === true) message['aborted'] = true
    return (native, task) => native.run(task, encode(message))
  }

  #goesOn(from: Continuation | string, options: ResumeOptions, how: 'resume' | 'cancelPutAway'): Begin {
    checkKeys('a resume', options, RESUME_KEYS)
    const { resolutions, context, source, retry, signal, modules } = options
    checkSignal(signal)
    if (!(from instanceof Continuation) && typeof from !== 'string') throw new TypeError(`a run goes on from a Continuation or a token, not ${told(from)}`)
    const message: Record<string, unknown> = from instanceof Continuation ? { continuation: from.bytes } : { token: from }
    if (context !== undefined) message['context'] = bytesOf(context)
    if (resolutions !== undefined) message['resolutions'] = givenAll(resolutions)
    if (source !== undefined) message['source'] = source
    if (retry === true) message['retry'] = true
    if (options.limits !== undefined) message['limits'] = limitsMessage(options.limits)
    if (modules !== undefined) message['modules'] = true
    if (signal?.aborted === true) message['aborted'] = true
    return (native, task) => native[how](task, encode(message))
  }

  #driver({ modules }: InvocationOptions): Driver {
    return driverOf(this.#callees, modules === undefined ? this.#hooks : { ...this.#hooks, ...moduleHooks(modules) })
  }

  #task(begin: Begin, options: InvocationOptions, hear?: NonNullable<Driver['hear']>): Task {
    try {
      const driver = this.#driver(options)
      return new Task(this.#native, hear === undefined ? driver : { ...driver, hear }, begin, options.signal)
    } catch (error) {
      throw refusal(error)
    }
  }

  #live<T>(begin: Begin, options: InvocationOptions): RunHandle<T> {
    const run = new LiveRun<T>()
    const task = this.#task(begin, options, (progress) => run.hear(progress))
    run.is(task, task.end.then(ended<T>))
    return run
  }

  async #ask(begin: Begin): Promise<unknown> {
    const end = await this.#task(begin, {}).end
    if ('ok' in end) return end.ok
    throw new CodecError((end as { refused: ErrorMessage }).refused)
  }
}

/** What is made of a runner's options. @internal */
export interface RunnerParts {
  /** As `src/options.rs` has it. */
  readonly message: NativeOptions
  /** Absent where it is the common one. */
  readonly engine: NativeEngine | undefined
  readonly callees: ReadonlyMap<string, Callee>
  readonly hooks: Hooks
}

/** Refuses what would be found out only when it is wanted. */
function checkParts({ policy, claims, ledgerSink }: RunnerOptions): void {
  if (policy !== undefined) checkFunction('policy', policy)
  if (claims !== undefined && claims !== 'memory') checkMethods('claims', "'memory', or an object with claim(), settle() and release()", claims, ['claim', 'settle', 'release'])
  if (ledgerSink !== undefined) checkMethods('ledgerSink', 'an object with append()', ledgerSink, ['append'])
}

/** @internal */
export function runnerParts(options: RunnerOptions): RunnerParts {
  checkParts(options)
  const { declarations, callees, probes } = lend(options.hostFunctions ?? {})
  const codec = options.codec === undefined ? undefined : codecParts(options.codec)
  const { claims, modules, ledgerSink, maxRuns, maxQueued, lanes, tickMs } = options
  const { profile, audience, allowEval, recordReads, strict, redactErrors, drainMs, time } = options
  const hasOwnEngine = [maxRuns, maxQueued, lanes, tickMs].some((option) => option !== undefined)
  return {
    message: {
      functions: declarations,
      limits: limitsMessage(options.limits),
      profile, audience, allowEval, recordReads, strict, redactErrors, drainMs, time,
      codec: codec?.message,
      claims: claims === undefined ? undefined : claims === 'memory' ? 'memory' : 'custom',
      modules: modules === undefined ? undefined : true,
      sink: ledgerSink === undefined ? undefined : true,
    },
    engine: hasOwnEngine ? createEngine(options) : undefined,
    callees,
    hooks: {
      ...codec?.hooks,
      ...(typeof claims === 'object' ? claimsHooks(claims) : {}),
      ...(modules === undefined ? {} : moduleHooks(modules)),
      ...(ledgerSink === undefined ? {} : sinkHooks(ledgerSink)),
      ...probeHooks(probes),
    },
  }
}

/** What a script is given, as `src/input.rs` has it. @internal */
export function runMessage(source: string, options: ScriptOptions): Record<string, unknown> {
  if (typeof source !== 'string') throw new TypeError(`a script is a string, not ${typeof source}`)
  const { kind, name, seed } = options
  const message: Record<string, unknown> = { source }
  if (kind !== undefined) message['kind'] = kind
  if (name !== undefined) message['name'] = name
  if (options.input !== undefined) message['input'] = encode(options.input, 'input')
  if (options.data !== undefined) message['data'] = encode(options.data, 'data')
  if (seed !== undefined) message['seed'] = seed
  return message
}

/** A runner with what it lends, and how it does. */
export function createRunner(options: RunnerOptions = {}): Runner {
  return new Runner(options)
}

function ended<T>(end: TaskEnd): RunResult<T> {
  if ('refused' in end) throw resumeRefused(end.refused)
  return runResult<T>(end as EndMessage)
}

function resumeRefused(refused: ErrorMessage): ResumeError | CodecError {
  return /^(TOKEN_|NO_CODEC|STORE|CODEC)/.test(refused.code) ? new CodecError(refused) : new ResumeError(refused)
}

function bytesOfContinuation(continuation: Continuation): Uint8Array {
  if (continuation instanceof Continuation) return continuation.bytes
  throw new TypeError(`a Continuation is wanted, as a result or decode() has it, not ${told(continuation)}`)
}

function bytesOf(context: string | Uint8Array | undefined): Uint8Array {
  if (context !== undefined && typeof context !== 'string' && !(context instanceof Uint8Array)) throw new TypeError(`a context is a string or bytes, not ${told(context)}`)
  return typeof context === 'string' ? Buffer.from(context) : (context ?? new Uint8Array())
}
