import assert from 'node:assert/strict'
import { test } from 'node:test'

import { hostFunction, unwrap } from 'intermission'

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
