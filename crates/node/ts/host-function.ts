import { withoutAbsent } from './drive/engine.js'
import { HostCall, within } from './host-call.js'
import { checkFunction, checkKeys, keysOf, told } from './options.js'
import type { Probe, Reconciled } from './reconcile.js'
import { type Input, type Output, type Schema, checkedCall, checkedInput, jsonSchemaText } from './schema.js'

/**
 * What may happen when a call is made again, because its outcome was lost: nothing (`pure`), the same as once with the same idempotency key (`idempotent`), or twice (`unsafe`).
 */
export type Effect = 'pure' | 'idempotent' | 'unsafe'

/** A host function and what is known about it. */
export interface HostFunctionOptions<I extends Schema | undefined = undefined, O extends Schema | undefined = undefined> {
  /** What it does, in a sentence or two: shown to whoever writes scripts. */
  readonly description?: string
  /** Of its first argument. A call that does not fit is rejected with a `TypeError`, and the function is not run. */
  readonly input?: I
  /** Of its result. A result that does not fit is a rejection. */
  readonly output?: O
  /** Default: `unsafe`. */
  readonly effect?: Effect
  /** Whether the script stands still until it has answered, and gets the value itself. Default: no. */
  readonly blocking?: boolean
  /**
   * What became of a call whose outcome was lost, because its process died while it was under way: by `call.idempotencyKey`. It must have no effect: it may be asked any number of times. Where it throws it
   * does not know. For an `unsafe` function; others are simply called again. Default: somebody is asked.
   */
  readonly reconcile?: (input: I extends Schema ? Output<I> : unknown, call: HostCall) => Reconciled | Promise<Reconciled>
  /** What it does with its first argument. */
  readonly run: (input: I extends Schema ? Output<I> : unknown, call: HostCall) => O extends Schema ? Input<O> | Promise<Input<O>> : unknown
}

const KEYS = keysOf<HostFunctionOptions>({ description: true, input: true, output: true, effect: true, blocking: true, reconcile: true, run: true })

/** What tools of others are called by. A host function is called by where it is lent. */
const NAMES = ['id', 'name', 'title']

const OPTIONS = Symbol('intermission.hostFunction')

/** A function that a host lends to scripts, as {@link hostFunction} makes it. */
export interface HostFunction {
  readonly [OPTIONS]: HostFunctionOptions<Schema | undefined, Schema | undefined>
  readonly approval: boolean
}

/** A function that takes a script's arguments as they come. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type PlainFunction = (...args: any[]) => unknown

/** What a runner lends: `name`, or `group: { name }`. */
export interface HostFunctions {
  readonly [name: string]: HostFunction | PlainFunction | Readonly<Record<string, HostFunction | PlainFunction>>
}

/**
 * A host function with more than its code: a description, schemas, an effect class. Throws an {@link OptionsError} where it could not be called, or an option is none.
 *
 * ```ts
 * const add = hostFunction({
 *   description: 'Adds two numbers',
 *   input: z.object({ a: z.number(), b: z.number() }),
 *   run: ({ a, b }) => a + b,
 * })
 * ```
 */
export function hostFunction<I extends Schema | undefined = undefined, O extends Schema | undefined = undefined>(
  options: HostFunctionOptions<I, O>,
): HostFunction {
  checkKeys('hostFunction()', options, KEYS, NAMES)
  checkFunction('the run of a hostFunction()', options.run)
  if (options.reconcile !== undefined) checkFunction('the reconcile of a hostFunction()', options.reconcile)
  return { [OPTIONS]: options as unknown as HostFunctionOptions<Schema | undefined, Schema | undefined>, approval: false }
}

/**
 * The same function, but each call of it is an interruption before it is called, and is answered by `approve`, `approveWith` or `deny`. A call whose arguments do not fit the input schema is
 * rejected without asking.
 */
export function approval(of: HostFunction | PlainFunction): HostFunction {
  return { ...lent(of), approval: true }
}

function lent(of: HostFunction | PlainFunction): HostFunction & { readonly plain?: PlainFunction } {
  if (typeof of !== 'function') return of
  return { [OPTIONS]: { run: (input) => of(input) }, approval: false, plain: of } as HostFunction & { plain: PlainFunction }
}

/** What a runner calls under a name: with all arguments. */
export type Callee = (args: readonly unknown[], call: HostCall) => unknown

/** What a runner lends, for the native layer and for the loop. */
export interface Lent {
  readonly declarations: readonly Readonly<Record<string, unknown>>[]
  readonly callees: ReadonlyMap<string, Callee>
  readonly probes: ReadonlyMap<string, Probe>
}

/** Checks the shape of what is lent; names and schemas are checked by the library. */
export function lend(functions: HostFunctions): Lent {
  const declarations: Record<string, unknown>[] = []
  const callees = new Map<string, Callee>()
  const probes = new Map<string, Probe>()
  const add = (name: string, of: HostFunction | PlainFunction): void => {
    const { [OPTIONS]: options, approval, plain } = lent(of)
    declarations.push(declaration(name, options, approval))
    if (options.reconcile !== undefined) probes.set(name, probe(name, options))
    callees.set(name, plain === undefined ? checked(name, options) : (args, call) => within(call, () => plain(...args)))
  }
  if (Array.isArray(functions) || typeof functions !== 'object') throw new TypeError(`hostFunctions is an object of functions by their names, not ${told(functions)}`)
  for (const [name, value] of Object.entries(functions)) {
    if (isLendable(value)) add(name, value)
    else if (looksLikeATool(value)) throw new TypeError(`hostFunctions.${name} has options of a function: hostFunction({ ..., run }) makes one of them`)
    else if (value !== null && typeof value === 'object') {
      for (const [inner, of] of Object.entries(value)) {
        if (!isLendable(of)) throw new TypeError(`hostFunctions.${name}.${inner} is neither a function nor made by hostFunction()`)
        add(`${name}.${inner}`, of)
      }
    } else throw new TypeError(`hostFunctions.${name} is neither a function, nor made by hostFunction(), nor a group of such`)
  }
  return { declarations, callees, probes }
}

/** What others call a tool: a group of functions has no description, and none of its members is called so. */
function looksLikeATool(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'description' in value && typeof value.description === 'string'
}

function isLendable(value: unknown): value is HostFunction | PlainFunction {
  return typeof value === 'function' || (typeof value === 'object' && value !== null && OPTIONS in value)
}

function declaration(name: string, options: HostFunctionOptions<Schema | undefined, Schema | undefined>, approval: boolean): Readonly<Record<string, unknown>> {
  const { description, input, output, effect, blocking, reconcile } = options
  return withoutAbsent({
    name,
    description,
    inputSchema: jsonSchemaText(input, 'input'),
    outputSchema: jsonSchemaText(output, 'output'),
    effect,
    blocking,
    approval: approval || undefined,
    reconcile: reconcile !== undefined || undefined,
  })
}

function checked(name: string, { input, output, run }: HostFunctionOptions<Schema | undefined, Schema | undefined>): Callee {
  const isPlain = input === undefined && output === undefined
  if (isPlain) return (args, call) => within(call, () => run(args[0], call))
  return (args, call) => checkedCall(name, { input, output }, args[0], (given) => within(call, () => run(given, call)))
}

function probe(name: string, { input, reconcile }: HostFunctionOptions<Schema | undefined, Schema | undefined>): Probe {
  return async (args, call) => {
    const given = await checkedInput(name, input, args[0])
    return (await within(call, () => reconcile?.(given, call))) ?? { kind: 'unknown' }
  }
}
