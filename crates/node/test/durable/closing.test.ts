import assert from 'node:assert/strict'
import { test } from 'node:test'

import { type Runs, getHostCall, hostFunction, unwrap } from 'intermission'

import { Bed, gate } from './bed.js'

test('what is under way when runs are closed may come to its end', async (t) => {
  const bed = new Bed(t)
  const { stay, called, open } = gate()
  const runs = await bed.open({ hostFunctions: { stay } })
  const run = await runs.start('return await stay()')
  await called
  const closed = runs.close({ patienceMs: 600_000 })
  open()
  await closed
  await runs.close()
  await assert.rejects(runs.get(run), { name: 'RunsError', code: 'RUNS_CLOSED' })
  assert.equal(unwrap(await (await bed.open()).get(run)), 'open')
})

test('what does not come to its end in time is aborted, and gone on with by others at once', async (t) => {
  const bed = new Bed(t)
  const { stay, called, aborted } = gate()
  const runs = await bed.open({ hostFunctions: { stay: hostFunction({ effect: 'pure', run: stay }) }, leaseMs: 600_000 })
  const run = await runs.start('return await stay()')
  await called
  const waits = assert.rejects(runs.wait(run), { name: 'RunsError', code: 'RUNS_CLOSED' })
  await runs.close({ patienceMs: 0 })
  await Promise.all([waits, aborted])
  const others = await bed.open({ hostFunctions: { stay: hostFunction({ effect: 'pure', run: () => 'elsewhere' }) } })
  assert.equal(unwrap(await others.wait(run)), 'elsewhere')
})

test('within the patience, a host function has its runs as before', async (t) => {
  const bed = new Bed(t)
  const { stay, called, open } = gate()
  let runs: Runs | undefined
  const note = async (): Promise<unknown> => {
    await stay()
    return [await runs?.emit(getHostCall().runId, 'k', 5), (await runs?.get(getHostCall().runId))?.state]
  }
  runs = await bed.open({ hostFunctions: { note } })
  const run = await runs.start("return [await note(), await waitFor('k')]")
  await called
  const closed = runs.close({ patienceMs: 600_000 })
  open()
  await closed
  assert.deepEqual(unwrap(await (await bed.open()).get(run)), [['first', 'running'], 5])
})

test('what was begun when runs are closed is done, and told', async (t) => {
  const bed = new Bed(t)
  const runs = await bed.open()
  const run = await runs.start("await waitFor('never')")
  for await (const { what } of runs.events({ run })) if (what === 'putAway') break
  const emitted = Array.from({ length: 300 }, (_, n) => runs.emit(run, `${n}`, n))
  await runs.close({ patienceMs: 0 })
  assert.deepEqual(await Promise.all(emitted), emitted.map(() => 'first'))
  const others = await bed.open()
  assert.deepEqual(await Promise.all(emitted.map((_, n) => others.emit(run, `${n}`, n))), emitted.map(() => 'same'))
})

test('a patience that is none closes nothing', async (t) => {
  const runs = await new Bed(t).open()
  for (const patienceMs of [-1, NaN, Infinity, '10' as unknown as number]) {
    await assert.rejects(runs.close({ patienceMs }), { name: 'OptionsError', code: 'OPTIONS', message: /^patienceMs is a number of milliseconds, at least 0, not / })
  }
  assert.equal(unwrap(await runs.wait(await runs.start('return 1'))), 1)
  await runs.close()
  await assert.rejects(runs.start('return 1'), { name: 'RunsError', code: 'RUNS_CLOSED' })
})

test('whoever closes again with less patience need not wait for more', async (t) => {
  const { stay, called, aborted } = gate()
  const runs = await new Bed(t).open({ hostFunctions: { stay } })
  await runs.start('return await stay()')
  await called
  await Promise.all([runs.close({ patienceMs: 600_000 }), runs.close({ patienceMs: 0 }), aborted])
})
