import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'

import {
  LimitError, type Notice, ResumeError, RunError, RunsError, StoreError, type StoredRun, answer, approval, approve, createRunner, deny, getHostCall, interrupt, openRuns, unwrap,
} from 'intermission'

import { Bed, asked, gate } from './bed.js'

const ask = (question: unknown): unknown => getHostCall().resume?.resolution ?? interrupt(question)
const double = (n: number): number => 2 * n

test('a run asks, is answered in another process, and has its value everywhere', async (t) => {
  const bed = new Bed(t)
  const first = await bed.open({ hostFunctions: { refund: approval(double) } })
  const run = await first.start("console.log('hi'); return await refund(input.amount)", { input: { amount: 10 }, name: 'shop.js', data: { n: 1 } })
  assert.match(run, /^run_[a-z2-7]{26}$/)
  const question = await asked(first, run)
  assert.deepEqual([question.kind, question.hostFunction, question.arguments], ['approval', 'refund', [10]])
  await first.close()

  const second = await bed.open({ hostFunctions: { refund: approval(double) } })
  assert.deepEqual((await second.get(run)).name, 'shop.js')
  assert.equal(await second.resolve(run, approve(question.id), { by: 'ada' }), 'first')
  assert.equal(await second.resolve(run, approve(question.id), { by: 'bob' }), 'same')
  const done = await second.wait<number>(run)
  assert.ok(done.state === 'completed')
  assert.deepEqual([done.value, unwrap(done), done.questions], [20, 20, 0])
  const [given, ...more] = await second.answers(run)
  assert.deepEqual([given?.kind, given?.by, given?.interruptionId, more], ['approve', 'ada', question.id, []])

  const again = await second.replay(run)
  assert.deepEqual([unwrap(again), again.report.console[0]?.text, again.report.data], [20, 'hi', { n: 1 }])
  const ledger = await second.ledger(run)
  assert.deepEqual([ledger.runId, ledger.over], [run, true])
})

test('values cross as they are', async (t) => {
  const runs = await new Bed(t).open({ hostFunctions: { give: () => new Map([['at', new Date(5)]]), ask } })
  const run = await runs.start('return [input, await give(), await ask(new Set([1])), await waitFor("k")]', { input: 7n })
  const question = await asked(runs, run)
  assert.deepEqual(question.payload, new Set([1]))
  await runs.resolve(run, answer(question.id, new Uint8Array([1, 2])))
  await runs.emit(run, 'k', new RangeError('far'))
  assert.deepEqual(unwrap(await runs.wait(run)), [7n, new Map([['at', new Date(5)]]), new Uint8Array([1, 2]), new RangeError('far')])
})

test('the first answer wins, and a conflict names it', async (t) => {
  const runs = await new Bed(t).open({ hostFunctions: { pay: approval(double) } })
  const run = await runs.start('return await pay(1)')
  const { id } = await asked(runs, run)
  await runs.resolve(run, deny(id, 'too dear'), { by: 'ada' })
  await assert.rejects(runs.resolve(run, approve(id), { by: 'bob' }), (error: RunsError) => {
    assert.ok(error instanceof RunsError)
    const { code, winner } = error
    assert.deepEqual([code, winner?.kind, winner?.reason, winner?.by, winner?.interruptionId], ['RESOLUTION_CONFLICT', 'deny', 'too dear', 'ada', id])
    return true
  })
  const failed = await runs.wait(run)
  assert.ok(failed.state === 'failed')
  assert.deepEqual([failed.error instanceof RunError, failed.error.code], [true, 'SCRIPT_ERROR'])
  assert.throws(() => unwrap(failed), failed.error)
})

test('an answer may come before its question, and one that does not fit is refused', async (t) => {
  const bed = new Bed(t)
  const runs = await bed.open({ hostFunctions: { pay: approval(double), other: approval(double) } })
  const run = await runs.start('return await pay(1)')
  const { id } = await asked(runs, run)
  await assert.rejects(runs.resolve(run, answer(id, 1)), (error: ResumeError) => {
    assert.deepEqual([error instanceof ResumeError, error.code, error.interruptionId], [true, 'RESOLUTION_INVALID', id])
    return true
  })
  assert.equal(await runs.resolve(run, approve('int_aaaaaaaaaaaaaaaaaaaaaaaaaa')), 'early')
  await runs.resolve(run, approve(id))
  await runs.wait(run)
  await assert.rejects(runs.resolve(run, approve('int_baaaaaaaaaaaaaaaaaaaaaaaaa')), { name: 'ResumeError', code: 'RUN_OVER' })
})

