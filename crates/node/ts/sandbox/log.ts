import { isDeepStrictEqual } from 'node:util'

import { type Body, type Outcome, bodyOf } from '../slices/told.js'
import { CallLogMismatchError } from './errors.js'
import { jsonOf } from './json.js'
import { type Recorded, type RecordedAction, isAction } from './recorded.js'
import type { CallLogEntry } from './types.js'

/** What a slot takes besides its input and its outcome, in bytes, about. */
const SLOT_BYTES = 64

/** A call, as a log says what was called. */
export interface Called {
  readonly id: string
  readonly input?: unknown
}

/**
 * What a script did. Slots that came with the call are compared with what the script does now, and say what came of it; behind them new ones are written.
 */
export class Log {
  readonly #given: readonly Recorded[]
  readonly #slots: (CallLogEntry | null)[] = []
  /** Calls without an outcome, by their slots. */
  readonly #open = new Map<number, Called>()
  /** The slots of recorded outcomes, in the order in which the script was told of them. */
  readonly #order: number[] = []
  #told = 0
  #settled: number
  #bytes = 0

  constructor(given: readonly Recorded[]) {
    this.#given = given
    given.forEach((recorded, position) => {
      if (isAction(recorded)) this.#order[recorded.entry.settled - 1] = position
    })
    this.#settled = this.#order.length
  }

  /** What it takes, in bytes, about. */
  get bytes(): number {
    return this.#bytes
  }

  /** The log that was given. */
  get given(): (CallLogEntry | null)[] {
    return this.#given.map((recorded) => recorded?.entry ?? null)
  }

  /** What the recorded reads of the clock gave. */
  get times(): number[] {
    return this.#given.flatMap((recorded) => (recorded?.entry.kind === 'clock' ? [recorded.entry.value] : []))
  }

  /** Whether everything that is recorded was begun again. Of what a script does not wait for it may not have been told. */
  get isConsumed(): boolean {
    return this.#slots.length >= this.#given.length
  }

  /** The script calls an action. Gives its slot, and whether it is known what came of it. */
  call(id: string, input: Uint8Array): { readonly position: number; readonly isFinished: boolean } {
    const position = this.#slots.length
    const recorded = this.#given[position] ?? null
    this.#bytes += SLOT_BYTES + input.length
    if (recorded === null) {
      const json = jsonOf(input)
      this.#open.set(position, json === undefined ? { id } : { id, input: json })
      this.#slots.push(null)
      return { position, isFinished: false }
    }
    if (!isAction(recorded) || recorded.entry.id !== id) return this.#differs(recorded, `calls ${id}`)
    if (!isSame(recorded, input)) return this.#differs(recorded, 'gives it another input')
    this.#slots.push(recorded.entry)
    this.#bytes += recorded.body.length
    return { position, isFinished: true }
  }

  /** The script reads the clock. */
  clock(value: number): void {
    this.#read({ kind: 'clock', value }, 'reads the clock')
  }

  /** The script reads a random number: that which is recorded, or else what `draw` gives. */
  random(draw: () => number): number {
    const recorded = this.#given[this.#slots.length]?.entry
    const value = recorded?.kind === 'random' ? recorded.value : draw()
    this.#read({ kind: 'random', value }, 'reads a random number')
    return value
  }

  #read(entry: Extract<CallLogEntry, { kind: 'clock' | 'random' }>, what: string): void {
    const recorded = this.#given[this.#slots.length]
    if (recorded !== undefined && recorded?.entry.kind !== entry.kind) this.#differs(recorded, what)
    this.#slots.push(entry)
    this.#bytes += SLOT_BYTES
  }

  /** The next recorded outcome to tell the script; `undefined` when it was told of all. */
  next(): { readonly position: number; readonly body: Body } | undefined {
    const position = this.#order[this.#told]
    if (position === undefined) return undefined
    if (position >= this.#slots.length) return this.endsEarly('it waits')
    this.#told += 1
    const { body, ok } = this.#given[position] as RecordedAction
    return { position, body: [ok, body] }
  }

  /** Something came of a call: it will be in the log. */
  weigh(outcome: Outcome): void {
    this.#bytes += bodyOf(outcome)[1].length
  }

  /** The call in a slot that is not finished. */
  openAt(position: number): Called | undefined {
    return this.#open.get(position)
  }

  /** The script is told of an outcome, or would be if it had waited. */
  settle(position: number, outcome: Outcome): void {
    const called = this.#open.get(position) as Called
    this.#open.delete(position)
    const output = outcome.ok ? jsonOf(outcome.value) : undefined
    this.#slots[position] = {
      kind: 'action',
      ...called,
      ...(output === undefined ? {} : { output }),
      ...(outcome.ok ? {} : { error: outcome.error }),
      settled: (this.#settled += 1),
    }
  }

  /** All of it, or what is before a slot. */
  toJson(before?: number): (CallLogEntry | null)[] {
    return this.#slots.slice(0, before)
  }

  /** The script does less than is recorded. */
  endsEarly(what: string, options?: ErrorOptions): never {
    const position = this.#slots.length
    const recorded = this.#given[position]
    throw new CallLogMismatchError(position, recorded === undefined ? what : `there is ${described(recorded)}, and ${what}`, options)
  }

  #differs(recorded: Recorded, what: string): never {
    throw new CallLogMismatchError(this.#slots.length, `there is ${described(recorded)}, and it ${what}`)
  }
}

function described(recorded: Recorded): string {
  switch (recorded?.entry.kind) {
    case undefined:
      return 'a call that was not finished'
    case 'action':
      return `a call of ${(recorded as RecordedAction).entry.id}`
    case 'clock':
      return 'a read of the clock'
    case 'random':
      return 'a random number'
  }
}

/** A store may have changed the order of an object's keys. */
function isSame({ entry, input: recorded }: RecordedAction, input: Uint8Array): boolean {
  return Buffer.compare(recorded, input) === 0 || isDeepStrictEqual(jsonOf(input), entry.input)
}
