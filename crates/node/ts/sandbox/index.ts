export { z } from 'zod'

export { defineAction } from './action.js'
export type { Action, ActionCall, Resumption } from './action.js'
export { CallLogError, CallLogMismatchError } from './errors.js'
export { ActionInterrupt, SandboxInterrupt } from './interrupt.js'
export { createSandbox } from './sandbox.js'
export type { Evaluated, Sandbox, SandboxOptions, SandboxResult } from './sandbox.js'
export type { ActionEntry, ActionError, CallLogEntry, ClockEntry, RandomEntry, SandboxConsoleEntry } from './types.js'
