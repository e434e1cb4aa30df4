import { randomFillSync } from 'node:crypto'

const ID_BYTES = 16
/** Bytes for the next ids: asking for many at once costs about as much as asking for a few. */
const pool = Buffer.alloc(64 * ID_BYTES)
let used = pool.length

/** 32 random hexadecimal digits. */
export function randomId(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += ID_BYTES
  return pool.toString('hex', used - ID_BYTES, used)
}
