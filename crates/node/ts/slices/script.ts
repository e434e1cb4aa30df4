import { commonEngine, forget, register } from '../drive/engine.js'
import type { Woken } from '../drive/engine.js'
import type { ThrownMessage } from '../drive/message.js'
import { type NativeEngine, addon } from '../native.js'
import { decode, encode } from '../value/index.js'

type Said = Uint8Array | null

/** What a script stands at: 0 a blocking call, 1 the name of a module, 2 its text, 3 a random number. */
export type What = 0 | 1 | 2 | 3

/** Scripts under way: `src/slices.rs`. */
interface NativeSlices {
  begin(task: number, input: Uint8Array): Said
  settle(task: number, call: number, ok: boolean, body: Uint8Array, at: number): Said
  answer(task: number, what: What, ok: boolean, body: Uint8Array): Said
  report(task: number): Said
  advance(task: number): Said
  discard(task: number): void
}

/** What a script begins with, as `src/slices.rs` has it. */
export interface Begin {
  readonly source: string
  readonly module: boolean
  readonly name: string
  readonly functions: readonly string[]
  readonly blocking: readonly string[]
  readonly realm: Realm
}

/** What it finds: a realm that it cannot change, where everything comes from the seed and the time; or one with `data`, each of whose reads is told. */
export type Realm =
  | {
      readonly kind: 'locked'
      readonly seed: Uint8Array
      readonly time: number
      readonly deadlineMs: number
      readonly memory: number
      readonly jsStack: number
      readonly console: number
      readonly calls: number
    }
  | {
      readonly kind: 'bare'
      readonly data: Uint8Array
      /** What the first reads of the clock give. */
      readonly clock: readonly number[]
      readonly limits: Readonly<Record<string, number>>
    }

/** Number, function, bytes of the list of arguments. */
export type CallMessage = readonly [id: number, target: number, args: Uint8Array]

/** Where a script stands, and what it has asked for since the last time. */
export type Slice = {
  readonly calls?: readonly CallMessage[]
  readonly console?: readonly (readonly [method: string, text: string])[]
  /** Reads of the clock: how many calls and draws were made before, and what it gave. */
  readonly reads?: readonly (readonly [after: number, time: number])[]
  readonly data?: Uint8Array
  readonly dataError?: ThrownMessage
} & (
  | { readonly state: 'idle' }
  | { readonly state: 'blocked'; readonly call: CallMessage }
  | { readonly state: 'names'; readonly specifier: string; readonly importer: string }
  | { readonly state: 'loads'; readonly name: string }
  | { readonly state: 'draws' }
  | { readonly state: 'ended'; readonly value: Uint8Array }
  | { readonly state: 'threw'; readonly thrown: ThrownMessage; readonly id?: number; readonly refused?: boolean }
  | { readonly state: 'failed'; readonly error: { readonly code: string; readonly message: string; readonly [more: string]: unknown } }
)

let slices: NativeSlices | undefined

function native(): NativeSlices {
  const { NativeSlices } = addon as unknown as { NativeSlices: new (engine: NativeEngine) => NativeSlices }
  slices ??= new NativeSlices(commonEngine())
  return slices
}

/** A script under way. What it gives, it gives at once; or nothing, and `woken` is called later. */
export class Script implements Woken {
  readonly #native = native()
  readonly #task = register(this)
  readonly #woken: (slice: Slice) => void
  /** Whether a worker has it. */
  computes = false

  constructor(woken: (slice: Slice) => void) {
    this.#woken = woken
  }

  begin(input: Begin): Slice | undefined {
    return this.#read(this.#native.begin(this.#task, encode(input)))
  }

  /** An outcome, for the script to see: at a time before which its clock will not be. */
  settle(call: number, ok: boolean, body: Uint8Array, at: number): Slice | undefined {
    return this.#read(this.#native.settle(this.#task, call, ok, body, at))
  }

  /** What the script stands at. */
  answer(what: What, ok: boolean, body: Uint8Array): Slice | undefined {
    return this.#read(this.#native.answer(this.#task, what, ok, body))
  }

  /** Has the script, which is idle, say what its `data` is. */
  report(): Slice | undefined {
    return this.#read(this.#native.report(this.#task))
  }

  /** It is for nobody any more. */
  discard(): void {
    this.computes = false
    forget(this.#task)
    this.#native.discard(this.#task)
  }

  wake(): void {
    const slice = this.#read(this.#native.advance(this.#task))
    if (slice !== undefined) this.#woken(slice)
  }

  #read(said: Said): Slice | undefined {
    this.computes = said === null
    return said === null ? undefined : (decode(said, 'parts') as Slice)
  }
}
