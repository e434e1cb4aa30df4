import type { Manifest } from './host-functions.js'
import type { Ledger } from './ledger.js'
import type { Limits } from './limits.js'
import type { HostFunctions, RunContinuationState, RunInput } from './types.js'

/** What is to be done, checked. */
export interface Job {
  readonly input: Pick<RunInput, 'abortSignal' | 'moduleLoader' | 'source'>
  readonly isModule: boolean
  readonly limits: Limits
  readonly deadlineMs: number
  readonly hostFunctions: HostFunctions
  readonly manifest: Manifest
  readonly syncHostFunctions: HostFunctions
  readonly syncManifest: Manifest
  /** What the run did before. */
  readonly state: RunContinuationState | undefined
  /** The bytes of the answers, by the ids of their questions. */
  readonly resolutions: ReadonlyMap<string, Uint8Array>
  readonly determinism: RunContinuationState['determinism']
  readonly logicalRunId: string
  /** Whether a continuation can be made of it. */
  readonly keeps: boolean
  /** A token for the run as it stands. */
  encode(ledger: Ledger): Promise<unknown>
}
