import type { Hooks } from './codec.js'
import type { CallMessage } from './drive/message.js'
import { thrown } from './drive/thrown.js'
import { HostCall } from './host-call.js'
import { decode } from './value/index.js'

/** What is known of a call whose outcome was lost. */
export type Reconciled =
  /** It was made, and this came of it. */
  | { readonly kind: 'happened'; readonly value: unknown }
  /** It was made, and failed so. */
  | { readonly kind: 'failed'; readonly error: Error }
  /** It was never made: it is made now, with the same idempotency key. */
  | { readonly kind: 'didNotHappen' }
  /** Nobody knows: somebody is asked. */
  | { readonly kind: 'unknown' }

/** Asks what became of a call: with all its arguments. @internal */
export type Probe = (args: readonly unknown[], call: HostCall) => Reconciled | Promise<Reconciled>

/** @internal */
export function probeHooks(probes: ReadonlyMap<string, Probe>): Hooks {
  return {
    reconcile: async (body) => {
      const call = body['call'] as CallMessage
      const ids = { runId: body['runId'] as string, invocationId: body['invocationId'] as string }
      // A probe has no effect: it is never told to stop.
      const host = new HostCall(call, new AbortController(), ids)
      const known = await probes.get(call.name)?.(decode(call.arguments) as unknown[], host)
      return known?.kind === 'failed' ? { kind: 'failed', error: thrown(known.error) } : known
    },
  }
}
