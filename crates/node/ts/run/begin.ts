import type { Begin, CallMessage } from '../slices/script.js'
import { decode, encode } from '../value/index.js'
import type { Manifest } from './host-functions.js'
import type { Job } from './job.js'

/** A function that a script can call, by its number. */
interface Target {
  readonly name: string
  /** Whether it is what a group has in the place of functions that are not lent: then the call says which. */
  readonly isUnknown: boolean
}

/** The functions that a script can call, by the numbers that its calls have. */
export class Targets {
  readonly #all: Target[] = []

  /** Lends the functions of a manifest. Gives their names, as the engine takes them: the empty name of each group is for every other. */
  lend(manifest: Manifest): string[] {
    const names: string[] = []
    for (const [group, functions] of manifest) {
      for (const name of functions) {
        names.push(`${group}.${name}`)
        this.#all.push({ name: `${group}.${name}`, isUnknown: false })
      }
      names.push(`${group}.`)
      this.#all.push({ name: group, isUnknown: true })
    }
    return names
  }

  /** What a call asks for. */
  of([, target, args]: CallMessage): { readonly name: string; readonly args: Uint8Array } {
    const { name, isUnknown } = this.#all[target] as Target
    if (!isUnknown) return { name, args }
    const [path, list] = decode(args) as [string, unknown[]]
    return { name: path.slice(0, LONGEST_PATH), args: encode(list) }
  }
}

/** Of a name that is not lent. */
const LONGEST_PATH = 512

/** What the engine is told of a run. */
export function beginningOf(job: Job, targets: Targets): Begin {
  const { deadlineMs, determinism, input, isModule, limits, manifest, syncManifest } = job
  return {
    source: input.source,
    module: isModule,
    name: isModule ? '<entry>' : 'run.js',
    functions: targets.lend(manifest),
    blocking: targets.lend(syncManifest),
    realm: {
      kind: 'locked',
      // 32 bytes are wanted.
      seed: Buffer.from(determinism.randomSeed + determinism.randomSeed, 'hex'),
      time: determinism.dateNowMs,
      deadlineMs: Math.max(1, deadlineMs - Date.now()),
      memory: Math.min(limits.memoryLimitBytes + IMAGE_BYTES, 2 ** 32),
      jsStack: Math.min(Math.max(limits.maxStackSizeBytes, 64 * 1024), 1024 * 1024),
      console: Math.min(Math.max(limits.maxConsoleOutputBytes * 16, 1024 * 1024), MOST),
      calls: Math.min(limits.maxBridgeRequests + UNCOUNTED_REQUESTS, MOST),
    },
  }
}

/** What a sandbox has before its script has anything, about. */
const IMAGE_BYTES = 4 * 1024 * 1024
/** Imports that are refused without being counted. */
const UNCOUNTED_REQUESTS = 64
const MOST = 2 ** 31 - 1
