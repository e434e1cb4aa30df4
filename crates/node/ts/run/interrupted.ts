import type { RunInterruptedResult } from './types.js'

/** Whether a value is the result of a run that was put away. */
export function isRunInterruptedResult(value: unknown): value is RunInterruptedResult<unknown> {
  if (typeof value !== 'object' || value === null || !('continuation' in value)) return false
  const { status, interruptions } = value as { status?: unknown; interruptions?: unknown }
  return status === 'interrupted' && Array.isArray(interruptions)
}
