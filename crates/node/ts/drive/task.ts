import { AsyncLocalStorage } from 'node:async_hooks'

import { encode } from '../value/index.js'
import { holdProcess, releaseProcess } from './alive.js'
import { isDeciding, refuseWhileDeciding } from './deciding.js'
import { type Message, type NativeRunner, forget, register } from './engine.js'
import { LateSignal } from './late-signal.js'
import { type AskMessage, type CallMessage, type ProgressMessage, type TaskEnd, read } from './message.js'
import { thrown } from './thrown.js'

/** What a call came to: 0 a value, 1 an error, 2 a question; and its bytes. */
export interface Settlement {
  readonly kind: 0 | 1 | 2
  readonly body: Uint8Array
}

/** The run and the pass over its source that make a call. */
export interface InvocationIds {
  readonly runId: string
  readonly invocationId: string
}

/** Whether somebody still waits for a call's outcome. */
export interface Wanted {
  readonly signal: AbortSignal
}

/** Whoever has a task driven: calls the host functions, answers what is asked, hears what happens. */
export interface Driver {
  /** Calls a host function. What it gives never rejects. */
  call(call: CallMessage, wanted: Wanted, ids: InvocationIds): Settlement | Promise<Settlement>
  /** Answers what the library asks. May reject. */
  ask(ask: AskMessage): Promise<unknown>
  /** Hears of events and answers. */
  hear?(progress: ProgressMessage): void
}

/** How a task begins: with the message that its first call into the native layer gives. */
export type Begin = (native: NativeRunner, task: number) => Message

/**
 * The loop, in JavaScript: what comes out of a run is called, and what comes of that goes in again, as long as there is anything. Nothing here waits; what does is a host function, or the
 * run itself, which is woken.
 */
export class Task {
  readonly #native: NativeRunner
  readonly #driver: Driver
  readonly #number: number
  /** What came and was not looked at yet. */
  readonly #came: Uint8Array[] = []
  #busy = false
  #ended = false
  #held = false
  readonly #outcomes = new LateSignal()
  /** Runs what wakes from elsewhere where the task was begun. */
  #scope: (<R>(fn: () => R) => R) | undefined
  #resolve!: (end: TaskEnd) => void
  readonly #unsubscribe: (() => void) | undefined
  /** How it ended. Never rejects. */
  readonly end: Promise<TaskEnd>

  constructor(native: NativeRunner, driver: Driver, begin: Begin, signal?: AbortSignal) {
    refuseWhileDeciding()
    this.#native = native
    this.#driver = driver
    this.#number = register(this)
    this.end = new Promise((resolve) => {
      this.#resolve = resolve
    })
    try {
      this.#take(begin(native, this.#number))
    } catch (error) {
      forget(this.#number)
      throw error
    }
    this.#work()
    if (this.#ended) return
    this.#held = true
    holdProcess()
    this.#scope = AsyncLocalStorage.snapshot()
    if (signal?.aborted === true) this.abort()
    else if (signal !== undefined) {
      const abort = (): void => this.abort()
      signal.addEventListener('abort', abort)
      this.#unsubscribe = () => signal.removeEventListener('abort', abort)
    }
  }

  /** Aborted when nobody waits for outcomes any more. */
  get signal(): AbortSignal {
    return this.#outcomes.signal
  }

  /** Called on the event loop when the native layer has something to go on with. */
  wake(): void {
    this.#enter(() => this.#native.advance(this.#number))
  }

  abort(): void {
    this.#enter(() => this.#native.abort(this.#number))
  }

  /** Cancels a run under way, for good. */
  cancel(): void {
    this.#enter(() => this.#native.cancel(this.#number))
  }

  /** Answers a question of a run under way; what comes of it is heard under `number`. */
  resolve(number: number, given: Uint8Array): void {
    this.#enter(() => this.#native.resolve(this.#number, number, given))
  }

  #enter(step: () => Message): void {
    if (this.#ended) return
    if (isDeciding()) return queueMicrotask(() => this.#enter(step))
    const go = (): void => {
      this.#take(step())
      this.#work()
    }
    if (this.#scope === undefined) go()
    else this.#scope(go)
  }

  #take(message: Message): void {
    if (message !== null) this.#came.push(message)
  }

  /** Looks at what came until nothing comes any more. Host functions that this calls may end up here again. */
  #work(): void {
    if (this.#busy) return
    this.#busy = true
    try {
      for (let message = this.#came.shift(); message !== undefined; message = this.#came.shift()) this.#act(read(message))
    } finally {
      this.#busy = false
    }
  }

  #act(progress: ProgressMessage): void {
    if (progress.events !== undefined || progress.answers !== undefined) this.#driver.hear?.(progress)
    for (const ask of progress.asks ?? []) this.#ask(ask)
    if (progress.calls !== undefined) this.#call(progress, progress.calls)
    if (progress.aborted === true) this.#outcomes.abort()
    if (progress.end !== undefined) this.#finish(progress.end)
  }

  #call({ runId = '', invocationId = '' }: ProgressMessage, calls: readonly CallMessage[]): void {
    const ids = { runId, invocationId }
    const begun = calls.map((call) => this.#driver.call(call, this, ids))
    begun.forEach((settlement, at) => {
      const index = (calls[at] as CallMessage).index
      if (settlement instanceof Promise) {
        void settlement.then((settled) => {
          this.#settle(index, settled)
          this.#work()
        })
      } else this.#settle(index, settlement)
    })
  }

  #settle(index: number, { kind, body }: Settlement): void {
    if (!this.#ended) this.#take(this.#native.settle(this.#number, index, kind, body))
  }

  #ask(ask: AskMessage): void {
    const answer = this.#driver.ask(ask)
    const tell = (ok: boolean, body: Uint8Array): void => {
      if (this.#ended) return
      this.#take(this.#native.answer(this.#number, ask.id, ok, body))
      this.#work()
    }
    answer.then((value) => encode(value)).then(
      (body) => tell(true, body),
      (error: unknown) => tell(false, encode(thrown(error))),
    )
  }

  #finish(end: TaskEnd): void {
    this.#ended = true
    forget(this.#number)
    this.#unsubscribe?.()
    if (this.#held) releaseProcess()
    this.#outcomes.abort()
    this.#resolve(end)
  }
}
