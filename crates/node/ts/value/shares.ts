import { REFERENCE, SHAREABLE, SHARED_VIEW } from './tags.js'
import { Writer } from './writer.js'

/** An object that was met, and where its bytes are. */
export interface Met {
  readonly at: number
  /** Whether it is met again. */
  again: boolean
  /** Its number among what is shared. */
  index: number
}

/** One of the objects that stand on a buffer. */
interface Standing {
  readonly met: Met
  readonly end: number
  /** Of a view. */
  readonly view: ArrayBufferView | undefined
  readonly tag: number
}

/** A place where the bytes are not those of a tree. */
type Patch =
  | { readonly at: number; readonly order: 0; readonly shareable: Met }
  | { readonly at: number; readonly order: 1; readonly standing: Standing; readonly on: SharedBuffer }
  | { readonly at: number; readonly order: 2; readonly reference: Met }

/** A buffer that several objects stand on. */
interface SharedBuffer {
  readonly bytes: Uint8Array
  readonly from: number
  /** The buffer itself, where it is one of the objects. */
  readonly itself: Met | undefined
  index: number
}

/**
 * What stands at several places of a value. A value is written as the tree that it mostly is; where an object was met again, tags are put in afterwards: no head says how many bytes
 * follow, so that nothing else changes.
 */
export class Shares {
  readonly #met = new Map<object, Met>()
  readonly #references: { readonly at: number; readonly to: Met }[] = []
  readonly #buffers = new Map<ArrayBuffer, Standing[]>()
  any = false

  clear(): void {
    if (this.#met.size > 0) this.#met.clear()
    if (this.#buffers.size > 0) this.#buffers.clear()
    this.#references.length = 0
    this.any = false
  }

  /** The object, if it is met for the first time; else it is a reference from here. */
  meet(object: object, at: number): Met | undefined {
    const known = this.#met.get(object)
    if (known === undefined) {
      const met = { at, again: false, index: -1 }
      this.#met.set(object, met)
      return met
    }
    known.again = true
    this.any = true
    this.#references.push({ at, to: known })
    return undefined
  }

  buffer(met: Met, end: number, buffer: ArrayBuffer): void {
    this.#stand(buffer, { met, end, view: undefined, tag: 0 })
  }

  view(met: Met, end: number, view: ArrayBufferView, tag: number): void {
    this.#stand(view.buffer as ArrayBuffer, { met, end, view, tag })
  }

  #stand(buffer: ArrayBuffer, standing: Standing): void {
    const others = this.#buffers.get(buffer)
    if (others === undefined) this.#buffers.set(buffer, [standing])
    else {
      others.push(standing)
      this.any = true
    }
  }

  /** The bytes with all tags. */
  assemble(tree: Uint8Array): Uint8Array {
    const writer = new Writer()
    let done = 0
    let shared = 0
    const share = (): number => {
      writer.tag(SHAREABLE)
      return shared++
    }
    for (const patch of this.#patches()) {
      writer.put(tree.subarray(done, patch.at))
      done = patch.at
      if (patch.order === 0) patch.shareable.index = share()
      else if (patch.order === 2) reference(writer, patch.reference.index)
      else {
        writeStanding(writer, patch.standing, patch.on, share)
        done = patch.standing.end
      }
    }
    writer.put(tree.subarray(done))
    return new Uint8Array(writer.bytes.subarray(0, writer.at))
  }

  #patches(): Patch[] {
    const patches: Patch[] = []
    const buffers = new Set<Met>()
    for (const [buffer, standings] of this.#buffers) {
      if (standings.length < 2) continue
      const on = sharedBuffer(buffer, standings)
      for (const standing of standings) patches.push({ at: standing.met.at, order: 1, standing, on })
      if (on.itself !== undefined) buffers.add(on.itself)
    }
    for (const met of this.#met.values()) {
      if (met.again && !buffers.has(met)) patches.push({ at: met.at, order: 0, shareable: met })
    }
    for (const { at, to } of this.#references) patches.push({ at, order: 2, reference: to })
    // References have no bytes in the tree: of several at one place the first written goes first, and all of them before what follows.
    return patches.sort((one, other) => one.at - other.at || rank(one) - rank(other))
  }
}

function rank(patch: Patch): number {
  return patch.order === 2 ? -1 : patch.order
}

function sharedBuffer(buffer: ArrayBuffer, standings: readonly Standing[]): SharedBuffer {
  const itself = standings.find((standing) => standing.view === undefined)?.met
  if (itself !== undefined) return { bytes: new Uint8Array(buffer), from: 0, itself, index: -1 }
  const views = standings.map((standing) => standing.view as ArrayBufferView)
  const first = Math.min(...views.map((view) => view.byteOffset))
  const last = Math.max(...views.map((view) => view.byteOffset + view.byteLength))
  const from = first - (first % 8)
  return { bytes: new Uint8Array(buffer, from, last - from), from, itself: undefined, index: -1 }
}

function reference(writer: Writer, index: number): void {
  writer.tag(REFERENCE)
  writer.head(0, index)
}

function writeStanding(writer: Writer, { view, tag }: Standing, on: SharedBuffer, share: () => number): void {
  if (view !== undefined) {
    writer.tag(SHARED_VIEW)
    writer.head(4, 4)
    writer.head(0, tag)
  }
  if (on.index < 0) {
    on.index = share()
    if (on.itself !== undefined) on.itself.index = on.index
    writer.raw(on.bytes)
  } else reference(writer, on.index)
  if (view !== undefined) {
    writer.head(0, view.byteOffset - on.from)
    writer.head(0, view.byteLength)
  }
}
