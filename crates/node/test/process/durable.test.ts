import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { happened, openRuns, unwrap } from 'intermission'

import { asked } from '../durable/bed.js'
import { functions } from './durable.js'

/** How many processes: `EXITS=200 npm test` for as many as anybody wants. */
const COUNT = Number(process.env['EXITS'] ?? 8)
const DURABLE = fileURLToPath(new URL('./durable.js', import.meta.url))

function store(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'intermission-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return join(folder, 'runs.db')
}

/** What was done, in order; the same call twice is there once a time. */
const effects = (path: string): string[] =>
  existsSync(`${path}.effects`) ? readFileSync(`${path}.effects`, 'utf8').split('\n').filter((line) => line !== '').map((line) => line.split(' ')[0] as string) : []

test('a run whose process is killed goes on in another, and does nothing again', async (t) => {
  const path = store(t)
  const dying = spawn(process.execPath, [DURABLE, 'dies', path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  for await (const line of createInterface({ input: dying.stdout })) {
    lines.push(line)
    if (lines.length === 2) break
  }
  const run = lines.find((line) => line.startsWith('run_')) as string
  assert.deepEqual(lines.filter((line) => line !== run), ['paying'])
  const dead = once(dying, 'exit')
  dying.kill('SIGKILL')
  assert.deepEqual(await dead, [null, 'SIGKILL'])
  assert.deepEqual(effects(path), ['log(a)', 'pay(10)'])

  const runs = await openRuns({ store: path, hostFunctions: functions(path, false), lookAgainMs: 10 })
  const question = await asked(runs, run)
  assert.deepEqual([question.kind, question.hostFunction, question.arguments], ['outcome-unknown', 'pay', [10]])
  await runs.resolve(run, happened(question.id, 'paid'))
  assert.equal(unwrap(await runs.wait(run)), 'paid')
  assert.deepEqual(effects(path), ['log(a)', 'pay(10)', 'log(b)'])
  await runs.close()
})

for (const [kind, done] of [['away', []], ['underWay', ['log(a)', 'log(b)']], ['closed', ['log(a)']], ['idle', []]] as const) {
  test(`a process with runs ends by itself, with 0: ${kind}`, async (t) => {
    const path = store(t)
    const { stderr } = await promisify(execFile)(process.execPath, [DURABLE, kind, path])
    assert.equal(stderr, '')
    assert.deepEqual(effects(path), done)
  })
}

test('a process with runs under way can be ended at any moment', async (t) => {
  const path = store(t)
  const ends = Array.from({ length: COUNT }, (_, at) => promisify(execFile)(process.execPath, [DURABLE, at % 2 === 0 ? 'exits' : 'killedThread', path]))
  assert.deepEqual((await Promise.all(ends)).map(({ stderr }) => stderr), Array.from({ length: COUNT }, () => ''))
})
