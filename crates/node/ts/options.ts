import { OptionsError } from './errors.js'

/** The names of all options there are: the compiler misses none. @internal */
export function keysOf<T>(keys: Readonly<Record<keyof T, true>>): readonly (keyof T & string)[] {
  return Object.keys(keys) as (keyof T & string)[]
}

/** Refuses what is no object of options, or has a key that there is not, unless nothing is said with it, or it is one of those that do not matter. @internal */
export function checkKeys(of: string, options: object, keys: readonly string[], others: readonly string[] = []): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw refused(`${of} takes an object of options (${keys.join(', ')}), not ${told(options)}`)
  }
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || keys.includes(name) || others.includes(name)) continue
    const hint = name === 'approval' ? '; approval(of) makes a function that is asked about' : ''
    throw refused(`${of} has no option ${name}; there are: ${keys.join(', ')}${hint}`)
  }
}

/** Refuses what is no time in milliseconds. @internal */
export function checkTime(name: string, value: unknown, least = 0): void {
  if (typeof value === 'number' && value >= least && value <= Number.MAX_SAFE_INTEGER) return
  throw refused(`${name} is a number of milliseconds, at least ${least}, not ${told(value)}`)
}

/** Refuses what is no number of things. @internal */
export function checkCount(name: string, value: unknown, least: number): void {
  if (Number.isSafeInteger(value) && (value as number) >= least) return
  throw refused(`${name} is a whole number, at least ${least}, not ${told(value)}`)
}

/** Refuses what is no signal. @internal */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal === undefined || signal instanceof AbortSignal) return
  throw refused(`signal is an AbortSignal, not ${told(signal)}${(signal as unknown) instanceof AbortController ? ': give the controller\'s signal' : ''}`)
}

/** Refuses what cannot be called. @internal */
export function checkFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') throw refused(`${name} is a function, not ${told(value)}`)
}

/** Refuses what has none of these methods: `is` says what is wanted. @internal */
export function checkMethods(name: string, is: string, value: unknown, methods: readonly string[]): void {
  const of = value as Readonly<Record<string, unknown>> | null
  if (typeof of === 'object' && of !== null && !Array.isArray(of) && methods.every((method) => typeof of[method] === 'function')) return
  throw refused(`${name} is ${is}, not ${told(value)}`)
}

function refused(why: string): OptionsError {
  return new OptionsError('OPTIONS', why)
}

/** What something is, in a word or two. @internal */
export function told(value: unknown): string {
  if (typeof value === 'number' || value === null) return String(value)
  if (Array.isArray(value)) return 'a list'
  const name = typeof value === 'object' ? value.constructor?.name : undefined
  return name === undefined || name === 'Object' ? typeof value : `an instance of ${name}`
}
