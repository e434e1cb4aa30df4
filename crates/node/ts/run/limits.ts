import type { RunLimits } from './types.js'

/** Every limit with its value. */
export type Limits = Required<RunLimits>

const KIB = 1024
const MIB = 1024 * KIB

const DEFAULTS: Limits = {
  timeoutMs: 30_000,
  memoryLimitBytes: 64 * MIB,
  maxStackSizeBytes: 2 * MIB,
  maxResultBytes: MIB,
  maxConsoleOutputBytes: 64 * KIB,
  maxSourceBytes: 256 * KIB,
  maxHostFunctionArgumentsBytes: MIB,
  maxHostFunctionOutputBytes: 4 * MIB,
  maxBridgeRequests: 256,
  maxInFlightBridgeRequests: 32,
  maxContinuationBytes: 32 * MIB,
}

const NAMES = Object.keys(DEFAULTS).sort() as (keyof RunLimits)[]

/** What a timer, and a platform's 32-bit numbers, can take. */
const MOST = 2_147_483_647

/** The limits of a run: its own over its runner's over the defaults. What is `undefined` in its own is the default. */
export function limitsOf(runner: RunLimits | undefined, run: RunLimits | undefined): Limits {
  if (runner === undefined && run === undefined) return DEFAULTS
  const given: RunLimits = { ...runner, ...run }
  const limits = { ...DEFAULTS }
  for (const name of NAMES) {
    const value = given[name] ?? DEFAULTS[name]
    if (!Number.isInteger(value) || value <= 0) throw new TypeError(`limits.${name} must be a positive integer.`)
    if (value > MOST) throw new TypeError(`limits.${name} must be at most ${MOST}.`)
    limits[name] = value
  }
  return limits
}
