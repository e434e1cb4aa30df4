import type { Continuation } from './continuation.js'
import type { RunResult } from './result.js'
import { type ResumeOptions, type RunOptions, type Runner, type RunnerOptions, createRunner } from './runner.js'

let plain: Runner | undefined

/** A runner of these options; one for all that have none. */
function runnerOf(options: RunnerOptions): Runner {
  const own = ['hostFunctions', 'codec', 'profile', 'claims', 'audience', 'ledgerSink', 'strict', 'redactErrors', 'allowEval', 'recordReads', 'drainMs', 'time'] as const
  if (own.some((name) => options[name] !== undefined)) return createRunner(options)
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
