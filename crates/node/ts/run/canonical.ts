import { isPlain } from '../value/plain.js'
import { RunProtocolError } from './errors.js'

/** The one text of a JSON value: keys in the order of their code units, no blanks. Throws on whatever is no JSON. */
export function canonicalJson(value: unknown, within = new Set<object>()): string {
  if (value === null || typeof value !== 'object') {
    if (typeof value === 'string' || typeof value === 'boolean' || value === null || Number.isFinite(value)) return JSON.stringify(value)
    throw new RunProtocolError('The continuation has a value that is no JSON.')
  }
  if (within.has(value)) throw new RunProtocolError('The continuation contains itself.')
  within.add(value)
  let text
  if (Array.isArray(value)) {
    const items: string[] = []
    for (let i = 0; i < value.length; i += 1) {
      if (!Object.hasOwn(value, i)) throw new RunProtocolError('The continuation has a list with a hole.')
      items.push(canonicalJson(value[i], within))
    }
    text = `[${items.join(',')}]`
  } else {
    if (!isPlain(value)) throw new RunProtocolError('The continuation has an object of a class.')
    text = `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key], within)}`).join(',')}}`
  }
  within.delete(value)
  return text
}
