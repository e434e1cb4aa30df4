import { AsyncLocalStorage } from 'node:async_hooks'

import type { HostFunctionContext } from './types.js'
import { encodePayload } from './values.js'

interface Scope {
  readonly context: HostFunctionContext
  active: boolean
}

const storage = new AsyncLocalStorage<Scope>()

/** The context of the host call that is being answered here. */
export function getHostFunctionContext(): HostFunctionContext {
  const scope = storage.getStore()
  if (scope === undefined || !scope.active) {
    throw new Error('getHostFunctionContext() has something to give while a host function is answering a call, and nowhere else.')
  }
  return scope.context
}

/** Calls a function with a context, which is good until what it gives is settled. */
export async function within<T>(context: HostFunctionContext, call: () => T | Promise<T>): Promise<T> {
  const scope: Scope = { context, active: true }
  try {
    return await storage.run(scope, call)
  } finally {
    scope.active = false
  }
}

/** What `interrupt` throws. It is for nobody to catch. */
export class Interruption extends Error {
  /** The bytes of the payload, as it was then. */
  readonly payload: Uint8Array

  constructor(payload: Uint8Array) {
    super('The host function interrupts the run. Whoever catches this keeps the run from being interrupted.')
    // Those who build on npm `run` know it by this name, and let it pass.
    this.name = 'HostFunctionInterruptSignal'
    this.payload = payload
  }
}

/** {@link HostFunctionContext.interrupt}. */
export function interrupt(payload: unknown): never {
  throw new Interruption(encodePayload(payload, 'Interruption payload'))
}
