import { resolve as absolute } from 'node:path'

import { driverOf } from './calling.js'
import { Continuation } from './continuation.js'
import { commonEngine } from './drive/engine.js'
import type { EndMessage, InterruptionMessage } from './drive/message.js'
import { type Came, RunsLoop } from './drive/runs.js'
import { refusal, runsRefused } from './errors.js'
import { endable } from './endable.js'
import { type Given, type GivenMessage, givenOf } from './given.js'
import { type Interruption, type Resolution, given } from './interruption.js'
import { checkCount, checkKeys, checkSignal, checkTime, keysOf, told } from './options.js'
import { policyHooks } from './policy.js'
import { type RunResult, runResult } from './result.js'
import { type RunnerOptions, type ScriptOptions, runMessage, runnerParts } from './runner.js'
import { type Notice, type StoredInterruption, type StoredRun, type StoredRunMessage, notice, storedInterruption, storedRun } from './stored-run.js'
import { encode } from './value/index.js'

/** Where runs are kept. */
export interface StoreOptions {
  /** A file of SQLite on a local disk; it is made where there is none. */
  readonly path: string
  /** What a write survives: a power cut (`full`), or a killed process alone (`normal`), which is faster. Default: `full`. */
  readonly sync?: 'full' | 'normal' | undefined
  /** How long a write waits for another process's. Default: 5,000. */
  readonly patienceMs?: number | undefined
}

/** What durable runs have: where they are kept, what a runner has, and how they are gone on with. */
export interface RunsOptions extends Omit<RunnerOptions, 'audience' | 'claims' | 'codec' | 'ledgerSink'> {
  /** Where they are kept: a file's path, or more. */
  readonly store: string | StoreOptions
  /** How long a run stays with a process of which nothing more is heard: then others pick it up. Default: 30,000. */
  readonly leaseMs?: number | undefined
  /** How often the store is asked for what other processes have written. Default: 250. */
  readonly lookAgainMs?: number | undefined
  /** The longest wait for a timer, with nothing else under way, that keeps a sandbox: for a longer one the run is put away, and woken in time. Default: 1,000. */
  readonly longestWaitMs?: number | undefined
  /** How long runs that are over are kept. Default: until somebody deletes them. */
  readonly retentionMs?: number | undefined
  /** Whether runs are gone on with here that others have started or answered, or whose time has come. Default: yes. Without it, only those that are started here or taken up with {@link Runs.takeUp}. */
  readonly picksUp?: boolean | undefined
  /** The most runs that are gone on with here at the same time; others wait. Default: 256. */
  readonly maxLive?: number | undefined
}

/** What a durable run begins with. Limits and modules are those of {@link openRuns}, wherever it is gone on with. */
export interface StartOptions extends ScriptOptions {
  /** The caller's own name for the request, for example its id: where there is a run of this key already, it is that one. */
  readonly key?: string | undefined
}

/** With what an answer or an event is given. */
export interface ByOptions {
  /** Who gives it. */
  readonly by?: string | undefined
}

/** How a run is waited for. */
export interface WaitOptions {
  /** Ends the wait, and not the run. */
  readonly signal?: AbortSignal | undefined
}

/** How the runs of a process come to their end. */
export interface CloseOptions {
  /** How long runs that are gone on with may go on. Default: 5,000. */
  readonly patienceMs?: number | undefined
}

const BY_KEYS = keysOf<ByOptions>({ by: true })
const WAIT_KEYS = keysOf<WaitOptions>({ signal: true })
const CLOSE_KEYS = keysOf<CloseOptions>({ patienceMs: true })
const LIST_KEYS = keysOf<RunQuery>({ states: true, before: true, limit: true })
const INBOX_KEYS = keysOf<InboxQuery>({ run: true, events: true, after: true, limit: true })
const EVENTS_KEYS = keysOf<NoticeQuery>({ after: true, run: true, signal: true })
const START_KEYS = keysOf<StartOptions>({ key: true, kind: true, name: true, input: true, data: true, seed: true })

