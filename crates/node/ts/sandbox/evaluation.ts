import { isDeepStrictEqual } from 'node:util'

import { LimitError, RunError, ScriptError, runError, thrownValue } from '../errors.js'
import { limitsMessage } from '../limits.js'
import { Calls } from '../slices/calls.js'
import { Pass } from '../slices/pass.js'
import type { Begin, CallMessage, Slice } from '../slices/script.js'
import { type Body, type Outcome, bodyOf, bytesOfTold } from '../slices/told.js'
import { decode, encode } from '../value/index.js'
import { isPlain } from '../value/plain.js'
import type { Action } from './action.js'
import { CallLogMismatchError, type EvaluationError } from './errors.js'
import { execute } from './execute.js'
import { ActionInterrupt, SandboxInterrupt } from './interrupt.js'
import type { Job } from './job.js'
import { type Called, Log } from './log.js'
import type { AbandonedQuestion, SandboxResult } from './sandbox.js'
import type { CallLogEntry, SandboxConsoleEntry } from './types.js'

/** A call that has no outcome yet. */
interface Call {
  readonly id: number
  readonly position: number
  readonly action: Action
  readonly input: Uint8Array
}

/** One pass over a script: guest, log, actions, guest. */
export class Evaluation extends Pass<SandboxResult> {
  readonly #job: Job
  readonly #log: Log
  readonly #console: SandboxConsoleEntry[] = []
  /** By their slots. */
  readonly #calls = new Calls<Call, Outcome | ActionInterrupt>()
  /** By the slots of the calls that ask. */
  readonly #interrupts = new Map<number, ActionInterrupt>()
  readonly #abandoned: AbandonedQuestion[] = []
  /** Whether everything that is recorded was done again. */
  #isLive = false
  /** Whether the script was asked for its `data`, to be put away. */
  #isPutAway = false
  /** What the script has returned, if it has; and whether what the log that was given leaves open is the script's to do without. */
  #end: (Pick<SandboxResult, 'data' | 'value'> & { readonly leavesOpen: boolean }) | undefined

  constructor(job: Job) {
    super('intermission/sandbox')
    this.#job = job
    this.#log = new Log(job.recorded)
  }

