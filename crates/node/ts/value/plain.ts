/** Whether a value is an object of no class: one that a literal makes, or one without a prototype. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype = Object.getPrototypeOf(value) as unknown
  return prototype === Object.prototype || prototype === null
}

/** Whether an object has these own keys, as data, and no others, not even symbols. */
export function hasExactly(value: object, keys: readonly string[]): boolean {
  const own = Reflect.ownKeys(value)
  return own.length === keys.length && keys.every((key) => {
    const property = Object.getOwnPropertyDescriptor(value, key)
    return property !== undefined && 'value' in property && property.enumerable === true
  })
}

/** The UTF-8 bytes of a text. */
export const bytesOf = (text: string): number => Buffer.byteLength(text)
