import type { Continuation } from './continuation.js'
import type { RunResult } from './result.js'
import { type InvocationOptions, type ResumeOptions, type RunOptions, type Runner, type RunnerOptions, createRunner } from './runner.js'

let plain: Runner | undefined

/** What a runner has, and no single run. */
const OWN: Readonly<Record<Exclude<keyof RunnerOptions, keyof InvocationOptions>, true>> = {
  allowEval: true, audience: true, claims: true, codec: true, drainMs: true, hostFunctions: true, lanes: true, ledgerSink: true, maxQueued: true, maxRuns: true,
  policy: true, profile: true, recordReads: true, redactErrors: true, strict: true, tickMs: true, time: true,
}
const NAMES = Object.keys(OWN) as (keyof typeof OWN)[]

/** A runner of these options; one for all that have none. */
function runnerOf(options: RunnerOptions): Runner {
  if (NAMES.some((name) => options[name] !== undefined)) return createRunner(options)
  plain ??= createRunner()
  return plain
}

/**
 * Runs a script with a runner of its own. To run many, {@link createRunner} once.
 *
 * ```ts
 * const result = await run('return await tools.add(1, 2)', { hostFunctions: { tools: { add: (a, b) => a + b } } })
 * ```
 */
export async function run<T = unknown>(source: string, options: RunnerOptions & RunOptions = {}): Promise<RunResult<T>> {
  return await runnerOf(options).run<T>(source, options)
}

/** Goes on with a run, with a runner of its own: {@link Runner.resume}. */
export async function resume<T = unknown>(
  from: Continuation | string,
  options: RunnerOptions & ResumeOptions = {},
): Promise<RunResult<T>> {
  return await runnerOf(options).resume<T>(from, options)
}
