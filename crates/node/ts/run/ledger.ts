import { type Body, type Outcome as OutcomeOf, bodyOf } from '../slices/told.js'
import { decode } from '../value/index.js'
import { bytesOf } from '../value/plain.js'
import { RunProtocolError } from './errors.js'
import { interruptionId, questionOf } from './state.js'
import type { RunContinuationState, RunLedgerEntry, SerializableError } from './types.js'
import { bytesOfText, textOf, valueOf } from './values.js'

/** What an entry is of: an asynchronous call, or what its script waits for on the spot. */
export type Kind = 'async' | 'sync-host' | 'module-normalize' | 'module-load'

/** What became of a call. */
export type Outcome = OutcomeOf<Payload>

/** A value, as bytes or as the text that a continuation has. Of module requests the text is plain JSON. */
export type Payload = Uint8Array | string

interface Entry {
  readonly kind: Kind
  readonly name: string
  input: Payload
  result?:
    | { status: 'settled'; outcome: Outcome; readonly order: number; readonly at: number }
    | { status: 'interrupted'; readonly question: number; payload: Payload }
}

/** What an entry takes besides its payloads, about. */
const ENTRY_BYTES = 128

const text = (payload: Payload): string => (typeof payload === 'string' ? payload : textOf(decode(payload)))

/**
 * What a run did. Entries that came with a continuation are compared with what the script does now, and say what came of it; behind them new ones are written. Values are kept as
 * bytes, and made into texts when somebody wants to see them.
 */
export class Ledger {
  readonly #entries: Entry[] = []
  /** How many came with the continuation. */
  readonly #recorded: number
  /** The indices of recorded outcomes, in the order in which the script was told of them. */
  readonly #order: number[] = []
  #told = 0
  #orders = 0
  readonly #keeps: boolean
  readonly #most: number
  #bytes: number
  #known: number

  /** Of a run that begins, or goes on. Where it does not keep what happens, it only counts. */
  constructor(source: string, state: RunContinuationState | undefined, keeps: boolean, mostBytes: number) {
    this.#keeps = keeps || state !== undefined
    this.#most = mostBytes
    this.#bytes = this.#known = bytesOf(source) + ENTRY_BYTES
    this.#recorded = state?.ledger.length ?? 0
    state?.ledger.forEach((json, at) => this.#entries.push(this.#read(json, at)))
    this.#orders = this.#order.length
  }

  #read(json: RunLedgerEntry, at: number): Entry {
    const { bindingName: name, inputJson: input } = json
    this.#bytes += ENTRY_BYTES + bytesOf(input)
    const kind = 'bridgeKind' in json ? json.bridgeKind : 'async'
    if (json.status === 'interrupted') {
      const question = questionOf(json.interruptionId, at + 1) ?? 1
      return { kind, name, input, result: { status: 'interrupted', question, payload: json.payloadJson } }
    }
    const order = 'settledOrder' in json ? json.settledOrder : 0
    if (order > 0) this.#order[order - 1] = at
    const outcome: Outcome = json.status === 'fulfilled' ? { ok: true, value: json.valueJson } : { ok: false, error: json.error }
    return { kind, name, input, result: { status: 'settled', outcome, order, at: 'dateNowMs' in json ? json.dateNowMs : 0 } }
  }

  /** Whether everything that came is consumed, the script having made so many requests. */
  isConsumed(requests: number): boolean {
    return this.#told === this.#order.length && requests >= this.#recorded
  }

  /** A request of the script's: the recorded one of its number, or a new one. Gives whether it is recorded. */
  admit(requestIndex: number, kind: Kind, name: string, input: Payload): boolean {
    const entry = this.#entries[requestIndex - 1]
    if (requestIndex <= this.#recorded && entry !== undefined) {
      if (entry.kind !== kind || entry.name !== name || text(entry.input) !== text(input)) {
        throw new RunProtocolError('The script does something else than it did: nothing was called. Was a host function changed that decides what it does?', {
          bridgeIndex: requestIndex,
          expectedHostFunctionName: entry.name,
          receivedHostFunctionName: name,
        })
      }
      return true
    }
    if (!this.isConsumed(requestIndex - 1)) this.diverged(`it asks for ${name}, which it did not`)
    if (this.#keeps) {
      this.#entries[requestIndex - 1] = { kind, name, input }
      this.#grow(input.length)
    }
    return false
  }

  /** The script does something else than it did. */
  diverged(what: string): never {
    throw new RunProtocolError(`The script does something else than it did: ${what}. Nothing was called.`)
  }

