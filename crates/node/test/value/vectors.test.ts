import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

import { decode, encode } from '../../dist/value/index.js'

interface Vector {
  readonly name: string
  readonly bytes: string
  readonly js?: string
}

const file = new URL('../../../../conformance/vectors/values.jsonl', import.meta.url)
const vectors = readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Vector)
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const hasHalves = 'Float16Array' in globalThis

test('every accepted vector is written as its bytes, and read and written again', () => {
  let seen = 0
  for (const { name, js, bytes } of vectors) {
    if (js === undefined || (js.includes('Float16Array') && !hasHalves)) continue
    const value: unknown = (0, eval)(`(${js})`)
    assert.equal(hex(encode(value)), bytes, name)
    assert.equal(hex(encode(decode(Buffer.from(bytes, 'hex')))), bytes, `${name}, read and written`)
    seen++
  }
  assert.ok(seen > 150, `${seen} vectors`)
})
