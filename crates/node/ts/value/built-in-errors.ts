/** What an error is made with, by its name; `Error` for every other. */
export const BUILT_IN_ERRORS: Readonly<Record<string, ErrorConstructor>> = {
  // A script may have named its error `toString`.
  __proto__: null as never, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError,
}

/** A property as an assignment would make it, but perhaps hidden. */
export function define(object: object, key: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(object, key, { value, enumerable, writable: true, configurable: true })
}
