import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const SHORT = fileURLToPath(new URL('./short.js', import.meta.url))
const KINDS = ['done', 'waits', 'worker', 'open', 'computing', 'aborted', 'thread', 'killedThread']
/** How many processes: `EXITS=200 npm test` for as many as the issue asks for. */
const COUNT = Number(process.env['EXITS'] ?? 24)

function exitOf(kind: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [SHORT, kind], (error, _, stderr) => {
      resolve(error === null ? 'exit 0' : `${kind}: ${String(error.code)} ${String(error.signal)} ${stderr}`)
    })
  })
}

test('short processes exit with 0, whatever is open', async () => {
  const left = Array.from({ length: COUNT }, (_, at) => KINDS[at % KINDS.length] as string)
  const exits: string[] = []
  const one = async (): Promise<void> => {
    for (let kind = left.pop(); kind !== undefined; kind = left.pop()) exits.push(await exitOf(kind))
  }
  await Promise.all(Array.from({ length: 8 }, one))
  assert.deepEqual(exits, Array.from({ length: COUNT }, () => 'exit 0'))
})
