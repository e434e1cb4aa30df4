import { bytesOf, hasExactly, isPlain } from '../value/plain.js'
import { RunProtocolError } from './errors.js'
import type { Limits } from './limits.js'
import type { RunContinuationState } from './types.js'
import { valueOf } from './values.js'

/** Whom a state has to be of. */
export interface Expected {
  readonly source: string
  readonly scopeHash: string
  readonly limits: Limits
}

type Plain = Record<string, unknown>

const refuse = (message: string, details?: unknown): never => {
  throw new RunProtocolError(message, details)
}

/** Refuses a state that this package has not written, or has written for something else. Nothing of it is trusted: a codec may be anybody's. */
export function checkState(state: unknown, expected: Expected): RunContinuationState {
  try {
    check(state, expected)
    return state as RunContinuationState
  } catch (error) {
    if (error instanceof RunProtocolError) throw error
    throw new RunProtocolError('The continuation has not the form of one.', { cause: error instanceof Error ? error.message : String(error) })
  }
}

const hex = (value: unknown, digits: number): boolean =>
  typeof value === 'string' && value.length === digits && /^[0-9a-f]+$/.test(value)

const isTime = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

function check(state: unknown, { source, scopeHash, limits }: Expected): void {
  const keys = ['determinism', 'ledger', 'logicalRunId', 'runtime', 'scopeHash', 'serde', 'source', 'version']
  if (!isPlain(state) || !hasExactly(state, keys)) return refuse('The continuation has not the form of one.')
  if (state['version'] !== 2 || state['runtime'] !== 'run-replay-v2' || state['serde'] !== 'run-js-v1') {
    refuse('The continuation is of another version.')
  }
  if (state['source'] !== source) refuse('The continuation is of another source: not a byte of it may differ.')
  if (!hex(state['scopeHash'], 64) || state['scopeHash'] !== scopeHash) {
    refuse('The continuation is of another scope: audience, context, names of host functions, module loader and source type have to be the same.')
  }
  if (!hex(state['logicalRunId'], 32)) refuse('The continuation has no run.')
  const { determinism, ledger } = state
  if (!isPlain(determinism) || !hasExactly(determinism, ['dateNowMs', 'randomSeed']) ||
    !isTime(determinism['dateNowMs']) || !hex(determinism['randomSeed'], 32)) refuse('The continuation has no time and no seed.')
  checkLedger(ledger, limits)
  const bytes = bytesOf(JSON.stringify(state))
  if (bytes > limits.maxContinuationBytes) {
    refuse(`The continuation exceeds the ${limits.maxContinuationBytes} byte size limit.`, { bytes, maxBytes: limits.maxContinuationBytes })
  }
}

function checkLedger(ledger: unknown, limits: Limits): void {
  if (!Array.isArray(ledger) || Object.getPrototypeOf(ledger) !== Array.prototype || Reflect.ownKeys(ledger).length !== ledger.length + 1) {
    return refuse('The continuation has no ledger.')
  }
  if (ledger.length === 0 || ledger.length > limits.maxBridgeRequests) refuse('The ledger has more calls than there may be, or none.')
  const orders = new Set<unknown>()
  const settled = (ledger as unknown[]).filter((entry, index) => {
    checkEntry(entry, index, limits)
    const { settledOrder } = entry as { settledOrder?: unknown }
    if (settledOrder === undefined) return false
    orders.add(settledOrder)
    return true
  })
  for (let order = 1; order <= settled.length; order += 1) {
    if (!orders.has(order)) refuse('The order of the outcomes is not one.')
  }
}

const NAME = /^[A-Za-z_$][\w$]*\..+$/s

