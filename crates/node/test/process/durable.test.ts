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

/** What was done, in order, each with its call's key. */
const keyed = (path: string): string[] => (existsSync(`${path}.effects`) ? readFileSync(`${path}.effects`, 'utf8').split('\n').filter((line) => line !== '') : [])

/** The same without the keys; the same call twice is there once a time. */
const effects = (path: string): string[] => keyed(path).map((line) => line.split(' ')[0] as string)

/** The states of the runs that a process has left. */
async function left(path: string): Promise<string[]> {
  const runs = await openRuns({ store: path, picksUp: false })
  const states = (await runs.list()).map(({ state }) => state)
  await runs.close()
  return states
}

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

const ENDS = [
  ['away', [], ['waiting']],
  ['underWay', ['log(a)', 'log(b)'], ['completed']],
  ['closed', ['log(a)'], ['completed']],
  ['idle', [], []],
  ['waitsForRoom', ['log(a)', 'log(b)', 'log(c)'], ['completed', 'completed', 'completed']],
  ['answered', ['mail(ann)', 'log(ann)'], ['completed']],
] as const

for (const [kind, done, states] of ENDS) {
  test(`a process with runs ends by itself, with 0: ${kind}`, async (t) => {
    const path = store(t)
    const { stderr } = await promisify(execFile)(process.execPath, [DURABLE, kind, path])
    assert.equal(stderr, '')
    assert.deepEqual(effects(path).sort(), [...done].sort())
    assert.deepEqual(await left(path), states)
  })
}

test('a thread that is ended while its policy is asked leaves its run to others at once, undecided', async (t) => {
  const path = store(t)
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [DURABLE, 'killedPolicy', path])
  assert.deepEqual([stdout, stderr, effects(path)], ['"a"', '', ['log(a)']])
})

test('a process with runs under way can be ended at any moment', async (t) => {
  const path = store(t)
  const ends = Array.from({ length: COUNT }, (_, at) => promisify(execFile)(process.execPath, [DURABLE, at % 2 === 0 ? 'exits' : 'killedThread', path]))
  assert.deepEqual((await Promise.all(ends)).map(({ stderr }) => stderr), Array.from({ length: COUNT }, () => ''))

  for (const [place, started] of [[path, Math.ceil(COUNT / 2)], [`${path}.other`, Math.floor(COUNT / 2)]] as const) {
    const runs = await openRuns({ store: place, hostFunctions: functions(place, false), lookAgainMs: 10 })
    const listed = await runs.list()
    await Promise.all(listed.map(({ runId }) => runs.cancel(runId)))
    const ended = await Promise.all(listed.map(({ runId }) => runs.wait(runId)))
    assert.deepEqual(ended.map(({ state }) => state), Array.from({ length: started }, () => 'cancelled'))
    await runs.close()
    const calls = keyed(place)
    assert.equal(new Set(calls).size, calls.length)
  }
})