test('an event may come before the wait, its first is for ever, and a wait can time out', async (t) => {
  const runs = await new Bed(t).open({ hostFunctions: { ask } })
  const run = await runs.start("await ask('ready?'); return await waitFor('paid')")
  const { id } = await asked(runs, run)
  assert.equal(await runs.emit(run, 'paid', { amount: 1 }, { by: 'bank' }), 'first')
  assert.equal(await runs.emit(run, 'paid', { amount: 1 }), 'same')
  await assert.rejects(runs.emit(run, 'paid', { amount: 2 }), (error: RunsError) => {
    assert.deepEqual([error.code, error.event], ['EVENT_CONFLICT', { key: 'paid', value: { amount: 1 } }])
    return error instanceof RunsError
  })
  await runs.resolve(run, answer(id, true))
  assert.deepEqual(unwrap(await runs.wait(run)), { amount: 1 })
  await assert.rejects(runs.emit(run, 'late'), { name: 'ResumeError', code: 'RUN_OVER' })

  const late = await runs.start("try { await waitFor('never', { timeout: 30 }) } catch (e) { return [e.name, e.code] }")
  assert.deepEqual(unwrap(await runs.wait(late)), ['TimeoutError', 'EVENT_TIMED_OUT'])
})

test('waits for events are in the inbox only of whoever asks for them', async (t) => {
  const runs = await new Bed(t).open()
  const run = await runs.start("return await waitFor('paid')")
  for await (const { what } of runs.events({ run })) if (what === 'putAway') break
  assert.deepEqual(await runs.inbox(), [])
  const [wait] = await runs.inbox({ events: true })
  assert.deepEqual([wait?.runId, wait?.name, wait?.interruption.kind, wait?.interruption.payload], [run, 'script.js', 'event', { kind: 'event', key: 'paid' }])
})

test('a request that comes again is about the same run', async (t) => {
  const runs = await new Bed(t).open()
  const run = await runs.start('return 1', { key: 'request 7' })
  assert.equal(await runs.start('return 2', { key: 'request 7' }), run)
  const stored = await runs.wait(run)
  assert.deepEqual([stored.key, unwrap(stored)], ['request 7', 1])
})

test('a run is cancelled wherever it stands, and only what is over is deleted', async (t) => {
  const { stay, called, aborted } = gate()
  const runs = await new Bed(t).open({ hostFunctions: { ask, stay }, drainMs: 0 })
  const away = await runs.start('await ask(1)')
  await asked(runs, away)
  await assert.rejects(runs.delete(away), { name: 'RunsError', code: 'RUN_NOT_OVER', runId: away })
  const underWay = await runs.start('await stay()')
  await called
  for (const run of [away, underWay]) {
    await runs.cancel(run)
    const cancelled = await runs.wait(run)
    assert.equal(cancelled.state, 'cancelled')
    assert.throws(() => unwrap(cancelled), { code: 'CANCELLED' })
    await assert.rejects(runs.cancel(run), { name: 'ResumeError', code: 'RUN_OVER' })
  }
  await aborted
  await runs.delete(away)
  for (const gone of [away, 'run_of_nobody']) {
    await assert.rejects(runs.get(gone), { name: 'RunsError', code: 'RUN_UNKNOWN', runId: gone })
  }
})

test('a failed run is tried again: the call that failed is made again, and nothing else', async (t) => {
  const done: string[] = []
  const note = (name: string): string => {
    done.push(name)
    if (name === 'flaky' && done.length === 2) throw new Error('busy')
    return name
  }
  const runs = await new Bed(t).open({ hostFunctions: { note } })
  const run = await runs.start("return [await note('one'), await note('flaky')]")
  assert.equal((await runs.wait(run)).state, 'failed')
  await runs.retry(run)
  assert.deepEqual(unwrap(await runs.wait(run)), ['one', 'flaky'])
  assert.deepEqual(done, ['one', 'flaky', 'flaky'])
  await assert.rejects(runs.retry(run), { name: 'ResumeError', code: 'NOT_RETRYABLE' })
})

test('a fork is another run with the same beginning, and a run from elsewhere is taken over', async (t) => {
  const runs = await new Bed(t).open({ hostFunctions: { ask } })
  const run = await runs.start('return await ask(1)')
  const { id } = await asked(runs, run)
  const fork = await runs.fork(run)
  const whole = (await runs.ledger(run)).length
  await assert.rejects(runs.fork(run, whole + 1), { name: 'RunsError' })
  await runs.resolve(run, answer(id, 'a'))
  await runs.resolve(fork, answer((await asked(runs, fork)).id, 'b'))
  assert.deepEqual([unwrap(await runs.wait(run)), unwrap(await runs.wait(fork))], ['a', 'b'])
  assert.equal((await runs.get(fork)).forkedFrom, run)

  const put = await createRunner({ hostFunctions: { ask } }).run('return await ask(2)')
  assert.ok(put.status === 'interrupted')
  const adopted = await runs.adopt(put.continuation)
  assert.equal(adopted, put.continuation.runId)
  await runs.resolve(adopted, answer((await asked(runs, adopted)).id, 'c'))
  assert.equal(unwrap(await runs.wait(adopted)), 'c')
})

