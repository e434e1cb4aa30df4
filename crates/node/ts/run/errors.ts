/** The mark by which an error of another copy of this package, or of npm `run`, is known. */
const marker: unique symbol = Symbol.for('vercel.run.error.RunError') as never

/** Everything that goes wrong with a run. `code` is stable: what a program decides by. */
export class RunError extends Error {
  private readonly [marker] = true
  code: string
  readonly details?: unknown

  constructor(message: string, code = 'RUN_ERROR', details?: unknown) {
    super(message)
    this.name = 'RunError'
    this.code = code
    this.details = details
  }

  /** Whether it is one, made by whatever copy of the package. */
  static isInstance(error: unknown): error is RunError {
    try {
      return typeof error === 'object' && error !== null && (error as RunError)[marker] === true
    } catch {
      // A proxy that was revoked.
      return false
    }
  }
}

/** The caller aborted. */
export class RunAbortedError extends RunError {
  constructor() {
    super('The run was aborted.', 'RUN_ABORTED')
    this.name = 'RunAbortedError'
  }
}

/** A host function could not be called, or a host function's own error that scripts are meant to see. */
export class RunHostFunctionError extends RunError {
  constructor(message: string, details?: unknown) {
    super(message, 'RUN_HOST_FUNCTION_ERROR', details)
    this.name = 'RunHostFunctionError'
  }
}

/** Too many calls. */
export class RunBridgeLimitError extends RunError {
  constructor(message: string, details?: unknown) {
    super(message, 'RUN_BRIDGE_LIMIT', details)
    this.name = 'RunBridgeLimitError'
  }
}

/** Too many runs at one time: see `setMaxWorkers`. */
export class RunConcurrencyError extends RunError {
  constructor(maxWorkers: number) {
    super(`No more than ${maxWorkers} runs can be under way: try again later, or raise it with setMaxWorkers().`, 'RUN_CONCURRENCY_LIMIT', {
      maxWorkers,
    })
    this.name = 'RunConcurrencyError'
  }
}

/** The script ended without having waited for its calls. */
export class RunDetachedBridgeRequestError extends RunError {
  constructor(message: string, details?: unknown) {
    super(message, 'RUN_DETACHED_BRIDGE_REQUEST', details)
    this.name = 'RunDetachedBridgeRequestError'
  }
}

/** A continuation that is none, or not of this run, or whose script does something else than it did. */
export class RunProtocolError extends RunError {
  constructor(message: string, details?: unknown) {
    super(message, 'RUN_PROTOCOL_ERROR', details)
    this.name = 'RunProtocolError'
  }
}

/** A source, or a module, is larger than it may be. */
export class RunSourceTooLargeError extends RunError {
  constructor(bytes: number, maxBytes: number) {
    super(`The source has ${bytes} bytes, and may have ${maxBytes}.`, 'RUN_SOURCE_TOO_LARGE', { bytes, maxBytes })
    this.name = 'RunSourceTooLargeError'
  }
}

/** The invocation took longer than it may. */
export class RunTimeoutError extends RunError {
  constructor(timeoutMs: number) {
    super(`The run took longer than ${timeoutMs} ms.`, 'RUN_TIMEOUT', { timeoutMs })
    this.name = 'RunTimeoutError'
  }
}

/** A value cannot cross, or is too large. */
export function serializationError(message: string, details?: unknown): RunError {
  return new RunError(message, 'RUN_SERIALIZATION_ERROR', details)
}
