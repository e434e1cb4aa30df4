import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

import { hasExactly, isPlain } from '../value/plain.js'
import { canonicalJson } from './canonical.js'
import { checkTokenSize } from './continuation.js'
import { RunProtocolError } from './errors.js'
import type { ContinuationCodec, RunContinuationState, SignedContinuationCodecOptions } from './types.js'

/** What is signed besides the envelope: a signature made for something else is none here. */
const DOMAIN = 'run.continuation.v1\0'
const KEYS = ['algorithm', 'expiresAtMs', 'format', 'issuedAtMs', 'nonce', 'state', 'version']

interface Envelope {
  algorithm: 'HS256'
  expiresAtMs: number
  format: 'run-continuation'
  issuedAtMs: number
  nonce: string
  state: RunContinuationState
  version: 1
}

function key(secret: string | Uint8Array): Buffer {
  const bytes = Buffer.from(secret as string)
  if (bytes.length < 32) throw new TypeError('A continuation secret must have at least 32 bytes.')
  return bytes
}

function whole(name: string, value: number, least: number): number {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new TypeError(`${name} must be a ${least === 0 ? 'non-negative' : 'positive'} integer.`)
  }
  return value
}

/** Tokens that hold the whole continuation, readable and signed: HMAC-SHA-256 (RFC 2104) over a canonical JSON envelope. */
export function createSignedContinuationCodec(options: SignedContinuationCodecOptions): ContinuationCodec<string> {
  const secret = key(options.secret)
  const secrets = [secret, ...(options.verificationSecrets ?? []).map(key)]
  const maxAgeMs = whole('maxAgeMs', options.maxAgeMs ?? 3_600_000, 1)
  const maxTokenBytes = whole('maxTokenBytes', options.maxTokenBytes ?? 32 * 1024 * 1024, 1)
  const clockSkewMs = whole('clockSkewMs', options.clockSkewMs ?? 60_000, 0)

  return {
    encode(state) {
      const issuedAtMs = Date.now()
      const envelope: Envelope = {
        algorithm: 'HS256',
        expiresAtMs: issuedAtMs + maxAgeMs,
        format: 'run-continuation',
        issuedAtMs,
        nonce: randomBytes(16).toString('hex'),
        state,
        version: 1,
      }
      const body = Buffer.from(canonicalJson(envelope)).toString('base64url')
      const token = `${body}.${signature(body, secret).toString('base64url')}`
      checkTokenSize(token, maxTokenBytes)
      return token
    },
    decode(token) {
      if (typeof token !== 'string') throw new RunProtocolError("A continuation's token is a string.")
      checkTokenSize(token, maxTokenBytes)
      const { state, issuedAtMs, expiresAtMs } = opened(token, secrets)
      const now = Date.now()
      if (expiresAtMs <= now) throw new RunProtocolError('The continuation has expired.')
      if (issuedAtMs > now + clockSkewMs) throw new RunProtocolError('The continuation comes from the future.')
      if (expiresAtMs - issuedAtMs > maxAgeMs) throw new RunProtocolError('The continuation is good for longer than it may be.')
      return state
    },
  }
}

const signature = (body: string, secret: Buffer): Buffer => createHmac('sha256', secret).update(DOMAIN).update(body).digest()

/** The bytes of a text that is base64url, the one that they have; `undefined` of any other. */
function bytesOfText(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return text !== '' && bytes.toString('base64url') === text ? bytes : undefined
}

/** The envelope of a token. Nothing of it is read before its signature is. */
function opened(token: string, secrets: readonly Buffer[]): Envelope {
  const dot = token.lastIndexOf('.')
  const body = token.slice(0, Math.max(dot, 0))
  const bytes = bytesOfText(body)
  if (bytes === undefined) throw new RunProtocolError("The continuation's token is malformed.")
  const given = bytesOfText(token.slice(dot + 1))
  let signed = false
  for (const secret of secrets) {
    const right = signature(body, secret)
    const same = timingSafeEqual(given?.length === right.length ? given : Buffer.alloc(right.length), right)
    signed ||= same
  }
  if (!signed) throw new RunProtocolError("The continuation's signature is wrong.")
  const text = bytes.toString()
  let envelope: unknown
  try {
    envelope = JSON.parse(text)
  } catch {
    throw new RunProtocolError('The continuation is no JSON.')
  }
  if (!isEnvelope(envelope) || canonicalJson(envelope) !== text) throw new RunProtocolError('The continuation has not the form of one.')
  return envelope
}

function isEnvelope(value: unknown): value is Envelope & Record<string, unknown> {
  if (!isPlain(value) || !hasExactly(value, KEYS)) return false
  const { algorithm, expiresAtMs, format, issuedAtMs, nonce, state, version } = value
  return algorithm === 'HS256' && format === 'run-continuation' && version === 1 &&
    Number.isSafeInteger(issuedAtMs) && Number.isSafeInteger(expiresAtMs) && (expiresAtMs as number) > (issuedAtMs as number) &&
    typeof nonce === 'string' && /^[0-9a-f]{32}$/.test(nonce) && isPlain(state)
}
