import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import {
  type HostFunctionOptions, type HostFunctions, type InterruptOptions, type Modules, type RunOptions, type RunnerOptions, approve, createRunner, hostFunction, interrupt, openRuns, resume, run, sealed, unwrap,
} from 'intermission'

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

test('an option of another kind than it is is refused where it is given, and not where it is wanted', async () => {
  const odd = (options: unknown) => () => createRunner(options as RunnerOptions)
  const cases: [options: unknown, message: RegExp][] = [
    [{ limits: null }, /^limits is an object of limits, not null$/],
    [{ limits: [1] }, /^limits is an object of limits, not a list$/],
    [{ modules: 'a' }, /^modules is an object of texts by their names, or with load\(\), not string$/],
    [{ policy: 'deny' }, /^policy is a function, not string$/],
    [{ claims: true }, /^claims is 'memory', or an object with claim\(\), settle\(\) and release\(\), not boolean$/],
    [{ claims: { claim: () => undefined } }, /^claims is 'memory', .*, not object$/],
    [{ ledgerSink: () => undefined }, /^ledgerSink is an object with append\(\), not function$/],
    [{ codec: 'sealed' }, /^codec is made by sealed\(\), signed\(\), stored\(\), open\(\) or codec\(\), not string$/],
    [{ codec: null }, /^codec is made by .*, not null$/],
    [{ codec: {} }, /^codec is made by .*, not object$/],
  ]
  for (const [options, message] of cases) assert.throws(odd(options), { ...refused, message }, JSON.stringify(options))
  await assert.rejects(createRunner().run('return 1', { modules: 'a' as unknown as Modules }), { ...refused, message: /^modules is / })
  const ask = () => interrupt('sure?', undefined, { expiresInMs: 5 } as InterruptOptions)
  const asks = await createRunner({ hostFunctions: { ask } }).run('return await ask().catch((error) => error.message)')
  assert.equal(unwrap(asks), 'interrupt() has no option expiresInMs; there are: expiresAt, default')
})

test('a host function that could not be called, or with an option that there is not, is refused where it is made', () => {
  const odd = (options: unknown) => hostFunction(options as HostFunctionOptions)
  assert.throws(() => odd({}), { ...refused, message: 'the run of a hostFunction() is a function, not undefined' })
  assert.throws(() => odd({ run: 5 }), { ...refused, message: 'the run of a hostFunction() is a function, not 5' })
  assert.throws(() => odd({ run: () => 1, reconcile: true }), { ...refused, message: 'the reconcile of a hostFunction() is a function, not boolean' })
  assert.throws(() => odd({ execute: () => 1 }), {
    ...refused,
    message: 'hostFunction() has no option execute; there are: description, input, output, effect, blocking, reconcile, run',
  })
  // Whoever means this must not get a function that nobody is asked about.
  assert.throws(() => odd({ run: () => 1, approval: true }), { ...refused, message: /^hostFunction\(\) has no option approval; .*; approval\(of\) makes a function that is asked about$/ })
  assert.throws(() => odd(undefined), { ...refused, message: /^hostFunction\(\) takes an object of options .* not undefined$/ })
  assert.throws(() => odd({ run: () => 1, inputSchema: {} }), { ...refused, message: /hostFunction\(\) has no option inputSchema; there are: / })
  odd({ run: () => 1, name: 'a tool of another library' })
})

test('functions that are lent otherwise than by their names say how', () => {
  const lent = (hostFunctions: unknown) => () => createRunner({ hostFunctions: hostFunctions as HostFunctions })
  assert.throws(lent([() => 1]), { message: 'hostFunctions is an object of functions by their names, not a list' })
  assert.throws(lent({ a: { description: 'Adds', execute: () => 1 } }), { message: 'hostFunctions.a has options of a function: hostFunction({ ..., run }) makes one of them' })
})

test('what is no signal, no answer and no continuation is told by what it is', async () => {
  const runner = createRunner()
  const signal = new AbortController() as unknown as AbortSignal
  await assert.rejects(runner.run('return 1', { signal }), { ...refused, message: "signal is an AbortSignal, not an instance of AbortController: give the controller's signal" })
  const result = await runner.run('return 1')
  const odd = <T>(value: unknown): T => value as T
  await assert.rejects(runner.resume(odd<string>(result)), { message: 'a run goes on from a Continuation or a token, not object' })
  await assert.rejects(runner.resume('a token', { resolutions: odd({}) }), { message: 'resolutions is a list of answers, not object' })
  await assert.rejects(runner.resume('a token', { resolutions: odd(['yes']) }), { message: 'an answer is made by answer(), approve(), deny() and the like; this is string' })
  await assert.rejects(runner.resume('a token', { resolutions: [approve(odd(undefined))] }), { message: 'an answer is to the id of an interruption, a string, not to undefined' })
  await assert.rejects(runner.replay(odd('a token')), { message: 'a Continuation is wanted, as a result or decode() has it, not string' })
  await assert.rejects(runner.run('return 1', odd(null)), { ...refused, message: /^a run takes an object of options \(kind, .*\), not null$/ })
})

test('queries and answers of opened runs take no option that there is not', async () => {
  const runs = await openRuns({ store: join(mkdtempSync(join(tmpdir(), 'intermission-')), 'runs.db') })
  const odd = <T>(value: unknown): T => value as T
  await assert.rejects(runs.inbox(odd({ runId: 'run_' })), { ...refused, message: 'inbox() has no option runId; there are: run, events, after, limit' })
  await assert.rejects(runs.inbox(odd('run_')), { ...refused, message: 'inbox() takes an object of options (run, events, after, limit), not string' })
  await assert.rejects(runs.list(odd({ state: 'failed' })), refused)
  await assert.rejects(runs.resolve('run_', approve('int_'), odd('ada')), refused)
  await assert.rejects(runs.emit('run_', 'k', 1, odd({ bye: 'ada' })), refused)
  await assert.rejects(runs.wait('run_', odd({ signal: AbortSignal.abort() })), { message: "a run is waited for until it 'asks' or is 'over', not until object" })
  assert.throws(() => runs.events(odd({ afetr: 3 })), refused)
  await assert.rejects(runs.close(odd(5)), refused)
  await runs.close()
})

test('an engine for no runs is refused', () => {
  for (const options of [{ maxRuns: 0 }, { lanes: 0 }, { maxRuns: -1 }, { lanes: 1.5 }]) assert.throws(() => createRunner(options), refused)
})

test('opened runs take no time that is none either', async () => {
  const store = join(tmpdir(), 'never-made.db')
  for (const name of ['leaseMs', 'retentionMs', 'lookAgainMs', 'longestWaitMs']) await assert.rejects(openRuns({ store, [name]: -1 }), refused, name)
  await assert.rejects(openRuns({ store: { path: store, patienceMs: NaN } }), refused)
})
