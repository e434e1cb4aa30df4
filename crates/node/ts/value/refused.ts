/** A value that cannot cross the boundary. */
export class ValueError extends TypeError {
  /** Stable. */
  readonly code = 'VALUE_REFUSED'
  /** Where in the value the offender is, as in `args[0].rows[3].callback`. */
  readonly path: string
  /** @internal */
  readonly why: string

  constructor(path: string, why: string) {
    super(`${path === '' ? 'the value' : path} cannot cross: ${why}`)
    this.name = 'ValueError'
    this.path = path
    this.why = why
  }
}

/** A step into a value. */
export type Step = string | number | { readonly in: 'key' | 'value' | 'member'; readonly at: number }

/** A path as the JavaScript that leads there. */
export function pathText(root: string, steps: readonly Step[]): string {
  let text = root
  for (const step of steps) {
    if (typeof step === 'number') text += `[${step}]`
    else if (typeof step === 'object') text += `<${step.in} ${step.at}>`
    else if (/^[A-Za-z_$][\w$]*$/.test(step)) text += text === '' ? step : `.${step}`
    else text += `[${JSON.stringify(step)}]`
  }
  return text
}
