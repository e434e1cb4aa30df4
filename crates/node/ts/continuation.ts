import { inspect } from 'node:util'

import type { InterruptionMessage } from './drive/message.js'
import { refusal } from './errors.js'
import { type Interruption, interruption } from './interruption.js'
import { addon } from './native.js'
import { decode } from './value/index.js'

interface Description {
  readonly runId: string
  readonly source: string
  readonly over: boolean
  readonly interruptions: readonly InterruptionMessage[]
  readonly wakeAt?: number
  readonly length: number
}

/**
 * What is needed to go on with a run: its ledger. It can be kept, copied, and resumed in any process, and says everything that the run was told and asked, so it is as secret as that. Its bytes are not
 * authenticated: what comes from elsewhere than a store of your own goes through a codec.
 */
export class Continuation {
  /** The plain bytes: docs/ledger.md. */
  readonly bytes: Uint8Array
  #description: Description | undefined

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  #describe(): Description {
    if (this.#description === undefined) {
      try {
        this.#description = decode(addon.describe(this.bytes)) as Description
      } catch (error) {
        throw refusal(error)
      }
    }
    return this.#description
  }

  /** The run. */
  get runId(): string {
    return this.#describe().runId
  }

  /** The script's text: the newest, where it was changed. */
  get source(): string {
    return this.#describe().source
  }

  /** Whether the run is over. */
  get over(): boolean {
    return this.#describe().over
  }

  /** The questions that are open, in order of their calls. */
  get interruptions(): Interruption[] {
    return this.#describe().interruptions.map(interruption)
  }

  /** When it is worth going on without any answer, in milliseconds since 1970: a timer is due then, or a question expires. */
  get wakeAt(): number | undefined {
    return this.#describe().wakeAt
  }

  /** How many entries the ledger has. */
  get length(): number {
    return this.#describe().length
  }

  /** Another run that has the first `at` entries in common with this one. Its calls have other idempotency keys. */
  fork(at: number = this.length): Continuation {
    try {
      return new Continuation(addon.fork(this.bytes, at))
    } catch (error) {
      throw refusal(error)
    }
  }

  [inspect.custom](): string {
    return `Continuation { ${this.bytes.length} bytes }`
  }
}
