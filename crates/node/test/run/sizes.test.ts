// How long a text can be at most, by the bytes of its value: never less than it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mostText } from '../../dist/run/sizes.js'
import { textOf } from '../../dist/run/values.js'
import { encode } from '../../dist/value/index.js'

/** Values made of a seed: every kind, nested. */
function made(seed: number): unknown {
  let state = seed >>> 0
  const below = (most: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
  const text = (): string => Array.from({ length: below(20) }, () => ['a', '<', '"', '\\', '\u0001', '\u2028', 'é', '😀', '\ud800'][below(9)]).join('')
  const value = (depth: number): unknown => {
    const some = (): unknown[] => Array.from({ length: below(5) }, () => value(depth + 1))
    switch (below(depth > 4 ? 9 : 18)) {
      case 0:
        return [undefined, null, true, false, NaN, Infinity, -Infinity, -0][below(8)]
      case 1:
        return below(100)
      case 2:
        return -below(2 ** 31) / 7
      case 3:
        return BigInt(below(2 ** 31)) ** BigInt(below(9)) * -1n
      case 4:
      case 5:
        return text()
      case 6:
        return new Date(below(2 ** 31) * 1000)
      case 7:
        return /[<"]+/giu
      case 8:
        return new Uint8Array(below(40))
      case 9:
        return new Map(some().map((each) => [text(), each]))
      case 10:
        return new Set(some())
      case 11:
        return Object.assign(new TypeError(text()), { cause: value(depth + 1) })
      case 12:
        return new AggregateError(some(), text())
      case 13:
        return Object.assign([...some(), , , ...some()], {})
      case 14:
        return Object.assign(Object.create(null), { [`k${text()}`]: value(depth + 1) })
      case 15:
        return JSON.parse('{"__proto__": [1]}')
      default:
        return Object.fromEntries(some().map((each) => [text(), each]))
    }
  }
  return value(0)
}

test('no text is longer than its value says that it can be', () => {
  for (let seed = 0; seed < 5_000; seed += 1) {
    const value = made(seed)
    const bytes = encode(value)
    const size = Buffer.byteLength(textOf(value))
    assert.ok(size <= mostText(bytes, Infinity), `seed ${seed}: ${size} bytes of ${textOf(value).slice(0, 200)}`)
    // A bound that is exceeded need not be exact, but it is exceeded.
    assert.ok(mostText(bytes, size - 1) > size - 1, `seed ${seed}`)
  }
})
