import { RunAbortedError, RunTimeoutError } from './errors.js'
import type { ContinuationOperationContext } from './types.js'

/** How long the work of a codec may take, and who ends it before. */
export interface Bounds {
  readonly abortSignal: AbortSignal | undefined
  readonly deadlineMs: number
  readonly timeoutMs: number
}

/** Does what a codec does, within the run's time. What it gives later than that goes to `late`. */
export async function operate<T>(
  { abortSignal, deadlineMs, timeoutMs }: Bounds,
  operation: (context: ContinuationOperationContext) => T | Promise<T>,
  late?: (given: T) => unknown,
): Promise<T> {
  if (abortSignal?.aborted === true) throw new RunAbortedError()
  const controller = new AbortController()
  const work = (async () => await operation({ abortSignal: controller.signal, deadlineMs }))()
  return await new Promise<T>((resolve, reject) => {
    const end = (error: Error, reason: unknown): void => {
      stop()
      controller.abort(reason)
      reject(error)
      // Nobody waits for it any more, and nobody could be told that it failed.
      if (late !== undefined) work.then(late).catch(() => {})
    }
    const aborted = (): void => end(new RunAbortedError(), abortSignal?.reason)
    const timer = setTimeout(() => {
      const error = new RunTimeoutError(timeoutMs)
      end(error, error)
    }, Math.max(0, deadlineMs - Date.now()))
    abortSignal?.addEventListener('abort', aborted)
    const stop = (): void => {
      clearTimeout(timer)
      abortSignal?.removeEventListener('abort', aborted)
    }
    work.then((given) => { stop(); resolve(given) }, (error: unknown) => { stop(); reject(error as Error) })
  })
}
