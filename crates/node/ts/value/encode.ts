import { types } from 'node:util'

import { type Step, ValueError, pathText } from './refused.js'
import { type Met, Shares } from './shares.js'
import {
  DATA_VIEW, DATE, ERROR, FALSE, HOLE, MAP, MAX_DEPTH, NULL, NULL_PROTOTYPE, REGEXP, SET, TRUE, UNDEFINED, VIEWS,
} from './tags.js'
import { Writer } from './writer.js'

const VIEW_TAGS = new Map(VIEWS.map(([tag, name]) => [name, tag]))
const hasOwn = Object.hasOwn

/** What is written next is not written again into the same room while a getter runs. */
let idle: Encoder | undefined

/**
 * The one byte form of a value: docs/values.md.
 *
 * @param root How paths begin in messages, for example `args`.
 * @throws {ValueError} with the path to what cannot cross. What a getter throws passes on as it is.
 */
export function encode(value: unknown, root = ''): Uint8Array {
  const encoder = idle ?? new Encoder()
  idle = undefined
  try {
    return encoder.encode(value, root)
  } finally {
    encoder.reset()
    idle = encoder
  }
}

/** How much room is kept for the next value. */
const KEPT = 1 << 20

class Encoder {
  #writer = new Writer()
  #shares = new Shares()
  #steps: Step[] = []
  #root = ''

  reset(): void {
    this.#writer.at = 0
    if (this.#writer.bytes.length > KEPT) this.#writer = new Writer()
    this.#shares.clear()
    this.#steps.length = 0
  }

  encode(value: unknown, root: string): Uint8Array {
    this.#root = root
    this.#value(value)
    const writer = this.#writer
    const bytes = writer.bytes.subarray(0, writer.at)
    return this.#shares.any ? this.#shares.assemble(bytes) : new Uint8Array(bytes)
  }

  #refuse(why: string): never {
    throw new ValueError(pathText(this.#root, this.#steps), why)
  }

  #value(value: unknown): void {
    switch (typeof value) {
      case 'string':
        return this.#writer.string(value)
      case 'number':
        return this.#writer.number(value)
      case 'boolean':
        return this.#writer.byte(value ? TRUE : FALSE)
      case 'undefined':
        return this.#writer.byte(UNDEFINED)
      case 'bigint':
        return this.#writer.bigint(value)
      case 'object':
        return value === null ? this.#writer.byte(NULL) : this.#object(value)
      case 'function':
        return this.#refuse('it is a function')
      default:
        return this.#refuse('it is a symbol')
    }
  }

  #object(object: object): void {
    const met = this.#shares.meet(object, this.#writer.at)
    if (met === undefined) return
    const prototype = Object.getPrototypeOf(object) as object | null
    if (types.isProxy(object)) this.#refuse('it is a proxy')
    if (prototype === Object.prototype) {
      if (types.isArgumentsObject(object) || !BRANDED.test(brand(object))) return this.#plain(object)
    } else if (Array.isArray(object)) return this.#array(object)
    else if (prototype === null && !isExotic(object)) {
      this.#writer.tag(NULL_PROTOTYPE)
      return this.#plain(object)
    }
    this.#builtIn(object, met, prototype)
  }

