import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { type HostFunctionOptions, type RunOptions, type RunnerOptions, createRunner, hostFunction, openRuns, resume, run, sealed } from 'intermission'

const keys = `k:${'ab'.repeat(32)}`
const refused = { name: 'OptionsError', code: 'OPTIONS' }

test('a time that is none is refused, and no token is good for ever because of it', () => {
  for (const ms of [-1, -0.001, NaN, -Infinity]) {
    for (const options of [
      { codec: sealed({ keys, expiresInMs: ms }) }, { codec: sealed({ keys, skewMs: ms }) }, { drainMs: ms }, { tickMs: ms },
    ] satisfies RunnerOptions[]) assert.throws(() => createRunner(options), refused, JSON.stringify([ms, options]))
  }
  assert.throws(() => createRunner({ drainMs: -5 }), { message: 'a time is a number of milliseconds of at least 0, not -5 at .drainMs' })
  for (const ms of [0, 0.5, 2 ** 60, Infinity]) createRunner({ drainMs: ms })
})

test('a word that says nothing is refused, and is not the default', async () => {
  const odd = <T>(word: string): T => word as T
  assert.throws(() => createRunner({ profile: odd('bear') }), refused)
  const effect = odd<NonNullable<HostFunctionOptions['effect']>>('idempotnet')
  assert.throws(() => createRunner({ hostFunctions: { f: hostFunction({ effect, run: () => 1 }) } }), refused)
  const kind = odd<RunOptions['kind']>('modul')
  await assert.rejects(createRunner().run('return 1', { kind }), refused)
})

test('an option that there is not is refused by its name, wherever it is given', async () => {
  const odd = <T>(name: string): T => ({ [name]: 1 }) as T
  const message = (of: string, name: string) => new RegExp(`^${of} has no option ${name}; there are: `)
  const said = (of: string, name: string) => (error: Error & { code?: string }) => error.code === 'OPTIONS' && message(of, name).test(error.message)
  assert.throws(() => createRunner(odd('hostFuntions')), said('createRunner\\(\\)', 'hostFuntions'))
  const runner = createRunner()
  await assert.rejects(runner.run('return 1', odd('inputs')), said('a run', 'inputs'))
  await assert.rejects(runner.resume('a token', odd('resolution')), said('a resume', 'resolution'))
  await assert.rejects(run('return 1', odd('hostFunction')), said('run\\(\\)', 'hostFunction'))
  await assert.rejects(resume('a token', odd('limit')), said('resume\\(\\)', 'limit'))
  await assert.rejects(openRuns(odd('sotre')), TypeError)
})

test('a host function that could not be called is refused where it is made, and what else it has is nobody\'s business', () => {
  const odd = (options: unknown) => hostFunction(options as HostFunctionOptions)
  assert.throws(() => odd({}), { ...refused, message: 'the run of a hostFunction() is a function, not undefined' })
  assert.throws(() => odd({ run: 5 }), { ...refused, message: 'the run of a hostFunction() is a function, not 5' })
  assert.throws(() => odd({ run: () => 1, reconcile: true }), { ...refused, message: 'the reconcile of a hostFunction() is a function, not boolean' })
  assert.throws(() => odd({ execute: () => 1 }), {
    ...refused,
    message: 'hostFunction() has no option execute; there are: description, input, output, effect, blocking, reconcile, run',
  })
  odd({ run: () => 1, name: 'a tool of another library' })
})

test('an engine for no runs is refused', () => {
  for (const options of [{ maxRuns: 0 }, { lanes: 0 }, { maxRuns: -1 }, { lanes: 1.5 }]) assert.throws(() => createRunner(options), refused)
})

test('opened runs take no time that is none either', async () => {
  const store = join(tmpdir(), 'never-made.db')
  for (const name of ['leaseMs', 'retentionMs', 'lookAgainMs', 'longestWaitMs']) await assert.rejects(openRuns({ store, [name]: -1 }), refused, name)
  await assert.rejects(openRuns({ store: { path: store, patienceMs: NaN } }), refused)
})
