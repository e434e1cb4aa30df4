import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  type Decision, type Interrupted, type ProposedCall, type RunResult, type Runner, approval, approve, approveWith, createRunner, hostFunction, unwrap,
} from 'intermission'
import { run } from 'intermission/run'
import { createSandbox } from 'intermission/sandbox'

function asking(result: RunResult): Interrupted {
  assert.equal(result.status, 'interrupted')
  return result as Interrupted
}

const caught = 'try { return await pay(INPUT) } catch (e) { return [e.name, e.code, e.message] }'
const script = (input: unknown): string => caught.replace('INPUT', JSON.stringify(input))

/** A runner that pays, and what it has paid and was asked. */
function paying(policy: (call: ProposedCall) => Decision | undefined) {
  const paid: unknown[] = []
  const proposed: ProposedCall[] = []
  const pay = hostFunction({
    effect: 'idempotent',
    run: (amount) => {
      paid.push(amount)
      return amount
    },
  })
  const decide = (call: ProposedCall): Decision | undefined => {
    proposed.push(call)
    return policy(call)
  }
  return { paid, proposed, runner: createRunner({ hostFunctions: { pay }, policy: decide }) }
}

test('a policy lets a call through, asks somebody about it, or denies it', async () => {
  const { paid, proposed, runner } = paying(({ arguments: [amount] }) =>
    (amount as number) <= 100 ? 'allow' : (amount as number) <= 1000 ? { ask: 'much', reason: 'over 100' } : { deny: 'too much', reason: 'over 1000' },
  )
  assert.equal(unwrap(await runner.run(script(10))), 10)
  const asked = asking(await runner.run(script(500)))
  assert.deepEqual(
    asked.interruptions.map(({ kind, payload }) => [kind, payload]),
    [['approval', { kind: 'approval', rule: 'much', reason: 'over 100' }]],
  )
  assert.deepEqual(unwrap(await runner.run(script(5000))), ['PolicyDenied', 'POLICY_DENIED', 'pay is denied by the rule "too much": over 1000'])
  assert.deepEqual(paid, [10])
  const [first] = proposed
  assert.deepEqual([first?.requestIndex, first?.hostFunction, first?.effect, first?.arguments], [1, 'pay', 'idempotent', [10]])
  assert.match(first?.runId ?? '', /^run_/)
})

test('arguments that an approver has put in place of the script’s are decided about as well', async () => {
  const { paid, runner } = paying(({ arguments: [amount] }) => ((amount as number) > 1000 ? { deny: 'too much' } : { ask: 'all' }))
  const asked = asking(await runner.run(script(500)))
  const id = asked.interruptions[0]?.id ?? ''
  const done = await runner.resume(asked.continuation, { resolutions: [approveWith(id, [5000])] })
  assert.deepEqual(unwrap(done), ['PolicyDenied', 'POLICY_DENIED', 'pay is denied by the rule "too much"'])
  assert.deepEqual(paid, [])
})

test('what the policy says today holds for a run that was put away yesterday', async () => {
  const put = asking(await createRunner({ hostFunctions: { pay: approval((amount: number) => amount) } }).run(script(1)))
  const approved = [approve(put.interruptions[0]?.id ?? '')]
  const changed = await createRunner({
    hostFunctions: { pay: approval(() => assert.fail('it is denied')) },
    policy: () => ({ deny: 'not today' }),
  }).resume(put.continuation, { resolutions: approved })
  assert.deepEqual(unwrap(changed), ['PolicyDenied', 'POLICY_DENIED', 'pay is denied by the rule "not today"'])
})

test('without a decision the function itself says whether it has to be approved', async () => {
  const hostFunctions = { pay: (amount: number) => amount, refund: approval((amount: number) => amount) }
  const runner = createRunner({ hostFunctions, policy: () => undefined })
  assert.equal(unwrap(await runner.run('return await pay(1)')), 1)
  assert.equal(asking(await runner.run('return await refund(1)')).interruptions[0]?.hostFunction, 'refund')
})

test('a policy that fails, or decides nothing that is a decision, denies', async () => {
  const told = async (policy: () => unknown): Promise<unknown> => unwrap(await paying(policy as () => Decision).runner.run(script(1)))
  const denied = (reason: string): unknown => ['PolicyDenied', 'POLICY_DENIED', `pay is denied by the rule "policy": ${reason}`]
  const fails = (): never => {
    throw new Error('no rules today')
  }
  assert.deepEqual(await told(fails), denied('it failed: no rules today'))
  assert.deepEqual(await told(() => { throw Object.create(null) }), denied('it failed: '))
  for (const nonsense of ['deny', null, 1, {}, { ask: 7 }]) {
    assert.deepEqual(await told(() => nonsense), denied('what it gave is no decision'))
  }
})

test('a policy that gives a promise denies, whatever becomes of the promise', async () => {
  const thenables = [async () => 'allow', async () => { throw new Error('too late') }, () => ({ then: () => { throw new Error('odd') } })]
  for (const policy of thenables) {
    const { paid, runner } = paying(policy as () => never)
    const denied = 'pay is denied by the rule "policy": it gave a promise, and has to decide on the spot'
    assert.deepEqual(unwrap(await runner.run(script(1))), ['PolicyDenied', 'POLICY_DENIED', denied])
    assert.deepEqual(paid, [])
  }
  // A rejection that nobody handles would end the test.
  await new Promise(setImmediate)
})

test('a policy begins no evaluation and no run of npm `run` either', async () => {
  const begun: Promise<string>[] = []
  const told = (began: Promise<unknown>): void => void begun.push(began.then(() => 'it ran', (error: unknown) => (error as Error).message))
  const policy = (): Decision => {
    told(createSandbox({ actions: [] }).eval({ script: 'return 1' }))
    told(run({ source: 'return 1' }))
    return 'allow'
  }
  const runner = createRunner({ hostFunctions: { pay: (amount: number) => amount }, policy })
  assert.equal(unwrap(await runner.run(script(1))), 1)
  assert.deepEqual(new Set(await Promise.all(begun)), new Set(['a policy decides on the spot: it can begin nothing']))
  assert.equal((await createSandbox({ actions: [] }).eval({ script: 'return 1' })).value, 1)
})

test('a policy begins nothing, and what it ends ends later', async () => {
  const controller = new AbortController()
  let tried: unknown
  const policy = ({ hostFunction }: ProposedCall): Decision => {
    if (hostFunction === 'never') return 'allow'
    controller.abort()
    try {
      void runner.start('return 1')
    } catch (error) {
      tried = error
    }
    assert.throws(() => runner.types(), /it can ask the runner nothing/)
    return 'allow'
  }
  const runner: Runner = createRunner({ hostFunctions: { never: () => new Promise(() => {}), pay: (amount: number) => amount }, policy, drainMs: 0 })
  const never = runner.run('await never()', { signal: controller.signal })
  assert.equal(unwrap(await runner.run(script(1))), 1)
  assert.match(String(tried), /it can begin nothing/)
  const ended = await never
  assert.equal(ended.status === 'failed' && ended.error.code, 'ABORTED')
})
