/** A store in a folder of its own, opened anew for each step of a case. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type RunResult, type RunnerOptions, type Runs, openRuns } from 'intermission'

export class DurableStore {
  #folder: string | undefined

  remove(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true })
    this.#folder = undefined
  }

  async #open(options: RunnerOptions): Promise<Runs> {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'intermission-'))
    // A step is what goes on with a run, and nothing else does.
    return await openRuns({ ...options, store: { path: join(this.#folder, 'runs.db'), sync: 'normal' }, picksUp: false, longestWaitMs: 0 })
  }

  /** Does something with a run, goes on with it as far as it goes, and says what came of it. */
  async step(options: RunnerOptions, act: (runs: Runs) => Promise<string>): Promise<{ readonly run: string; readonly result: RunResult }> {
    const runs = await this.#open(options)
    try {
      const run = await act(runs)
      await runs.takeUp(run)
      let stored = await runs.get(run)
      while (stored.state === 'ready' || stored.state === 'running') {
        await new Promise(setImmediate)
        stored = await runs.get(run)
      }
      const result = await runs.replay(run)
      // What whoever goes on refuses, no ledger says.
      if (stored.state !== 'failed' || result.status === 'failed') return { run, result }
      const { continuation, report } = result
      return { run, result: { status: 'failed', error: stored.error, continuation, report } }
    } finally {
      await runs.close({ patienceMs: 0 })
    }
  }

  async count(): Promise<number> {
    const runs = await this.#open({})
    const { length } = await runs.list()
    await runs.close()
    return length
  }
}
