import type { Continuation } from './continuation.js'
import { checkKeys } from './options.js'
import type { RunResult } from './result.js'
import { RESUME_KEYS, RUNNER_KEYS, RUN_KEYS, type ResumeOptions, type RunOptions, type Runner, type RunnerOptions, createRunner } from './runner.js'

let plain: Runner | undefined

/** A runner of these options; one for all that have none but an invocation's. */
function runnerOf(options: RunnerOptions, ofInvocation: readonly string[]): Runner {
  const own = RUNNER_KEYS.filter((key) => options[key] !== undefined && !ofInvocation.includes(key))
  if (own.length > 0) return createRunner(among(options, own))
  plain ??= createRunner()
  return plain
}

/** What of the options has one of these names. */
function among<T extends object, K extends keyof T>(options: T, keys: readonly K[]): Pick<T, K> {
  return Object.fromEntries(keys.map((key) => [key, options[key]])) as Pick<T, K>
}

/**
 * Runs a script with a runner of its own. To run many, {@link createRunner} once.
 *
 * ```ts
 * const result = await run('return await tools.add(1, 2)', { hostFunctions: { tools: { add: (a, b) => a + b } } })
 * ```
 */
export async function run<T = unknown>(source: string, options: RunnerOptions & RunOptions = {}): Promise<RunResult<T>> {
  checkKeys('run()', options, [...RUNNER_KEYS, ...RUN_KEYS])
  return await runnerOf(options, RUN_KEYS).run<T>(source, among(options, RUN_KEYS))
}

/** Goes on with a run, with a runner of its own: {@link Runner.resume}. */
export async function resume<T = unknown>(
  from: Continuation | string,
  options: RunnerOptions & ResumeOptions = {},
): Promise<RunResult<T>> {
  checkKeys('resume()', options, [...RUNNER_KEYS, ...RESUME_KEYS])
  return await runnerOf(options, RESUME_KEYS).resume<T>(from, among(options, RESUME_KEYS))
}
