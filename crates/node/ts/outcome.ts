import type { Settlement } from './drive/task.js'
import { isThrown, thrown } from './drive/thrown.js'
import { Interrupt, asked } from './host-call.js'
import { ValueError, encode } from './value/index.js'

/** What came of a host function: encoded, or why it cannot be. */
export function fulfilled(name: string, value: unknown): Settlement {
  try {
    return { kind: 0, body: encode(value) }
  } catch (error) {
    if (!isThrown(error, ValueError)) return rejected(error)
    const message = `the result of ${name} cannot be sent: ${error.message}`
    return { kind: 1, body: encode({ name: 'Error', message, code: 'HOST_OUTPUT_INVALID' }) }
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
