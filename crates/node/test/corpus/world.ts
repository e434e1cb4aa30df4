/** The scripted host of conformance/README.md. It outlives every run of a case. */
import { type HostFunctions, type PlainFunction, approval, getHostCall, hostFunction, interrupt } from 'intermission'

/** A function of a page, as `json host` writes it. */
export interface Scripted {
  readonly does: 'echo' | 'give' | 'wait' | 'fail' | 'ask' | 'never'
  readonly effect: 'pure' | 'idempotent' | 'unsafe'
  readonly approval: boolean
  readonly policy: 'allow' | 'ask' | 'deny' | null
  readonly blocking: boolean
  readonly input_schema: Record<string, unknown> | null
  readonly fails: number
  readonly error: { readonly name: string; readonly message: string } | null
  readonly times: number
  readonly expires_at: number | null
  readonly default: unknown
  readonly value: unknown
}

interface Made {
  readonly call: readonly [string, unknown]
  readonly instead_of?: unknown
}

export class World {
  #made: { readonly index: number; readonly made: Made }[] = []
  /** What idempotent functions have returned, by their keys. */
  readonly #returned = new Map<string, unknown>()
  readonly #failures = new Map<string, number>()
  /** Hears which function is called. */
  onCall: (name: string) => void = () => {}

  takeCalls(): Made[] {
    const made = this.#made.sort((one, other) => one.index - other.index).map(({ made }) => made)
    this.#made = []
    return made
  }

  functions(scripted: Readonly<Record<string, Scripted>>): HostFunctions {
    const all: Record<string, ReturnType<typeof hostFunction> | Record<string, ReturnType<typeof hostFunction>>> = {}
    for (const [name, function_] of Object.entries(scripted)) {
      const { effect, blocking, input_schema } = function_
      const plain = hostFunction({
        effect,
        blocking,
        ...(input_schema === null ? {} : { input: input_schema }),
        run: (argument) => this.#act(name, function_, argument ?? null),
      })
      const lent = function_.approval ? approval(plain) : plain
      const [group, inner] = name.split('.') as [string, string?]
      if (inner === undefined) all[group] = lent
      else all[group] = { ...(all[group] as Record<string, typeof lent> | undefined), [inner]: lent }
    }
    return all as HostFunctions & Record<string, PlainFunction>
  }

  #act(name: string, function_: Scripted, argument: unknown): unknown {
    const call = getHostCall()
    const { idempotencyKey: key, editedFrom, requestIndex: index, resume } = call
    this.onCall(name)
    if (function_.effect === 'idempotent' && this.#returned.has(key)) return this.#returned.get(key)
    const write = (): void => {
      const made = { call: [name, argument] as const, ...(editedFrom === undefined ? {} : { instead_of: editedFrom[0] ?? null }) }
      this.#made.push({ index, made })
    }
    const give = (value: unknown): unknown => {
      write()
      if (function_.effect === 'idempotent') this.#returned.set(key, value)
      return value
    }
    const failures = this.#failures.get(name) ?? 0
    if (function_.does === 'fail' || failures < function_.fails) {
      write()
      this.#failures.set(name, failures + 1)
      const { name: errorName, message } = function_.error ?? { name: 'TypeError', message: typeof argument === 'string' ? argument : JSON.stringify(argument) }
      throw Object.assign(new Error(message), { name: errorName })
    }
    switch (function_.does) {
      case 'echo':
        return give(argument)
      case 'give':
        return give(function_.value)
      case 'wait': {
        const { ms, value } = argument as { ms: number; value: unknown }
        give(value)
        return turns(ms, value)
      }
      case 'ask': {
        const answers = resume === undefined ? [] : [...(resume.state as unknown[]), resume.resolution]
        if (answers.length >= function_.times) return give(function_.times > 1 ? answers : answers.at(-1))
        const { expires_at, default: byDefault } = function_
        return interrupt({ q: argument }, answers, {
          ...(expires_at === null ? {} : { expiresAt: expires_at }),
          ...(byDefault === null ? {} : { default: byDefault }),
        })
      }
      case 'never':
        write()
        return new Promise((resolve) => call.signal.addEventListener('abort', () => resolve(undefined)))
    }
  }
}

/** A wait that takes turns of the event loop instead of time: the shorter is done first, on any machine. */
async function turns(count: number, value: unknown): Promise<unknown> {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate)
  return value
}
