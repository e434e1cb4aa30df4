import type { Settlement } from './drive/task.js'
import { isThrown, thrown } from './drive/thrown.js'
import { Interrupt, asked } from './host-call.js'
import { ValueError, encode } from './value/index.js'

/** What a host function gives, encoded. @throws an error that its script can be told, where it cannot be sent. */
export function encodeOutput(name: string, output: unknown): Uint8Array {
  try {
    return encode(output)
  } catch (error) {
    if (!isThrown(error, ValueError)) throw error
    throw Object.assign(new Error(`the result of ${name} cannot be sent: ${error.message}`), { code: 'HOST_OUTPUT_INVALID' })
  }
}

/** What came of a host function: encoded, or why it cannot be. */
export function fulfilled(name: string, value: unknown): Settlement {
  try {
    return { kind: 0, body: encodeOutput(name, value) }
  } catch (error) {
    return rejected(error)
  }
}

/** What a host function threw. */
export function rejected(error: unknown): Settlement {
  if (isThrown(error, Interrupt)) {
    try {
      return asked(error)
    } catch (refused) {
      return rejected(refused)
    }
  }
  return { kind: 1, body: encode(thrown(error)) }
}
