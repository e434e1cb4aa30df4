import { refuseWhileDeciding } from '../drive/deciding.js'
import { bytesOf } from '../value/plain.js'
import { type Resumed, checkTokenSize, resumedFrom } from './continuation.js'
import { RunAbortedError, RunBridgeLimitError, RunProtocolError, RunSourceTooLargeError } from './errors.js'
import { type Manifest, manifestOf } from './host-functions.js'
import { Invocation } from './invocation.js'
import type { Ledger } from './ledger.js'
import { type Limits, limitsOf } from './limits.js'
import { type Bounds, operate } from './operation.js'
import { randomId } from './random.js'
import { scopeHash } from './scope.js'
import { createSignedContinuationCodec } from './signed.js'
import type {
  ContinuationCodec, HostFunctions, RunContinuationState, RunInput, RunModuleLoader, RunResult, Runner, RunnerOptions,
} from './types.js'
import { takePlace } from './workers.js'

const NONE: HostFunctions = {}

/** In the place of a codec where there is neither one nor a secret. */
const unconfigured = (): ContinuationCodec<never> => {
  const refuse = (): never => {
    throw new TypeError('Continuation signing is not configured: set RUN_CONTINUATION_SECRET, or give createRunner() a continuationSecret or a continuationCodec.')
  }
  return { encode: refuse, decode: refuse }
}

/** What the runs of a runner have in common. */
interface Setup {
  readonly options: RunnerOptions<never>
  readonly audience: string
  readonly codec: ContinuationCodec<never>
  readonly keeps: boolean
  readonly syncHostFunctions: HostFunctions
  readonly syncManifest: Manifest
}

/**
 * A runner: host functions, limits and continuations that its runs have in common.
 *
 * @throws {TypeError} for options that cannot be.
 */
export function createRunner<TOKEN = string>(options: RunnerOptions<TOKEN> = {}): Runner<TOKEN> {
  const { continuationAudience: audience = 'run', continuationCodec, continuationSecret, syncHostFunctions = NONE } = options
  if (continuationCodec !== undefined && continuationSecret !== undefined) {
    throw new TypeError('continuationCodec and continuationSecret cannot be used together.')
  }
  const secret = continuationSecret ?? process.env['RUN_CONTINUATION_SECRET']
  const signed = continuationCodec === undefined && secret !== undefined ? createSignedContinuationCodec({ secret }) : undefined
  const setup: Setup = {
    options: options as RunnerOptions<never>,
    audience,
    codec: (continuationCodec ?? signed ?? unconfigured()) as ContinuationCodec<never>,
    keeps: continuationCodec !== undefined || secret !== undefined,
    syncHostFunctions,
    syncManifest: manifestOf(syncHostFunctions),
  }
  if (audience.length === 0 || bytesOf(audience) > 512) throw new TypeError('continuationAudience must contain between 1 and 512 bytes.')
  return { run: (input) => runWith(setup, input as RunInput) as never }
}

let usual: { readonly secret: string | undefined; readonly runner: Runner } | undefined

/** Runs a script with nothing but defaults. Its continuations are signed with the environment's `RUN_CONTINUATION_SECRET`. */
export async function run<OUTPUT = unknown>(input: RunInput<string>): Promise<RunResult<OUTPUT, string>> {
  const secret = process.env['RUN_CONTINUATION_SECRET']
  if (usual === undefined || usual.secret !== secret) usual = { secret, runner: createRunner() as Runner }
  return (await usual.runner.run<OUTPUT>(input)) as RunResult<OUTPUT, string>
}

const isLoader = (loader: unknown): loader is RunModuleLoader => {
  if (typeof loader !== 'object' || loader === null) return false
  const { identity, load, normalize } = loader as { identity?: unknown; load?: unknown; normalize?: unknown }
  return typeof load === 'function' && (normalize === undefined || typeof normalize === 'function') &&
    (identity === undefined || (typeof identity === 'string' && bytesOf(identity) <= 512))
}

