import { BUILT_IN_ERRORS, define } from './built-in-errors.js'
import { DATE, ERROR, HOLE, MAP, NULL_PROTOTYPE, REFERENCE, REGEXP, SET, SHAREABLE, SHARED_VIEW, VIEWS, WTF8, type ViewConstructor } from './tags.js'

const { fromCharCode } = String
/** Texts up to here are read byte by byte. */
const SHORT = 24
const VIEW_NAMES = new Map(VIEWS.map(([tag, name, size]) => [tag, { name, size }]))
const NOT_SHARED = -1

/** How views of a message's bytes are given: by themselves, or as parts of the message, which must stay as it is then. */
export type Bytes = 'own' | 'parts'

/**
 * A value from its byte form. The bytes are trusted: they were written by the library, which has checked what is in them.
 *
 * @throws {TypeError} for bytes that are no value, or of a kind that this engine does not have (`Float16Array`).
 */
export function decode(bytes: Uint8Array, views: Bytes = 'own'): unknown {
  return new Decoder(bytes, views).value(NOT_SHARED)
}

class Decoder {
  readonly #bytes: Uint8Array
  readonly #parts: boolean
  readonly #shared: unknown[] = []
  #at = 0
  #text: Buffer | undefined
  #numbers: DataView | undefined

  constructor(bytes: Uint8Array, views: Bytes) {
    // A Buffer's `slice` would copy nothing.
    this.#bytes = Buffer.isBuffer(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length) : bytes
    this.#parts = views === 'parts'
  }

  /** The next value; under `index` where it is met again. */
  value(index: number): unknown {
    const first = this.#bytes[this.#at++]
    if (first === undefined) throw malformed('it ends too early')
    const small = first & 0x1f
    switch (first >> 5) {
      case 0:
        return this.#argument(small)
      case 1:
        return -1 - this.#argument(small)
      case 2:
        return this.#keep(index, this.#take(this.#argument(small)).slice().buffer)
      case 3:
        return this.#string(this.#argument(small))
      case 4:
        return this.#array(this.#argument(small), index)
      case 5:
        return this.#object({}, this.#argument(small), index)
      case 6:
        return this.#tagged(this.#argument(small), index)
      default:
        return this.#simple(first)
    }
  }

