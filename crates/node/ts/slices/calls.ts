/**
 * The calls of a pass that have no outcome yet: those that were not begun, how many are under way, and what came of calls and is still to be told. Which calls they are, and what may come of
 * them, is the pass's affair.
 */
export class Calls<CALL, ANSWER> {
  readonly #open = new Map<number, CALL>()
  #fresh: CALL[] = []
  #running = 0
  readonly #answers: { readonly call: CALL; readonly answer: ANSWER }[] = []

  /** How many are under way. */
  get running(): number {
    return this.#running
  }

  /** Those without an outcome that the script was told of, in the order in which they were made. */
  get open(): Iterable<CALL> {
    return this.#open.values()
  }

  get isEmpty(): boolean {
    return this.#open.size === 0
  }

  /** Those that were not begun. */
  get fresh(): readonly CALL[] {
    return this.#fresh
  }

  /** What came and was not taken. */
  get waiting(): readonly ANSWER[] {
    return this.#answers.map(({ answer }) => answer)
  }

  at(key: number): CALL | undefined {
    return this.#open.get(key)
  }

  /** The script makes a call. One of which it is known what came of it is not to be begun. */
  admit(key: number, call: CALL, isKnown: boolean): void {
    this.#open.set(key, call)
    if (!isKnown) this.#fresh.push(call)
  }

  /** Those that are to be begun now. */
  takeFresh(): readonly CALL[] {
    return this.#fresh.splice(0)
  }

  began(): void {
    this.#running += 1
  }

  /** Something came of a call that was under way. */
  came(call: CALL, answer: ANSWER): void {
    this.#running -= 1
    this.#answers.push({ call, answer })
  }

  /** The first thing that came, of what is left. */
  next(): { readonly call: CALL; readonly answer: ANSWER } | undefined {
    return this.#answers.shift()
  }

  /** The script is told what came of a call. */
  told(key: number): void {
    this.#open.delete(key)
  }
}
