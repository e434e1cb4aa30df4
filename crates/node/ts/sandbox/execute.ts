import { isThrown, thrown } from '../drive/thrown.js'
import { encodeOutput } from '../outcome.js'
import { checkedCall } from '../schema.js'
import type { Outcome } from '../slices/told.js'
import { decode } from '../value/index.js'
import type { Action, ActionCall } from './action.js'
import { ActionInterrupt } from './interrupt.js'

/** Executes an action, between its schemas. */
export async function execute(action: Action, input: Uint8Array, callWith: (input: unknown) => ActionCall): Promise<Outcome | ActionInterrupt> {
  try {
    const output = await checkedCall(action.id, action, decode(input), (parsed) => action.execute(callWith(parsed)))
    return { ok: true, value: encodeOutput(action.id, output) }
  } catch (error) {
    return isThrown(error, ActionInterrupt) ? error : { ok: false, error: thrown(error) }
  }
}
