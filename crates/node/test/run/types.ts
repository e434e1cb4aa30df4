// Written against the types of the npm package: it compiles with nothing but this import changed. Nothing of it runs.
import {
  createRunner,
  createSignedContinuationCodec,
  createStoredContinuationCodec,
  getHostFunctionContext,
  isRunInterruptedResult,
  run,
  RunAbortedError,
  RunBridgeLimitError,
  RunConcurrencyError,
  RunDetachedBridgeRequestError,
  RunError,
  RunHostFunctionError,
  RunProtocolError,
  RunSourceTooLargeError,
  RunTimeoutError,
  setMaxWorkers,
} from '../../dist/run/index.js'
import type {
  ContinuationCodec,
  ContinuationDecodeTransaction,
  ContinuationOperationContext,
  ContinuationStorage,
  HostFunction,
  HostFunctionContext,
  HostFunctionGroup,
  HostFunctionResumeContext,
  HostFunctions,
  RunCompletedResult,
  RunContinuationState,
  RunInput,
  RunInterruptedResult,
  RunInterruption,
  RunLedgerEntry,
  RunLimits,
  RunModuleLoader,
  Runner,
  RunnerOptions,
  RunResolution,
  RunResult,
  RunSourceType,
  SignedContinuationCodecOptions,
  StoredContinuation,
  SyncHostFunctions,
} from '../../dist/run/index.js'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_: Same<A, B>): void => {}

export async function uses(): Promise<void> {
  const add: HostFunction<[number, number], number> = (a, b) => a + b
  const group: HostFunctionGroup = { add, late: async (text: string) => text.length }
  const hostFunctions: HostFunctions = { tools: group }
  const syncHostFunctions: SyncHostFunctions = { fs: { read: (path: string) => path } }
  const limits: RunLimits = {
    timeoutMs: 1,
    memoryLimitBytes: 1,
    maxStackSizeBytes: 1,
    maxResultBytes: 1,
    maxConsoleOutputBytes: 1,
    maxSourceBytes: 1,
    maxHostFunctionArgumentsBytes: 1,
    maxHostFunctionOutputBytes: 1,
    maxBridgeRequests: 1,
    maxInFlightBridgeRequests: 1,
    maxContinuationBytes: 1,
  }
  const moduleLoader: RunModuleLoader = {
    identity: 'x',
    normalize: (specifier, importer) => `${importer}${specifier}`,
    load: async (specifier) => specifier,
  }
  const sourceType: RunSourceType = 'module'
  const options: RunnerOptions = { limits, syncHostFunctions, continuationSecret: new Uint8Array(32), continuationAudience: 'a' }
  const runner: Runner<string> = createRunner(options)
  const input: RunInput<string> = {
    source: '',
    sourceType,
    hostFunctions,
    moduleLoader,
    abortSignal: new AbortController().signal,
    limits,
    continuation: 'x',
    resolutions: [{ interruptionId: 'interrupt-1', value: 1 }],
    continuationContext: {},
  }
  const result = await runner.run<{ total: number }>(input)
  same<typeof result, RunResult<{ total: number }, string>>(true)
  if (result.status === 'completed') {
    same<typeof result, RunCompletedResult<{ total: number }>>(true)
    same<typeof result.value, { total: number }>(true)
  } else {
    same<typeof result, RunInterruptedResult<string>>(true)
    const interruption: RunInterruption = result.interruptions[0]!
    const resolution: RunResolution<boolean> = { interruptionId: interruption.id, value: true }
    await run({ source: '', continuation: result.continuation, resolutions: [resolution] })
    same<typeof interruption.arguments, unknown[]>(true)
  }
  const other = await run<number>({ source: 'return 1' })
  same<typeof other, RunResult<number, string>>(true)
  const unknown: unknown = other
  if (isRunInterruptedResult(unknown)) same<typeof unknown, RunInterruptedResult<unknown>>(true)

  const context: HostFunctionContext = getHostFunctionContext()
  const resume: HostFunctionResumeContext | undefined = context.resume
  if (resume === undefined) context.interrupt({ ask: 1 })
  same<typeof resume, HostFunctionResumeContext>(true)
  same<typeof context.requestIndex, number>(true)

  const signed: SignedContinuationCodecOptions = { secret: '', verificationSecrets: [''], maxAgeMs: 1, maxTokenBytes: 1, clockSkewMs: 0 }
  const codec: ContinuationCodec<string> = createSignedContinuationCodec(signed)
  const kept = new Map<string, StoredContinuation>()
  const storage: ContinuationStorage = {
    set: (key, value, _context?: ContinuationOperationContext) => {
      kept.set(key, value)
    },
    acquire: async (key, _claimId) => kept.get(key),
    consume: (key, _claimId) => {
      kept.delete(key)
    },
    release: async () => {},
  }
  same<ReturnType<typeof createStoredContinuationCodec>, ContinuationCodec<string>>(true)
  createStoredContinuationCodec({ storage, maxAgeMs: 1 })
  const own: ContinuationCodec<Uint8Array> = {
    encode: (state: RunContinuationState) => new TextEncoder().encode(JSON.stringify(state)),
    decode: async (token) => JSON.parse(new TextDecoder().decode(token)) as RunContinuationState,
    decodeTransaction: (token): ContinuationDecodeTransaction => ({
      state: JSON.parse(new TextDecoder().decode(token)) as RunContinuationState,
      commit: () => {},
      rollback: async () => {},
    }),
  }
  const byteRunner = createRunner({ continuationCodec: own })
  same<typeof byteRunner, Runner<Uint8Array>>(true)
  await byteRunner.run({ source: '', continuation: new Uint8Array() })
  const entry: RunLedgerEntry | undefined = (await codec.decode('x')).ledger[0]
  if (entry !== undefined && !('bridgeKind' in entry) && entry.status === 'fulfilled') same<typeof entry.settledOrder, number>(true)

  const error: unknown = new RunError('m', 'CODE', { a: 1 })
  if (RunError.isInstance(error)) {
    const { code, details } = error
    same<typeof code, string>(true)
    same<typeof details, unknown>(true)
  }
  const errors: RunError[] = [
    new RunAbortedError(),
    new RunBridgeLimitError('m', 1),
    new RunConcurrencyError(1),
    new RunDetachedBridgeRequestError('m'),
    new RunHostFunctionError('m'),
    new RunProtocolError('m'),
    new RunSourceTooLargeError(2, 1),
    new RunTimeoutError(1),
  ]
  if (errors.length > 9) throw errors[0]!
  setMaxWorkers(4)
  setMaxWorkers()

  // @ts-expect-error limits are numbers
  createRunner({ limits: { timeoutMs: 'long' } })
  // @ts-expect-error a source is a text
  void run({ source: 5 })
  // @ts-expect-error tokens of this runner are texts
  void runner.run({ source: '', continuation: 5 })
  // @ts-expect-error there is no such source type
  void run({ source: '', sourceType: 'script' })
}
