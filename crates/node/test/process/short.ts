/** A short process, of a kind that its argument says: what is open when it ends must not matter. */
import { Worker, isMainThread, parentPort } from 'node:worker_threads'

import { createRunner, run, unwrap } from 'intermission'

const runner = createRunner({ hostFunctions: { never: () => new Promise(() => {}), now: () => 1 }, drainMs: 10 })

const kinds: Record<string, () => Promise<void> | void> = {
  done: async () => void unwrap(await runner.run('return await now()')),
  waits: async () => void unwrap(await run('await sleep(5); return 1')),
  worker: async () => void unwrap(await run('let n = 0; while (n < 2_000_000) n++; return n')),
  open: () => {
    void runner.run('return await never()')
    process.exit(0)
  },
  computing: () => {
    void runner.run('for (;;) {}')
    parentPort?.postMessage('it computes')
    if (isMainThread) setTimeout(() => process.exit(0), 5)
  },
  aborted: async () => {
    const controller = new AbortController()
    const under = runner.run('for (;;) {}', { signal: controller.signal })
    setTimeout(() => controller.abort(), 5)
    await under
  },
  thread: async () => {
    const worker = new Worker(new URL(import.meta.url), { argv: ['done'] })
    await new Promise<void>((resolve, reject) => worker.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(String(code))))))
  },
  killedThread: async () => {
    const worker = new Worker(new URL(import.meta.url), { argv: ['computing'] })
    // It is `online` before its first line.
    await new Promise((resolve) => worker.once('message', resolve))
    await worker.terminate()
  },
}

const kind = process.argv[2] ?? 'done'
await kinds[kind]?.()
if (isMainThread && !(kind in kinds)) process.exit(1)
