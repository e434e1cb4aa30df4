import type { CallMessage, Script, Slice } from '../slices/script.js'
import { bytesOfTold, type Told } from '../slices/told.js'
import { encode } from '../value/index.js'
import { bytesOf } from '../value/plain.js'
import type { Targets } from './begin.js'
import { callHostFunction } from './call.js'
import { RunProtocolError, serializationError } from './errors.js'
import type { Job } from './job.js'
import { type Ledger, type Outcome, bytesOfOutcome } from './ledger.js'
import type { Limits } from './limits.js'
import { ModuleRequests } from './modules.js'
import type { HostFunctionContext } from './types.js'

/** What is needed of the loop. */
export interface Loop {
  readonly script: Script
  readonly ledger: Ledger
  readonly targets: Targets
  /** What scripts were told of errors, by the engine's numbers of the calls. */
  readonly errors: Map<number, Told>
  /** The number of the next request. */
  count(): number
  context(name: string, requestIndex: number, request: string): HostFunctionContext
  /** Goes on, from outside of the loop. */
  goOn(next: () => Slice | undefined): void
  fail(error: unknown): void
}

/** What the script waits for on the spot: synchronous host functions, names and texts of modules. It is in the ledger, and has no time. */
export class BlockingRequests {
  readonly #job: Job
  readonly #loop: Loop
  readonly #modules: ModuleRequests
  #requests = 0

  constructor(job: Job, loop: Loop) {
    this.#job = job
    this.#loop = loop
    this.#modules = new ModuleRequests(job.input.moduleLoader, job.limits)
  }

  #context(name: string, requestIndex: number): HostFunctionContext {
    this.#requests += 1
    return this.#loop.context(name, requestIndex, `sync-${this.#requests}`)
  }

  /** A call of a synchronous host function. */
  call(message: CallMessage): Slice | undefined {
    const index = this.#loop.count()
    const { name, args } = this.#loop.targets.of(message)
    const answer = (outcome: Outcome): Slice | undefined => {
      if (!outcome.ok) this.#loop.errors.set(message[0], outcome.error)
      return this.#loop.script.answer(0, ...bytesOfOutcome(outcome))
    }
    if (this.#loop.ledger.admit(index, 'sync-host', name, args)) return answer(this.#loop.ledger.answered(index))
    const { limits, syncHostFunctions, syncManifest } = this.#job
    const context = this.#context(name, index)
    void callHostFunction(syncHostFunctions, syncManifest, context, args, limits).then((outcome) => {
      this.#loop.goOn(() => {
        if ('payload' in outcome) throw new RunProtocolError(`The synchronous host function ${name} cannot interrupt the run.`)
        if (!outcome.ok) checkError(outcome.error, limits)
        this.#loop.ledger.settle(index, outcome)
        return answer(outcome)
      })
    })
    return undefined
  }

  /** The name of a module. */
  names(specifier: string, importer: string): Slice | undefined {
    const refused = this.#modules.refuses(specifier, importer)
    if (refused !== undefined) return this.#loop.script.answer(1, false, bytesOfTold(refused))
    return this.#module('module-normalize', [specifier, importer], (context) => this.#modules.normalize(context, specifier, importer))
  }

  /** The text of a module. */
  loads(name: string): Slice | undefined {
    return this.#module('module-load', [name], (context) => this.#modules.load(context, name))
  }

  /** A request of the loader's, in the ledger as plain JSON. */
  #module(
    kind: 'module-normalize' | 'module-load', input: readonly string[], ask: (context: HostFunctionContext) => Promise<Outcome>,
  ): Slice | undefined {
    const index = this.#loop.count()
    const [name, what] = kind === 'module-load' ? (['moduleLoader.load', 2] as const) : (['moduleLoader.normalize', 1] as const)
    const told = (outcome: Outcome): Slice | undefined => outcome.ok
      ? this.#loop.script.answer(what, true, encode(JSON.parse(outcome.value as string)))
      : this.#loop.script.answer(what, false, bytesOfTold(outcome.error))
    if (this.#loop.ledger.admit(index, kind, name, JSON.stringify(input))) return told(this.#loop.ledger.answered(index))
    ask(this.#context(name, index)).then(
      (outcome) => this.#loop.goOn(() => {
        this.#loop.ledger.settle(index, outcome)
        return told(outcome)
      }),
      (error: unknown) => this.#loop.fail(error),
    )
    return undefined
  }
}

/** What a script is told of an error has the limit of an output. */
function checkError(error: Told, { maxHostFunctionOutputBytes: most }: Limits): void {
  const bytes = bytesOf(JSON.stringify(error))
  if (bytes > most) throw serializationError(`A host function's error exceeds the ${most} byte size limit.`, { bytes, maxBytes: most })
}
