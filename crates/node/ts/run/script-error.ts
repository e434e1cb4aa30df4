import { inspect } from 'node:util'

import type { ThrownMessage } from '../drive/message.js'
import { thrownValue } from '../errors.js'
import type { Slice } from '../slices/script.js'
import type { Told } from '../slices/told.js'
import { define } from '../value/built-in-errors.js'
import { decode } from '../value/index.js'
import { bytesOf } from '../value/plain.js'
import { RunBridgeLimitError, RunConcurrencyError, RunError, RunSourceTooLargeError, RunTimeoutError, serializationError } from './errors.js'
import type { Limits } from './limits.js'
import { MOST } from './workers.js'

const LONGEST_MESSAGE = 16 * 1024
const LONGEST_DETAILS = 16 * 1024

function messageOf({ message, name, value }: ThrownMessage): string {
  if (message !== undefined || name !== undefined) return message ?? ''
  const thrown = value === undefined ? undefined : decode(value)
  return typeof thrown === 'object' ? inspect(thrown) : String(thrown)
}

/** What a script says of its error, if it is short. */
function detailsOf(thrown: ThrownMessage): unknown {
  const properties = thrown.properties === undefined ? undefined : decode(thrown.properties)
  if (typeof properties !== 'object' || properties === null || !Object.hasOwn(properties, 'details')) return undefined
  try {
    const text = JSON.stringify((properties as { details: unknown }).details) as string | undefined
    return text === undefined || bytesOf(text) > LONGEST_DETAILS ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}

/** What a script threw: an error of its own, or of the host call `told`, or that a value cannot cross. Its code is never the script's to choose. */
export function scriptError({ thrown, refused }: Extract<Slice, { state: 'threw' }>, told: Told | undefined): RunError {
  const whole = messageOf(thrown)
  const message = whole.length > LONGEST_MESSAGE ? `${whole.slice(0, LONGEST_MESSAGE)}…[truncated]` : whole
  if (refused === true) return placed(serializationError(message), thrown.name ?? 'TypeError', thrown)
  const error = told === undefined
    ? new RunError(message, 'RUN_USER_SOURCE_ERROR', detailsOf(thrown))
    : new RunError(message, told.code ?? 'RUN_USER_SOURCE_ERROR')
  if (told === undefined) {
    const value = thrownValue(thrown)
    const cause = thrown.name === undefined && thrown.message === undefined ? value : (value as Error).cause
    if (cause !== undefined) define(error, 'cause', cause, false)
    if (value instanceof AggregateError) define(error, 'errors', value.errors, false)
  }
  return placed(error, thrown.name ?? 'Error', thrown)
}

/** With its name, and the script's own stack. */
function placed(error: RunError, name: string, { stack }: ThrownMessage): RunError {
  error.name = name.slice(0, 256)
  const clean = error.message.replace(/[\u0000-\u0009\u000b-\u001f\u007f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
  define(error, 'stack', `${error.name}: ${clean}\n${stack}`.trimEnd(), false)
  return error
}

/** Why a script could not be begun, or was stopped. */
export function stopError({ error }: Extract<Slice, { state: 'failed' }>, limits: Limits, invocationId: string): RunError {
  const { allowed, code, column, limit, line, message, used } = error
  switch (limit) {
    case 'deadline':
      return new RunTimeoutError(limits.timeoutMs)
    case 'calls': {
      const { maxBridgeRequests } = limits
      return new RunBridgeLimitError(`The run may make ${maxBridgeRequests} calls.`, { invocationId, maxBridgeRequests })
    }
    case 'memory':
      return new RunError(`The script needs more memory than ${limits.memoryLimitBytes} bytes.`, 'RUN_MEMORY_LIMIT', {
        memoryLimitBytes: limits.memoryLimitBytes,
      })
    case 'source':
      return new RunSourceTooLargeError(Number(used), Number(allowed))
    default:
  }
  if (code === 'BUSY') return new RunConcurrencyError(MOST)
  if (code.startsWith('SOURCE_')) {
    const failure = new RunError(message, 'RUN_USER_SOURCE_ERROR')
    failure.name = 'SyntaxError'
    define(failure, 'stack', `SyntaxError: ${message}${line === undefined ? '' : `\n    at run.js:${String(line)}:${String(column)}`}`, false)
    return failure
  }
  return new RunError(message)
}
