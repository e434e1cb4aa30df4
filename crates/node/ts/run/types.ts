/** A function of the host that scripts may call. */
export type HostFunction<ARGUMENTS extends unknown[] = unknown[], OUTPUT = unknown> = (
  ...args: ARGUMENTS
) => OUTPUT | Promise<OUTPUT>

/** What a host function can ask about the call that it answers: {@link getHostFunctionContext}. */
export interface HostFunctionContext {
  /** Aborted when nobody waits for the outcome any more; its reason is the error, or the result, that the run ended with. */
  abortSignal: AbortSignal
  /** This pass over the source: `run-1`, counted over the process. */
  invocationId: string
  /** The run, through every resume: 32 hexadecimal digits. */
  logicalRunId: string
  /** This call within the pass: `run-1:bridge-2`, or `run-1:sync-1` of one that the script waits for on the spot. */
  requestId: string
  /** From 1, in the order of the calls of all kinds; the same in every replay. */
  requestIndex: number
  /** `group.name`. */
  hostFunctionName: string
  /** Puts the run away until this call is answered. Nothing behind it is executed. */
  interrupt(payload: unknown): never
  /** The answer, where the call had interrupted. */
  resume?: HostFunctionResumeContext
}

/** An answer, and the question. */
export interface HostFunctionResumeContext {
  interruptionId: string
  payload: unknown
  resolution: unknown
}

/** Host functions by their names. */
export type HostFunctionGroup = Record<string, HostFunction<never[], unknown>>

/** Groups of host functions, each a global of scripts: `tools.search()`. */
export type HostFunctions = Record<string, HostFunctionGroup>

/** Host functions that scripts wait for on the spot. They may be asynchronous themselves. */
export type SyncHostFunctions = HostFunctions

/** Where the modules of a script come from. */
export interface RunModuleLoader {
  /** Which loader it is: a continuation is bound to it. */
  identity?: string
  /** The name of the module that `importer` calls `specifier`. Default: the specifier itself. */
  normalize?(specifier: string, importer: string): string | Promise<string>
  /** The text of a module: JavaScript or TypeScript. Asked once a run for each name. */
  load(specifier: string): string | Promise<string>
}

/** What a run may use. Positive whole numbers up to 2,147,483,647. */
export interface RunLimits {
  /** The whole invocation, host functions included. Default: 30,000. */
  timeoutMs?: number
  /** Memory of the script. Default: 64 MiB. */
  memoryLimitBytes?: number
  /** Stack of the script; what is above 1 MiB counts as 1 MiB, below 64 KiB as that. Default: 2 MiB. */
  maxStackSizeBytes?: number
  /** The value, in bytes of its text. Default: 1 MiB. */
  maxResultBytes?: number
  /** What the console prints; the rest is dropped. Default: 64 KiB. */
  maxConsoleOutputBytes?: number
  /** The source, and each module. Never more than 1 MiB. Default: 256 KiB. */
  maxSourceBytes?: number
  /** The arguments of one call, in bytes of their text. Default: 1 MiB. */
  maxHostFunctionArgumentsBytes?: number
  /** The output of one call, a payload, a resolution, in bytes of its text. Default: 4 MiB. */
  maxHostFunctionOutputBytes?: number
  /** Calls of all kinds and module requests, over all invocations of a run. Default: 256. */
  maxBridgeRequests?: number
  /** Asynchronous calls at one time. Default: 32. */
  maxInFlightBridgeRequests?: number
  /** A continuation and its token. Default: 32 MiB. */
  maxContinuationBytes?: number
}

/** What a runner has for all its runs. */
export interface RunnerOptions<TOKEN = string> {
  /** Of runs that bring none of their own. */
  limits?: RunLimits
  /** Host functions that scripts wait for on the spot. */
  syncHostFunctions?: SyncHostFunctions
  /** Signs continuations; at least 32 bytes. Default: the environment's `RUN_CONTINUATION_SECRET`. Not together with a codec. */
  continuationSecret?: string | Uint8Array
  /** Makes tokens of continuations. Default: signed ones. */
  continuationCodec?: ContinuationCodec<TOKEN>
  /** Who uses the continuations: one made for another audience is refused. 1 to 512 bytes. Default: `run`. */
  continuationAudience?: string
}

/** How a source is evaluated: as the body of an async function, or as a module, which has no value. */
export type RunSourceType = 'function-body' | 'module'

/** What is to be run. */
export interface RunInput<TOKEN = unknown> {
  /** JavaScript or TypeScript. */
  source: string
  /** Default: `module` with a module loader, else `function-body`. */
  sourceType?: RunSourceType
  /** What it can call. */
  hostFunctions?: HostFunctions
  /** What it can import. Default: nothing. */
  moduleLoader?: RunModuleLoader
  /** Ends the invocation. */
  abortSignal?: AbortSignal
  /** Put over those of the runner. */
  limits?: RunLimits
  /** Goes on from here. */
  continuation?: TOKEN
  /** Answers, to one pending interruption at least. The others stay pending. */
  resolutions?: RunResolution[]
  /** Whom a continuation belongs to: it must be the same when it is gone on with. */
  continuationContext?: unknown
}

