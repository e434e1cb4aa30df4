import { AsyncResource } from 'node:async_hooks'

import { refuseWhileDeciding } from '../drive/deciding.js'
import { LateSignal } from '../drive/late-signal.js'
import { callAt } from './alarm.js'
import { type Begin, Script, type Slice } from './script.js'

/** What ends a pass from outside, and what its caller is told then. */
export interface Bounds {
  /** In milliseconds since 1970. */
  readonly deadlineMs: number
  readonly overdue: () => unknown
  readonly abortSignal?: AbortSignal | undefined
  readonly aborted: () => unknown
}

/**
 * One pass over a source, from its top to its end or to where it is put away: the script is entered as long as there is something to enter it with. What is recorded of it, and what a slice leads
 * to, is its subclass's affair.
 */
export abstract class Pass<R> {
  protected readonly script: Script
  /** Whether the script stands between two slices, and an outcome can be told. */
  protected rests = false
  readonly #name: string
  #isOver = false
  readonly #outcomes = new LateSignal()
  /** Where the pass was begun: host functions that are called when a worker is done are called there. */
  #scope: AsyncResource | undefined
  #overdue: (() => unknown) | undefined
  #deadlineMs = Infinity
  #disarm: (() => void) | undefined
  #unsubscribe: (() => void) | undefined
  #resolve!: (result: R) => void
  #reject!: (error: unknown) => void

  /** @param name What async hooks see. */
  protected constructor(name: string) {
    refuseWhileDeciding()
    this.#name = name
    this.script = new Script((slice) => {
      this.#scope?.runInAsyncScope(() => this.#go(slice))
    })
  }

  /** What a slice leads to: the next one, or nothing for now. What it throws ends the pass. */
  protected abstract step(slice: Slice): Slice | undefined

  protected get isOver(): boolean {
    return this.#isOver
  }

  /** Aborted when nobody waits for outcomes any more. */
  protected get signal(): AbortSignal {
    return this.#outcomes.signal
  }

  protected start(begin: () => Begin, { abortSignal, aborted, deadlineMs, overdue }: Bounds): Promise<R> {
    this.#deadlineMs = deadlineMs
    this.#overdue = overdue
    const result = new Promise<R>((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    const abort = (): void => {
      this.fail(aborted())
    }
    abortSignal?.addEventListener('abort', abort)
    this.#unsubscribe = () => abortSignal?.removeEventListener('abort', abort)
    this.goOn(() => this.script.begin(begin()))
    if (!this.#isOver && this.#disarm === undefined) this.#disarm = callAt(deadlineMs, () => this.fail(overdue()))
    return result
  }

  /** Has something else happen at the deadline, or after a while if that is sooner. */
  protected atLatest(afterMs: number, then: () => undefined): undefined {
    this.#disarm?.()
    this.#disarm = callAt(Math.min(this.#deadlineMs, Date.now() + afterMs), () => this.goOn(then))
  }

  /** Goes on, from outside of the loop. */
  protected goOn(next: () => Slice | undefined): void {
    if (this.#isOver) return
    let slice
    try {
      slice = next()
    } catch (error) {
      this.fail(error)
      return
    }
    this.#go(slice)
  }

  /** Goes on as far as it can without waiting. */
  #go(slice: Slice | undefined): void {
    try {
      for (let next = slice; next !== undefined && !this.#isOver;) {
        this.rests = false
        // Slices that follow each other without waiting leave no room for a timer.
        if (Date.now() >= this.#deadlineMs) throw this.#overdue?.()
        next = this.step(next)
      }
      if (this.script.computes) this.#scope ??= new AsyncResource(this.#name)
    } catch (error) {
      this.fail(error)
    }
  }

  protected finish(result: R): undefined {
    if (this.#end()) this.#resolve(result)
  }

  protected fail(error: unknown): undefined {
    if (this.#end(error)) this.#reject(error)
  }

  /** Nothing comes any more; whoever still works for it is told so. */
  #end(reason?: unknown): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    this.script.discard()
    this.#disarm?.()
    this.#unsubscribe?.()
    this.#outcomes.abort(reason)
    return true
  }
}
