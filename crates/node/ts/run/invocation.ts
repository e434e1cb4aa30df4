import { Calls } from '../slices/calls.js'
import { Pass } from '../slices/pass.js'
import type { CallMessage, Slice } from '../slices/script.js'
import type { Told } from '../slices/told.js'
import { decode } from '../value/index.js'
import { Targets, beginningOf } from './begin.js'
import { BlockingRequests } from './blocking.js'
import { type Answer, callHostFunction } from './call.js'
import { Console } from './console.js'
import { interrupt } from './context.js'
import { RunAbortedError, RunBridgeLimitError, RunDetachedBridgeRequestError, RunError, RunTimeoutError } from './errors.js'
import type { Job } from './job.js'
import { Ledger, type Outcome, bytesOfOutcome } from './ledger.js'
import { scriptError, stopError } from './script-error.js'
import type { HostFunctionContext, RunCompletedResult, RunInterruptedResult, RunResult } from './types.js'
import { checkSize } from './values.js'

/** An asynchronous call. */
interface Call {
  readonly id: number
  readonly index: number
  readonly name: string
  readonly args: Uint8Array
}

let invocations = 0

/** One pass over a source: guest, ledger, host, guest. */
export class Invocation extends Pass<RunResult> {
  readonly #job: Job
  readonly #id = `run-${(invocations += 1)}`
  readonly #ledger: Ledger
  readonly #console: Console
  readonly #targets = new Targets()
  readonly #blocking: BlockingRequests
  /** Requests so far, of all kinds. */
  #requests = 0
  #asyncRequests = 0
  /** By their request index. */
  readonly #calls = new Calls<Call, Answer>()
  /** What scripts were told of errors, by the engine's numbers of the calls. */
  readonly #errors = new Map<number, Told>()
  /** Whether everything that is recorded was done again. */
  #live: boolean

