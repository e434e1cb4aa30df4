import { isDeepStrictEqual } from 'node:util'

import { decode, encode } from '../value/index.js'
import { hasExactly, isPlain } from '../value/plain.js'

/** A value, given in its bytes, as a log has it: plain JSON wherever that says all of it, else its bytes. */
export function jsonOf(bytes: Uint8Array): unknown {
  const value = decode(bytes)
  if (value === undefined) return undefined
  const json = plainJson(value)
  if (json !== undefined && !isEncoded(json) && Buffer.compare(encode(json), bytes) === 0) return json
  return { $cbor: Buffer.from(bytes).toString('base64url') }
}

function plainJson(value: unknown): unknown {
  try {
    const text = JSON.stringify(value) as string | undefined
    return text === undefined ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}

/** The bytes of a value of a log. Throws for what no log has. */
export function bytesOfJson(json: unknown): Uint8Array {
  let bytes
  if (isEncoded(json)) {
    bytes = new Uint8Array(Buffer.from(json.$cbor, 'base64url'))
    decode(bytes)
  } else bytes = encode(json)
  if (!isDeepStrictEqual(jsonOf(bytes), json)) throw new TypeError('it is no plain JSON')
  return bytes
}

function isEncoded(json: unknown): json is { $cbor: string } {
  return isPlain(json) && hasExactly(json, ['$cbor']) && typeof json['$cbor'] === 'string'
}
