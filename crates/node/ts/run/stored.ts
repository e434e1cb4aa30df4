import { randomBytes } from 'node:crypto'

import { hasExactly, isPlain } from '../value/plain.js'
import { RunProtocolError } from './errors.js'
import type {
  ContinuationCodec, ContinuationDecodeTransaction, ContinuationOperationContext, ContinuationStorage, StoredContinuation,
} from './types.js'

const secretName = (): string => randomBytes(32).toString('base64url')

const isKey = (key: unknown): key is string =>
  typeof key === 'string' && /^[\w-]{43}$/.test(key) && Buffer.from(key, 'base64url').toString('base64url') === key

function checkAborted(context: ContinuationOperationContext | undefined): void {
  if (context?.abortSignal.aborted === true) {
    throw context.abortSignal.reason ?? new DOMException('The operation was aborted.', 'AbortError')
  }
}

/** Tokens that are keys into a store: opaque, short, and good for one resume. */
export function createStoredContinuationCodec({ storage, maxAgeMs = 3_600_000 }: {
  storage: ContinuationStorage
  maxAgeMs?: number
}): ContinuationCodec<string> {
  if (!Number.isSafeInteger(maxAgeMs) || maxAgeMs <= 0) throw new TypeError('maxAgeMs must be a positive integer.')

  const codec = {
    async encode(state: StoredContinuation['state'], context?: ContinuationOperationContext): Promise<string> {
      checkAborted(context)
      const key = secretName()
      await storage.set(key, { state: structuredClone(state), expiresAtMs: Date.now() + maxAgeMs }, context)
      try {
        checkAborted(context)
      } catch (reason) {
        // Nobody has its key. That it stays until it expires is less bad than another reason told.
        await remove(storage, key).catch(() => {})
        throw reason
      }
      return key
    },
    async decode(key: string, context?: ContinuationOperationContext) {
      const taken = await codec.decodeTransaction(key, context)
      await taken.commit()
      return taken.state
    },
    async decodeTransaction(key: string, context?: ContinuationOperationContext): Promise<ContinuationDecodeTransaction> {
      checkAborted(context)
      if (!isKey(key)) throw new RunProtocolError('This is no key of a stored continuation.')
      const claim = secretName()
      const stored: unknown = await storage.acquire(key, claim, context)
      try {
        checkAborted(context)
      } catch (reason) {
        if (stored !== undefined) await storage.release(key, claim)
        throw reason
      }
      if (stored === undefined) throw new RunProtocolError('There is no such continuation, or somebody else has taken it.')
      if (!isStored(stored)) {
        await storage.consume(key, claim)
        throw new RunProtocolError('What is stored is no continuation.')
      }
      if (stored.expiresAtMs <= Date.now()) {
        await storage.consume(key, claim)
        throw new RunProtocolError('The continuation has expired.')
      }
      return transaction(storage, key, claim, structuredClone(stored.state))
    },
  }
  return codec
}

function isStored(value: unknown): value is StoredContinuation & Record<string, unknown> {
  return isPlain(value) && hasExactly(value, ['expiresAtMs', 'state']) && Number.isSafeInteger(value['expiresAtMs'])
}

/** What was claimed, to be consumed or given back: whichever comes first, once. */
function transaction(
  storage: ContinuationStorage, key: string, claim: string, state: StoredContinuation['state'],
): ContinuationDecodeTransaction {
  let done: { readonly as: 'commit' | 'rollback'; readonly promise: Promise<void> } | undefined
  const consume = async (): Promise<void> => {
    try {
      await storage.consume(key, claim)
    } catch (error) {
      await storage.release(key, claim)
      throw error
    }
  }
  return {
    state,
    commit() {
      if (done?.as === 'rollback') throw new RunProtocolError('The continuation was given back already.')
      done ??= { as: 'commit', promise: consume() }
      return done.promise
    },
    rollback() {
      done ??= { as: 'rollback', promise: (async () => { await storage.release(key, claim) })() }
      return done.promise
    },
  }
}

async function remove(storage: ContinuationStorage, key: string): Promise<void> {
  const claim = secretName()
  if ((await storage.acquire(key, claim)) !== undefined) await storage.consume(key, claim)
}
