import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  type Interrupted, ResumeError, type RunResult, answer, approval, approve, approveWith, createRunner, deny, getHostCall, interrupt, run,
  resume, unwrap,
} from 'intermission'

function asking(result: RunResult): Interrupted {
  assert.equal(result.status, 'interrupted')
  return result as Interrupted
}

const only = (result: RunResult): string => {
  const [question, ...more] = asking(result).interruptions
  assert.ok(question !== undefined && more.length === 0)
  return question.id
}

const pay = async (amount: number): Promise<unknown> => {
  const { resume } = getHostCall()
  if (resume === undefined) return interrupt(`Pay ${amount}?`, { amount, seen: new Date(0) })
  return { amount, answer: resume.resolution, payload: resume.payload, state: resume.state }
}

test('a function asks, the run is put away, and goes on with the answer', async () => {
  const runner = createRunner({ hostFunctions: { pay } })
  const put = asking(await runner.run("console.log('before'); return await pay(10)", { name: 'shop.js' }))
  const [question] = put.interruptions
  assert.deepEqual(
    [question?.kind, question?.hostFunction, question?.arguments, question?.payload, question?.file, question?.position],
    ['question', 'pay', [10], 'Pay 10?', 'shop.js', { line: 1, column: 37 }],
  )
  assert.match(question?.id ?? '', /^int_/)
  assert.equal(put.continuation.runId, put.report.runId)
  assert.deepEqual(put.continuation.interruptions, put.interruptions)
  const done = await runner.resume(put.continuation, { resolutions: [answer(question?.id ?? '', 'yes')] })
  assert.deepEqual(unwrap(done), { amount: 10, answer: 'yes', payload: 'Pay 10?', state: { amount: 10, seen: new Date(0) } })
  assert.equal(done.report.replayed, 1)
})

test('several questions, answered one by one', async () => {
  const runner = createRunner({ hostFunctions: { pay } })
  const both = asking(await runner.run('return (await Promise.all([pay(1), pay(2)])).map((paid) => paid.answer)'))
  const [one, two] = both.interruptions.map(({ id }) => id) as [string, string]
  const half = await runner.resume(both.continuation, { resolutions: [answer(two, 'b')] })
  assert.equal(only(half), one)
  const done = await runner.resume(asking(half).continuation, { resolutions: [answer(one, 'a')] })
  assert.deepEqual(unwrap(done), ['a', 'b'])
})

test('an approval lets the call through, with other arguments, or not at all', async () => {
  const sent: unknown[] = []
  const mail = approval((to: string) => {
    sent.push([to, getHostCall().editedFrom])
    return `sent to ${to}`
  })
  const runner = createRunner({ hostFunctions: { mail } })
  const source = "try { return await mail('ann') } catch (e) { return [e.name, e.message, e.code] }"
  const put = asking(await runner.run(source))
  assert.equal(put.interruptions[0]?.kind, 'approval')
  assert.deepEqual(sent, [], 'nobody was called')
  const [{ id, argumentsDigest }] = put.interruptions as [(typeof put.interruptions)[0]]
  const goOn = async (resolution: ReturnType<typeof approve>): Promise<unknown> =>
    unwrap(await runner.resume(put.continuation, { resolutions: [resolution] }))
  assert.equal(await goOn(approve(id, { argumentsDigest })), 'sent to ann')
  assert.equal(await goOn(approveWith(id, ['bob'])), 'sent to bob')
  assert.deepEqual(sent, [['ann', undefined], ['bob', ['ann']]])
  const [name, message] = (await goOn(deny(id, 'not today'))) as string[]
  assert.deepEqual([name, message], ['ApprovalDenied', 'not today'])
})

test('answers that do not fit are refused, and nothing has changed', async () => {
  const runner = createRunner({ hostFunctions: { pay } })
  const put = asking(await runner.run('return (await pay(1)).answer'))
  const id = only(put)
  const refused: [ReturnType<typeof approve>[], string][] = [
    [[approve(id)], 'RESOLUTION_INVALID'],
    [[answer(id, 1), answer(id, 2)], 'RESOLUTION_DUPLICATE'],
    [[answer('int_aaaaaaaaaaaaaaaaaaaaaaaaaa', 1)], 'RESOLUTION_UNKNOWN'],
    [[answer(id, 1, { argumentsDigest: 'sha256:other' })], 'RESOLUTION_ARGUMENTS_DIFFER'],
  ]
  for (const [resolutions, code] of refused) {
    await assert.rejects(runner.resume(put.continuation, { resolutions }), (error: ResumeError) => {
      assert.equal(error.code, code)
      return error instanceof ResumeError && error.interruptionId === resolutions[0]?.interruptionId
    })
  }
  assert.equal(unwrap(await runner.resume(put.continuation, { resolutions: [answer(id, 'yes')] })), 'yes')
  await assert.rejects(createRunner().resume(put.continuation), { code: 'FUNCTION_MISSING', hostFunction: 'pay' })
})

