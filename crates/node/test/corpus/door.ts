/** The package as a door of the corpus: a line of JSON a request, a line of JSON a reply. `crates/node/tests/corpus/node.rs` is at the other end. */
import { createInterface } from 'node:readline'

import {
  Continuation, DivergedError, IntermissionError, type Interruption, type Resolution, type RunError, type RunHandle, type RunResult, type Runner, type RunnerOptions,
  ScriptError, SourceError, createRunner,
} from 'intermission'

import { SharedClaims } from './claims.js'
import { DurableStore } from './durable.js'
import { type Scripted, World } from './world.js'

interface Answer {
  readonly id: string
  readonly kind: Resolution['kind']
  readonly value: unknown
  readonly at: number | null
  readonly digest: string | null
}

interface Request {
  readonly do: string
  readonly functions: Readonly<Record<string, Scripted>>
  readonly clock: number | null
  readonly strict: boolean
  readonly modules: Readonly<Record<string, string>>
  readonly claims: boolean
  /** Whether the step is about a durable run: its token is the run's id. */
  readonly durable: boolean
  readonly request: string | null
  readonly key: string
  readonly value: unknown
  readonly source: string | null
  readonly name: string
  readonly input: unknown
  readonly data?: unknown
  readonly cancel_at: string | null
  readonly token: string
  readonly answers: readonly Answer[]
  readonly retry: boolean
  readonly resumes: readonly (readonly Answer[])[]
}

let world = new World()
let claims = new SharedClaims()
let store = new DurableStore()

function runnerOf(request: Request): Runner {
  return createRunner({ ...optionsOf(request), ...(request.claims ? { claims } : {}) })
}

function optionsOf({ functions, clock, strict, modules }: Request): RunnerOptions {
  return {
    hostFunctions: world.functions(functions),
    modules,
    strict,
    policy: ({ hostFunction }) => {
      const verdict = functions[hostFunction]?.policy
      return verdict === 'allow' ? 'allow' : verdict === 'ask' ? { ask: 'corpus' } : verdict === 'deny' ? { deny: 'corpus' } : undefined
    },
    ...(clock === null ? {} : { time: clock }),
  }
}

const tokenOf = (continuation: Continuation | undefined): string | undefined =>
  continuation === undefined ? undefined : Buffer.from(continuation.bytes).toString('base64')
const continuationOf = (token: string): Continuation => new Continuation(Buffer.from(token, 'base64'))

function resolution({ id, kind, value, at, digest }: Answer): Resolution {
  return {
    interruptionId: id,
    kind,
    ...(kind === 'deny' ? { reason: value as string } : {}),
    ...(kind === 'failed' ? { value: Object.assign(new Error(), value) } : {}),
    ...(['value', 'approveWith', 'happened'].includes(kind) ? { value } : {}),
    ...(at === null ? {} : { at }),
    ...(digest === null ? {} : { argumentsDigest: digest }),
  }
}

const called = ({ hostFunction, arguments: [argument] }: Interruption): [string, unknown] => [hostFunction, argument ?? null]

function question(asked: Interruption): unknown {
  const { id, kind, payload, argumentsDigest: digest, position } = asked
  return { id, call: called(asked), kind, payload, digest, at: position === undefined ? null : [position.line, position.column] }
}

function failure(error: RunError): unknown {
  const at =
    error instanceof ScriptError ? error.frames[0] : error instanceof SourceError || error instanceof DivergedError ? error : undefined
  return { code: error.code, message: error.message, at: at?.line === undefined ? null : [at.line, at.column] }
}

function seen(result: RunResult): unknown {
  const { report } = result
  return {
    status: result.status,
    ...(result.status === 'completed' ? { value: result.value ?? null } : {}),
    ...(result.status === 'failed' ? { error: failure(result.error) } : {}),
    ...(result.status === 'interrupted' ? { asks: result.interruptions.map(question), wakes_at: result.wakeAt } : {}),
    console: report.console.map(({ method, text }) => [method, text]),
    replayed: report.replayed,
    abandoned: report.abandoned.map(called),
    detached: report.detached.map(({ hostFunction, fate }) => [hostFunction, fate]),
    unhandled: report.unhandled.map(String),
    data: report.data,
    token: tokenOf(result.continuation),
  }
}