/** Which runs are listed: the newest first. */
export interface RunQuery {
  /** In these states. Default: in any. */
  readonly states?: readonly StoredRun['state'][] | undefined
  /** Older than this run: the last of the page before. */
  readonly before?: string | undefined
  /** At most so many. Default: all. */
  readonly limit?: number | undefined
}

/** Which questions are listed: the oldest first. */
export interface InboxQuery {
  /** Of this run. Default: of any. */
  readonly run?: string | undefined
  /** Whether waits for events are listed too. Default: no, since nobody is asked. */
  readonly events?: boolean | undefined
  /** Younger than this question: the last of the page before. */
  readonly after?: Pick<Interruption, 'created' | 'id'> | undefined
  /** At most so many. Default: all. */
  readonly limit?: number | undefined
}

/** What of what happened is told. */
export interface NoticeQuery {
  /** What happened behind the notice of this number. Default: 0, everything that is kept. */
  readonly after?: number | undefined
  /** To this run. Default: to any. */
  readonly run?: string | undefined
  /** Ends it: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/**
 * The runs of a store: starts them, goes on with them when they are answered or their time has come, and picks up what a dead process has left: docs/durable-runs.md. Runs are named by their ids.
 *
 * The process is kept alive by what is waited for and by runs that are gone on with here, not by those that were put away.
 */
export class Runs {
  readonly #loop: RunsLoop

  /** Use {@link openRuns}. @internal */
  constructor(loop: RunsLoop) {
    this.#loop = loop
  }

