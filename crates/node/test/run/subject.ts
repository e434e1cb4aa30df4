// The module under test. `RUN_SUBJECT` names another one, which is how the npm package `run` serves as the oracle:
// `RUN_SUBJECT=run node --import tsx --test test/run/*.test.ts`.
type Subject = typeof import('../../dist/run/index.js')

const named = process.env['RUN_SUBJECT']

/** Whether the tests run against the npm package instead of ours. */
export const isOracle = named !== undefined

const subject: Subject = await import(named ?? '../../dist/run/index.js')

export const {
  createRunner,
  createSignedContinuationCodec,
  createStoredContinuationCodec,
  getHostFunctionContext,
  isRunInterruptedResult,
  run,
  RunAbortedError,
  RunBridgeLimitError,
  RunConcurrencyError,
  RunDetachedBridgeRequestError,
  RunError,
  RunHostFunctionError,
  RunProtocolError,
  RunSourceTooLargeError,
  RunTimeoutError,
  setMaxWorkers,
} = subject

/** Where the subject can be imported from once more, as if it were installed twice. */
export const subjectUrl =
  named === undefined
    ? new URL('../../dist/run/index.js', import.meta.url).href
    : import.meta.resolve(named.startsWith('/') ? `file://${named}` : named)
