import type { StandardSchemaV1 } from '@standard-schema/spec'

/** A JSON Schema: an object, as `JSON.parse` would give it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** What a host function's input or output is checked with: zod, valibot, arktype and others, or a JSON Schema. */
export type Schema = StandardSchemaV1 | JsonSchema

/** The type that a schema lets through. */
export type Output<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferOutput<S> : unknown
/** The type that a schema takes. */
export type Input<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferInput<S> : unknown

/** Whether it checks by itself. */
export function isStandard(schema: Schema): schema is StandardSchemaV1 {
  return '~standard' in schema
}

type Direction = 'input' | 'output'

/** The part of a Standard Schema that some have: a JSON Schema of themselves. */
interface DescribesItself {
  readonly jsonSchema?: Readonly<Record<Direction, (options: { target: string }) => JsonSchema>>
}

/** The JSON Schema that says the same, as a text. Nothing where there is none: such a schema checks in JavaScript alone. */
export function jsonSchemaText(schema: Schema | undefined, direction: Direction): string | undefined {
  if (schema === undefined) return undefined
  if (!isStandard(schema)) return JSON.stringify(schema)
  const { jsonSchema } = schema['~standard'] as DescribesItself
  if (jsonSchema === undefined) return undefined
  try {
    // What the script gives is what the schema takes; what it gets is what the schema lets through.
    return JSON.stringify(jsonSchema[direction]({ target: 'draft-2020-12' }))
  } catch {
    return undefined
  }
}

/** What is wrong with a value, in words. */
interface Problem {
  readonly problem: string
}

/** A value as the schema lets it through. A JSON Schema was checked by the library before. */
async function parse(schema: Schema | undefined, value: unknown): Promise<{ readonly value: unknown } | Problem> {
  if (schema === undefined || !isStandard(schema)) return { value }
  const result = await schema['~standard'].validate(value)
  const [issue] = result.issues ?? []
  if (issue === undefined) return { value: (result as StandardSchemaV1.SuccessResult<unknown>).value }
  const keys = (issue.path ?? []).map((step) => (typeof step === 'object' ? step.key : step))
  const place = keys.length === 0 ? '' : ` at /${keys.map(String).join('/')}`
  return { problem: `what does not fit its schema${place}: ${issue.message}` }
}

/**
 * Calls a function between its schemas, with what they let through.
 *
 * @throws {TypeError} `HOST_INPUT_INVALID`: it was not called. {@link Error} `HOST_OUTPUT_INVALID`.
 */
export async function checkedCall(
  name: string, schemas: { readonly input: Schema | undefined; readonly output: Schema | undefined }, given: unknown, call: (input: unknown) => unknown,
): Promise<unknown> {
  const output = await parse(schemas.output, await call(await checkedInput(name, schemas.input, given)))
  if ('problem' in output) throw invalid(Error, `${name} returned ${output.problem}`, 'HOST_OUTPUT_INVALID')
  return output.value
}

/** What a function gets. @throws {TypeError} `HOST_INPUT_INVALID` */
export async function checkedInput(name: string, schema: Schema | undefined, given: unknown): Promise<unknown> {
  const input = await parse(schema, given)
  if ('problem' in input) throw invalid(TypeError, `${name} was called with ${input.problem}`, 'HOST_INPUT_INVALID')
  return input.value
}

function invalid(constructor: ErrorConstructor, message: string, code: string): Error {
  return Object.assign(new constructor(message), { code })
}
