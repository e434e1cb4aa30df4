import { type Message, type NativeEngine, type NativeRunner, addon } from '../native.js'
import { encode } from '../value/index.js'

/** What is under way under a number. */
export interface Woken {
  wake(): void
}

const tasks = new Map<number, Woken>()
let last = 0

/** A number for a task, until `forget`. */
export function register(task: Woken): number {
  // Wraps long after the first ones are over.
  last = last === 0xffffffff ? 1 : last + 1
  tasks.set(last, task)
  return last
}

export function forget(task: number): void {
  tasks.delete(task)
}

/** How an engine is made. What is absent has the library's default. */
export interface EngineOptions {
  /** Runs that can be there at once. Default: 2,048. */
  readonly maxRuns?: number | undefined
  /** Runs that may wait, in order, for one of the former to end. Default: 10,000. */
  readonly maxQueued?: number | undefined
  /** Separate pools of memory. Default: one a core, at most 8. */
  readonly lanes?: number | undefined
  /** How long a script computes on the event loop's thread before another thread goes on with it: one to two of these. Default: 1. */
  readonly tickMs?: number | undefined
}

/** An engine of its own: memory for as many runs as it takes, and a few threads. */
export function createEngine(options: EngineOptions = {}): NativeEngine {
  const { maxRuns, maxQueued, lanes, tickMs } = options
  return new addon.NativeEngine(encode(withoutAbsent({ maxRuns, maxQueued, lanes, tickMs })), (task) => tasks.get(task)?.wake())
}

let common: NativeEngine | undefined

/** The engine of all runners that do not ask for one of their own. */
export function commonEngine(): NativeEngine {
  common ??= createEngine()
  return common
}

/** What a runner is told, as `src/options.rs` has it. */
export type NativeOptions = Readonly<Record<string, unknown>>

/** A runner: made in microseconds. */
export function createNativeRunner(
  options: NativeOptions,
  engine: NativeEngine = commonEngine(),
  decide?: (call: Uint8Array) => Uint8Array,
): NativeRunner {
  return new addon.NativeRunner(engine, encode(withoutAbsent(options)), decide)
}

/** The same without what is `undefined`. */
export function withoutAbsent(options: NativeOptions): NativeOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

export type { Message, NativeEngine, NativeRunner }