/** A run that came to its end. */
export interface RunCompletedResult<OUTPUT = unknown> {
  status: 'completed'
  value: OUTPUT
}

/** A question of a host function. */
export interface RunInterruption<PAYLOAD = unknown> {
  /** `interrupt-` and the request index; a further question of the same call has `.2`, `.3` behind it. */
  id: string
  hostFunctionName: string
  /** All arguments of the call. */
  arguments: unknown[]
  payload: PAYLOAD
}

/** A run that was put away. */
export interface RunInterruptedResult<TOKEN = unknown> {
  status: 'interrupted'
  interruptions: RunInterruption[]
  /** Whoever has it can go on with the run. */
  continuation: TOKEN
}

/** An answer. */
export interface RunResolution<VALUE = unknown> {
  interruptionId: string
  value: VALUE
}

/** What came of an invocation. */
export type RunResult<OUTPUT = unknown, TOKEN = unknown> = RunCompletedResult<OUTPUT> | RunInterruptedResult<TOKEN>

/** From a continuation to a token, and back. */
export interface ContinuationCodec<TOKEN = unknown> {
  encode(state: RunContinuationState, context?: ContinuationOperationContext): TOKEN | Promise<TOKEN>
  decode(token: TOKEN, context?: ContinuationOperationContext): RunContinuationState | Promise<RunContinuationState>
  /** In the place of `decode`: takes a continuation, which is consumed when it is found good, and given back otherwise. */
  decodeTransaction?(
    token: TOKEN,
    context?: ContinuationOperationContext,
  ): ContinuationDecodeTransaction | Promise<ContinuationDecodeTransaction>
}

/** A continuation that was taken. */
export interface ContinuationDecodeTransaction {
  state: RunContinuationState
  commit(): void | Promise<void>
  rollback(): void | Promise<void>
}

/** What a codec is told of the invocation. */
export interface ContinuationOperationContext {
  abortSignal: AbortSignal
  /** When the invocation ends, in milliseconds since 1970. */
  deadlineMs: number
}

/** What a run did, as plain JSON. */
export interface RunContinuationState {
  version: 2
  runtime: 'run-replay-v2'
  serde: 'run-js-v1'
  source: string
  logicalRunId: string
  scopeHash: string
  determinism: RunDeterminismState
  ledger: RunLedgerEntry[]
}

interface RunDeterminismState {
  /** What the script's clock began with. */
  dateNowMs: number
  /** Of `Math.random`: 32 hexadecimal digits. */
  randomSeed: string
}

/** An error as a script was told of it. */
export interface SerializableError {
  name: string
  message: string
  stack?: string
  code?: string
  details?: unknown
}

/** One call and what came of it; its place in the ledger is its request index less one. */
export type RunLedgerEntry =
  | {
      bindingName: string
      inputJson: string
      status: 'fulfilled'
      settledOrder: number
      dateNowMs: number
      valueJson: string
    }
  | {
      bindingName: string
      inputJson: string
      status: 'rejected'
      settledOrder: number
      dateNowMs: number
      error: SerializableError
    }
  | {
      bindingName: string
      inputJson: string
      status: 'interrupted'
      interruptionId: string
      payloadJson: string
    }
  | {
      bridgeKind: 'sync-host' | 'module-normalize' | 'module-load'
      bindingName: string
      inputJson: string
      status: 'fulfilled'
      valueJson: string
    }
  | {
      bridgeKind: 'sync-host' | 'module-normalize' | 'module-load'
      bindingName: string
      inputJson: string
      status: 'rejected'
      error: SerializableError
    }

/** Runs scripts. */
export interface Runner<TOKEN = unknown> {
  run<OUTPUT = unknown>(input: RunInput<TOKEN>): Promise<RunResult<OUTPUT, TOKEN>>
}

/** How tokens are signed. */
export interface SignedContinuationCodecOptions {
  /** At least 32 bytes. */
  secret: string | Uint8Array
  /** Former secrets: tokens that they signed are good. */
  verificationSecrets?: (string | Uint8Array)[]
  /** Default: an hour. */
  maxAgeMs?: number
  /** Default: 32 MiB. */
  maxTokenBytes?: number
  /** How far in the future a token may have been made. Default: a minute. */
  clockSkewMs?: number
}

/** Where continuations are kept. */
export interface ContinuationStorage {
  set(key: string, value: StoredContinuation, context?: ContinuationOperationContext): void | Promise<void>
  /** Claims a continuation without removing it: nobody else gets it until it is released, or the claim has lapsed. */
  acquire(
    key: string,
    claimId: string,
    context?: ContinuationOperationContext,
  ): StoredContinuation | undefined | Promise<StoredContinuation | undefined>
  /** Removes it, for whoever has claimed it. */
  consume(key: string, claimId: string): void | Promise<void>
  /** Gives it back, for whoever has claimed it. */
  release(key: string, claimId: string): void | Promise<void>
}

/** A continuation in a store. */
export interface StoredContinuation {
  state: RunContinuationState
  expiresAtMs: number
}