  run(): Promise<SandboxResult> {
    const { deadlineMs, signal } = this.#job
    const started = Date.now()
    return this.start(() => this.#beginning(), {
      deadlineMs: started + deadlineMs,
      overdue: () => exhausted('deadline', deadlineMs, Date.now() - started, 'ms'),
      abortSignal: signal,
      aborted: () => new RunError('ABORTED', 'the run was aborted'),
    })
  }

  #beginning(): Begin {
    const { actions, data, limits, script } = this.#job
    return {
      source: script,
      module: false,
      name: 'script.js',
      functions: actions.map(({ id }) => id),
      blocking: [],
      realm: { kind: 'bare', data, clock: this.#log.times, limits: limitsMessage(limits) ?? {} },
    }
  }

  protected step(slice: Slice): Slice | undefined {
    for (const [method, text] of slice.console ?? []) this.#console.push({ method, text })
    // What a slice has asked for that did not end was not begun: it is not in the log.
    if (slice.state === 'failed') throw runError(slice.error)
    if (this.#isPutAway) return this.#putAway(slice)
    this.#note(slice)
    this.#checkLedger()
    switch (slice.state) {
      case 'idle':
        return this.#idle()
      case 'draws':
        return this.script.answer(3, true, encode(this.#log.random(Math.random)))
      case 'names':
        return this.script.answer(1, false, bytesOfTold({ name: 'Error', message: `there are no modules here: \`${slice.specifier}\` cannot be imported` }))
      case 'ended':
        return this.#ended(slice)
      case 'threw':
        return this.#threw(slice)
      case 'blocked':
      case 'loads':
        throw new RunError('SANDBOX_TRAPPED', 'the script asks for something that it was not lent')
    }
  }

  /** Calls and reads, in the order in which they were made. */
  #note({ calls = [], reads = [] }: Slice): void {
    let read = 0
    const noteReads = (before: number): void => {
      for (let next = reads[read]; next !== undefined && next[0] < before; next = reads[(read += 1)]) this.#log.clock(next[1])
    }
    for (const call of calls) {
      noteReads(call[0])
      this.#admit(call)
    }
    noteReads(Infinity)
  }

  #admit([id, target, args]: CallMessage): void {
    const action = this.#job.actions[target] as Action
    const input = encode((decode(args) as unknown[])[0])
    const { isFinished, position } = this.#log.call(action.id, input)
    const call = { id, position, action, input }
    this.#calls.admit(position, call, isFinished)
  }

  #idle(): Slice | undefined {
    if (!this.#isLive) {
      const recorded = this.#log.next()
      if (recorded !== undefined) return this.#tell(this.#calls.at(recorded.position) as Call, recorded.body)
      this.#goLive('it waits')
    }
    this.#beginFresh()
    this.rests = true
    return this.#next()
  }

  /** From here on nothing is recorded. */
  #goLive(what: string, options?: ErrorOptions): void {
    if (!this.#log.isConsumed) this.#log.endsEarly(what, options)
    const { resumption } = this.#job
    if (resumption !== undefined) this.#checkAnswered(resumption, what, options)
    this.#isLive = true
  }

  /** Whether what is answered is what was asked. */
  #checkAnswered({ call, position }: NonNullable<Job['resumption']>, what: string, options?: ErrorOptions): void {
    const open = this.#log.openAt(position)
    if (open === undefined) throw new CallLogMismatchError(position, `an answer is given to the call there, and ${what}`, options)
    if (call === undefined) return
    if (open.id !== call.id) throw new CallLogMismatchError(position, `an answer is given to a call of ${call.id}, and it calls ${open.id}`, options)
    if (!isDeepStrictEqual(open.input, call.input)) throw new CallLogMismatchError(position, `an answer is given to a call of ${call.id}, and it gives it another input`, options)
  }

  #beginFresh(): void {
    for (const call of this.#calls.takeFresh()) if (!this.#isLeftOpen(call)) this.#execute(call)
  }

  /** Whether the script, which has ended, did without a call when the log was made that was given. */
  #isLeftOpen({ position }: Call): boolean {
    const { recorded, resumption } = this.#job
    return this.#end?.leavesOpen === true && position < recorded.length && position !== resumption?.position
  }

  #execute(call: Call): void {
    const { resumption: given } = this.#job
    const resumption = given?.position === call.position ? { data: given.data, state: given.state } : undefined
    const signal = (): AbortSignal => this.signal
    this.#calls.began()
    const executed = execute(call.action, call.input, (input) => ({
      input,
      resumption,
      get signal() {
        return signal()
      },
    }))
    void executed.then((answer) => {
      this.goOn(() => {
        if (!(answer instanceof ActionInterrupt)) this.#weigh(answer)
        this.#calls.came(call, answer)
        this.#checkLedger()
        if (this.#end !== undefined) return this.#calls.running > 0 ? undefined : this.#over()
        return this.rests ? this.#next() : undefined
      })
    })
  }

  #weigh(outcome: Outcome): void {
    const [, { length }] = bodyOf(outcome)
    const { outputBytes } = this.#job
    if (length > outputBytes) throw exhausted('output', outputBytes, length, 'bytes')
    this.#log.weigh(outcome)
  }

  #checkLedger(): void {
    const { ledgerBytes } = this.#job
    if (this.#log.bytes > ledgerBytes) throw exhausted('ledger', ledgerBytes, this.#log.bytes, 'bytes')
  }

  /** The first thing that came. If there is nothing and nothing will come, the run is put away. */
  #next(): Slice | undefined {
    for (let next = this.#calls.next(); next !== undefined; next = this.#calls.next()) {
      const { answer, call } = next
      if (answer instanceof ActionInterrupt) this.#interrupts.set(call.position, answer)
      else {
        this.rests = false
        this.#log.settle(call.position, answer)
        return this.#tell(call, bodyOf(answer))
      }
    }
    if (this.#calls.running > 0) return undefined
    if (this.#interrupts.size === 0) throw new RunError('DEADLOCK', 'the script waits for something that can never happen: no action is under way')
    this.rests = false
    this.#isPutAway = true
    return this.script.report()
  }

  #tell({ id, position }: Call, [ok, body]: Body): Slice | undefined {
    this.#calls.told(position)
    return this.script.settle(id, ok, body, 0)
  }

  /** The script has said what its `data` is. */
  #putAway(slice: Slice): undefined {
    try {
      this.#ask(dataOf(slice))
    } catch (error) {
      if (!(error instanceof RunError)) throw error
      // What is asked can be answered all the same.
      const { call, interrupt, position } = this.#first()
      throw Object.assign(error, { call, position, interrupt: { data: interrupt.data, state: interrupt.state } })
    }
  }

  /** The call that asks first. */
  #first(): { readonly position: number; readonly interrupt: ActionInterrupt; readonly call: Called } {
    const [[position, interrupt]] = [...this.#interrupts].sort(([one], [other]) => one - other) as [[number, ActionInterrupt]]
    return { position, interrupt, call: this.#log.openAt(position) as Called }
  }

  #ask(data: Record<string, unknown>): never {
    const { call, interrupt, position } = this.#first()
    throw new SandboxInterrupt(interrupt, { call, callLog: this.#log.toJson(), data, console: this.#console, position })
  }

  #threw({ thrown }: Extract<Slice, { state: 'threw' }>): never {
    const error = new ScriptError('SCRIPT_ERROR', thrown.text, thrown)
    if (!this.#isLive) this.#goLive('the script throws', { cause: error })
    throw error
  }

  #ended(slice: Extract<Slice, { state: 'ended' }>): undefined {
    const { drainMs, resumption } = this.#job
    const wasLive = this.#isLive
    if (!wasLive) this.#goLive('the script ends')
    const end = { data: dataOf(slice), value: decode(slice.value) }
    // A log that leads to the end of its script may be one of a script that had ended: only with an answer there is more to do.
    this.#end = { ...end, leavesOpen: wasLive || resumption === undefined }
    for (const [position, interrupt] of this.#interrupts) this.#abandon(position, interrupt)
    this.#interrupts.clear()
    this.#beginFresh()
    // What the script did not wait for is waited for here.
    if (this.#calls.running > 0) return this.atLatest(drainMs, () => this.#over())
    return this.#over()
  }

  /** Nothing is waited for any longer. What has asked since the script ended is asked. */
  #over(): undefined {
    for (let next = this.#calls.next(); next !== undefined; next = this.#calls.next()) {
      const { answer, call } = next
      if (!(answer instanceof ActionInterrupt)) this.#log.settle(call.position, answer)
      else if (this.#isLeftOpen(call)) this.#abandon(call.position, answer)
      else this.#interrupts.set(call.position, answer)
    }
    const { data, value } = this.#end as Pick<SandboxResult, 'data' | 'value'>
    if (this.#interrupts.size > 0) this.#ask(data)
    const result = { data, value, console: this.#console, callLog: this.#log.toJson() }
    this.finish(this.#abandoned.length === 0 ? result : { ...result, abandoned: this.#abandoned })
  }

  #abandon(position: number, { data, message }: ActionInterrupt): void {
    this.#abandoned.push({ position, message, data })
  }

  /** What ends the evaluation says what was done. */
  protected override fail(error: unknown): undefined {
    if (!this.isOver && error instanceof RunError) {
      const done: Pick<EvaluationError, 'callLog' | 'console'> = { callLog: this.#logSoFar(), console: this.#console }
      Object.assign(error, done)
    }
    super.fail(error)
  }

  /** The log without what was not begun. */
  #logSoFar(): (CallLogEntry | null)[] {
    if (!this.#isLive) return this.#log.given
    for (let next = this.#calls.next(); next !== undefined; next = this.#calls.next()) {
      const { answer, call } = next
      if (!(answer instanceof ActionInterrupt)) this.#log.settle(call.position, answer)
    }
    return this.#log.toJson(this.#calls.fresh[0]?.position)
  }
}

function dataOf({ data, dataError }: Slice): Record<string, unknown> {
  if (data === undefined) {
    const cause = dataError === undefined ? undefined : thrownValue(dataError)
    throw new RunError('DATA_REFUSED', `the script's \`data\` cannot be sent: ${dataError?.text ?? 'a getter in it asks for something'}`, { cause })
  }
  const value = decode(data)
  if (!isPlain(value)) throw new RunError('DATA_REFUSED', `the script's \`data\` has to be an object, and is ${value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value}`)
  return value
}

function exhausted(limit: 'deadline' | 'ledger' | 'output', allowed: number, used: number, unit: string): LimitError {
  const message = `the limit \`${limit}\` is exhausted: ${used} of ${allowed} ${unit}`
  return new LimitError({ code: `LIMIT_${limit.toUpperCase()}`, message, limit, allowed, used, unit })
}
