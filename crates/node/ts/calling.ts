import type { Hooks } from './codec.js'
import type { AskMessage, CallMessage } from './drive/message.js'
import type { Driver, InvocationIds, Settlement, Wanted } from './drive/task.js'
import { HostCall } from './host-call.js'
import type { Callee } from './host-function.js'
import { fulfilled, rejected } from './outcome.js'
import { decode } from './value/index.js'

/** Whoever calls these functions, and answers with these hooks. @internal */
export function driverOf(callees: ReadonlyMap<string, Callee>, hooks: Hooks): Driver {
  return {
    call: (call, wanted, ids) => callHostFunction(callees, call, wanted, ids),
    ask: (ask) => answerAsk(hooks, ask),
  }
}

function callHostFunction(
  callees: ReadonlyMap<string, Callee>,
  call: CallMessage,
  wanted: Wanted,
  ids: InvocationIds,
): Settlement | Promise<Settlement> {
  const { name } = call
  const callee = callees.get(name)
  if (callee === undefined) return rejected(new Error(`the host function ${name} is not lent`))
  try {
    const result = callee(decode(call.arguments) as unknown[], new HostCall(call, wanted, ids))
    if (!isThenable(result)) return fulfilled(name, result)
    return Promise.resolve(result).then((value) => fulfilled(name, value), rejected)
  } catch (error) {
    return rejected(error)
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return value !== null && typeof value === 'object' && 'then' in value && typeof value.then === 'function'
}

async function answerAsk(hooks: Hooks, ask: AskMessage): Promise<unknown> {
  const hook = hooks[ask.kind]
  if (hook === undefined) throw new Error(`nobody answers ${ask.kind}`)
  return await hook(ask)
}
