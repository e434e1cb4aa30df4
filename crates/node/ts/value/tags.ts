/** Tags and simple values of the byte form: docs/values.md. */
export const HOLE = 0xe0
export const FALSE = 0xf4
export const TRUE = 0xf5
export const NULL = 0xf6
export const UNDEFINED = 0xf7

export const DATE = 1
export const SHAREABLE = 28
export const REFERENCE = 29
export const REGEXP = 35
export const SET = 258
export const MAP = 259
export const WTF8 = 273
export const NULL_PROTOTYPE = 40500
export const DATA_VIEW = 40501
export const SHARED_VIEW = 40502
export const ERROR = 40503

/** Containers inside each other, at most. */
export const MAX_DEPTH = 1000

/** A view on a buffer. */
export type ViewConstructor = new (buffer: ArrayBuffer, byteOffset?: number, length?: number) => ArrayBufferView

/** Tag, name and constructor of each kind of view. The engine may not have all of them. */
export const VIEWS: readonly (readonly [tag: number, name: string, size: number])[] = [
  [64, 'Uint8Array', 1],
  [68, 'Uint8ClampedArray', 1],
  [69, 'Uint16Array', 2],
  [70, 'Uint32Array', 4],
  [71, 'BigUint64Array', 8],
  [72, 'Int8Array', 1],
  [77, 'Int16Array', 2],
  [78, 'Int32Array', 4],
  [79, 'BigInt64Array', 8],
  [84, 'Float16Array', 2],
  [85, 'Float32Array', 4],
  [86, 'Float64Array', 8],
  [DATA_VIEW, 'DataView', 1],
]