/** Everything that can be wrong is looked at in this order, before anything runs. */
async function runWith(setup: Setup, input: RunInput): Promise<RunResult> {
  refuseWhileDeciding()
  const { abortSignal, hostFunctions = NONE, moduleLoader, sourceType } = input
  const manifest = manifestOf(hostFunctions)
  for (const group of setup.syncManifest.keys()) {
    if (manifest.has(group)) throw new TypeError(`Host function namespace "${group}" cannot be both asynchronous and synchronous.`)
  }
  if (sourceType !== undefined && sourceType !== 'function-body' && sourceType !== 'module') {
    throw new TypeError('Invalid sourceType configuration.')
  }
  if (moduleLoader !== undefined && !isLoader(moduleLoader)) throw new TypeError('Invalid moduleLoader configuration.')
  if (moduleLoader !== undefined && input.continuation !== undefined && !moduleLoader.identity) {
    throw new TypeError('A module loader must have a non-empty identity to resume a continuation.')
  }
  const limits = limitsOf(setup.options.limits, input.limits)
  const bounds: Bounds = { abortSignal, deadlineMs: Date.now() + limits.timeoutMs, timeoutMs: limits.timeoutMs }
  if (abortSignal?.aborted === true) throw new RunAbortedError()
  if (moduleLoader !== undefined || setup.syncManifest.size > 0) checkBridge(limits)
  const giveBack = takePlace(limits.memoryLimitBytes)
  try {
    return await runChecked(setup, input, manifest, limits, bounds)
  } finally {
    giveBack()
  }
}

async function runChecked(setup: Setup, input: RunInput, manifest: Manifest, limits: Limits, bounds: Bounds): Promise<RunResult> {
  const { hostFunctions = NONE, moduleLoader, source, sourceType } = input
  const { audience, codec, keeps, syncHostFunctions, syncManifest } = setup
  const bytes = bytesOf(source)
  if (bytes > limits.maxSourceBytes) throw new RunSourceTooLargeError(bytes, limits.maxSourceBytes)
  let hash: string | undefined
  const scope = (): string => (hash ??= scopeHash({ audience, input, manifest, syncManifest }))
  // A context that cannot be bound is refused now, not when it is needed.
  if (input.continuationContext !== undefined) scope()
  const resumed: Resumed | undefined = input.continuation === undefined && input.resolutions === undefined
    ? undefined
    : await resumedFrom(input, codec, scope, limits, bounds)
  if (bounds.abortSignal?.aborted === true) throw new RunAbortedError()
  const determinism = resumed?.state.determinism ?? { dateNowMs: Date.now(), randomSeed: randomId() }
  const logicalRunId = resumed?.state.logicalRunId ?? randomId()

  const encode = async (ledger: Ledger): Promise<unknown> => {
    if (moduleLoader !== undefined && !moduleLoader.identity) {
      throw new RunProtocolError('A module loader must have a non-empty identity to create a continuation.')
    }
    if (!keeps) return await codec.encode({} as RunContinuationState)
    const state: RunContinuationState = {
      version: 2,
      runtime: 'run-replay-v2',
      serde: 'run-js-v1',
      source,
      logicalRunId,
      scopeHash: scope(),
      determinism: { ...determinism },
      ledger: ledger.toJson(),
    }
    const token: unknown = await operate(bounds, (context) => codec.encode(state, context))
    checkTokenSize(token, limits.maxContinuationBytes)
    return token
  }
  return await new Invocation({
    input,
    isModule: (sourceType ?? (moduleLoader === undefined ? 'function-body' : 'module')) === 'module',
    limits,
    deadlineMs: bounds.deadlineMs,
    hostFunctions,
    manifest,
    syncHostFunctions,
    syncManifest,
    state: resumed?.state,
    resolutions: resumed?.resolutions ?? new Map(),
    determinism,
    logicalRunId,
    keeps,
    encode,
  }).run()
}

/** There is no bridge here that would need room, but what npm `run` refuses for its own is refused, so that nothing depends on it. */
function checkBridge(limits: Limits): void {
  const { maxHostFunctionArgumentsBytes, maxHostFunctionOutputBytes, memoryLimitBytes } = limits
  const syncBridgeBytes = 32 + Math.max(1024 + maxHostFunctionArgumentsBytes, maxHostFunctionOutputBytes, 64 * 1024)
  if (syncBridgeBytes > memoryLimitBytes) {
    throw new RunBridgeLimitError(
      `Synchronous calls of these sizes need ${syncBridgeBytes} bytes, more than the ${memoryLimitBytes} that the run may have.`,
      { memoryLimitBytes, syncBridgeBytes },
    )
  }
  const maxSyncBridgeBytes = 64 * 1024 * 1024
  if (syncBridgeBytes > maxSyncBridgeBytes) {
    throw new RunBridgeLimitError(`Synchronous calls of these sizes need ${syncBridgeBytes} bytes, more than ${maxSyncBridgeBytes}.`, {
      maxSyncBridgeBytes,
      syncBridgeBytes,
    })
  }
}
