import { bytesOf } from '../value/plain.js'
import { RunHostFunctionError } from './errors.js'
import type { HostFunctions } from './types.js'

/** The names of the functions of each group, as they were when the run began. */
export type Manifest = ReadonlyMap<string, ReadonlySet<string>>

/** What scripts find by itself; no group can have its name. */
const RESERVED_GLOBALS = new Set(
  `AggregateError Array ArrayBuffer Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError
  FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array InternalError
  Intl Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer
  String Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet
  WebAssembly console crypto decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN
  parseFloat parseInt performance undefined unescape`.split(/\s+/),
)

const RESERVED_NAMES = new Set(['__proto__', 'constructor', 'prototype', 'then'])
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

const isReserved = (name: string): boolean => RESERVED_NAMES.has(name) || name.startsWith('__run')

/** Every own property with a string for its key, which has to be enumerable. */
function entries(owner: object, label: (name: string) => string): [string, unknown][] {
  const all: [string, unknown][] = []
  for (const name of Object.getOwnPropertyNames(owner)) {
    if (!Object.prototype.propertyIsEnumerable.call(owner, name)) throw new TypeError(`${label(name)} must be enumerable.`)
    all.push([name, (owner as Record<string, unknown>)[name]])
  }
  return all
}

/** Checks groups of host functions, and notes what they have. */
export function manifestOf(hostFunctions: HostFunctions): Manifest {
  const manifest = new Map<string, ReadonlySet<string>>()
  for (const [group, functions] of entries(hostFunctions, (name) => `Host function namespace "${name}"`)) {
    if (!IDENTIFIER.test(group) || bytesOf(group) > 512) throw new TypeError(`Invalid host function namespace: ${group}`)
    if (RESERVED_GLOBALS.has(group) || isReserved(group)) throw new TypeError(`Reserved host function namespace: ${group}`)
    if (typeof functions !== 'object' || functions === null || Array.isArray(functions)) {
      throw new TypeError(`Host function namespace "${group}" must be an object.`)
    }
    const names = new Set<string>()
    for (const [name, value] of entries(functions, (name) => `Host function "${group}.${name}"`)) {
      if (!IDENTIFIER.test(name) || isReserved(name) || bytesOf(`${group}.${name}`) > 1024) {
        throw new TypeError(`Invalid host function name: ${group}.${name}`)
      }
      if (typeof value !== 'function') throw new TypeError(`Host function "${group}.${name}" must be a function.`)
      names.add(name)
    }
    manifest.set(group, names)
  }
  return manifest
}

/** Full names, sorted: what a continuation is bound to. */
export function fullNames(manifest: Manifest): string[] {
  return [...manifest.keys()].sort().flatMap((group) => [...(manifest.get(group) ?? [])].sort().map((name) => `${group}.${name}`))
}

const own = (owner: unknown, key: string): unknown => {
  if (typeof owner !== 'object' || owner === null) return undefined
  const property = Object.getOwnPropertyDescriptor(owner, key)
  return property?.enumerable === true && 'value' in property ? (property.value as unknown) : undefined
}

/** The function that a call asks for: it has to be there now, and to have been there when the run began. */
export function find(hostFunctions: HostFunctions, manifest: Manifest, path: string): (...args: unknown[]) => unknown {
  const dot = path.indexOf('.')
  const [group, name] = [path.slice(0, dot), path.slice(dot + 1)]
  const found = manifest.get(group)?.has(name) === true ? own(own(hostFunctions, group), name) : undefined
  if (typeof found !== 'function') {
    throw new RunHostFunctionError(`Unknown host function: ${path}`, {
      availableHostFunctions: fullNames(manifest),
      hostFunctionName: path,
    })
  }
  return found as (...args: unknown[]) => unknown
}
