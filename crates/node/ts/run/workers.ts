import { freemem } from 'node:os'

import { RunConcurrencyError } from './errors.js'

/** The engine's own places. */
export const MOST = 2048

let configured: number | undefined
let running = 0
/** What runs may use of the memory that was free when the first of them began, and what they have of it. */
let budget = 0
let reserved = 0

/**
 * How many runs can be under way in this process at one time. Further ones are refused at once.
 *
 * @param maxWorkers A positive whole number. `undefined`: as many as there is memory for, each with its `memoryLimitBytes`.
 */
export function setMaxWorkers(maxWorkers?: number): void {
  if (maxWorkers !== undefined && (!Number.isInteger(maxWorkers) || maxWorkers <= 0)) {
    throw new TypeError('maxWorkers must be a positive integer.')
  }
  configured = maxWorkers
}

/** Takes a place for a run that may use so many bytes. Gives what gives it back. */
export function takePlace(bytes: number): () => void {
  if (configured !== undefined && running >= configured) throw new RunConcurrencyError(configured)
  if (running >= MOST) throw new RunConcurrencyError(MOST)
  if (configured === undefined) {
    if (reserved === 0) budget = Math.max(bytes, available())
    if (reserved + bytes > budget) throw new RunConcurrencyError(Math.max(1, running))
  }
  const own = configured === undefined ? bytes : 0
  running += 1
  reserved += own
  let given = false
  return () => {
    if (given) return
    given = true
    running -= 1
    reserved -= own
  }
}

let looked = { at: -Infinity, bytes: 0 }

/** Free memory, which takes a system call to know: for a second it stays what it was. */
function available(): number {
  const now = performance.now()
  if (now - looked.at > 1_000) {
    const { availableMemory } = process as { availableMemory?: () => number }
    const bytes = availableMemory?.() ?? freemem()
    looked = { at: now, bytes: Number.isFinite(bytes) && bytes > 0 ? bytes : 0 }
  }
  return looked.bytes
}
