import assert from 'node:assert/strict'
import { test } from 'node:test'

import { getHostCall, hostFunction, unwrap } from 'intermission'

import { Bed } from './bed.js'

/** A function that is called, and answers when it is let. */
function gate(): { readonly stay: () => Promise<string>; readonly called: Promise<void>; readonly aborted: Promise<void>; open(): void } {
  let call = (): void => {}
  let abort = (): void => {}
  let open = (_: string): void => {}
  const called = new Promise<void>((resolve) => { call = resolve })
  const aborted = new Promise<void>((resolve) => { abort = resolve })
  const answered = new Promise<string>((resolve) => { open = resolve })
  const stay = (): Promise<string> => {
    getHostCall().signal.addEventListener('abort', abort)
    call()
    return answered
  }
  return { stay, called, aborted, open: () => open('open') }
}

test('what is under way when runs are closed may come to its end', async (t) => {
  const bed = new Bed(t)
  const { stay, called, open } = gate()
  const runs = await bed.open({ hostFunctions: { stay } })
  const run = await runs.start('return await stay()')
  await called
  const waits = runs.wait(run)
  const closed = runs.close({ patienceMs: 600_000 })
  open()
  assert.equal(unwrap(await waits), 'open')
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
