import { WTF8 } from './tags.js'

const FLOAT = new DataView(new ArrayBuffer(8))

/** Writes heads, numbers and texts, in their one form. */
export class Writer {
  bytes: Buffer = Buffer.allocUnsafeSlow(4096)
  at = 0

  /** Sees to it that there is room for `more` bytes. */
  room(more: number): void {
    if (this.at + more > this.bytes.length) this.#grow(more)
  }

  #grow(more: number): void {
    const bigger = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.at + more))
    bigger.set(this.bytes.subarray(0, this.at))
    this.bytes = bigger
  }

  byte(byte: number): void {
    this.room(1)
    this.bytes[this.at++] = byte
  }

  /** A head: a major type and its argument. */
  head(major: number, argument: number): void {
    this.room(9)
    const { bytes } = this
    const type = major << 5
    if (argument < 24) bytes[this.at++] = type | argument
    else if (argument < 0x100) {
      bytes[this.at++] = type | 24
      bytes[this.at++] = argument
    } else if (argument < 0x10000) {
      bytes[this.at++] = type | 25
      bytes[this.at++] = argument >>> 8
      bytes[this.at++] = argument & 0xff
    } else if (argument < 0x100000000) {
      bytes[this.at++] = type | 26
      this.#uint32(argument)
    } else {
      bytes[this.at++] = type | 27
      this.#uint32(Math.floor(argument / 0x100000000))
      this.#uint32(argument % 0x100000000)
    }
  }

  #uint32(value: number): void {
    const { bytes } = this
    bytes[this.at++] = value >>> 24
    bytes[this.at++] = (value >>> 16) & 0xff
    bytes[this.at++] = (value >>> 8) & 0xff
    bytes[this.at++] = value & 0xff
  }

  tag(tag: number): void {
    this.head(6, tag)
  }

  number(value: number): void {
    if (Number.isSafeInteger(value) && (value !== 0 || 1 / value > 0)) {
      if (value >= 0) this.head(0, value)
      else this.head(1, -1 - value)
    } else this.#float(value)
  }

  /** The shortest float that keeps the value. */
  #float(value: number): void {
    this.room(9)
    const { bytes } = this
    const half = halfBits(value)
    if (half >= 0) {
      bytes[this.at++] = 0xf9
      bytes[this.at++] = half >>> 8
      bytes[this.at++] = half & 0xff
      return
    }
    const single = Math.fround(value) === value
    bytes[this.at++] = single ? 0xfa : 0xfb
    if (single) FLOAT.setFloat32(0, value)
    else FLOAT.setFloat64(0, value)
    const length = single ? 4 : 8
    for (let index = 0; index < length; index++) bytes[this.at++] = FLOAT.getUint8(index)
  }

  bigint(value: bigint): void {
    const negative = value < 0n
    let hex = (negative ? -1n - value : value).toString(16)
    if (hex === '0') hex = ''
    else if (hex.length % 2 === 1) hex = `0${hex}`
    this.tag(negative ? 3 : 2)
    this.raw(Buffer.from(hex, 'hex'))
  }

  /** A byte string. */
  raw(bytes: Uint8Array): void {
    this.head(2, bytes.length)
    this.put(bytes)
  }

  /** Bytes as they are. */
  put(bytes: Uint8Array): void {
    this.room(bytes.length)
    this.bytes.set(bytes, this.at)
    this.at += bytes.length
  }

  string(text: string): void {
    const { length } = text
    if (length < 64) {
      this.head(3, length)
      this.room(length)
      const { bytes, at } = this
      let index = 0
      for (; index < length; index++) {
        const unit = text.charCodeAt(index)
        if (unit > 0x7f) break
        bytes[at + index] = unit
      }
      if (index === length) {
        this.at = at + length
        return
      }
      // Back over the head, which has the length in one or two bytes.
      this.at = at - (length < 24 ? 1 : 2)
    }
    if (!text.isWellFormed()) {
      this.tag(WTF8)
      this.raw(wtf8(text))
      return
    }
    const bytes = Buffer.byteLength(text)
    this.head(3, bytes)
    this.room(bytes)
    this.bytes.write(text, this.at, bytes === length ? 'latin1' : 'utf8')
    this.at += bytes
  }
}

/** The bits of the 16-bit float that is `value`, or -1 where there is none. */
function halfBits(value: number): number {
  if (value !== value) return 0x7e00
  if (Math.fround(value) !== value) return -1
  FLOAT.setFloat32(0, value)
  const bits = FLOAT.getUint32(0)
  const sign = (bits >>> 16) & 0x8000
  const exponent = (bits >>> 23) & 0xff
  const fraction = bits & 0x7fffff
  if (exponent === 0xff) return sign | 0x7c00
  if (exponent === 0 && fraction === 0) return sign
  const shifted = exponent - 127 + 15
  if (shifted >= 31) return -1
  if (shifted > 0) return (fraction & 0x1fff) === 0 ? sign | (shifted << 10) | (fraction >>> 13) : -1
  // A subnormal: the hidden bit moves into the fraction.
  const drop = 14 - shifted
  if (drop > 24) return -1
  const whole = fraction | 0x800000
  return (whole & ((1 << drop) - 1)) === 0 ? sign | (whole >>> drop) : -1
}

/** UTF-8 in which a lone surrogate is its own three bytes. */
function wtf8(text: string): Uint8Array {
  const bytes: number[] = []
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    if (point < 0x80) bytes.push(point)
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), 0x80 | (point & 0x3f))
    else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f))
    else {
      const low = [(point >> 12) & 0x3f, (point >> 6) & 0x3f, point & 0x3f].map((part) => 0x80 | part)
      bytes.push(0xf0 | (point >> 18), ...low)
    }
  }
  return Uint8Array.from(bytes)
}