  /**
   * Starts a run, and gives its id. It is kept before it does anything; what comes of it, {@link wait} tells.
   *
   * @throws {RunError} where it cannot begin: the source is too long. One that is no script is a run that fails.
   */
  async start(source: string, options: StartOptions = {}): Promise<string> {
    checkKeys('a start', options, START_KEYS)
    return (await this.#do({ kind: 'start', input: runMessage(source, options), key: options.key })) as string
  }

  /** Takes a run that began elsewhere, and goes on with it. Gives its id. */
  async adopt(continuation: Continuation): Promise<string> {
    return (await this.#do({ kind: 'adopt', continuation: continuation.bytes })) as string
  }

  /**
   * Answers a question of a run: the first answer is the answer for ever, and is kept when this returns. It may be `early`: before the question was asked. The run need not have been put away.
   *
   * @throws {RunsError} `RESOLUTION_CONFLICT` where another answer was first: `winner` is it.
   * @throws {ResumeError} where the answer does not fit the question, or comes too late.
   */
  async resolve(run: string, resolution: Resolution, options: ByOptions = {}): Promise<'first' | 'same' | 'early'> {
    checkKeys('resolve()', options, BY_KEYS)
    return (await this.#do({ kind: 'resolve', run, resolution: given(resolution), by: options.by })) as 'first' | 'same' | 'early'
  }

  /**
   * Emits an event for the run's scripts that wait for its key with `waitFor`, now or later: the first event of a key is its event for ever.
   *
   * @throws {RunsError} `EVENT_CONFLICT` where another was first: `event` is it.
   */
  async emit(run: string, key: string, value?: unknown, options: ByOptions = {}): Promise<'first' | 'same'> {
    checkKeys('emit()', options, BY_KEYS)
    return (await this.#do({ kind: 'emit', run, key, value: encode(value, 'value'), by: options.by })) as 'first' | 'same'
  }

  /** Cancels a run for good, as soon as somebody who goes on with it hears of it. @throws {ResumeError} `RUN_OVER` */
  async cancel(run: string): Promise<void> {
    await this.#do({ kind: 'cancel', run })
  }

  /** Tries a run again that has failed. The host call whose rejection ended the script is made again; everything else stays. @throws {ResumeError} `NOT_RETRYABLE` */
  async retry(run: string): Promise<void> {
    await this.#do({ kind: 'retry', run })
  }

  /** Deletes a run that is over, with all its data. @throws {RunsError} `RUN_NOT_OVER` */
  async delete(run: string): Promise<void> {
    await this.#do({ kind: 'delete', run })
  }

  /** Starts another run that has the first `at` entries of its ledger in common with this one (default: all), and gives its id. Its calls have other idempotency keys. */
  async fork(run: string, at?: number): Promise<string> {
    return (await this.#do({ kind: 'fork', run, at })) as string
  }

  /** Goes on with a run here, if nobody else does and there is anything to go on with. Whether it does. For whoever does not pick up runs. */
  async takeUp(run: string): Promise<boolean> {
    return (await this.#do({ kind: 'takeUp', run })) as boolean
  }

  /** A run. @throws {RunsError} `RUN_UNKNOWN` */
  async get<T = unknown>(run: string): Promise<StoredRun<T>> {
    return storedRun((await this.#do({ kind: 'get', run })) as StoredRunMessage)
  }

  /** Runs, the newest first. */
  async list(query: RunQuery = {}): Promise<StoredRun[]> {
    checkKeys('list()', query, LIST_KEYS)
    const { states, before, limit } = query
    const listed = (await this.#do({ kind: 'list', states: states ?? [], before, limit })) as StoredRunMessage[]
    return listed.map((said) => storedRun(said))
  }

  /** Questions that nobody has answered, the oldest first. */
  async inbox(query: InboxQuery = {}): Promise<StoredInterruption[]> {
    checkKeys('inbox()', query, INBOX_KEYS)
    const { run, events = false, after, limit } = query
    const place = after === undefined ? undefined : { created: after.created, id: after.id }
    const asked = await this.#do({ kind: 'inbox', run, events, after: place, limit })
    return (asked as { runId: string; name: string; interruption: InterruptionMessage }[]).map(storedInterruption)
  }

  /** The answers of a run, in the order in which they were given, and who gave them. */
  async answers(run: string): Promise<Given[]> {
    return ((await this.#do({ kind: 'answers', run })) as GivenMessage[]).map(givenOf)
  }

  /** A run's ledger, as far as it is kept: everything that it was told and asked. */
  async ledger(run: string): Promise<Continuation> {
    return new Continuation((await this.#do({ kind: 'ledger', run })) as Uint8Array)
  }

  /** Says again what came of a run, its console too, and calls nothing. */
  async replay<T = unknown>(run: string): Promise<RunResult<T>> {
    return runResult<T>((await this.#do({ kind: 'replay', run })) as EndMessage)
  }

  /** Waits, perhaps for days, in whatever process the run is gone on with: until it is over, or until it asks something or is over. */
  async wait<T = unknown>(run: string, until: 'asks' | 'over' = 'over', options: WaitOptions = {}): Promise<StoredRun<T>> {
    if (typeof until !== 'string') throw new TypeError(`a run is waited for until it 'asks' or is 'over', not until ${told(until)}`)
    checkKeys('wait()', options, WAIT_KEYS)
    checkSignal(options.signal)
    return storedRun((await this.#do({ kind: 'wait', run, until }, options.signal)) as StoredRunMessage)
  }

  /** What happens to runs, in order: what happened before and what is to come, until the runs are closed. To break out of it, or `return()`, ends it, even while the next is awaited. */
  events(query: NoticeQuery = {}): AsyncGenerator<Notice, void, undefined> {
    checkKeys('events()', query, EVENTS_KEYS)
    checkSignal(query.signal)
    return endable((signal) => this.#notices(query, signal), query.signal)
  }

  async *#notices({ after = 0, run }: NoticeQuery, signal: AbortSignal): AsyncGenerator<Notice, void, undefined> {
    for (let last = after; ; ) {
      const came = await this.#came({ kind: 'notices', after: last, run }, signal)
      if ('refused' in came && came.refused.error.code === 'RUNS_CLOSED') return
      for (const told of (ok(came) as { what: string }[]).map(notice)) {
        last = told.number
        yield told
      }
    }
  }

  /** TypeScript declarations of what scripts can call: what a model is shown. */
  types(): string {
    return this.#loop.types()
  }

  /**
   * Ends what is done here: for a process that is about to end. Runs that are gone on with here may go on for `patienceMs` (default: 5,000), and are put down where they ask or end; those that are still under way
   * then are aborted, as their host functions are told, and others can go on with them at once. Until then everything works here as before, so that host functions can come to their end; what was begun is done. Whatever is
   * still waited for is refused with `RUNS_CLOSED` after that, and so is whatever comes later. Again is the same as once; with less patience, the first comes to its end earlier.
   *
   * @throws {OptionsError} where the time is none. Nothing is closed then.
   */
  async close(options: CloseOptions = {}): Promise<void> {
    checkKeys('close()', options, CLOSE_KEYS)
    const { patienceMs = 5000 } = options
    checkTime('patienceMs', patienceMs)
    await this.#loop.close(patienceMs)
  }

  async #do(message: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<unknown> {
    return ok(await this.#came(message, signal))
  }

  async #came(message: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<Came> {
    signal?.throwIfAborted()
    let came: Promise<Came>
    try {
      came = this.#loop.do(message, signal)
    } catch (error) {
      throw refusal(error)
    }
    return await came
  }
}

/**
 * Opens a store, and goes on with its runs, with what it lends them.
 *
 * ```ts
 * const runs = await openRuns({ store: 'runs.db', hostFunctions: { refund: approval((amount) => amount) } })
 * ```
 *
 * Its runs are gone on with from then on: host functions may be called before this resolves.
 *
 * @throws {StoreError} where it cannot be opened. {@link OptionsError} for a key that there is not, or a number that is of no use.
 */
export async function openRuns(options: RunsOptions): Promise<Runs> {
  const { path, sync, patienceMs } = storeOptions(options.store)
  checkOptions(options)
  const { leaseMs, lookAgainMs, longestWaitMs, retentionMs, picksUp, maxLive, ...runner } = options
  let loop: RunsLoop | undefined
  try {
    const { message, engine, callees, hooks } = runnerParts(runner)
    const { policy } = options
    const driver = driverOf(callees, policy === undefined ? hooks : { ...hooks, ...policyHooks(policy) })
    loop = new RunsLoop(engine ?? commonEngine(), message, policy !== undefined, driver)
    ok(await loop.open({ path: absolute(path), sync, patienceMs, leaseMs, lookAgainMs, longestWaitMs, retentionMs, picksUp, maxLive }))
    return new Runs(loop)
  } catch (error) {
    await loop?.close(0)
    throw refusal(error)
  }
}

function storeOptions(store: string | StoreOptions): StoreOptions {
  const options = typeof store === 'string' ? { path: store } : (store as StoreOptions | undefined)
  if (typeof options?.path !== 'string') throw new TypeError('openRuns takes a store: the path of a file, or { path }')
  checkKeys('openRuns({ store })', options, STORE_KEYS)
  if (options.patienceMs !== undefined) checkTime('store.patienceMs', options.patienceMs)
  return options
}

const STORE_KEYS = keysOf<StoreOptions>({ path: true, sync: true, patienceMs: true })

const TIMES = ['lookAgainMs', 'longestWaitMs', 'retentionMs'] as const

const KEYS = keysOf<RunsOptions>({
  store: true, leaseMs: true, lookAgainMs: true, longestWaitMs: true, retentionMs: true, picksUp: true, maxLive: true, hostFunctions: true, limits: true, policy: true, profile: true,
  modules: true, allowEval: true, recordReads: true, strict: true, redactErrors: true, drainMs: true, time: true, maxRuns: true, maxQueued: true, lanes: true, tickMs: true,
})

function checkOptions(options: RunsOptions): void {
  checkKeys('openRuns', options, KEYS)
  for (const name of TIMES) if (options[name] !== undefined) checkTime(name, options[name])
  if (options.leaseMs !== undefined) checkTime('leaseMs', options.leaseMs, 1)
  if (options.maxLive !== undefined) checkCount('maxLive', options.maxLive, 1)
}

function ok(came: Came): unknown {
  if ('refused' in came) throw runsRefused(came.refused)
  return came.ok
}