  #keep<T>(index: number, object: T): T {
    if (index !== NOT_SHARED) this.#shared[index] = object
    return object
  }

  #argument(small: number): number {
    if (small < 24) return small
    const bytes = this.#bytes
    const at = this.#at
    switch (small) {
      case 24:
        this.#at = at + 1
        return bytes[at] as number
      case 25:
        this.#at = at + 2
        return ((bytes[at] as number) << 8) | (bytes[at + 1] as number)
      case 26:
        this.#at = at + 4
        return this.#uint32(at)
      case 27:
        this.#at = at + 8
        return this.#uint32(at) * 0x100000000 + this.#uint32(at + 4)
      default:
        throw malformed('a head is reserved')
    }
  }

  #uint32(at: number): number {
    const bytes = this.#bytes
    const low = ((bytes[at + 1] as number) << 16) | ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number)
    return (bytes[at] as number) * 0x1000000 + low
  }

  /** The next head's argument, whatever its type. */
  #head(): number {
    return this.#argument((this.#bytes[this.#at++] as number) & 0x1f)
  }

  #take(length: number): Uint8Array {
    const from = this.#at
    this.#at = from + length
    if (this.#at > this.#bytes.length) throw malformed('it ends too early')
    return this.#bytes.subarray(from, this.#at)
  }

  #string(length: number): string {
    const from = this.#at
    const to = from + length
    this.#at = to
    if (length > SHORT) return this.#long(from, to)
    const bytes = this.#bytes
    let text = ''
    let at = from
    // Eight at a time, and no subarray: most texts are short, and most of the time goes into them.
    for (; at + 8 <= to; at += 8) {
      const a = bytes[at] as number, b = bytes[at + 1] as number, c = bytes[at + 2] as number, d = bytes[at + 3] as number
      const e = bytes[at + 4] as number, f = bytes[at + 5] as number, g = bytes[at + 6] as number, h = bytes[at + 7] as number
      if ((a | b | c | d | e | f | g | h) > 0x7f) return this.#long(from, to)
      text += fromCharCode(a, b, c, d, e, f, g, h)
    }
    for (; at < to; at++) {
      const byte = bytes[at] as number
      if (byte > 0x7f) return this.#long(from, to)
      text += fromCharCode(byte)
    }
    return text
  }

  #long(from: number, to: number): string {
    const { buffer, byteOffset, length } = this.#bytes
    this.#text ??= Buffer.from(buffer as ArrayBuffer, byteOffset, length)
    return this.#text.toString('utf8', from, to)
  }

  #key(): string {
    const first = this.#bytes[this.#at++] as number
    if (first >> 5 === 3) {
      const length = this.#argument(first & 0x1f)
      return length <= KEY_LENGTH ? this.#shortKey(length) : this.#string(length)
    }
    this.#at--
    return this.value(NOT_SHARED) as string
  }

  /** Keys come again and again: the same text is given each time. */
  #shortKey(length: number): string {
    const bytes = this.#bytes
    const from = this.#at
    let hash = length
    for (let at = from; at < from + length; at++) hash = (hash * 31 + (bytes[at] as number)) | 0
    const slot = hash & (KEYS.length - 1)
    const known = KEYS[slot] as string
    if (known.length === length) {
      let same = 0
      while (same < length && known.charCodeAt(same) === bytes[from + same]) same++
      if (same === length) {
        this.#at = from + length
        return known
      }
    }
    const key = this.#string(length)
    if (key.length === length) KEYS[slot] = key
    return key
  }

  #array(length: number, index: number): unknown[] {
    const array: unknown[] = this.#keep(index, [])
    for (let element = 0; element < length; element++) {
      if (this.#bytes[this.#at] === HOLE) {
        this.#at++
        array.length = element + 1
      } else array.push(this.value(NOT_SHARED))
    }
    return array
  }

  #object(object: Record<string, unknown>, length: number, index: number): Record<string, unknown> {
    this.#keep(index, object)
    for (let entry = 0; entry < length; entry++) {
      const key = this.#key()
      const value = this.value(NOT_SHARED)
      if (key === '__proto__') {
        Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
      } else object[key] = value
    }
    return object
  }

  #simple(first: number): unknown {
    switch (first) {
      case 0xf4:
        return false
      case 0xf5:
        return true
      case 0xf6:
        return null
      case 0xf7:
        return undefined
      case 0xf9:
        return half(this.#take(2))
      case 0xfa:
        return this.#float(4)
      case 0xfb:
        return this.#float(8)
      default:
        throw malformed('a simple value is unknown')
    }
  }

  #float(length: number): number {
    const { buffer, byteOffset, length: whole } = this.#bytes
    this.#numbers ??= new DataView(buffer, byteOffset, whole)
    const at = this.#at
    this.#at = at + length
    return length === 4 ? this.#numbers.getFloat32(at) : this.#numbers.getFloat64(at)
  }

  #tagged(tag: number, index: number): unknown {
    switch (tag) {
      case SHAREABLE: {
        this.#shared.push(undefined)
        return this.value(this.#shared.length - 1)
      }
      case REFERENCE:
        return this.#shared[this.#head()]
      case DATE:
        return this.#keep(index, new Date(milliseconds(this.value(NOT_SHARED) as number)))
      case 2:
        return this.#bigint()
      case 3:
        return -1n - this.#bigint()
      case WTF8:
        return fromWtf8(this.#take(this.#head()))
      case REGEXP:
        return this.#keep(index, regexp(this.value(NOT_SHARED) as string))
      case NULL_PROTOTYPE:
        return this.#object(Object.create(null) as Record<string, unknown>, this.#head(), index)
      case MAP:
        return this.#map(index)
      case SET:
        return this.#set(index)
      case ERROR:
        return this.#error(index)
      case SHARED_VIEW:
        return this.#sharedView(index)
      default:
        return this.#view(tag, index)
    }
  }

  #bigint(): bigint {
    const bytes = this.#take(this.#head())
    return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  }

  #map(index: number): Map<unknown, unknown> {
    const map = this.#keep(index, new Map<unknown, unknown>())
    for (let left = this.#head(); left > 0; left--) {
      const key = this.value(NOT_SHARED)
      map.set(key, this.value(NOT_SHARED))
    }
    return map
  }

  #set(index: number): Set<unknown> {
    const set = this.#keep(index, new Set<unknown>())
    for (let left = this.#head(); left > 0; left--) set.add(this.value(NOT_SHARED))
    return set
  }

  #view(tag: number, index: number): unknown {
    const kind = VIEW_NAMES.get(tag)
    if (kind === undefined) throw malformed(`the tag ${tag} is unknown`)
    const bytes = this.#take(this.#head())
    if (this.#parts && tag === 64) return bytes
    return this.#keep(index, view(kind, bytes.slice().buffer, 0, bytes.length))
  }

  #sharedView(index: number): unknown {
    this.#head()
    const tag = this.value(NOT_SHARED) as number
    const kind = VIEW_NAMES.get(tag)
    if (kind === undefined) throw malformed('a view is of no known kind')
    // The view's own number is taken already; the buffer's comes with its tag.
    const buffer = this.value(NOT_SHARED) as ArrayBuffer
    const offset = this.value(NOT_SHARED) as number
    return this.#keep(index, view(kind, buffer, offset, this.value(NOT_SHARED) as number))
  }

  #error(index: number): Error {
    let fields = this.#head()
    this.#key()
    const name = this.value(NOT_SHARED) as string
    this.#key()
    const message = this.value(NOT_SHARED) as string
    const error = this.#keep(index, errorOf(name, message))
    for (fields -= 2; fields > 0; fields--) {
      const key = this.#key()
      const value = this.value(NOT_SHARED)
      const enumerable = key === 'code'
      Object.defineProperty(error, key, { value, writable: true, enumerable, configurable: true })
    }
    return error
  }
}

