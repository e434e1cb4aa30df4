import { OptionsError } from './errors.js'

/** The names of all options there are: the compiler misses none. @internal */
export function keysOf<T>(keys: Readonly<Record<keyof T, true>>): readonly (keyof T & string)[] {
  return Object.keys(keys) as (keyof T & string)[]
}

/** Refuses a key that there is not, unless nothing is said with it. @internal */
export function checkKeys(of: string, options: object, keys: readonly string[]): void {
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && !keys.includes(name)) throw refused(`${of} has no option ${name}; there are: ${keys.join(', ')}`)
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

/** Refuses what cannot be called. @internal */
export function checkFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') throw refused(`${name} is a function, not ${told(value)}`)
}

function refused(why: string): OptionsError {
  return new OptionsError('OPTIONS', why)
}

function told(value: unknown): string {
  return typeof value === 'number' ? String(value) : typeof value
}
