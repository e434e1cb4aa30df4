/**
 * `intermission/run` takes the place of npm `run` 2.1.5: the same exports, types, limits and errors. `docs/run-compat.md` tells where it differs, and why.
 *
 * @module
 */
export { getHostFunctionContext } from './context.js'
export {
  RunAbortedError, RunBridgeLimitError, RunConcurrencyError, RunDetachedBridgeRequestError, RunError, RunHostFunctionError, RunProtocolError,
  RunSourceTooLargeError, RunTimeoutError,
} from './errors.js'
export { isRunInterruptedResult } from './interrupted.js'
export { createRunner, run } from './run.js'
export { createSignedContinuationCodec } from './signed.js'
export { createStoredContinuationCodec } from './stored.js'
export type {
  ContinuationCodec, ContinuationDecodeTransaction, ContinuationOperationContext, ContinuationStorage, HostFunction, HostFunctionContext,
  HostFunctionGroup, HostFunctionResumeContext, HostFunctions, RunCompletedResult, RunContinuationState, RunInput, RunInterruptedResult,
  RunInterruption, RunLedgerEntry, RunLimits, RunModuleLoader, RunResolution, RunResult, RunSourceType, Runner, RunnerOptions,
  SignedContinuationCodecOptions, StoredContinuation, SyncHostFunctions,
} from './types.js'
export { setMaxWorkers } from './workers.js'
