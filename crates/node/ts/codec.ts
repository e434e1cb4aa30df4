import { Continuation } from './continuation.js'
import { OptionsError } from './errors.js'
import { told } from './options.js'

/** What a token is bound to, and the time. */
export interface Scope {
  /** Who may use the token: it must be the same when it is written and read. */
  readonly audience: string | undefined
  /** The caller's context, such as a user's id: it must be the same when it is written and read. */
  readonly context: Uint8Array
  /** Milliseconds since 1970. */
  readonly now: number
}

/** A token that was read. */
export interface Opened {
  readonly continuation: Continuation
  /** Until when the token is good, in milliseconds since 1970. */
  readonly expires?: number
  /** What a codec that remembers wants back when it is known what came of it. */
  readonly ticket?: string
}

type Awaitable<T> = T | Promise<T>

/**
 * A codec of your own. It has to see to it that nobody can change what it gives out: a continuation decides what a run has done already.
 */
export interface CustomCodec {
  /** A token for a continuation. */
  encode(continuation: Continuation, scope: Scope): Awaitable<string>
  /** Reads a token, to look at it. Nothing changes. */
  read(token: string, scope: Scope): Awaitable<Opened>
  /** Reads a token, to go on from it. A codec that remembers lets nobody else have it, until the ticket is given back or too old. Default: `read`. */
  claim?(token: string, scope: Scope): Awaitable<Opened>
  /** What was claimed has been gone on from, and is used up. */
  consume?(ticket: string): Awaitable<void>
  /** What was claimed may be claimed again: nothing has run; or, where there is a continuation, this far it came. */
  release?(ticket: string, continuation: Continuation | undefined): Awaitable<void>
}

/**
 * A secret of at least 32 bytes: the bytes, or a text as in `INTERMISSION_KEY` (`id:secret` or `secret`, in base64url).
 * With its public name: `{ id, secret }`.
 */
export type Key = string | Uint8Array | { readonly id: string; readonly secret: string | Uint8Array }

/** How tokens are that hold the continuation themselves. */
export interface TokenOptions {
  /** How long a token is good. Default: for ever. */
  readonly expiresInMs?: number
  /** By how much the clocks of machines may differ. Default: one minute. */
  readonly skewMs?: number
  /** The largest token, in bytes of its text. Default: 16 MiB. */
  readonly maxToken?: number
  /** The largest ledger in it, in bytes. Default: 64 MiB. */
  readonly maxLedger?: number
}

/** The keys to write with (the first) and to read with (any). To rotate, put the new one in front. */
export interface Keyed extends TokenOptions {
  readonly keys: Key | readonly Key[]
}

/** What is kept under a token. */
export interface StoredEntry {
  readonly continuation: Uint8Array
  readonly audience: string | undefined
  readonly context: Uint8Array
  readonly expires: number | undefined
}

/** What comes of a claim. */
export type ClaimedEntry =
  | { readonly status: 'yours'; readonly entry: StoredEntry }
  /** It is somebody else's at this moment. */
  | { readonly status: 'busy' }
  | { readonly status: 'used'; readonly entry: StoredEntry }
  | { readonly status: 'unknown' }

/** Where {@link stored} keeps continuations. Each of these has to be done in one step, however many processes use the store. */
export interface ContinuationStore {
  /** Keeps an entry under a new key. */
  put(key: string, entry: StoredEntry): Awaitable<void>
  /** Looks at an entry. A used one is still there. */
  get(key: string): Awaitable<StoredEntry | undefined>
  /** Claims an entry for the holder of `ticket`, until `until` (milliseconds since 1970). A claim that was too old at `now` counts for nothing. */
  claim(key: string, ticket: string, now: number, until: number): Awaitable<ClaimedEntry>
  /** Marks an entry as used, if `ticket` still holds it. */
  consume(key: string, ticket: string): Awaitable<void>
  /** Gives an entry back, if `ticket` still holds it, perhaps with another continuation. */
  release(key: string, ticket: string, continuation: Uint8Array | undefined): Awaitable<void>
}

/** How tokens are that are keys into a store. */
export interface StoredOptions {
  /** How long a token is good. Default: for ever. */
  readonly expiresInMs?: number
  /** How long a claim holds of which nothing more is heard: its process has died. Default: 5 minutes. */
  readonly claimsLastMs?: number
}

const CODEC = Symbol('intermission.codec')

/** How continuations become tokens: {@link sealed}, {@link signed}, {@link stored}, {@link open} or {@link codec}. */
export interface Codec {
  readonly [CODEC]: { readonly message: Readonly<Record<string, unknown>>; readonly hooks: Hooks }
}