  constructor(job: Job) {
    super('intermission/run')
    const { input, limits, keeps, state } = job
    this.#job = job
    this.#live = state === undefined
    this.#ledger = new Ledger(input.source, state, keeps, limits.maxContinuationBytes)
    this.#console = new Console(limits.maxConsoleOutputBytes)
    this.#blocking = new BlockingRequests(job, {
      script: this.script,
      ledger: this.#ledger,
      targets: this.#targets,
      errors: this.#errors,
      count: () => this.#count(),
      context: (name, requestIndex, request) => this.#context(name, requestIndex, request),
      goOn: (next) => this.goOn(next),
      fail: (error) => this.fail(error),
    })
  }

  /** Runs it. */
  run(): Promise<RunResult> {
    const { input: { abortSignal }, limits: { timeoutMs }, deadlineMs } = this.#job
    return this.start(() => beginningOf(this.#job, this.#targets), {
      deadlineMs,
      overdue: () => new RunTimeoutError(timeoutMs),
      abortSignal,
      aborted: () => new RunAbortedError(),
    })
  }

  protected step(slice: Slice): Slice | undefined {
    if (slice.console !== undefined) this.#console.print(slice.console, !this.#live)
    for (const call of slice.calls ?? []) this.#admit(call)
    switch (slice.state) {
      case 'idle':
        return this.#idle()
      case 'blocked':
        return this.#blocking.call(slice.call)
      case 'names':
        return this.#blocking.names(slice.specifier, slice.importer)
      case 'loads':
        return this.#blocking.loads(slice.name)
      case 'ended':
        return this.#ended(slice.value)
      case 'threw':
        return this.fail(scriptError(slice, slice.id === undefined ? undefined : this.#errors.get(slice.id)))
      case 'failed':
        return this.fail(stopError(slice, this.#job.limits, this.#id))
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

  #admit(message: CallMessage): void {
    const index = this.#overLimit()
    const call = { id: message[0], index, ...this.#targets.of(message) }
    this.#calls.admit(index, call, this.#ledger.admit(index, 'async', call.name, call.args))
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
    this.rests = true
    return this.#tell()
  }

  #tellAgain(index: number, outcome: Outcome, at: number): Slice | undefined {
    const call = this.#calls.at(index)
    if (call === undefined) return this.#ledger.diverged('it does not make a call that it made')
    return this.#settle(call, outcome, at)
  }

  /** Questions that have been answered: their calls are begun again. */
  #takeUp(): void {
    for (const call of this.#calls.open) {
      const question = this.#ledger.question(call.index)
      const resolution = question === undefined ? undefined : this.#job.resolutions.get(question.id)
      if (question === undefined || resolution === undefined) continue
      const [, payload] = bytesOfOutcome({ ok: true, value: question.payload })
      this.#call(call, { interruptionId: question.id, payload: decode(payload), resolution: decode(resolution) })
    }
  }

  #beginFresh(): void {
    for (const call of this.#calls.takeFresh()) this.#call(call)
  }

  #call(call: Call, resume?: NonNullable<HostFunctionContext['resume']>): void {
    const { hostFunctions, limits, manifest } = this.#job
    const { maxInFlightBridgeRequests } = limits
    if (this.#calls.running >= maxInFlightBridgeRequests) {
      throw new RunBridgeLimitError(`The run may have ${maxInFlightBridgeRequests} calls under way at one time.`, {
        invocationId: this.#id,
        maxInFlightBridgeRequests,
      })
    }
    this.#calls.began()
    const context = this.#context(call.name, call.index, `bridge-${(this.#asyncRequests += 1)}`, resume)
    void callHostFunction(hostFunctions, manifest, context, call.args, limits).then((answer) => {
      this.#calls.came(call, answer)
      if (this.rests) this.goOn(() => this.#tell())
    })
  }

  #context(
    hostFunctionName: string, requestIndex: number, request: string, resume?: NonNullable<HostFunctionContext['resume']>,
  ): HostFunctionContext {
    const signal = (): AbortSignal => this.signal
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

  /** The first thing that came. If there is nothing and nothing will come, the run is put away. */
  #tell(): Slice | undefined {
    for (let next = this.#calls.next(); next !== undefined; next = this.#calls.next()) {
      const { call, answer } = next
      if (!('payload' in answer)) {
        this.rests = false
        const now = Date.now()
        this.#ledger.settle(call.index, answer, now)
        return this.#settle(call, answer, now)
      }
      this.#ledger.interrupt(call.index, answer.payload)
    }
    if (this.#calls.running > 0) return undefined
    this.rests = false
    if (!this.#calls.isEmpty) {
      void this.#putAway()
      return undefined
    }
    throw new RunError(
      'The script waits for something that can never happen: no host call is under way.', 'RUN_USER_SOURCE_ERROR', { reason: 'deadlock' },
    )
  }

  #settle(call: Call, outcome: Outcome, at: number): Slice | undefined {
    this.#calls.told(call.index)
    if (!outcome.ok) this.#errors.set(call.id, outcome.error)
    return this.script.settle(call.id, ...bytesOfOutcome(outcome), at)
  }

  #ended(value: Uint8Array): undefined {
    if (!this.#live) this.#ledger.diverged('it ends before it has made every call that it made')
    const waiting = this.#calls.running + this.#calls.fresh.length + this.#calls.waiting.filter((answer) => !('payload' in answer)).length
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
    this.finish(result)
  }

  async #putAway(): Promise<void> {
    try {
      const continuation = await this.#job.encode(this.#ledger)
      if (this.isOver) return
      const interruptions = this.#ledger.pending().map(({ id, name, args, payload }) => ({
        id,
        hostFunctionName: name,
        arguments: args as unknown[],
        payload,
      }))
      const result: RunInterruptedResult = { status: 'interrupted', interruptions, continuation }
      this.finish(result)
    } catch (error) {
      this.fail(error)
    }
  }
}