test('a question that nobody answers in time has its default, or is a rejection', async () => {
  const ask = (withDefault: boolean): unknown => {
    const { resume } = getHostCall()
    if (resume !== undefined) return [resume.resolution, resume.expired]
    return interrupt('?', undefined, { expiresAt: new Date(1), ...(withDefault ? { default: 'nobody' } : {}) })
  }
  const runner = createRunner({ hostFunctions: { ask } })
  const source = 'const asked = [ask(true), ask(false).catch((e) => e.name)]; return await Promise.all(asked)'
  const result = await runner.run(source)
  assert.deepEqual(unwrap(result.status === 'interrupted' ? await runner.resume(result.continuation) : result), [['nobody', true], 'TimeoutError'])
})

test('a run under way says what it asks, takes the answer, and is cancelled for good', async () => {
  let finish: ((value: string) => void) | undefined
  const slow = (): Promise<string> => new Promise((resolve) => { finish = resolve })
  const runner = createRunner({ hostFunctions: { mail: approval(() => 'sent'), slow }, drainMs: 10 })
  const live = runner.start('return await Promise.all([mail(), slow()])')
  for await (const event of live) {
    assert.equal(event.type, 'interrupted')
    await live.resolve(approve(event.interruption.id))
    await assert.rejects(live.resolve(approve(event.interruption.id)), { code: 'RESOLUTION_STALE' })
    finish?.('done')
  }
  assert.deepEqual(unwrap(await live.result), ['sent', 'done'])
  await assert.rejects(live.resolve(approve('int_aaaaaaaaaaaaaaaaaaaaaaaaaa')), { code: 'RUN_NOT_UNDER_WAY' })

  const cancelled = runner.start('return await slow()')
  cancelled.cancel()
  cancelled.cancel()
  const result = await cancelled.result
  assert.equal(result.status, 'cancelled')
  assert.throws(() => unwrap(result), { code: 'CANCELLED' })
})

test('a run that was put away is cancelled, once', async () => {
  const runner = createRunner({ hostFunctions: { pay } })
  const put = asking(await runner.run('return await pay(1)'))
  const cancelled = await runner.cancel(put.continuation)
  assert.ok(cancelled.status === 'cancelled')
  assert.deepEqual(cancelled.report.abandoned.map(({ id }) => id), [only(put)])
  await assert.rejects(runner.cancel(cancelled.continuation), { code: 'RUN_OVER' })
})

test('a call that failed is made again with retry, and everything else stays', async () => {
  let tries = 0
  let others = 0
  const runner = createRunner({
    hostFunctions: {
      flaky: () => {
        if (++tries === 1) throw new Error('busy')
        return 'at last'
      },
      other: () => ++others,
    },
  })
  const failed = await runner.run('return [await other(), await flaky()]')
  assert.ok(failed.status === 'failed' && failed.continuation !== undefined)
  const again = await runner.resume(failed.continuation, { retry: true })
  assert.deepEqual(unwrap(again), [1, 'at last'])
  assert.deepEqual([tries, others], [2, 1])
})

test('a fork is another run with the same beginning', async () => {
  const runner = createRunner({ hostFunctions: { pay } })
  const put = asking(await runner.run('return (await pay(1)).answer'))
  const fork = put.continuation.fork()
  assert.notEqual(fork.runId, put.continuation.runId)
  assert.equal(fork.length, put.continuation.length + 1)
  const [question] = fork.interruptions
  const done = await runner.resume(fork, { resolutions: [answer(question?.id ?? '', 'forked')] })
  assert.equal(unwrap(done), 'forked')
  assert.throws(() => put.continuation.fork(10_000), { name: 'OptionsError', code: 'LEDGER' })
})

test('a script that waits for long is put away until it is worth going on', async () => {
  const result = asking(await run('await sleep(3_600_000); return 1', { limits: { deadlineMs: 1000 } }))
  assert.deepEqual(result.interruptions, [])
  assert.ok((result.wakeAt ?? 0) > Date.now() + 3_000_000)
  const still = await resume(result.continuation, { limits: { deadlineMs: 1000 } })
  assert.equal(still.status, 'interrupted')
})

test('a script that waits for an event is put away, and goes on with its value', async () => {
  const put = asking(await run("const paid = await waitFor('paid', { timeout: '7d' }); return paid.amount"))
  const [wait] = put.interruptions
  assert.deepEqual([wait?.kind, wait?.payload, (wait?.expires ?? 0) - (wait?.created ?? 0)], ['event', { kind: 'event', key: 'paid' }, 7 * 86_400_000])
  assert.equal(unwrap(await resume(put.continuation, { resolutions: [answer(wait?.id ?? '', { amount: 10 })] })), 10)

  const late = "try { await waitFor('never', { timeout: 0 }) } catch (e) { return [e.name, e.code] }"
  assert.deepEqual(unwrap(await run(late)), ['TimeoutError', 'EVENT_TIMED_OUT'])
})
