// Every behaviour that the npm package `run` 2.1.5 publishes is one test, made here, so that they can be counted.
import { test } from 'node:test'
import { isOracle, setMaxWorkers } from './subject.ts'

type Options = {
  /** Why ours differs. The test then tells ours, and must fail on the npm package. */
  differs?: string
}

/** As many runs at one time as these tests need: how much memory this machine has free is not what they are about. */
export const anyNumberOfRuns = (): void => setMaxWorkers(40)
anyNumberOfRuns()

/** A test that takes longer hangs. */
const MOST_MS = 120_000

let kept = 0
let differing = 0

process.once('exit', () => {
  if (kept + differing > 0) process.stdout.write(`# published behaviours: ${kept} alike, ${differing} differ\n`)
})

/** A behaviour that the npm package's own tests assert. */
export function published(title: string, body: () => void | Promise<void>, options: Options = {}): void {
  if (options.differs === undefined) kept += 1
  else differing += 1
  add(title, body, options)
}

/** A behaviour that they do not assert: most often a fault of the npm package that ours does not have. */
export function beyond(title: string, body: () => void | Promise<void>, options: Options = {}): void {
  add(title, body, options)
}

function add(title: string, unheld: () => void | Promise<void>, { differs }: Options): void {
  // What a test waits for need not keep the process alive by itself.
  const body = async () => {
    const alive = setInterval(() => {}, 60_000)
    try {
      await unheld()
    } finally {
      clearInterval(alive)
    }
  }
  if (!isOracle || differs === undefined) {
    test(title, { timeout: MOST_MS }, body)
    return
  }
  test(`${title} (not on the npm package: ${differs})`, { timeout: MOST_MS }, async () => {
    let failed = false
    try {
      await body()
    } catch {
      failed = true
    }
    if (!failed) throw new Error('the npm package behaves like this as well: the marker is stale')
  })
}