const KEY_LENGTH = 24
const KEYS: string[] = new Array<string>(1024).fill('')

function malformed(why: string): TypeError {
  return new TypeError(`the bytes are no value: ${why}`)
}

function half(bytes: Uint8Array): number {
  const bits = ((bytes[0] as number) << 8) | (bytes[1] as number)
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  const sign = bits & 0x8000 ? -1 : 1
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

/** The one whole number of milliseconds that a number of seconds stands for. */
function milliseconds(seconds: number): number {
  const near = Math.round(seconds * 1000)
  return [near, near - 1, near + 1].find((ms) => ms / 1000 === seconds) ?? NaN
}

function regexp(text: string): RegExp {
  const end = text.lastIndexOf('/')
  return new RegExp(text.slice(1, end), text.slice(end + 1))
}

function view(kind: { name: string; size: number }, buffer: ArrayBuffer, offset: number, length: number): unknown {
  const constructor = (globalThis as unknown as Record<string, ViewConstructor | undefined>)[kind.name]
  if (constructor === undefined) throw new TypeError(`this engine has no ${kind.name}`)
  return new constructor(buffer, offset, length / kind.size)
}

function errorOf(name: string, message: string): Error {
  const error = name === 'AggregateError' ? new AggregateError([], message) : new (BUILT_IN_ERRORS[name] ?? Error)(message)
  if (name === 'AggregateError') Reflect.deleteProperty(error, 'errors')
  if (message === '') Reflect.deleteProperty(error, 'message')
  // Where it was thrown is not known here: the stack of its reading would mislead.
  error.stack = `${name}: ${message}`
  if (error.name !== name) define(error, 'name', name, false)
  return error
}

/** A text with lone surrogates. */
function fromWtf8(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at++] as number
    const more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3
    let point = more === 0 ? first : first & (0x3f >> more)
    for (let left = more; left > 0; left--) point = (point << 6) | ((bytes[at++] as number) & 0x3f)
    text += String.fromCodePoint(point)
  }
  return text
}
