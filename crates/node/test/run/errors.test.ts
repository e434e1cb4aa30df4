// The error classes and the test of a result.
import assert from 'node:assert/strict'
import { beyond, published } from './behaviour.ts'
import {
  isRunInterruptedResult,
  RunAbortedError,
  RunBridgeLimitError,
  RunConcurrencyError,
  RunDetachedBridgeRequestError,
  RunError,
  RunHostFunctionError,
  RunProtocolError,
  RunSourceTooLargeError,
  RunTimeoutError,
  subjectUrl,
} from './subject.ts'

published('an error of a second copy of the package is recognised', async () => {
  const second = (await import(`${subjectUrl}?second`)) as typeof import('./subject.ts')
  assert.equal(RunError.isInstance(new RunTimeoutError(1)), true)
  const foreign: unknown = new second.RunTimeoutError(1)
  assert.equal(RunError.isInstance(foreign), true)
  const marked = Object.assign(new Error('x'), { [Symbol.for('vercel.run.error.RunError')]: true })
  assert.equal(RunError.isInstance(marked), true)
})

published('an error that is none of them, or marked as none, is not', () => {
  assert.equal(RunError.isInstance(new Error('x')), false)
  assert.equal(RunError.isInstance(Object.assign(new Error('x'), { [Symbol.for('vercel.run.error.RunError')]: false })), false)
  for (const other of [null, undefined, 'x', {}]) assert.equal(RunError.isInstance(other), false)
})

published('an interrupted result is one', () => {
  const result: unknown = { status: 'interrupted', interruptions: [], continuation: 'x' }
  assert.equal(isRunInterruptedResult(result), true)
  if (isRunInterruptedResult(result)) assert.equal(result.continuation, 'x')
})

for (const [name, value] of [
  ['null', null],
  ['a text', 'interrupted'],
  ['a completed result', { status: 'completed', value: 1 }],
  ['a result without interruptions', { status: 'interrupted', continuation: 'x' }],
  ['a result without a continuation', { status: 'interrupted', interruptions: [] }],
] as const) {
  published(`${name} is no interrupted result`, () => {
    assert.equal(isRunInterruptedResult(value), false)
  })
}

beyond('every class has its name, code and details', () => {
  const all = [
    [new RunError('m'), 'RunError', 'RUN_ERROR', undefined],
    [new RunError('m', 'MINE', { a: 1 }), 'RunError', 'MINE', { a: 1 }],
    [new RunAbortedError(), 'RunAbortedError', 'RUN_ABORTED', undefined],
    [new RunBridgeLimitError('m', 1), 'RunBridgeLimitError', 'RUN_BRIDGE_LIMIT', 1],
    [new RunConcurrencyError(2), 'RunConcurrencyError', 'RUN_CONCURRENCY_LIMIT', { maxWorkers: 2 }],
    [new RunDetachedBridgeRequestError('m', 1), 'RunDetachedBridgeRequestError', 'RUN_DETACHED_BRIDGE_REQUEST', 1],
    [new RunHostFunctionError('m', 1), 'RunHostFunctionError', 'RUN_HOST_FUNCTION_ERROR', 1],
    [new RunProtocolError('m', 1), 'RunProtocolError', 'RUN_PROTOCOL_ERROR', 1],
    [new RunSourceTooLargeError(2, 1), 'RunSourceTooLargeError', 'RUN_SOURCE_TOO_LARGE', { bytes: 2, maxBytes: 1 }],
    [new RunTimeoutError(5), 'RunTimeoutError', 'RUN_TIMEOUT', { timeoutMs: 5 }],
  ] as const
  for (const [error, name, code, details] of all) {
    assert.ok(error instanceof RunError && error instanceof Error)
    assert.deepEqual([error.name, error.code, error.details], [name, code, details])
  }
})
