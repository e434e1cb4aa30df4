import { define } from '../value/built-in-errors.js'
import { encode } from '../value/index.js'

/** An error as a script is told of it. */
export interface Told {
  readonly name: string
  readonly message: string
  readonly code?: string
}

/** The bytes of what a script catches. */
export function bytesOfTold({ name, message, code }: Told): Uint8Array {
  const error = new Error(message)
  if (name !== 'Error') define(error, 'name', name, false)
  return encode(code === undefined ? error : Object.assign(error, { code }))
}
