/** In a text a byte of a string takes six at most (`\\u003C`), and everything else of an item, its place in the list included, so many. */
const LONGEST_BYTE = 6
const LONGEST_ITEM = 40

/**
 * The length that the text of a value cannot exceed, in bytes, by its canonical bytes: making the text takes far longer. Looks no further than is needed to know that it may
 * be longer than `most`.
 */
export function mostText(bytes: Uint8Array, most: number): number {
  const { length } = bytes
  // Every byte an item is the worst.
  if (length * LONGEST_ITEM <= most) return length * LONGEST_ITEM
  let size = LONGEST_ITEM
  for (let at = 0; at < length && size <= most;) {
    const head = bytes[at++] as number
    const short = head & 0x1f
    const more = short < 24 ? 0 : 1 << (short - 24)
    const major = head >> 5
    size += LONGEST_ITEM
    // Byte strings and texts: RFC 8949, section 3.1.
    if (major === 2 || major === 3) {
      let count = short
      if (more > 0) {
        count = 0
        for (let i = 0; i < more; i += 1) count = count * 256 + (bytes[at + i] as number)
      }
      size += count * LONGEST_BYTE
      at += count
    }
    at += more
  }
  return size
}