  /** The next recorded outcome to tell the script; `undefined` when it was told of all. */
  nextSettled(): { readonly requestIndex: number; readonly outcome: Outcome; readonly at: number } | undefined {
    const at = this.#order[this.#told]
    if (at === undefined) return undefined
    this.#told += 1
    const { result } = this.#entries[at] as Entry
    if (result?.status !== 'settled') return undefined
    return { requestIndex: at + 1, outcome: result.outcome, at: result.at }
  }

  /** The outcome of a recorded request that the script waits for on the spot. */
  answered(requestIndex: number): Outcome {
    const result = this.#entries[requestIndex - 1]?.result
    if (result?.status !== 'settled') throw new RunProtocolError('A request that blocks its script has no outcome.')
    return result.outcome
  }

  /** The question of a call that is pending. */
  question(requestIndex: number): { readonly id: string; readonly payload: Payload } | undefined {
    const result = this.#entries[requestIndex - 1]?.result
    if (result?.status !== 'interrupted') return undefined
    return { id: interruptionId(requestIndex, result.question), payload: result.payload }
  }

  /** The script is told of an outcome, at a time. One that it waits for on the spot has none. */
  settle(requestIndex: number, outcome: Outcome, at?: number): void {
    const entry = this.#entries[requestIndex - 1]
    if (!this.#keeps || entry === undefined) return
    const order = at === undefined ? 0 : (this.#orders += 1)
    entry.result = { status: 'settled', outcome, order, at: at ?? 0 }
    this.#grow(outcome.ok ? outcome.value.length : outcome.error.message.length + ENTRY_BYTES)
  }

  /** A call asks. */
  interrupt(requestIndex: number, payload: Uint8Array): void {
    const entry = this.#entries[requestIndex - 1]
    if (!this.#keeps || entry === undefined) return
    const question = entry.result?.status === 'interrupted' ? entry.result.question + 1 : 1
    entry.result = { status: 'interrupted', question, payload }
    this.#grow(payload.length)
  }

  /** The pending questions, in the order of their calls. */
  pending(): { readonly id: string; readonly name: string; readonly args: unknown; readonly payload: unknown }[] {
    const value = (payload: Payload): unknown => (typeof payload === 'string' ? valueOf(payload) : decode(payload))
    return this.#entries.flatMap(({ input, name, result }, at) =>
      result?.status === 'interrupted'
        ? [{ id: interruptionId(at + 1, result.question), name, args: value(input), payload: value(result.payload) }]
        : [])
  }

  /** Everything, as a continuation has it. */
  toJson(): RunLedgerEntry[] {
    return this.#entries.map((entry, at) => this.#json(entry, at))
  }

  #json(entry: Entry, at: number): RunLedgerEntry {
    const { kind, name: bindingName, result } = entry
    const inputJson = (entry.input = text(entry.input))
    if (result === undefined) throw new RunProtocolError('A call is under way: no continuation can be made.')
    if (result.status === 'interrupted') {
      const payloadJson = (result.payload = text(result.payload))
      return { bindingName, inputJson, status: 'interrupted', interruptionId: interruptionId(at + 1, result.question), payloadJson }
    }
    const { at: dateNowMs, order: settledOrder, outcome } = result
    const head = kind === 'async' ? { bindingName, inputJson, settledOrder, dateNowMs } : { bridgeKind: kind, bindingName, inputJson }
    if (!outcome.ok) return { ...head, status: 'rejected', error: outcome.error as SerializableError } as RunLedgerEntry
    const valueJson = text(outcome.value)
    result.outcome = { ok: true, value: valueJson }
    return { ...head, status: 'fulfilled', valueJson } as RunLedgerEntry
  }

  /** Bytes of values are about as many as those of their texts, until it matters. */
  #grow(bytes: number): void {
    this.#bytes += bytes + ENTRY_BYTES
    if (this.#bytes <= this.#most) return
    const size = this.#entries.reduce((sum, entry) => sum + exact(entry), this.#known)
    this.#bytes = size
    if (size > this.#most) {
      throw new RunProtocolError(`The continuation would exceed the ${this.#most} byte size limit.`, { bytes: size, maxBytes: this.#most })
    }
  }
}

/** The bytes of an entry. Its texts are made, and kept. */
function exact(entry: Entry): number {
  entry.input = text(entry.input)
  let size = ENTRY_BYTES + bytesOf(entry.input)
  const { result } = entry
  if (result?.status === 'interrupted') size += bytesOf((result.payload = text(result.payload)))
  else if (result?.outcome.ok === true) {
    const value = text(result.outcome.value)
    result.outcome = { ok: true, value }
    size += bytesOf(value)
  }
  return size
}

/** What a script is told of an outcome. */
export function bytesOfOutcome(outcome: Outcome): Body {
  return bodyOf(outcome.ok ? { ok: true, value: typeof outcome.value === 'string' ? bytesOfText(outcome.value) : outcome.value } : outcome)
}
