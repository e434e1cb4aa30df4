import { checkMethods } from './options.js'

/** Every limit of a run: docs/limits.md. Each has a code of its own and none can be caught by the script, but for the JavaScript stack. What is absent has the default. */
export interface Limits {
  /** Wall-clock time of one invocation, host calls and timers included. Default: 30,000. */
  readonly deadlineMs?: number | undefined
  /** Time that the script computes. Default: 30,000. */
  readonly cpuMs?: number | undefined
  /** Backward jumps and calls; the same number on every machine. Default: none. */
  readonly fuel?: number | undefined
  /** Linear memory of the sandbox and the arguments of its calls under way, in bytes, 4 MiB to 4 GiB. Default: 128 MiB. */
  readonly memory?: number | undefined
  /** JavaScript's stack in bytes, 64 KiB to 1 MiB. Default: 1 MiB. */
  readonly jsStack?: number | undefined
  /** The source, and each module, in bytes. Default: 256 KiB. */
  readonly source?: number | undefined
  /** The value and the final `data`, each in bytes of its encoded form. Default: 8 MiB. */
  readonly result?: number | undefined
  /** The console, in bytes of its encoded form. Default: 1 MiB. */
  readonly console?: number | undefined
  /** The arguments of one call, in bytes of their encoded form. Default: 8 MiB. */
  readonly arguments?: number | undefined
  /** The outcome of one call, in bytes of its encoded form. Default: 8 MiB. */
  readonly output?: number | undefined
  /** Host calls and module requests. Default: 10,000. */
  readonly calls?: number | undefined
  /** Host calls under way at one time. Default: 1,000. */
  readonly inFlight?: number | undefined
  /** Timers set at one time. Default: 10,000. */
  readonly timers?: number | undefined
  /** The run's ledger, in bytes of its encoded form, about. Default: 64 MiB. */
  readonly ledger?: number | undefined
}

const NAMES = ['deadlineMs', 'cpuMs', 'fuel', 'memory', 'jsStack', 'source', 'result', 'console', 'arguments', 'output', 'calls', 'inFlight', 'timers', 'ledger'] as const

/** Limits for the native layer. @internal */
export function limitsMessage(limits: Limits | undefined): Record<string, number> | undefined {
  if (limits === undefined) return undefined
  checkMethods('limits', 'an object of limits', limits, [])
  const said: Record<string, number> = {}
  for (const [name, value] of Object.entries(limits)) {
    if (value === undefined) continue
    if (!(NAMES as readonly string[]).includes(name)) throw new TypeError(`limits.${name} is no limit; there are: ${NAMES.join(', ')}`)
    const isTime = name.endsWith('Ms')
    if (typeof value !== 'number' || !(value >= 0) || !(isTime || Number.isSafeInteger(value))) {
      throw new TypeError(`limits.${name} is ${isTime ? 'a number' : 'a whole number'} of at least 0, not ${String(value)}`)
    }
    said[name] = value
  }
  return said
}
