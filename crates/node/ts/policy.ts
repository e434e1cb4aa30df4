import type { Hooks } from './codec.js'
import { decideWith } from './drive/deciding.js'
import { thrown } from './drive/thrown.js'
import type { Effect } from './host-function.js'
import { decode, encode } from './value/index.js'

/** A call that is about to be made. */
export interface ProposedCall {
  readonly runId: string
  /** The call's number in its run, from 1. */
  readonly requestIndex: number
  /** As it is lent today. */
  readonly hostFunction: string
  readonly effect: Effect
  /** What the function would get: where an approver has edited the arguments, the edited ones. */
  readonly arguments: readonly unknown[]
}

/**
 * What becomes of a call: it is made; somebody is asked first, as for a function that needs {@link approval}; or it is denied, and the script gets a `PolicyDenied` with the code `POLICY_DENIED`.
 * The text is the rule's name, shown to whoever is asked and to the script that is denied.
 */
export type Decision =
  | 'allow'
  | { readonly ask: string; readonly reason?: string | undefined }
  | { readonly deny: string; readonly reason?: string | undefined }

/**
 * Decides about each host call, before its function is called and each time that it is: when the script makes the call, and again when the run goes on with it after an answer or after a crash.
 * What was approved or denied stays so. `undefined` leaves the call to the function: one that needs approval is asked about, any other is made.
 *
 * It is asked on the spot, so it should be quick, and it can begin nothing: no run, no resume, no evaluation. One that throws, gives a promise, or decides nothing that is a decision, denies.
 */
export type Policy = (call: ProposedCall) => Decision | undefined

/** A policy as the native layer asks it: a message in, a message out. */
export function decider(policy: Policy): (call: Uint8Array) => Uint8Array {
  return (message) => encode(decideWith(() => said(policy, message)))
}

/** The same for runs that are driven elsewhere. @internal */
export function policyHooks(policy: Policy): Hooks {
  return { decide: ({ call }) => encode(said(policy, call as Uint8Array)) }
}

function said(policy: Policy, message: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const call = decode(message) as Omit<ProposedCall, 'arguments'> & { readonly arguments: Uint8Array }
    return decision(policy({ ...call, arguments: decode(call.arguments) as unknown[] }))
  } catch (error) {
    return denied(`it failed: ${thrown(error).message}`)
  }
}

function decision(of: unknown): Readonly<Record<string, unknown>> {
  if (of === undefined) return { decision: 'nothing' }
  if (of === 'allow') return { decision: 'allow' }
  if (of !== null && typeof of === 'object') {
    const { ask, deny, reason, then } = of as { ask?: unknown; deny?: unknown; reason?: unknown; then?: unknown }
    if (typeof then === 'function') {
      // Nobody waits for it: what it comes to must not end the process.
      void Promise.resolve(of).catch(() => {})
      return denied('it gave a promise, and has to decide on the spot')
    }
    const because = typeof reason === 'string' ? { reason } : {}
    if (typeof deny === 'string') return { decision: 'deny', rule: deny, ...because }
    if (typeof ask === 'string') return { decision: 'ask', rule: ask, ...because }
  }
  return denied('what it gave is no decision')
}

function denied(reason: string): Readonly<Record<string, unknown>> {
  return { decision: 'deny', rule: 'policy', reason }
}
