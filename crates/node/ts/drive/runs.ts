import { AsyncLocalStorage } from 'node:async_hooks'

import { type NativeEngine, type NativeRuns, addon } from '../native.js'
import { decode, encode } from '../value/index.js'
import { holdProcess, releaseProcess } from './alive.js'
import { type NativeOptions, type Woken, forget, register, withoutAbsent } from './engine.js'
import { LateSignal } from './late-signal.js'
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

/** What comes of a call that nobody wanted any more when it was heard of. */
const NOT_MADE: Settlement = { kind: 1, body: encode({ name: 'AbortError', message: 'nobody waited for the call any more: it was not made', code: 'ABORTED' }) }

/** What comes of whatever fails so that it cannot be told how. */
const UNTELLABLE: Settlement = { kind: 1, body: encode({ name: 'Error', message: 'it failed, and what it threw cannot be read' }) }

/**
 * Durable runs. They are gone on with on threads of their own, whatever the event loop does; here their host functions are called, and what is done with them is begun and waited for. The process
 * is kept alive by what is waited for, and while a run is gone on with here.
 */
export class RunsLoop implements Woken {
  readonly #native: NativeRuns
  readonly #driver: Driver
  readonly #number: number
  readonly #waiting = new Map<number, (came: Came) => void>()
  readonly #calls = new Map<number, LateSignal>()
  /** Host functions see what whoever opened the runs saw: a run may have been begun by somebody else, in another process. */
  readonly #scope = AsyncLocalStorage.snapshot()
  #last = 0
  #isLive = false
  #isClosed = false
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

  /** Does something; what is of no use throws at once. What comes of it is waited for until `signal` is aborted: then it rejects with the signal's reason. */
  do(message: NativeOptions, signal?: AbortSignal): Promise<Came> {
    if (this.#isClosed) return Promise.resolve(CLOSED)
    const bytes = encode(withoutAbsent(message))
    return this.#operation((operation) => this.#native.begin(operation, bytes), signal)
  }

  /** See `NativeRuns.close`. Again is the same as once; with less patience it comes to its end earlier. */
  async close(patienceMs: number): Promise<void> {
    if (this.#closing !== undefined) this.#native.hasten(patienceMs)
    this.#closing ??= this.#close(patienceMs)
    try {
      await this.#closing
    } catch (error) {
      this.#closing = undefined
      throw error
    }
  }

  types(): string {
    return this.#native.types()
  }

  /** Called on the event loop when something was said. */
  wake(): void {
    this.#scope(() => {
      const message = this.#native.take()
      if (message === null) return
      const all = decode(message, 'parts') as (Said | AskMessage)[]
      const unwanted = new Set(all.filter(({ kind }) => kind === 'unwanted').map((said) => (said as { ask: number }).ask))
      for (const said of all) {
        try {
          this.#hear(said, unwanted)
        } catch (error) {
          // The others are heard nevertheless.
          queueMicrotask(() => {
            throw error
          })
        }
      }
    })
  }

  #operation(begin: (operation: number) => boolean, signal?: AbortSignal): Promise<Came> {
    const operation = ++this.#last
    return begin(operation) ? this.#cameOf(operation, signal) : Promise.resolve(CLOSED)
  }

  async #cameOf(operation: number, signal?: AbortSignal): Promise<Came> {
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
    await this.#operation((operation) => {
      this.#native.close(operation, patienceMs)
      return true
    })
    this.#isClosed = true
    forget(this.#number)
    for (const resolve of this.#waiting.values()) resolve(CLOSED)
    for (const id of this.#calls.keys()) this.#unwanted(id)
    this.#live(false)
  }

  #hear(said: Said | AskMessage, unwanted: ReadonlySet<number>): void {
    switch (said.kind) {
      case 'done':
        return this.#waiting.get((said as { operation: number }).operation)?.(said as unknown as Came)
      case 'live':
        return this.#live((said as { live: boolean }).live)
      case 'call':
        return unwanted.has((said as CallSaid).id) ? this.#settle((said as CallSaid).id, NOT_MADE) : this.#call(said as CallSaid)
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
    const underWay = new LateSignal()
    this.#calls.set(id, underWay)
    const fail = (): void => this.#settle(id, UNTELLABLE)
    try {
      const settlement = this.#driver.call(call, underWay, { runId, invocationId })
      if (settlement instanceof Promise) settlement.then((settled) => this.#settle(id, settled)).catch(fail)
      else this.#settle(id, settlement)
    } catch {
      fail()
    }
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
    const answered = async (): Promise<Uint8Array> => encode(await this.#driver.ask(ask))
    const failed = (error: unknown): void => this.#native.answer(ask.id, 1, encode(thrown(error)))
    answered()
      .then((body) => this.#native.answer(ask.id, 0, body), failed)
      .catch(() => this.#native.answer(ask.id, UNTELLABLE.kind, UNTELLABLE.body))
  }
}
