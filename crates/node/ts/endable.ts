/**
 * A generator whose `return()` ends it even while its next is awaited: `begin` is given a signal that is aborted then, or when `signal` is. An async generator by itself would wait.
 *
 * @internal
 */
export function endable<T>(begin: (signal: AbortSignal) => AsyncGenerator<T, void, undefined>, signal?: AbortSignal): AsyncGenerator<T, void, undefined> {
  const controller = new AbortController()
  const returned = new Error('nobody listens any more')
  const abort = (): void => controller.abort(signal?.reason)
  async function* told(): AsyncGenerator<T, void, undefined> {
    if (signal?.aborted === true) abort()
    signal?.addEventListener('abort', abort)
    try {
      yield* begin(controller.signal)
    } catch (error) {
      if (error !== returned) throw error
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }
  const generator = told()
  const end = generator.return.bind(generator)
  generator.return = (value) => {
    controller.abort(returned)
    return end(value)
  }
  return generator
}
