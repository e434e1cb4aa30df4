/** A process that has durable runs, of a kind that its second argument says. Its effects are lines of a file, by the call's key; its output says how far it is. */
import { appendFileSync } from 'node:fs'
import { Worker, parentPort } from 'node:worker_threads'

import { type HostFunctions, type Runs, type RunsOptions, approval, approve, getHostCall, hostFunction, openRuns, unwrap } from 'intermission'

const effects = (path: string, name: string): void => appendFileSync(`${path}.effects`, `${name} ${getHostCall().idempotencyKey}\n`)

/** `log` has an effect; `pay` has one and is never heard of again where `dies`; `mail` is asked about. */
export function functions(path: string, dies: boolean): HostFunctions {
  return {
    log: (text: string) => {
      effects(path, `log(${text})`)
      return text
    },
    pay: hostFunction({
      run: (amount) => {
        effects(path, `pay(${String(amount)})`)
        if (!dies) return amount
        process.stdout.write('paying\n')
        return new Promise(() => {})
      },
    }),
    mail: approval((to: string) => {
      effects(path, `mail(${to})`)
      return to
    }),
  }
}

const kinds: Record<string, (path: string, runs: Runs) => Promise<unknown> | unknown> = {
  /** Is killed while `pay` is under way. */
  dies: async (_, runs) => {
    const run = await runs.start("await log('a'); const paid = await pay(10); await log('b'); return paid")
    process.stdout.write(`${run}\n`)
  },
  /** Runs are put away, and nothing is awaited: it ends by itself. */
  away: async (_, runs) => {
    await runs.wait(await runs.start("return await mail('ann')"), 'asks')
  },
  /** Nothing is awaited, but a run is under way: it comes to its end. */
  underWay: (_, runs) => void runs.start("await sleep(20); await log('a'); await log('b'); return 1"),
  closed: async (_, runs) => {
    await runs.start("await log('a')")
    await runs.close()
  },
  /** It ends at once, whatever is under way. */
  exits: async (_, runs) => {
    await runs.start("for (;;) await log('a')")
    for await (const { what } of runs.events()) if (what === 'began') process.exit(0)
  },
  /** Never ends by itself. */
  loops: async (_, runs) => {
    await runs.start("for (;;) await log('a')")
    parentPort?.postMessage('it loops')
  },
  /** A thread that has such runs is ended. */
  killedThread: async (path, runs) => {
    const worker = new Worker(new URL(import.meta.url), { argv: ['loops', `${path}.other`] })
    await new Promise((resolve) => worker.once('message', resolve))
    await worker.terminate()
    await runs.close()
  },
  /** Nobody closes it, and nobody has it any more. */
  idle: () => {},
  /** Nothing is awaited, and there is room for one run alone: all come to their end. */
  waitsForRoom: async (_, runs) => {
    for (const name of ['a', 'b', 'c']) await runs.start('await log(input)', { input: name })
  },
  /** Nothing is awaited, but the run was answered: it comes to its end. */
  answered: async (_, runs) => {
    const run = await runs.start("await log(await mail('ann'))")
    await runs.wait(run, 'asks')
    const [asked] = await runs.inbox({ run })
    if (asked !== undefined) await runs.resolve(run, approve(asked.interruption.id))
  },
  /** Listens until a run has failed, of whoever. */
  hearsOfFailure: async (_, runs) => {
    for await (const { what } of runs.events()) if (what === 'failed') break
    await runs.close()
  },
  /** Its policy never answers. */
  ponders: async (_, runs) => {
    await runs.start("return await log('a')")
  },
  /** A thread is ended while its policy is asked. */
  killedPolicy: async (path, runs) => {
    await runs.close()
    const worker = new Worker(new URL(import.meta.url), { argv: ['ponders', path] })
    await new Promise((resolve) => worker.once('message', resolve))
    await worker.terminate()
    const others = await openRuns({ store: path, hostFunctions: functions(path, false), leaseMs: 600_000, lookAgainMs: 10 })
    const [run] = await others.list()
    if (run !== undefined) process.stdout.write(JSON.stringify(unwrap(await others.wait(run.runId))))
    await others.close()
  },
}

const options: Record<string, Partial<RunsOptions>> = {
  waitsForRoom: { maxLive: 1 },
  hearsOfFailure: { picksUp: false },
  ponders: {
    leaseMs: 600_000,
    policy: () => {
      parentPort?.postMessage('it ponders')
      for (;;);
    },
  },
}

if (process.argv[2] !== undefined) {
  const [, , kind = '', path = ''] = process.argv
  const runs = await openRuns({ store: { path, sync: 'normal' }, hostFunctions: functions(path, kind === 'dies'), leaseMs: 100, lookAgainMs: 10, ...options[kind] })
  await kinds[kind]?.(path, runs)
}
