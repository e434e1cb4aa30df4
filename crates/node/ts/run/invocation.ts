import { AsyncResource } from 'node:async_hooks'

import { decode, encode } from '../value/index.js'
import { type Answer, callHostFunction } from './call.js'
import { Console } from './console.js'
import { interrupt } from './context.js'
import { RunAbortedError, RunBridgeLimitError, RunDetachedBridgeRequestError, RunError, RunProtocolError, RunTimeoutError, serializationError } from './errors.js'
import type { Manifest } from './host-functions.js'
import { Ledger, type Outcome, bytesOfOutcome } from './ledger.js'
import type { Limits } from './limits.js'
import { ModuleRequests } from './modules.js'
import { type CallMessage, Script, type Slice } from './native.js'
import { scriptError, stopError } from './script-error.js'
import type {
  HostFunctionContext, HostFunctions, RunCompletedResult, RunContinuationState, RunInput, RunInterruptedResult, RunResult,
} from './types.js'
import { type Told, bytesOfTold, checkSize } from './values.js'


/** What is to be done, checked. */
export interface Job {
  readonly input: Pick<RunInput, 'abortSignal' | 'moduleLoader' | 'source'>
  readonly isModule: boolean
  readonly limits: Limits
  readonly deadlineMs: number
  readonly hostFunctions: HostFunctions
  readonly manifest: Manifest
  readonly syncHostFunctions: HostFunctions
  readonly syncManifest: Manifest
  /** What the run did before. */
  readonly state: RunContinuationState | undefined
  /** The bytes of the answers, by the ids of their questions. */
  readonly resolutions: ReadonlyMap<string, Uint8Array>
  readonly determinism: RunContinuationState['determinism']
  readonly logicalRunId: string
  /** Whether a continuation can be made of it. */
  readonly keeps: boolean
  /** A token for the run as it stands. */
  encode(ledger: Ledger): Promise<unknown>
}

/** A function that a script can call, by its number. */
interface Target {
  readonly name: string
  /** Whether it is what a group has in the place of functions that are not lent: then the call says which. */
  readonly isUnknown: boolean
}

/** An asynchronous call. */
interface Call {
  readonly id: number
  readonly index: number
  readonly name: string
  readonly args: Uint8Array
}

let invocations = 0

/** One pass over a source, from its top to its end or to where it is put away: guest, ledger, host, guest. */
export class Invocation {
  readonly #job: Job
  readonly #id = `run-${(invocations += 1)}`
  readonly #script: Script
  readonly #ledger: Ledger
  readonly #console: Console
  readonly #targets: Target[] = []
  readonly #modules: ModuleRequests
  /** Requests so far, of all kinds. */
  #requests = 0
  #asyncRequests = 0
  #syncRequests = 0
  /** Calls without an outcome, by their request index. */
  readonly #open = new Map<number, Call>()
  /** Those that have not been begun. */
  #fresh: Call[] = []
  #running = 0
  /** What came of calls and is still to be told, in the order in which it came. */
  readonly #answers: { readonly call: Call; readonly answer: Answer }[] = []
  /** What scripts were told of errors, by the engine's numbers of the calls. */
  readonly #errors = new Map<number, Told>()
  /** Whether everything that is recorded was done again. */
  #live: boolean
  /** Whether the script stands between two slices, and an outcome can be told. */
  #rests = false
  #over = false
  #controller: AbortController | undefined
  #reason: unknown
  /** Where the run was begun: host functions that are called when a worker is done are called there. */
  #scope: AsyncResource | undefined
  #timer: NodeJS.Timeout | undefined
  #resolve!: (result: RunResult) => void
  #reject!: (error: unknown) => void