test('runs and questions are listed page by page', async (t) => {
  const runs = await new Bed(t).open({ hostFunctions: { ask } })
  const started: string[] = []
  for (let n = 0; n < 5; n++) {
    started.push(await runs.start('return await ask(input)', { input: n }))
    await runs.wait(started[n] as string, 'asks')
  }
  const listed: StoredRun[] = []
  for (let before: string | undefined; ; before = listed.at(-1)?.runId) {
    const page = await runs.list({ states: ['waiting'], before, limit: 2 })
    if (page.length === 0) break
    assert.ok(page.length <= 2)
    listed.push(...page)
  }
  assert.deepEqual(listed.map(({ runId }) => runId).sort(), [...started].sort())
  assert.ok(listed.every(({ created }, at) => created <= (listed[at - 1]?.created ?? Infinity)))
  assert.deepEqual(await runs.list({ states: ['failed', 'completed'] }), [])

  const questions: unknown[] = []
  for (let after: { created: number; id: string } | undefined; ; ) {
    const page = await runs.inbox({ after, limit: 2 })
    if (page.length === 0) break
    questions.push(...page.map(({ interruption }) => interruption.payload))
    after = page.at(-1)?.interruption
  }
  assert.deepEqual([...questions].sort(), [0, 1, 2, 3, 4])
})

test('what happens is told in order, from wherever one was, until the runs are closed', async (t) => {
  const runs = await new Bed(t).open({ hostFunctions: { ask } })
  const run = await runs.start("await ask(1); await waitFor('k'); throw new Error('no')")
  const { id } = await asked(runs, run)
  await runs.resolve(run, answer(id, 1))
  await runs.emit(run, 'k')
  await runs.wait(run)
  const notices: Notice[] = []
  for await (const notice of runs.events({ run })) {
    notices.push(notice)
    if (notice.what === 'failed') break
  }
  const told = notices.map((notice) => [notice.what, ...('interruptionId' in notice ? [notice.interruptionId === id] : []), ...('key' in notice ? [notice.key] : []), ...('code' in notice ? [notice.code] : [])])
  assert.deepEqual(told.filter(([what, own]) => what !== 'putAway' && own !== false), [['began'], ['asked', true], ['answered', true], ['emitted', 'k'], ['failed', 'SCRIPT_ERROR']])
  assert.ok(notices.every(({ runId, at }) => runId === run && at > 0))

  const last = notices.at(-1)?.number ?? 0
  const later = runs.events({ after: last })
  const next = later.next()
  const other = await runs.start('return 1')
  const { value } = await next
  assert.deepEqual([value?.runId, value?.what, (value?.number ?? 0) > last], [other, 'began', true])
  await runs.wait(other)
  const another = await runs.start('return 2')
  const behind: string[] = []
  for await (const { runId, what } of later) {
    behind.push(`${runId} ${what}`)
    if (behind.length === 3) await runs.close()
  }
  assert.deepEqual(behind, [`${other} completed`, `${another} began`, `${another} completed`])
})

test('whoever waits can stop waiting', async (t) => {
  const runs = await new Bed(t).open({ hostFunctions: { ask } })
  const run = await runs.start('return await ask(1)')
  await asked(runs, run)
  const controller = new AbortController()
  const waits = runs.wait(run, 'over', { signal: controller.signal })
  const listens = runs.events({ after: 1000, signal: controller.signal }).next()
  const reason = new Error('no longer')
  controller.abort(reason)
  await assert.rejects(waits, reason)
  await assert.rejects(listens, reason)
  await assert.rejects(runs.wait(run, 'over', { signal: controller.signal }), reason)
})

test('whoever waits hears the very reason that was given', async (t) => {
  const runs = await new Bed(t).open()
  const run = await runs.start("await waitFor('never')")
  for (const reason of [null, 'a text', Object.assign(new Error('x'), { code: 'ECONNRESET' })]) {
    const controller = new AbortController()
    const waits = runs.wait(run, 'over', { signal: controller.signal })
    controller.abort(reason)
    assert.equal(await waits.catch((error: unknown) => error), reason)
  }
})

test('whoever listens can end it, even while the next is awaited', async (t) => {
  const runs = await new Bed(t).open()
  const listens = runs.events()
  const next = listens.next()
  assert.deepEqual(await listens.return(), { done: true, value: undefined })
  assert.deepEqual(await next, { done: true, value: undefined })
  assert.deepEqual(await listens.next(), { done: true, value: undefined })

  const run = await runs.start('return 1')
  const { signal } = new AbortController()
  for await (const { what, runId } of runs.events({ signal })) {
    assert.deepEqual([what, runId], ['began', run])
    break
  }
})

