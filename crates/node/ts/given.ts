import type { Resolution } from './interruption.js'
import { decode } from './value/index.js'

/** An answer that was given to a question of a durable run. */
export interface Given extends Omit<Resolution, 'argumentsDigest'> {
  /** When, in milliseconds since 1970. */
  readonly at: number
  /** By whom, where that is known. */
  readonly by: string | undefined
}

/** @internal */
export interface GivenMessage {
  readonly interruptionId: string
  readonly kind: Resolution['kind']
  readonly at: number
  readonly by?: string
  readonly body?: Uint8Array
  readonly reason?: string
  readonly error?: { readonly name: string; readonly message: string; readonly code?: string }
}

/** @internal */
export function givenOf({ interruptionId, kind, at, by, body, reason, error }: GivenMessage): Given {
  return {
    interruptionId,
    kind,
    at,
    by,
    ...(body === undefined ? {} : { value: decode(body) }),
    ...(error === undefined ? {} : { value: Object.assign(new Error(error.message), withoutUndefined(error)) }),
    ...(reason === undefined ? {} : { reason }),
  }
}

function withoutUndefined({ name, code }: { readonly name: string; readonly code?: string }): object {
  return code === undefined ? { name } : { name, code }
}
