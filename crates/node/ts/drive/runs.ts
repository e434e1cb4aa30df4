import { AsyncLocalStorage } from 'node:async_hooks'

import { type NativeEngine, type NativeRuns, addon } from '../native.js'
import { decode, encode } from '../value/index.js'
import { holdProcess, releaseProcess } from './alive.js'
import { type NativeOptions, type Woken, forget, register, withoutAbsent } from './engine.js'
import type { AskMessage, CallMessage, RefusedMessage } from './message.js'
import type { Driver, Settlement } from './task.js'
import { thrown } from './thrown.js'

/** What came of an operation. */
export type Came = { readonly ok: unknown } | { readonly refused: RefusedMessage }

interface CallSaid {
  readonly kind: 'call'
  readonly id: number
  readonly runId: string
  readonly invocationId: string
  readonly call: CallMessage
}

/** What opened runs say: whether any is gone on with here, what came of an operation, a call of a host function, that nobody waits for it any more; anything else is an {@link AskMessage}. */
type Said = CallSaid | { readonly kind: 'live'; readonly live: boolean } | ({ readonly kind: 'done'; readonly operation: number } & Came) | { readonly kind: 'unwanted'; readonly ask: number }

const CLOSED: Came = { refused: { of: 'runs', error: { code: 'RUNS_CLOSED', message: 'the runs were closed: open them again' } } }

/**
 * Durable runs. They are gone on with on threads of their own, whatever the event loop does; here their host functions are called, and what is done with them is begun and waited for. The process
 * is kept alive by what is waited for, and while a run is gone on with here.
 */
export class RunsLoop implements Woken {
  readonly #native: NativeRuns
  readonly #driver: Driver
  readonly #number: number
  readonly #waiting = new Map<number, (came: Came) => void>()
  readonly #calls = new Map<number, CallUnderWay>()
  /** Host functions see what whoever opened the runs saw: a run may have been begun by somebody else, in another process. */
  readonly #scope = AsyncLocalStorage.snapshot()
  #last = 0
  #isLive = false
  #closing: Promise<void> | undefined

  constructor(engine: NativeEngine, options: NativeOptions, hasPolicy: boolean, driver: Driver) {
    this.#driver = driver
    this.#number = register(this)
    try {
      this.#native = new addon.NativeRuns(engine, this.#number, encode(withoutAbsent(options)), hasPolicy)
    } catch (error) {
      forget(this.#number)
      throw error
    }
  }

  /** Opens the store. To be done first. */
  async open(options: NativeOptions): Promise<Came> {
    const message = encode(withoutAbsent(options))
    return await this.#operation((operation) => this.#native.open(operation, message))
  }

  /** Does something. What comes of it is waited for until `signal` is aborted: then it rejects with the signal's reason. */
  async do(message: NativeOptions, signal?: AbortSignal): Promise<Came> {
    if (this.#closing !== undefined) return CLOSED
    const bytes = encode(withoutAbsent(message))
    return await this.#operation((operation) => this.#native.begin(operation, bytes), signal)
  }

  /** See `NativeRuns.close`. Again is the same as once. */
  async close(patienceMs: number): Promise<void> {
    this.#closing ??= this.#close(patienceMs)
    await this.#closing
  }

  types(): string {
    return this.#native.types()
  }

  /** Called on the event loop when something was said. */
  wake(): void {
    this.#scope(() => {
      const message = this.#native.take()
      if (message === null) return
      for (const said of decode(message, 'parts') as (Said | AskMessage)[]) this.#hear(said)
    })
  }

  async #operation(begin: (operation: number) => void, signal?: AbortSignal): Promise<Came> {
    signal?.throwIfAborted()
    const operation = ++this.#last
    begin(operation)
    holdProcess()
    let abort: (() => void) | undefined
    try {
      return await new Promise<Came>((resolve, reject) => {
        this.#waiting.set(operation, resolve)
        if (signal === undefined) return
        abort = () => {
          this.#native.forget(operation)
          reject(signal.reason)
        }
        signal.addEventListener('abort', abort)
      })
    } finally {
      this.#waiting.delete(operation)
      if (abort !== undefined) signal?.removeEventListener('abort', abort)
      releaseProcess()
    }
  }

  async #close(patienceMs: number): Promise<void> {
    await this.#operation((operation) => this.#native.close(operation, patienceMs))
    forget(this.#number)
    for (const resolve of this.#waiting.values()) resolve(CLOSED)
    for (const id of this.#calls.keys()) this.#unwanted(id)
    this.#live(false)
  }

  #hear(said: Said | AskMessage): void {
    switch (said.kind) {
      case 'done':
        return this.#waiting.get((said as { operation: number }).operation)?.(said as unknown as Came)
      case 'live':
        return this.#live((said as { live: boolean }).live)
      case 'call':
        return this.#call(said as CallSaid)
      case 'unwanted':
        return this.#unwanted((said as { ask: number }).ask)
      default:
        return this.#ask(said as AskMessage)
    }
  }

  #live(isLive: boolean): void {
    if (isLive === this.#isLive) return
    this.#isLive = isLive
    if (isLive) holdProcess()
    else releaseProcess()
  }

  #call({ id, call, runId, invocationId }: CallSaid): void {
    const underWay = new CallUnderWay()
    this.#calls.set(id, underWay)
    const settlement = this.#driver.call(call, underWay, { runId, invocationId })
    if (settlement instanceof Promise) void settlement.then((settled) => this.#settle(id, settled))
    else this.#settle(id, settlement)
  }

  #settle(id: number, { kind, body }: Settlement): void {
    this.#calls.delete(id)
    this.#native.answer(id, kind, body)
  }

  #unwanted(id: number): void {
    this.#calls.get(id)?.abort()
    this.#calls.delete(id)
  }

  #ask(ask: AskMessage): void {
    const answer = this.#driver.ask(ask).then((value) => encode(value))
    void answer.then(
      (body) => this.#native.answer(ask.id, 0, body),
      (error: unknown) => this.#native.answer(ask.id, 1, encode(thrown(error))),
    )
  }
}

/** A call until it is settled. */
class CallUnderWay {
  #controller: AbortController | undefined
  #isUnwanted = false

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#isUnwanted) this.#controller.abort()
    return this.#controller.signal
  }

  abort(): void {
    this.#isUnwanted = true
    this.#controller?.abort()
  }
}
