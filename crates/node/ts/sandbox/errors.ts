import { IntermissionError } from '../errors.js'

/** The script does something else than its log says. Nothing was executed. */
export class CallLogMismatchError extends IntermissionError {
  /** The slot of the log. */
  readonly position: number

  /** @internal */
  constructor(position: number, what: string, options?: ErrorOptions) {
    super('CALL_LOG_MISMATCH', `the script does something else than its log says, in slot ${position}: ${what}`, options)
    this.position = position
  }
}

/** What was given is no call log, or does not fit together with the resumption or the actions. Nothing has run. */
export class CallLogError extends IntermissionError {
  /** @internal */
  constructor(message: string, options?: ErrorOptions) {
    super('CALL_LOG_INVALID', message, options)
  }
}
