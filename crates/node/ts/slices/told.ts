import { define } from '../value/built-in-errors.js'
import { encode } from '../value/index.js'

/** An error as a script is told of it. */
export interface Told {
  readonly name: string
  readonly message: string
  readonly code?: string
}

/** What became of a call: a value, or what a script is told of an error. */
export type Outcome<VALUE = Uint8Array> = { readonly ok: true; readonly value: VALUE } | { readonly ok: false; readonly error: Told }

/** What a script is told: whether it is a value, and the bytes. */
export type Body = readonly [ok: boolean, body: Uint8Array]

export function bodyOf(outcome: Outcome): Body {
  return outcome.ok ? [true, outcome.value] : [false, bytesOfTold(outcome.error)]
}

/** The bytes of what a script catches. */
export function bytesOfTold({ name, message, code }: Told): Uint8Array {
  const error = new Error(message)
  if (name !== 'Error') define(error, 'name', name, false)
  return encode(code === undefined ? error : Object.assign(error, { code }))
}