  #builtIn(object: object, met: Met, prototype: object | null): void {
    if (Array.isArray(object)) return this.#array(object)
    if (types.isDate(object)) return this.#date(Date.prototype.getTime.call(object))
    if (types.isMap(object)) return this.#map(object)
    if (types.isSet(object)) return this.#set(object)
    if (ArrayBuffer.isView(object)) return this.#view(object, met)
    if (types.isArrayBuffer(object)) return this.#buffer(object, met)
    if (types.isRegExp(object)) {
      this.#writer.tag(REGEXP)
      return this.#writer.string(`/${object.source}/${object.flags}`)
    }
    if (isError(object)) return this.#error(object)
    if (isForeignPlain(object, prototype)) return this.#plain(object)
    this.#refuse(`it is ${description(object)}`)
  }

  #enter(): void {
    if (this.#steps.length === MAX_DEPTH) this.#refuse(`it is deeper than ${MAX_DEPTH} containers`)
  }

  #plain(object: object): void {
    this.#enter()
    const keys = Object.keys(object)
    const writer = this.#writer
    const steps = this.#steps
    writer.head(5, keys.length)
    for (const key of keys) {
      writer.string(key)
      steps.push(key)
      this.#value((object as Record<string, unknown>)[key])
      steps.pop()
    }
  }

  #array(array: readonly unknown[]): void {
    this.#enter()
    const { length } = array
    const steps = this.#steps
    this.#writer.head(4, length)
    for (let index = 0; index < length; index++) {
      const element = array[index]
      if (element === undefined && !hasOwn(array, index)) {
        this.#writer.byte(HOLE)
        continue
      }
      steps.push(index)
      this.#value(element)
      steps.pop()
    }
  }

  #date(time: number): void {
    this.#writer.tag(DATE)
    this.#writer.number(time / 1000)
  }

  #map(map: ReadonlyMap<unknown, unknown>): void {
    this.#enter()
    const entries = [...(Map.prototype.entries.call(map) as Iterable<[unknown, unknown]>)]
    this.#writer.tag(MAP)
    this.#writer.head(5, entries.length)
    entries.forEach(([key, value], at) => {
      this.#steps.push({ in: 'key', at })
      this.#value(key)
      this.#steps.pop()
      this.#steps.push({ in: 'value', at })
      this.#value(value)
      this.#steps.pop()
    })
  }

  #set(set: ReadonlySet<unknown>): void {
    this.#enter()
    const members = [...(Set.prototype.values.call(set) as Iterable<unknown>)]
    this.#writer.tag(SET)
    this.#writer.head(4, members.length)
    members.forEach((member, at) => {
      this.#steps.push({ in: 'member', at })
      this.#value(member)
      this.#steps.pop()
    })
  }

  #buffer(buffer: ArrayBuffer, met: Met): void {
    this.#writer.raw(this.#bytes(buffer, 0, buffer.byteLength))
    this.#shares.buffer(met, this.#writer.at, buffer)
  }

  #bytes(buffer: ArrayBuffer, offset: number, length: number): Uint8Array {
    try {
      return new Uint8Array(buffer, offset, length)
    } catch {
      return this.#refuse('its buffer is detached')
    }
  }

  #view(view: ArrayBufferView, met: Met): void {
    if (!(view.buffer instanceof ArrayBuffer) && !types.isArrayBuffer(view.buffer)) {
      this.#refuse('it is a view on a SharedArrayBuffer')
    }
    const buffer = view.buffer as ArrayBuffer
    const tag = types.isDataView(view) ? DATA_VIEW : VIEW_TAGS.get(viewName(view))
    if (tag === undefined) this.#refuse(`it is ${description(view)}`)
    this.#writer.tag(tag)
    this.#writer.raw(this.#bytes(buffer, view.byteOffset, view.byteLength))
    // Small Buffers lie in a pool, beside each other and beside secrets: each is sent alone.
    if (!Buffer.isBuffer(view)) this.#shares.view(met, this.#writer.at, view, tag)
  }

  #error(error: Error): void {
    this.#enter()
    const { name, message } = error as { name: unknown; message: unknown }
    const own = (key: string): boolean => hasOwn(error, key)
    const { code } = error as { code?: unknown }
    const hasCode = own('code') && (typeof code === 'string' || typeof code === 'number')
    const { errors } = error as { errors?: unknown }
    const hasErrors = own('errors') && Array.isArray(errors)
    const writer = this.#writer
    writer.tag(ERROR)
    writer.head(5, 2 + Number(own('cause')) + Number(hasErrors) + Number(hasCode))
    writer.string('name')
    writer.string(typeof name === 'string' ? name : 'Error')
    writer.string('message')
    writer.string(typeof message === 'string' ? message : '')
    const field = (key: string, value: unknown): void => {
      writer.string(key)
      this.#steps.push(key)
      this.#value(value)
      this.#steps.pop()
    }
    if (own('cause')) field('cause', error.cause)
    if (hasErrors) field('errors', errors)
    if (hasCode) field('code', code)
  }
}

const BRANDED = /^\[object (?:Date|RegExp|Error|Boolean|Number|String|Map|Set|Promise|WeakMap|WeakSet|WeakRef|Generator|ArrayBuffer)\]$/

/** What a built-in is called whose prototype was changed; a tag of the user's own does no harm. */
function brand(object: object): string {
  return hasOwn(object, Symbol.toStringTag) ? '' : Object.prototype.toString.call(object)
}

function isExotic(object: object): boolean {
  return (
    types.isDate(object) || types.isRegExp(object) || types.isMap(object) || types.isSet(object) ||
    types.isNativeError(object) || types.isAnyArrayBuffer(object) || ArrayBuffer.isView(object) ||
    types.isPromise(object) || types.isWeakMap(object) || types.isWeakSet(object) ||
    types.isBoxedPrimitive(object) || types.isModuleNamespaceObject(object) || types.isGeneratorObject(object)
  )
}

function isError(object: object): object is Error {
  return types.isNativeError(object) || object instanceof DOMException
}

/** A plain object of another realm, such as one of `node:vm`. */
function isForeignPlain(object: object, prototype: object | null): boolean {
  return (
    prototype !== null && Object.getPrototypeOf(prototype) === null &&
    hasOwn(prototype, 'hasOwnProperty') && hasOwn(prototype, 'isPrototypeOf') && !isExotic(object)
  )
}

function viewName(view: ArrayBufferView): string {
  const tag = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)
  return String(tag?.get?.call(view))
}

function description(object: object): string {
  if (types.isPromise(object)) return 'a promise'
  if (types.isSharedArrayBuffer(object)) return 'a SharedArrayBuffer'
  if (types.isBoxedPrimitive(object)) return 'a boxed primitive'
  if (types.isModuleNamespaceObject(object)) return 'a module'
  const name = (object.constructor as { name?: unknown } | undefined)?.name
  return typeof name === 'string' && name !== '' ? `an instance of ${name}` : 'an object of no known class'
}
