import { parse, stringify } from 'devalue'

import type { Told } from '../slices/told.js'
import { BUILT_IN_ERRORS, define } from '../value/built-in-errors.js'
import { ValueError, decode, encode } from '../value/index.js'
import { bytesOf } from '../value/plain.js'
import { RunError, serializationError } from './errors.js'
import { mostText } from './sizes.js'

/** Sizes are counted in, and continuations written as, the text form that npm `run` calls run-js-v1: devalue's, with two types more. */
const reducers = {
  RunErrorValue: (value: unknown) =>
    value instanceof Error && {
      cause: value.cause,
      errors: value instanceof AggregateError ? [...(value.errors as unknown[])] : undefined,
      hasCause: Object.hasOwn(value, 'cause'),
      message: String(value.message),
      name: String(value.name),
    },
  RunOwnProtoObject: (value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, '__proto__')) return false
    const prototype = Object.getPrototypeOf(value) as unknown
    return (prototype === Object.prototype || prototype === null) && [prototype === null, Object.entries(value)]
  },
}

const revivers = {
  RunErrorValue(value: { cause: unknown; errors: unknown[] | undefined; hasCause: boolean; message: string; name: string }): Error {
    const { errors, hasCause, message, name } = value
    if (typeof message !== 'string' || typeof name !== 'string' || typeof hasCause !== 'boolean' || (errors !== undefined && !Array.isArray(errors))) {
      throw new TypeError('malformed error')
    }
    const options = hasCause ? { cause: value.cause } : undefined
    const error = errors === undefined ? new (BUILT_IN_ERRORS[name] ?? Error)(message, options) : new AggregateError(errors, message, options)
    if (error.name !== name) define(error, 'name', name, false)
    return error
  },
  RunOwnProtoObject(value: [boolean, [string, unknown][]]): object {
    if (!Array.isArray(value) || typeof value[0] !== 'boolean' || !Array.isArray(value[1])) throw new TypeError('malformed object')
    const object = Object.create(value[0] ? null : Object.prototype) as object
    for (const entry of value[1]) {
      if (!Array.isArray(entry) || typeof entry[0] !== 'string' || Object.hasOwn(object, entry[0])) throw new TypeError('malformed object')
      define(object, entry[0], entry[1], true)
    }
    return object
  },
}

/** The text of a value that was decoded from bytes: it has one. */
export const textOf = (value: unknown): string => stringify(value, reducers)

/** The value of a text. Throws on whatever else. */
export const valueOf = (text: string): unknown => parse(text, revivers)

/** Refuses a value, of which the bytes are given, whose text is longer than it may be. */
export function checkSize(bytes: Uint8Array, most: number, label: string, refuse = serializationError): void {
  if (mostText(bytes, most) <= most) return
  const size = bytesOf(textOf(decode(bytes)))
  if (size > most) throw refuse(`${label} exceeds the ${most} byte size limit.`, { bytes: size, maxBytes: most })
}

/** The bytes of a value of the host's. */
export function encodePayload(value: unknown, label: string, most = Infinity): Uint8Array {
  let bytes
  try {
    bytes = encode(value)
  } catch (error) {
    if (!(error instanceof ValueError)) throw serializationError(`${label} is not serializable: ${error instanceof Error ? error.message : String(error)}`)
    const path = error.path === '' ? '' : ` at ${/^[[<]/.test(error.path) ? '' : '.'}${error.path}`
    throw serializationError(`${label} is not serializable${path}: ${error.why}`)
  }
  if (most !== Infinity) checkSize(bytes, most, label)
  return bytes
}

/** A value that a text of a continuation has, as bytes. */
export function bytesOfText(text: string): Uint8Array {
  return encode(valueOf(text))
}

/** A text that is too long, cut. */
function bounded(text: string, most: number): string {
  if (text.length <= most / 4 || bytesOf(text) <= most) return text
  const suffix = '…[truncated]'
  return Buffer.from(text).subarray(0, most - bytesOf(suffix)).toString().replace(/\ufffd+$/, '') + suffix
}

/** What a script is told of what a host function threw: all of an error that is meant for it, of others that there was one. */
export function toldOf(error: unknown): Told {
  if (!RunError.isInstance(error)) return { name: 'Error', message: 'Host function failed.', code: 'RUN_HOST_FUNCTION_ERROR' }
  return {
    name: bounded(String(error.name), 256),
    message: bounded(String(error.message), 16 * 1024),
    code: bounded(String(error.code), 256),
  }
}
