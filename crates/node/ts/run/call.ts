import { isThrown } from '../drive/thrown.js'
import { decode } from '../value/index.js'
import { Interruption, within } from './context.js'
import { RunHostFunctionError } from './errors.js'
import { find, type Manifest } from './host-functions.js'
import type { Outcome } from './ledger.js'
import type { Limits } from './limits.js'
import type { HostFunctionContext, HostFunctions } from './types.js'
import { checkSize, encodePayload, toldOf } from './values.js'

/** What came of calling a host function: an outcome, or a question. */
export type Answer = Outcome | { readonly payload: Uint8Array }

const outputLabel = (name: string): string => `Host function "${name}" output`

/** Calls a host function with arguments in bytes. What it throws becomes what scripts are told of it. */
export async function callHostFunction(
  lent: HostFunctions, manifest: Manifest, context: HostFunctionContext, args: Uint8Array, limits: Limits,
): Promise<Answer> {
  const name = context.hostFunctionName
  try {
    const hostFunction = find(lent, manifest, name)
    checkSize(args, limits.maxHostFunctionArgumentsBytes, `Host function "${name}" arguments`, (message, details) => new RunHostFunctionError(message, details))
    const list = decode(args) as unknown[]
    const output = await within(context, () => hostFunction(...list))
    return { ok: true, value: encodePayload(output, outputLabel(name), limits.maxHostFunctionOutputBytes) }
  } catch (error) {
    if (!isThrown(error, Interruption)) return { ok: false, error: toldOf(error) }
    try {
      checkSize(error.payload, limits.maxHostFunctionOutputBytes, `Host function "${name}" interruption payload`)
      return { payload: error.payload }
    } catch (tooLarge) {
      return { ok: false, error: toldOf(tooLarge) }
    }
  }
}