/** The end of a run, which is cancelled when a function is called. */
async function finished(live: () => RunHandle, whole: () => Promise<RunResult>, cancelAt: string | null): Promise<RunResult> {
  if (cancelAt === null) return await whole()
  let handle: RunHandle | undefined
  let isCalled = false
  world.onCall = (name) => {
    if (name !== cancelAt) return
    isCalled = true
    handle?.cancel()
  }
  handle = live()
  if (isCalled) handle.cancel()
  return await handle.result
}

async function resumed(runner: Runner, token: string, { answers, retry, source, cancel_at: cancelAt }: Pick<Request, 'answers' | 'retry' | 'source' | 'cancel_at'>): Promise<unknown> {
  const options = { resolutions: answers.map(resolution), retry, ...(source === null ? {} : { source }) }
  const from = continuationOf(token)
  try {
    return seen(await finished(() => runner.startResume(from, options), () => runner.resume(from, options), cancelAt))
  } catch (error) {
    if (!(error instanceof IntermissionError)) throw error
    return { refused: { code: error.code, message: error.message } }
  }
}

/** What comes of a step of a durable run: a process of its own. */
async function actOnRun(request: Request): Promise<unknown> {
  const { source, name, input, token } = request
  const answers = (request.answers ?? []).map(resolution)
  try {
    const { run, result } = await store.step(optionsOf(request), async (runs) => {
      if (request.do === 'run') return await runs.start(source ?? '', { name, input, key: request.request ?? undefined })
      if (request.do === 'emit') await runs.emit(token, request.key, request.value)
      for (const answer of answers) await runs.resolve(token, answer)
      return token
    })
    // A store tells of a run, not of its latest pass: nothing is marked as said before.
    return { ...(seen(result) as object), replayed: null, token: run }
  } catch (error) {
    if (!(error instanceof IntermissionError)) throw error
    return { refused: { code: error.code, message: error.message } }
  }
}

async function act(request: Request): Promise<unknown> {
  world.onCall = () => {}
  if (request.durable === true) return await actOnRun(request)
  switch (request.do) {
    case 'begin':
      world = new World()
      claims = new SharedClaims()
      store.remove()
      store = new DurableStore()
      return null
    case 'runs':
      return await store.count()
    case 'take_calls':
      return world.takeCalls()
    case 'run': {
      const { source, name, input, cancel_at: cancelAt } = request
      const options = { name, input, ...('data' in request ? { data: request.data } : {}) }
      const runner = runnerOf(request)
      return seen(await finished(() => runner.start(source ?? '', options), () => runner.run(source ?? '', options), cancelAt))
    }
    case 'resume':
      return await resumed(runnerOf(request), request.token, request)
    case 'inspect': {
      const continuation = continuationOf(request.token)
      return { asks: continuation.interruptions.map(question), wakes_at: continuation.wakeAt }
    }
    case 'replay':
      return seen(await runnerOf(request).replay(continuationOf(request.token)))
    case 'cancel':
      try {
        return seen(await runnerOf(request).cancel(continuationOf(request.token)))
      } catch (error) {
        if (!(error instanceof IntermissionError)) throw error
        return { refused: { code: error.code, message: error.message } }
      }
    case 'at_once': {
      const runners = Array.from({ length: 4 }, () => runnerOf(request))
      const all = request.resumes.map((answers, at) =>
        resumed(runners[at % 4] as Runner, request.token, { answers, retry: false, source: null, cancel_at: null }),
      )
      return await Promise.all(all)
    }
    default:
      throw new Error(`no such request: ${request.do}`)
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const reply = await act(JSON.parse(line) as Request)
  process.stdout.write(`${JSON.stringify(reply ?? null)}\n`)
}
