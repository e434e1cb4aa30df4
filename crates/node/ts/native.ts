import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

import { platform } from './platform.js'

/** What came out of a task, if anything: one message, in the byte form of values. */
export type Message = Uint8Array | null

/** An engine: what runners share. See `src/engine.rs`. */
export interface NativeEngine {
  readonly __engine: unique symbol
}

/**
 * A runner: `src/runner.rs`. A task is a run, or something else that may take its time, under a number that its caller has chosen. Whatever gives a message has gone on with that task as
 * far as it went without waiting.
 */
export interface NativeRunner {
  run(task: number, input: Uint8Array): Message
  resume(task: number, input: Uint8Array): Message
  cancelPutAway(task: number, input: Uint8Array): Message
  replay(task: number, continuation: Uint8Array): Message
  encode(task: number, continuation: Uint8Array, context: Uint8Array): Message
  decode(task: number, token: string, context: Uint8Array): Message
  inspect(task: number, token: string, context: Uint8Array): Message
  advance(task: number): Message
  settle(task: number, call: number, kind: number, body: Uint8Array): Message
  answer(task: number, ask: number, ok: boolean, body: Uint8Array): Message
  resolve(task: number, number: number, given: Uint8Array): Message
  cancel(task: number): Message
  abort(task: number): Message
  types(): string
}

/**
 * Opened durable runs: `src/runs.rs`. An operation has a number that its caller has chosen; what comes of it, and what is asked meanwhile, `take` gives when the task is woken.
 * Nothing comes of one that begins with `false`: the runs are closed.
 */
export interface NativeRuns {
  open(operation: number, options: Uint8Array): boolean
  begin(operation: number, message: Uint8Array): boolean
  forget(operation: number): void
  take(): Message
  answer(ask: number, kind: number, body: Uint8Array): void
  close(operation: number, patienceMs: number): void
  hasten(patienceMs: number): void
  types(): string
}

interface Addon {
  readonly NativeEngine: new (options: Uint8Array, wake: (task: number) => void) => NativeEngine
  readonly NativeRunner: new (engine: NativeEngine, options: Uint8Array, decide: ((call: Uint8Array) => Uint8Array) | undefined) => NativeRunner
  readonly NativeRuns: new (engine: NativeEngine, task: number, options: Uint8Array, hasPolicy: boolean) => NativeRuns
  describe(continuation: Uint8Array): Uint8Array
  fork(continuation: Uint8Array, at: number): Uint8Array
  idempotencyKey(runId: string, requestIndex: number, hostFunction: string, args: Uint8Array): string
}

function load(): Addon {
  const name = platform()
  const file = fileURLToPath(new URL(`../prebuilds/${name}/intermission.node`, import.meta.url))
  if (!existsSync(file)) {
    throw new Error(`intermission has no binary for ${name}: build it with crates/node/build.sh, and see README.md for the platforms that it comes with`)
  }
  return createRequire(import.meta.url)(file) as Addon
}

export const addon: Addon = load()
