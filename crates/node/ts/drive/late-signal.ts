/** An abort signal that is made when somebody looks at it: few do, and one costs as much as a small run. */
export class LateSignal {
  #controller: AbortController | undefined
  #aborted: { readonly reason: unknown } | undefined

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted.reason)
    }
    return this.#controller.signal
  }

  /** Once is for ever. */
  abort(reason?: unknown): void {
    this.#aborted ??= { reason }
    this.#controller?.abort(reason)
  }
}
