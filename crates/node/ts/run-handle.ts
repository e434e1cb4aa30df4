import type { ErrorMessage, ProgressMessage } from './drive/message.js'
import type { Task } from './drive/task.js'
import { ResumeError } from './errors.js'
import { type Interruption, type Resolution, given, interruption } from './interruption.js'
import type { RunResult } from './result.js'
import { encode } from './value/index.js'

/** What a run under way says of itself. */
export interface RunEvent {
  /** It asks, perhaps while other calls are still under way. The answer may be given at once. */
  readonly type: 'interrupted'
  readonly interruption: Interruption
}

/** A run under way: says what it asks (it can be iterated over), takes answers, and has a result. */
export interface RunHandle<T = unknown> extends AsyncIterable<RunEvent> {
  /** What comes of it. Rejects as `resume` does. */
  readonly result: Promise<RunResult<T>>
  /**
   * Answers one of its questions while it is under way.
   *
   * @throws {ResumeError} where the answer is refused; nothing has changed then. `RUN_NOT_UNDER_WAY` when it is over or was put away: then resume its continuation instead.
   */
  resolve(resolution: Resolution): Promise<void>
  /** Cancels the run, for good: what is under way is told to abort, what it asks can no longer be answered. Again is the same as once. */
  cancel(): void
}

interface Waiting {
  resolve(): void
  reject(error: ResumeError): void
}

/** @internal */
export class LiveRun<T> implements RunHandle<T> {
  result!: Promise<RunResult<T>>
  #task: Task | undefined
  readonly #events: RunEvent[] = []
  #over = false
  #news: (() => void) | undefined
  readonly #answers = new Map<number, Waiting>()
  #last = 0

  is(task: Task, result: Promise<RunResult<T>>): void {
    this.#task = task
    this.result = result
    // Whoever only listens to events hears of a rejection by their end.
    result.catch(() => {})
    void task.end.then(() => {
      this.#over = true
      for (const waiting of this.#answers.values()) waiting.reject(notUnderWay())
      this.#news?.()
    })
  }

  hear({ events, answers }: ProgressMessage): void {
    for (const event of events ?? []) this.#events.push({ type: 'interrupted', interruption: interruption(event.interruption) })
    for (const { number, error } of answers ?? []) {
      const waiting = this.#answers.get(number)
      this.#answers.delete(number)
      if (error === undefined) waiting?.resolve()
      else waiting?.reject(new ResumeError(error))
    }
    this.#news?.()
  }

  async resolve(resolution: Resolution): Promise<void> {
    const task = this.#task
    if (task === undefined || this.#over) throw notUnderWay()
    const number = ++this.#last
    const bytes = encode(given(resolution))
    await new Promise<void>((resolve, reject) => {
      this.#answers.set(number, { resolve, reject })
      task.resolve(number, bytes)
    })
  }

  cancel(): void {
    this.#task?.cancel()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RunEvent, void, undefined> {
    for (;;) {
      for (let event = this.#events.shift(); event !== undefined; event = this.#events.shift()) yield event
      if (this.#over) return
      await new Promise<void>((resolve) => {
        this.#news = resolve
      })
    }
  }
}

function notUnderWay(): ResumeError {
  const said: ErrorMessage = { code: 'RUN_NOT_UNDER_WAY', message: 'the run is not under way any more: if it was put away, resume its continuation with the answer' }
  return new ResumeError(said)
}