  constructor(job: Job) {
    const { input, limits, keeps, state } = job
    this.#job = job
    this.#live = state === undefined
    this.#ledger = new Ledger(input.source, state, keeps, limits.maxContinuationBytes)
    this.#console = new Console(limits.maxConsoleOutputBytes)
    this.#modules = new ModuleRequests(input.moduleLoader, limits)
    this.#script = new Script((slice) => {
      this.#scope?.runInAsyncScope(() => this.#go(slice))
    })
  }

  /** Runs it. */
  run(): Promise<RunResult> {
    const result = new Promise<RunResult>((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    const { input: { abortSignal }, limits: { timeoutMs }, deadlineMs } = this.#job
    abortSignal?.addEventListener('abort', this.#aborted)
    try {
      this.#go(this.#begin())
    } catch (error) {
      this.#fail(error)
    }
    if (!this.#over) {
      this.#timer = setTimeout(() => this.#fail(new RunTimeoutError(timeoutMs)), Math.max(0, deadlineMs - Date.now()))
    }
    return result
  }

  #begin(): Slice | undefined {
    const { deadlineMs, determinism, input, isModule, limits, manifest, syncManifest } = this.#job
    const functions = this.#lend(manifest)
    const blocking = this.#lend(syncManifest)
    return this.#script.begin({
      source: input.source,
      module: isModule,
      name: isModule ? '<entry>' : 'run.js',
      functions,
      blocking,
      // 32 bytes are wanted.
      seed: Buffer.from(determinism.randomSeed + determinism.randomSeed, 'hex'),
      time: determinism.dateNowMs,
      deadlineMs: Math.max(1, deadlineMs - Date.now()),
      memory: Math.min(limits.memoryLimitBytes + IMAGE_BYTES, 2 ** 32),
      jsStack: Math.min(Math.max(limits.maxStackSizeBytes, 64 * 1024), 1024 * 1024),
      console: Math.min(Math.max(limits.maxConsoleOutputBytes * 16, 1024 * 1024), MOST),
      calls: Math.min(limits.maxBridgeRequests + UNCOUNTED_REQUESTS, MOST),
    })
  }

  #lend(manifest: Manifest): string[] {
    const names: string[] = []
    for (const [group, functions] of manifest) {
      for (const name of functions) {
        names.push(`${group}.${name}`)
        this.#targets.push({ name: `${group}.${name}`, isUnknown: false })
      }
      names.push(`${group}.`)
      this.#targets.push({ name: group, isUnknown: true })
    }
    return names
  }

  readonly #aborted = (): void => this.#fail(new RunAbortedError())

  /** Goes on as far as it can without waiting. */
  #go(slice: Slice | undefined): void {
    try {
      for (let next = slice; next !== undefined && !this.#over;) {
        this.#rests = false
        next = this.#step(next)
      }
      if (this.#script.computes) this.#scope ??= new AsyncResource('intermission/run')
    } catch (error) {
      this.#fail(error)
    }
  }

  #step(slice: Slice): Slice | undefined {
    if (slice.console !== undefined) this.#console.print(slice.console, !this.#live)
    for (const call of slice.calls ?? []) this.#admit(call)
    switch (slice.state) {
      case 'idle':
        return this.#idle()
      case 'blocked':
        return this.#blocked(slice.call)
      case 'names':
        return this.#names(slice.specifier, slice.importer)
      case 'loads':
        return this.#loads(slice.name)
      case 'ended':
        return this.#ended(slice.value)
      case 'threw':
        return this.#fail(scriptError(slice, slice.id === undefined ? undefined : this.#errors.get(slice.id)))
      case 'failed':
        return this.#fail(stopError(slice, this.#job.limits, this.#id))
    }
  }

  /** The number of the next request. */
  #count(): number {
    const { maxBridgeRequests } = this.#job.limits
    this.#requests += 1
    if (this.#requests > maxBridgeRequests) {
      throw new RunBridgeLimitError(`The run may make ${maxBridgeRequests} calls.`, { invocationId: this.#id, maxBridgeRequests })
    }
    return this.#requests
  }

  /** What a call asks for. */
  #asked([, target, args]: CallMessage): { readonly name: string; readonly args: Uint8Array } {
    const { name, isUnknown } = this.#targets[target] as Target
    if (!isUnknown) return { name, args }
    const [path, list] = decode(args) as [string, unknown[]]
    return { name: path.slice(0, 512), args: encode(list) }
  }

  #admit(message: CallMessage): void {
    const index = this.#overLimit()
    const call = { id: message[0], index, ...this.#asked(message) }
    this.#open.set(index, call)
    if (!this.#ledger.admit(index, 'async', call.name, call.args)) this.#fresh.push(call)
  }

  /** A limit ends the run when the calls before it have been begun. */
  #overLimit(): number {
    try {
      return this.#count()
    } catch (error) {
      if (this.#live) this.#beginFresh()
      throw error
    }
  }

  #idle(): Slice | undefined {
    if (!this.#live) {
      const recorded = this.#ledger.nextSettled()
      if (recorded !== undefined) return this.#tellAgain(recorded.requestIndex, recorded.outcome, recorded.at)
      if (!this.#ledger.isConsumed(this.#requests)) this.#ledger.diverged('it does not make a call that it made')
      this.#live = true
      this.#takeUp()
    }
    this.#beginFresh()
    this.#rests = true
    return this.#tell()
  }

  #tellAgain(index: number, outcome: Outcome, at: number): Slice | undefined {
    const call = this.#open.get(index)
    if (call === undefined) return this.#ledger.diverged('it does not make a call that it made')
    return this.#settle(call, outcome, at)
  }

  /** Questions that have been answered: their calls are begun again. */
  #takeUp(): void {
    for (const call of this.#open.values()) {
      const question = this.#ledger.question(call.index)
      const resolution = question === undefined ? undefined : this.#job.resolutions.get(question.id)
      if (question === undefined || resolution === undefined) continue
      const [, payload] = bytesOfOutcome({ ok: true, value: question.payload })
      this.#call(call, { interruptionId: question.id, payload: decode(payload), resolution: decode(resolution) })
    }
  }

  #beginFresh(): void {
    const fresh = this.#fresh
    this.#fresh = []
    for (const call of fresh) this.#call(call)
  }

  #call(call: Call, resume?: NonNullable<HostFunctionContext['resume']>): void {
    const { hostFunctions, limits, manifest } = this.#job
    const { maxInFlightBridgeRequests } = limits
    if (this.#running >= maxInFlightBridgeRequests) {
      throw new RunBridgeLimitError(`The run may have ${maxInFlightBridgeRequests} calls under way at one time.`, {
        invocationId: this.#id,
        maxInFlightBridgeRequests,
      })
    }
    this.#running += 1
    const context = this.#context(call.name, call.index, `bridge-${(this.#asyncRequests += 1)}`, resume)
    void callHostFunction(hostFunctions, manifest, context, call.args, limits).then((answer) => {
      this.#running -= 1
      this.#answers.push({ call, answer })
      if (this.#rests) this.#goOn(() => this.#tell())
    })
  }

  #context(
    hostFunctionName: string, requestIndex: number, request: string, resume?: NonNullable<HostFunctionContext['resume']>,
  ): HostFunctionContext {
    const signal = (): AbortSignal => this.#signal()
    const context = {
      get abortSignal() {
        return signal()
      },
      hostFunctionName,
      interrupt,
      invocationId: this.#id,
      logicalRunId: this.#job.logicalRunId,
      requestId: `${this.#id}:${request}`,
      requestIndex,
    }
    return resume === undefined ? context : Object.defineProperty(context, 'resume', { value: resume, enumerable: true })
  }

  #signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#over) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  /** The first thing that came. If there is nothing and nothing will come, the run is put away. */
  #tell(): Slice | undefined {
    for (let next = this.#answers.shift(); next !== undefined; next = this.#answers.shift()) {
      const { call, answer } = next
      if (!('payload' in answer)) {
        this.#rests = false
        const now = Date.now()
        this.#ledger.settle(call.index, answer, now)
        return this.#settle(call, answer, now)
      }
      this.#ledger.interrupt(call.index, answer.payload)
    }
    if (this.#running > 0) return undefined
    this.#rests = false
    if (this.#open.size > 0) {
      void this.#putAway()
      return undefined
    }
    throw new RunError(
      'The script waits for something that can never happen: no host call is under way.', 'RUN_USER_SOURCE_ERROR', { reason: 'deadlock' },
    )
  }

  #settle(call: Call, outcome: Outcome, at: number): Slice | undefined {
    this.#open.delete(call.index)
    if (!outcome.ok) this.#errors.set(call.id, outcome.error)
    return this.#script.settle(call.id, ...bytesOfOutcome(outcome), at)
  }

  #blocked(message: CallMessage): Slice | undefined {
    const index = this.#count()
    const { name, args } = this.#asked(message)
    const answer = (outcome: Outcome): Slice | undefined => {
      if (!outcome.ok) this.#errors.set(message[0], outcome.error)
      return this.#script.answer(...bytesOfOutcome(outcome))
    }
    if (this.#ledger.admit(index, 'sync-host', name, args)) return answer(this.#ledger.answered(index))
    const { limits, syncHostFunctions, syncManifest } = this.#job
    const context = this.#context(name, index, `sync-${(this.#syncRequests += 1)}`)
    void callHostFunction(syncHostFunctions, syncManifest, context, args, limits).then((outcome) => {
      this.#goOn(() => {
        if ('payload' in outcome) throw new RunProtocolError(`The synchronous host function ${name} cannot interrupt the run.`)
        if (!outcome.ok) checkError(outcome.error, limits)
        this.#ledger.settle(index, outcome)
        return answer(outcome)
      })
    })
    return undefined
  }

  /** Goes on, from outside of the loop. */
  #goOn(next: () => Slice | undefined): void {
    if (this.#over) return
    let slice
    try {
      slice = next()
    } catch (error) {
      this.#fail(error)
      return
    }
    this.#go(slice)
  }

  #names(specifier: string, importer: string): Slice | undefined {
    const refused = this.#modules.refuses(specifier, importer)
    if (refused !== undefined) return this.#script.name(false, bytesOfTold(refused))
    return this.#module('module-normalize', [specifier, importer], (context) => this.#modules.normalize(context, specifier, importer),
      (ok, body) => this.#script.name(ok, body))
  }

  #loads(name: string): Slice | undefined {
    return this.#module('module-load', [name], (context) => this.#modules.load(context, name), (ok, body) => this.#script.load(ok, body))
  }

  /** A request of the loader's, in the ledger as plain JSON. */
  #module(
    kind: 'module-normalize' | 'module-load', input: readonly string[], ask: (context: HostFunctionContext) => Promise<Outcome>,
    give: (ok: boolean, body: Uint8Array) => Slice | undefined,
  ): Slice | undefined {
    const index = this.#count()
    const name = kind === 'module-load' ? 'moduleLoader.load' : 'moduleLoader.normalize'
    const told = (outcome: Outcome): Slice | undefined =>
      outcome.ok ? give(true, encode(JSON.parse(outcome.value as string))) : give(false, bytesOfTold(outcome.error))
    if (this.#ledger.admit(index, kind, name, JSON.stringify(input))) return told(this.#ledger.answered(index))
    ask(this.#context(name, index, `sync-${(this.#syncRequests += 1)}`)).then(
      (outcome) => this.#goOn(() => {
        this.#ledger.settle(index, outcome)
        return told(outcome)
      }),
      (error: unknown) => this.#fail(error),
    )
    return undefined
  }

  #ended(value: Uint8Array): undefined {
    if (!this.#live) this.#ledger.diverged('it ends before it has made every call that it made')
    const waiting = this.#running + this.#fresh.length + this.#answers.filter(({ answer }) => !('payload' in answer)).length
    if (waiting > 0) {
      throw new RunDetachedBridgeRequestError(`The script ended without waiting for ${waiting} host call(s): await every call.`, {
        inFlightBridgeRequests: waiting,
        invocationId: this.#id,
        totalBridgeRequests: this.#requests,
      })
    }
    const { isModule, limits } = this.#job
    if (!isModule) checkSize(value, limits.maxResultBytes, 'JavaScript runtime result')
    const result: RunCompletedResult = { status: 'completed', value: isModule ? undefined : decode(value) }
    this.#finish(result)
    this.#resolve(result)
  }

  async #putAway(): Promise<void> {
    try {
      const continuation = await this.#job.encode(this.#ledger)
      if (this.#over) return
      const interruptions = this.#ledger.pending().map(({ id, name, args, payload }) => ({
        id,
        hostFunctionName: name,
        arguments: args as unknown[],
        payload,
      }))
      const result: RunInterruptedResult = { status: 'interrupted', interruptions, continuation }
      this.#finish(result)
      this.#resolve(result)
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): undefined {
    if (this.#over) return
    this.#finish(error)
    this.#reject(error)
  }

  /** Nothing comes any more; whoever still works for it is told why. */
  #finish(reason: unknown): void {
    this.#over = true
    this.#reason = reason
    this.#script.discard()
    clearTimeout(this.#timer)
    this.#job.input.abortSignal?.removeEventListener('abort', this.#aborted)
    this.#controller?.abort(reason)
  }
}

/** What a sandbox has before its script has anything, about. */
const IMAGE_BYTES = 4 * 1024 * 1024
/** Imports that are refused without being counted. */
const UNCOUNTED_REQUESTS = 64
const MOST = 2 ** 31 - 1

/** What a script is told of an error has the limit of an output. */
function checkError(error: Told, { maxHostFunctionOutputBytes: most }: Limits): void {
  const bytes = Buffer.byteLength(JSON.stringify(error))
  if (bytes > most) throw serializationError(`A host function's error exceeds the ${most} byte size limit.`, { bytes, maxBytes: most })
}
