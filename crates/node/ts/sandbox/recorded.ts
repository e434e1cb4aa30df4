import { bytesOfTold } from '../slices/told.js'
import { hasExactly, isPlain } from '../value/plain.js'
import { CallLogError } from './errors.js'
import { bytesOfJson } from './json.js'
import type { ActionEntry, ClockEntry, RandomEntry } from './types.js'

/** A slot of a log that was given, read. */
export type Recorded = RecordedAction | { readonly entry: ClockEntry } | { readonly entry: RandomEntry } | null

export interface RecordedAction {
  readonly entry: ActionEntry
  readonly input: Uint8Array
  /** Whether the script got a value. */
  readonly ok: boolean
  /** The bytes of the value, or of what is thrown. */
  readonly body: Uint8Array
}

export const isAction = (recorded: Recorded): recorded is RecordedAction => recorded?.entry.kind === 'action'

/** Reads a log. Only its form is looked at: whoever can write to the place where it is kept can write whatever he likes. */
export function readCallLog(log: unknown): Recorded[] {
  if (!Array.isArray(log)) throw new CallLogError('callLog is no list')
  const recorded = Array.from(log as unknown[], (entry, position) => {
    try {
      return entry === null ? null : read(entry)
    } catch (error) {
      throw new CallLogError(`callLog[${position}] is no entry: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
  })
  checkOrder(recorded)
  return recorded
}

function read(entry: unknown): Recorded {
  if (!isPlain(entry)) throw new TypeError('an entry is an object, or null where a call is not finished')
  const { kind, value } = entry
  switch (kind) {
    case 'clock':
      need(hasExactly(entry, ['kind', 'value']), 'a read has a kind and a value')
      need(Number.isInteger(value) && (value as number) >= 0 && (value as number) <= LAST_TIME, 'a time is in whole milliseconds since 1970')
      return { entry: entry as unknown as ClockEntry }
    case 'random':
      need(hasExactly(entry, ['kind', 'value']), 'a read has a kind and a value')
      need(typeof value === 'number' && value >= 0 && value < 1, 'a random number is from 0 up to 1')
      return { entry: entry as unknown as RandomEntry }
    case 'action':
      return readAction(entry)
    default:
      throw new TypeError(`its kind is none of action, clock and random`)
  }
}

/** The last that a Date has. */
const LAST_TIME = 8_640_000_000_000_000

function readAction(entry: Record<string, unknown>): RecordedAction {
  const { error, id, input, output, settled } = entry
  const isRejected = 'error' in entry
  need(Object.keys(entry).every((key) => ACTION_KEYS.includes(key)), `an action has no more than ${ACTION_KEYS.join(', ')}`)
  need(typeof id === 'string', 'its id is a text')
  need(Number.isSafeInteger(settled) && (settled as number) >= 1, 'settled is a whole number, from 1')
  need(!isRejected || !('output' in entry), 'an action has an output or an error, not both')
  need(!isRejected || isError(error), 'an error has a name, a message and perhaps a code')
  return {
    entry: entry as unknown as ActionEntry,
    input: bytesOfJson(input),
    ok: !isRejected,
    body: isRejected ? bytesOfTold(error as NonNullable<ActionEntry['error']>) : bytesOfJson(output),
  }
}

const ACTION_KEYS = ['kind', 'id', 'input', 'output', 'error', 'settled']

function isError(error: unknown): boolean {
  return isPlain(error) && (hasExactly(error, ['name', 'message']) || hasExactly(error, ['name', 'message', 'code'])) &&
    Object.values(error).every((text) => typeof text === 'string')
}

function need(holds: boolean, what: string): void {
  if (!holds) throw new TypeError(what)
}

/** Outcomes are numbered from 1, without a gap. */
function checkOrder(recorded: readonly Recorded[]): void {
  const there = new Set<number>()
  recorded.forEach((slot, position) => {
    if (!isAction(slot)) return
    if (there.has(slot.entry.settled)) throw new CallLogError(`callLog[${position}] is no entry: another one is settled ${slot.entry.settled}, too`)
    there.add(slot.entry.settled)
  })
  for (let ordinal = 1; ordinal <= there.size; ordinal += 1) {
    if (!there.has(ordinal)) throw new CallLogError(`callLog is not whole: nothing is settled ${ordinal}, but something is behind it`)
  }
}
