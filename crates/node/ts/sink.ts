import { type Hooks, own } from './codec.js'

/**
 * Keeps a ledger, entry by entry, while its run goes on: written ahead. A host function is called only when everything up to it is kept, and the run answers nobody before everything is. A run can be
 * continued from what was kept at any moment.
 */
export interface LedgerSink {
  /**
   * Keeps these entries in their byte form, in one go: all of them or none. The first of them is number `from` of the ledger, from 0. All that was kept of a run, joined behind the format's number (a byte, 1), is
   * the bytes of its continuation.
   */
  append(runId: string, from: number, entries: readonly Uint8Array[]): void | Promise<void>
}

/** @internal */
export function sinkHooks(sink: LedgerSink): Hooks {
  return {
    append: ({ runId, from, entries }) => {
      const list = (entries as Uint8Array[]).map((entry) => own(entry) as Uint8Array)
      return sink.append(runId as string, from as number, list)
    },
  }
}