/** What JavaScript does for a codec, by the name of what is asked. */
export type Hooks = Readonly<Record<string, (body: Readonly<Record<string, unknown>>) => unknown>>

const made = (message: Record<string, unknown>, hooks: Hooks = {}): Codec => ({ [CODEC]: { message, hooks } })

/** Encrypted and authenticated: the one to use unless there is a reason not to. */
export function sealed({ keys, ...options }: Keyed): Codec {
  return made({ kind: 'sealed', keys: keyMessages(keys), ...options })
}

/** Authenticated, and readable by whoever has the token. */
export function signed({ keys, ...options }: Keyed): Codec {
  return made({ kind: 'signed', keys: keyMessages(keys), ...options })
}

/**
 * **Not protected at all**: whoever can write where the token is kept decides what the run has done and does next. Only for a store that you trust as you trust the memory of your own program.
 */
export function open(options: TokenOptions = {}): Codec {
  return made({ kind: 'open', ...options })
}

/** Tokens that are keys into a store, each good once. Without a store: into this process's memory. */
export function stored(store?: ContinuationStore, options: StoredOptions = {}): Codec {
  if (store === undefined) return made({ kind: 'stored', store: 'memory', ...options })
  return made({ kind: 'stored', store: 'custom', ...options }, {
    'store.put': ({ key, entry }) => store.put(key as string, entryOf(entry)),
    'store.get': ({ key }) => store.get(key as string),
    'store.claim': ({ key, ticket, now, until }) => store.claim(key as string, ticket as string, now as number, until as number),
    'store.consume': ({ key, ticket }) => store.consume(key as string, ticket as string),
    'store.release': ({ key, ticket, continuation }) => store.release(key as string, ticket as string, own(continuation)),
  })
}

/** A codec of your own. */
export function codec(custom: CustomCodec): Codec {
  const scope = ({ audience, context, now }: Readonly<Record<string, unknown>>): Scope => ({
    audience: audience as string | undefined,
    context: own(context) as Uint8Array,
    now: now as number,
  })
  const opened = async (read: Awaitable<Opened>): Promise<unknown> => {
    const { continuation, expires, ticket } = await read
    return { continuation: continuation.bytes, expires, ticket }
  }
  return made({ kind: 'custom' }, {
    'codec.encode': (body) => custom.encode(new Continuation(own(body['continuation']) as Uint8Array), scope(body)),
    'codec.read': (body) => opened(custom.read(body['token'] as string, scope(body))),
    'codec.claim': (body) => opened((custom.claim ?? custom.read).call(custom, body['token'] as string, scope(body))),
    'codec.consume': ({ ticket }) => custom.consume?.(ticket as string),
    'codec.release': ({ ticket, continuation }) => {
      const bytes = own(continuation)
      return custom.release?.(ticket as string, bytes === undefined ? undefined : new Continuation(bytes))
    },
  })
}

/** @internal */
export function codecParts(codec: Codec): { readonly message: Readonly<Record<string, unknown>>; readonly hooks: Hooks } {
  const parts = (codec as Partial<Codec> | null)?.[CODEC]
  if (parts === undefined) throw new OptionsError('OPTIONS', `codec is made by sealed(), signed(), stored(), open() or codec(), not ${told(codec)}`)
  return parts
}

function entryOf(entry: unknown): StoredEntry {
  const { continuation, audience, context, expires } = entry as StoredEntry
  return { continuation: own(continuation) as Uint8Array, audience, context: own(context) as Uint8Array, expires }
}

/** Bytes that outlive the message that they came in. */
export function own(bytes: unknown): Uint8Array | undefined {
  return bytes === undefined ? undefined : new Uint8Array(bytes as Uint8Array)
}

function keyMessages(keys: Key | readonly Key[]): Record<string, unknown>[] {
  const list = Array.isArray(keys) ? (keys as readonly Key[]) : [keys as Key]
  return list.flatMap((key): Record<string, unknown>[] => {
    if (typeof key === 'string') {
      return key.split(',').map((item) => {
        const [id, secret] = item.trim().split(':')
        return secret === undefined ? { text: id } : { id, text: secret }
      })
    }
    if (key instanceof Uint8Array) return [{ bytes: key }]
    const { id, secret } = key as { id: string; secret: string | Uint8Array }
    return [typeof secret === 'string' ? { id, text: secret } : { id, bytes: secret }]
  })
}