test('options that there are not, and numbers that are of no use, are refused', async (t) => {
  const bed = new Bed(t)
  const refused = async (options: object, message: RegExp): Promise<void> => {
    await assert.rejects(bed.open(options), { name: 'OptionsError', code: 'OPTIONS', message })
  }
  await refused({ leeseMs: 5 }, /^openRuns has no option leeseMs; there are: store, leaseMs, /)
  for (const name of ['claims', 'ledgerSink', 'codec', 'audience']) await refused({ [name]: 5 }, new RegExp(`^openRuns has no option ${name};`))
  await refused({ store: { path: bed.path, patience: 5 } }, /^openRuns\(\{ store \}\) has no option patience; there are: path, sync, patienceMs$/)
  for (const name of ['lookAgainMs', 'longestWaitMs', 'retentionMs']) {
    for (const value of [-1, NaN, Infinity, 1e30]) await refused({ [name]: value }, new RegExp(`^${name} is a number of milliseconds, at least 0, not ${String(value).replace('+', '.')}$`))
  }
  for (const leaseMs of [0, -1, NaN, '5']) await refused({ leaseMs }, /^leaseMs is a number of milliseconds, at least 1, not /)
  for (const maxLive of [0, -1, 1.5, Infinity]) await refused({ maxLive }, /^maxLive is a whole number, at least 1, not /)
  await refused({ store: { path: bed.path, patienceMs: NaN } }, /^store.patienceMs is a number of milliseconds, at least 0, not NaN$/)
  const runs = await bed.open({ store: { path: bed.path, patienceMs: Number.MAX_SAFE_INTEGER }, leaseMs: Number.MAX_SAFE_INTEGER } as object)
  assert.equal(unwrap(await runs.wait(await runs.start('return 1'))), 1)
})

test('a process that picks up nothing can take up one', async (t) => {
  const runs = await new Bed(t).open({ hostFunctions: { ask }, picksUp: false })
  const run = await runs.start('return await ask(1)')
  const { id } = await asked(runs, run)
  assert.equal(await runs.takeUp(run), false)
  await runs.resolve(run, answer(id, 5))
  assert.equal((await runs.get(run)).state, 'ready')
  assert.equal(await runs.takeUp(run), true)
  assert.equal(unwrap(await runs.wait(run)), 5)
})

test('a run that sleeps for long is put away, and woken in time', async (t) => {
  const runs = await new Bed(t).open()
  const run = await runs.start('await sleep(80); return 1')
  assert.equal(unwrap(await runs.wait(run)), 1)
  const names: string[] = []
  for await (const { what } of runs.events({ run })) {
    names.push(what)
    if (what === 'completed') break
  }
  assert.deepEqual(names, ['began', 'putAway', 'completed'])
})

test('what cannot begin is refused with the code of Rust', async (t) => {
  const bed = new Bed(t)
  const runs = await bed.open({ limits: { source: 50 } })
  await assert.rejects(runs.start(`return ${'1'.repeat(50)}`), (error) => error instanceof LimitError && error.limit === 'source')
  await assert.rejects(runs.start('return 1', { input: () => 1 }), { name: 'ValueError', path: 'input' })
  assert.deepEqual(await runs.list(), [])
  await assert.rejects(runs.list({ states: ['away' as 'ready'] }), { name: 'OptionsError', code: 'OPTIONS', message: /away is no state/ })
  const malformed = await runs.wait(await runs.start('return ]'))
  assert.ok(malformed.state === 'failed')
  assert.equal(malformed.error.code, 'SOURCE_SYNTAX')
  await assert.rejects(openRuns({} as { store: string }), { name: 'TypeError', message: /takes a store/ })
  await assert.rejects(openRuns({ store: { path: bed.path, sync: 'Full' as 'full' } }), { name: 'OptionsError', code: 'OPTIONS' })
  const bad = { 'not a name': () => 1 }
  await assert.rejects(bed.open({ hostFunctions: bad }), { name: 'OptionsError', code: 'HOST_FUNCTION_NAME' })
})

test('a store that cannot be opened says why', async (t) => {
  const { path } = new Bed(t)
  writeFileSync(`${path}.txt`, 'no database, but a text that is long enough to look like one to whoever only counts its bytes, line after line after line')
  await assert.rejects(openRuns({ store: `${path}.txt` }), (error) => error instanceof StoreError && error.code === 'STORE_NOT_A_STORE')
  await assert.rejects(openRuns({ store: `${path}/nowhere/runs.db` }), { name: 'StoreError', code: 'STORE_UNREACHABLE' })
})
