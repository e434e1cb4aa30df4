import type { Told } from '../slices/told.js'
import { bytesOf } from '../value/plain.js'
import { within } from './context.js'
import { RunError, RunSourceTooLargeError, serializationError } from './errors.js'
import type { Outcome } from './ledger.js'
import type { Limits } from './limits.js'
import type { HostFunctionContext, RunModuleLoader } from './types.js'

const LONGEST_SPECIFIER = 1024

/** Asks the loader. What goes wrong there, scripts are told nothing of. */
export class ModuleRequests {
  readonly #loader: RunModuleLoader | undefined
  readonly #limits: Limits

  constructor(loader: RunModuleLoader | undefined, limits: Limits) {
    this.#loader = loader
    this.#limits = limits
  }

  /** Why the loader is not even asked. */
  refuses(specifier: string, importer: string): Told | undefined {
    if (this.#loader === undefined) return { name: 'ReferenceError', message: `could not load module '${specifier.slice(0, LONGEST_SPECIFIER)}'` }
    const bytes = bytesOf(JSON.stringify([specifier, importer]))
    if (bytesOf(specifier) <= LONGEST_SPECIFIER && bytes <= this.#limits.maxHostFunctionArgumentsBytes) return undefined
    return { name: 'Error', message: 'The name of a module is too long.' }
  }

  normalize(context: HostFunctionContext, specifier: string, importer: string): Promise<Outcome> {
    const loader = this.#loader as RunModuleLoader
    return this.#ask(context, () => (loader.normalize === undefined ? specifier : loader.normalize(specifier, importer)))
  }

  load(context: HostFunctionContext, name: string): Promise<Outcome> {
    const { maxSourceBytes } = this.#limits
    return this.#ask(context, () => (this.#loader as RunModuleLoader).load(name), (text) => {
      if (bytesOf(text) > maxSourceBytes) throw new RunSourceTooLargeError(bytesOf(text), maxSourceBytes)
    })
  }

  /** A text, as JSON. Rejects with what ends the run. */
  async #ask(context: HostFunctionContext, ask: () => string | Promise<string>, check?: (text: string) => void): Promise<Outcome> {
    try {
      const text: unknown = await within(context, ask)
      if (typeof text !== 'string') throw new TypeError(`${context.hostFunctionName} gives a string.`)
      check?.(text)
      const value = JSON.stringify(text)
      const { maxHostFunctionOutputBytes: maxBytes } = this.#limits
      const bytes = bytesOf(value)
      if (bytes > maxBytes) throw serializationError(`${context.hostFunctionName} output exceeds the ${maxBytes} byte size limit.`, { bytes, maxBytes })
      return { ok: true, value }
    } catch (error) {
      if (RunError.isInstance(error)) throw error
      return { ok: false, error: { name: 'Error', message: 'Host bridge request failed.', code: 'RUN_HOST_BRIDGE_ERROR' } }
    }
  }
}
