import { LimitError, RunError, ScriptError, runError, thrownValue } from '../errors.js'
import { limitsMessage } from '../limits.js'
import { Pass } from '../slices/pass.js'
import type { Begin, CallMessage, Slice } from '../slices/script.js'
import { bytesOfTold } from '../slices/told.js'
import { decode, encode } from '../value/index.js'
import type { Action } from './action.js'
import { CallLogMismatchError } from './errors.js'
import { execute } from './execute.js'
import { ActionInterrupt, SandboxInterrupt } from './interrupt.js'
import type { Job } from './job.js'
import { type Body, Log, type Outcome, bodyOf } from './log.js'
import type { SandboxResult } from './sandbox.js'
import type { SandboxConsoleEntry } from './types.js'

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
  readonly #open = new Map<number, Call>()
  /** Those that have not been begun. */
  #fresh: Call[] = []
  #running = 0
  /** What came of calls and is still to be told, in the order in which it came. */
  readonly #answers: { readonly call: Call; readonly outcome: Outcome }[] = []
  /** By the slots of the calls that ask. */
  readonly #interrupts = new Map<number, ActionInterrupt>()
  /** Whether everything that is recorded was done again. */
  #isLive = false
  /** Whether the script was asked for its `data`, to be put away. */
  #isPutAway = false
  /** What the script has returned, if it has. */
  #end: Pick<SandboxResult, 'data' | 'value'> | undefined

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
    if (this.#isPutAway) return this.#putAway(slice)
    this.#note(slice)
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
      case 'failed':
        throw runError(slice.error)
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
    this.#open.set(position, call)
    if (!isFinished) this.#fresh.push(call)
  }

  #idle(): Slice | undefined {
    if (!this.#isLive) {
      const recorded = this.#log.next()
      if (recorded !== undefined) return this.#tell(this.#open.get(recorded.position) as Call, recorded.body)
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
    if (resumption !== undefined && this.#open.get(resumption.position) === undefined) {
      throw new CallLogMismatchError(resumption.position, `an answer is given to the call there, and ${what}`, options)
    }
    this.#isLive = true
  }

  #beginFresh(): void {
    const fresh = this.#fresh
    this.#fresh = []
    for (const call of fresh) this.#execute(call)
  }

  #execute(call: Call): void {
    const { resumption: given } = this.#job
    const resumption = given?.position === call.position ? { data: given.data, state: given.state } : undefined
    const signal = (): AbortSignal => this.signal
    this.#running += 1
    const executed = execute(call.action, call.input, (input) => ({
      input,
      resumption,
      get signal() {
        return signal()
      },
    }))
    void executed.then((outcome) => {
      this.goOn(() => {
        this.#running -= 1
        if (outcome instanceof ActionInterrupt) this.#interrupts.set(call.position, outcome)
        else {
          this.#checkSize(outcome)
          this.#answers.push({ call, outcome })
        }
        if (this.#end !== undefined) return this.#drain()
        return this.rests ? this.#next() : undefined
      })
    })
  }

  #checkSize(outcome: Outcome): void {
    const [, { length }] = bodyOf(outcome)
    const { outputBytes } = this.#job
    if (length > outputBytes) throw exhausted('output', outputBytes, length, 'bytes')
  }

  /** The first thing that came. If there is nothing and nothing will come, the run is put away. */
  #next(): Slice | undefined {
    const answer = this.#answers.shift()
    if (answer !== undefined) {
      this.rests = false
      this.#log.settle(answer.call.position, answer.outcome)
      return this.#tell(answer.call, bodyOf(answer.outcome))
    }
    if (this.#running > 0) return undefined
    if (this.#interrupts.size === 0) throw new RunError('DEADLOCK', 'the script waits for something that can never happen: no action is under way')
    this.rests = false
    this.#isPutAway = true
    return this.script.report()
  }

  #tell({ id, position }: Call, [ok, body]: Body): Slice | undefined {
    this.#open.delete(position)
    return this.script.settle(id, ok, body, 0)
  }

  /** The script has said what its `data` is. */
  #putAway(slice: Slice): undefined {
    if (slice.state === 'failed') throw runError(slice.error)
    const [[position, interrupt]] = [...this.#interrupts].sort(([one], [other]) => one - other) as [[number, ActionInterrupt]]
    throw new SandboxInterrupt(interrupt, { callLog: this.#log.toJson(), data: dataOf(slice), console: this.#console, position })
  }

  #threw({ thrown }: Extract<Slice, { state: 'threw' }>): never {
    const error = new ScriptError('SCRIPT_ERROR', thrown.text, thrown)
    if (!this.#isLive) this.#goLive('the script throws', { cause: error })
    throw error
  }

  #ended(slice: Extract<Slice, { state: 'ended' }>): undefined {
    if (!this.#isLive) this.#goLive('the script ends')
    this.#end = { data: dataOf(slice), value: decode(slice.value) }
    this.#beginFresh()
    return this.#drain()
  }

  /** What the script did not wait for is waited for here. What asks then is asked of nobody: the script does without. */
  #drain(): undefined {
    for (const { call, outcome } of this.#answers.splice(0)) this.#log.settle(call.position, outcome)
    if (this.#running > 0) return
    const { data, value } = this.#end as Pick<SandboxResult, 'data' | 'value'>
    this.finish({ data, value, console: this.#console, callLog: this.#log.toJson() })
  }
}

function dataOf({ data, dataError }: Slice): Record<string, unknown> {
  if (data !== undefined) return decode(data) as Record<string, unknown>
  const cause = dataError === undefined ? undefined : thrownValue(dataError)
  throw new RunError('DATA_REFUSED', `the script's \`data\` cannot be sent: ${dataError?.text ?? 'a getter in it asks for something'}`, { cause })
}

function exhausted(limit: 'deadline' | 'output', allowed: number, used: number, unit: string): LimitError {
  const message = `the limit \`${limit}\` is exhausted: ${used} of ${allowed} ${unit}`
  return new LimitError({ code: `LIMIT_${limit.toUpperCase()}`, message, limit, allowed, used, unit })
}
