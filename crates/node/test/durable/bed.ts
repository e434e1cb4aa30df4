/** A store in a folder of its own. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

import { type Interruption, type Runs, type RunsOptions, getHostCall, openRuns } from 'intermission'

export class Bed {
  readonly path: string
  readonly #opened: Runs[] = []

  constructor(t: TestContext) {
    const folder = mkdtempSync(join(tmpdir(), 'intermission-'))
    this.path = join(folder, 'runs.db')
    t.after(async () => {
      await Promise.all(this.#opened.map((runs) => runs.close({ patienceMs: 0 })))
      rmSync(folder, { recursive: true })
    })
  }

  /** Runs over it, until the test is over. */
  async open(options: Omit<RunsOptions, 'store'> = {}): Promise<Runs> {
    const runs = await openRuns({ store: { path: this.path, sync: 'normal' }, lookAgainMs: 20, longestWaitMs: 0, ...options })
    this.#opened.push(runs)
    return runs
  }
}

/** The only question of a run, once it asks. */
export async function asked(runs: Runs, run: string): Promise<Interruption> {
  const stored = await runs.wait(run, 'asks')
  assert.equal(stored.state, 'waiting')
  const [question, ...more] = await runs.inbox({ run })
  assert.ok(question !== undefined && more.length === 0)
  return question.interruption
}

/** A function that says when it is called and when it is told to abort, and answers when it is let. */
export function gate(): { readonly stay: () => Promise<string>; readonly called: Promise<void>; readonly aborted: Promise<void>; open(): void } {
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