function checkEntry(entry: unknown, index: number, limits: Limits): void {
  if (!isPlain(entry)) return refuse('An entry of the ledger is malformed.', { index })
  const { bindingName, inputJson, status } = entry
  if (typeof bindingName !== 'string' || !NAME.test(bindingName) || bytesOf(bindingName) > 1024 || typeof inputJson !== 'string') {
    return refuse('An entry of the ledger is malformed.', { index })
  }
  const keys = ['bindingName', 'inputJson', 'status']
  const blocks = 'bridgeKind' in entry
  if (blocks) keys.push('bridgeKind')
  else if (status !== 'interrupted') keys.push('dateNowMs', 'settledOrder')
  if (status === 'fulfilled') keys.push('valueJson')
  else if (status === 'rejected') keys.push('error')
  else if (status === 'interrupted' && !blocks) keys.push('interruptionId', 'payloadJson')
  else return refuse('An entry of the ledger is malformed.', { index })
  if (!hasExactly(entry, keys)) return refuse('An entry of the ledger is malformed.', { index })

  if (status !== 'interrupted' && !blocks) {
    const { dateNowMs, settledOrder } = entry
    if (!isTime(dateNowMs) || !Number.isSafeInteger(settledOrder) || (settledOrder as number) < 1) refuse('An entry of the ledger is malformed.', { index })
  }
  const isModule = blocks && entry['bridgeKind'] !== 'sync-host'
  if (isModule) checkModule(entry, index, limits)
  else checkValues(entry, index, limits)
  if (status === 'rejected') checkError(entry['error'], index, limits)
}

function checkValues(entry: Plain, index: number, limits: Limits): void {
  const { inputJson, interruptionId, payloadJson, status, valueJson } = entry
  if (!Array.isArray(text(inputJson, limits.maxHostFunctionArgumentsBytes, index, valueOf))) refuse('Arguments are a list.', { index })
  if (status === 'fulfilled') text(valueJson, limits.maxHostFunctionOutputBytes, index, valueOf)
  if (status !== 'interrupted') return
  text(payloadJson, limits.maxHostFunctionOutputBytes, index, valueOf)
  if (questionOf(interruptionId, index + 1) === undefined) refuse('An interruption has the id of another call.', { index })
}

function checkModule(entry: Plain, index: number, limits: Limits): void {
  const { bridgeKind, inputJson, status, valueJson } = entry
  if (bridgeKind !== 'module-normalize' && bridgeKind !== 'module-load') refuse('An entry of the ledger is malformed.', { index })
  const input = text(inputJson, limits.maxHostFunctionArgumentsBytes, index, JSON.parse)
  const count = bridgeKind === 'module-load' ? 1 : 2
  if (!Array.isArray(input) || input.length !== count || input.some((each) => typeof each !== 'string')) {
    refuse('A request for a module is malformed.', { index })
  }
  if (status !== 'fulfilled') return
  const output = text(valueJson, limits.maxHostFunctionOutputBytes, index, JSON.parse)
  if (typeof output !== 'string') return refuse('The name or the text of a module is malformed.', { index })
  if (bridgeKind === 'module-load' && bytesOf(output) > limits.maxSourceBytes) refuse('The text of a module is too large.', { index })
}

/** The value of a text. */
function text(value: unknown, most: number, index: number, read: (text: string) => unknown): unknown {
  if (typeof value !== 'string') return refuse('An entry of the ledger is malformed.', { index })
  if (bytesOf(value) > most) refuse('A value of the ledger is too large.', { bytes: bytesOf(value), index, maxBytes: most })
  try {
    return read(value)
  } catch {
    return refuse('A value of the ledger is malformed.', { index })
  }
}

function checkError(error: unknown, index: number, limits: Limits): void {
  const known = ['code', 'details', 'message', 'name', 'stack']
  if (!isPlain(error) || typeof error['name'] !== 'string' || typeof error['message'] !== 'string' ||
    Object.entries(error).some(([key, value]) => !known.includes(key) || (key !== 'details' && typeof value !== 'string'))) {
    return refuse('An error of the ledger is malformed.', { index })
  }
  if (bytesOf(JSON.stringify(error)) > limits.maxHostFunctionOutputBytes) refuse('An error of the ledger is too large.', { index })
}

/** The id of the nth question of a call. */
export const interruptionId = (requestIndex: number, question: number): string =>
  question === 1 ? `interrupt-${requestIndex}` : `interrupt-${requestIndex}.${question}`

/** Which question of a call an id is of; `undefined` where it is of another call. */
export function questionOf(id: unknown, requestIndex: number): number | undefined {
  const [, index, question = '1'] = (typeof id === 'string' && /^interrupt-([1-9]\d*)(?:\.([1-9]\d{0,8}))?$/.exec(id)) || []
  return Number(index) === requestIndex && interruptionId(requestIndex, Number(question)) === id ? Number(question) : undefined
}
