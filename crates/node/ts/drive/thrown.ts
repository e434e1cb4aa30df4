/** An error as a host function's: name, message and code. It can be made of whatever was thrown: getters that throw and proxies that were revoked, too. */
export function thrown(error: unknown): { name: string; message: string; code?: string } {
  if (error === null || typeof error !== 'object') return { name: 'Error', message: textOf(error) }
  const [name, message, code] = ['name', 'message', 'code'].map((key) => stringIn(error, key))
  const told = { name: name ?? 'Error', message: message ?? '' }
  return code === undefined ? told : { ...told, code }
}

/** `instanceof`, of whatever was thrown. */
export function isThrown<T>(error: unknown, constructor: abstract new (...args: never[]) => T): error is T {
  try {
    return error instanceof constructor
  } catch {
    return false
  }
}

function stringIn(object: object, key: string): string | undefined {
  try {
    const value = (object as Record<string, unknown>)[key]
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

function textOf(value: unknown): string {
  try {
    return String(value)
  } catch {
    return ''
  }
}
