// The two codecs.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mock } from 'node:test'
import type { ContinuationCodec, ContinuationStorage, RunContinuationState, StoredContinuation } from '../../dist/run/index.js'
import { published } from './behaviour.ts'
import { ask, deferred, interruptedOf, openCodec, SECRET, turn } from './helpers.ts'
import { createRunner, createSignedContinuationCodec, createStoredContinuationCodec, RunProtocolError } from './subject.ts'

const state: RunContinuationState = interruptedOf<any>(
  await createRunner<any>({ continuationCodec: openCodec() }).run({ source: 'return await tools.ask("a");', hostFunctions: { tools: { ask } } }),
).continuation

const signed = (options = {}) => createSignedContinuationCodec({ secret: SECRET, ...options })

const refuses = (codec: ContinuationCodec<string>, token: unknown, message = /./) =>
  assert.throws(
    () => codec.decode(token as string),
    (error) => error instanceof RunProtocolError && error.code === 'RUN_PROTOCOL_ERROR' && message.test(error.message),
  )

/** A store in memory that keeps one claim for a key, and notes what it is asked. */
function memory(change: Partial<ContinuationStorage> = {}) {
  const kept = new Map<string, { value: StoredContinuation; claim?: string }>()
  const calls: string[] = []
  const storage: ContinuationStorage = {
    set: (key, value) => {
      calls.push('set')
      kept.set(key, { value })
    },
    acquire: (key, claim) => {
      calls.push('acquire')
      const entry = kept.get(key)
      if (entry === undefined || entry.claim !== undefined) return undefined
      entry.claim = claim
      return entry.value
    },
    consume: (key, claim) => {
      calls.push('consume')
      if (kept.get(key)?.claim === claim) kept.delete(key)
    },
    release: (key, claim) => {
      calls.push('release')
      const entry = kept.get(key)
      if (entry?.claim === claim) delete entry.claim
    },
    ...change,
  }
  return { calls, kept, storage }
}

/** Runs with a clock that stands still. */
async function at(now: number, body: () => unknown) {
  mock.timers.enable({ apis: ['Date'], now })
  try {
    await body()
  } finally {
    mock.timers.reset()
  }
}

published('a stored continuation is good once', async () => {
  const { kept, storage } = memory()
  const codec = createStoredContinuationCodec({ storage })
  const key = await codec.encode(state)
  assert.match(key, /^[\w-]{43}$/)
  assert.deepEqual(await codec.decode(key), state)
  assert.equal(kept.size, 0)
  await assert.rejects(Promise.resolve(codec.decode(key)), RunProtocolError)
})

published('of thirty-two who take a stored continuation at the same time one gets it', async () => {
  const { storage } = memory()
  const codec = createStoredContinuationCodec({ storage })
  const key = await codec.encode(state)
  const all = await Promise.allSettled(Array.from({ length: 32 }, async () => await codec.decode(key)))
  assert.equal(all.filter((each) => each.status === 'fulfilled').length, 1)
  for (const each of all) if (each.status === 'rejected') assert.ok(each.reason instanceof RunProtocolError)
})

published('a claim that comes after the abort is given back', async () => {
  const gate = deferred()
  const { calls, kept, storage } = memory()
  const codec = createStoredContinuationCodec({
    storage: {
      ...storage,
      acquire: async (key, claim) => {
        await gate.promise
        return await storage.acquire(key, claim)
      },
    },
  })
  const key = await codec.encode(state)
  const controller = new AbortController()
  const taking = codec.decodeTransaction!(key, { abortSignal: controller.signal, deadlineMs: Date.now() + 10_000 })
  const outcome = assert.rejects(Promise.resolve(taking), { name: 'AbortError' })
  controller.abort()
  gate.resolve()
  await outcome
  assert.deepEqual(calls, ['set', 'acquire', 'release'])
  assert.equal(kept.get(key)?.claim, undefined)
})

published('a stored continuation expires, and is then removed', async () => {
  const { kept, storage } = memory()
  const codec = createStoredContinuationCodec({ storage, maxAgeMs: 1_000 })
  let key = ''
  await at(50_000, async () => {
    key = await codec.encode(state)
  })
  assert.equal(kept.get(key)!.value.expiresAtMs, 51_000)
  await at(51_000, () => assert.rejects(Promise.resolve(codec.decode(key)), RunProtocolError))
  assert.equal(kept.size, 0)
})

published('the size of a signed token is bounded both ways', () => {
  const token = signed().encode(state) as string
  assert.throws(() => signed({ maxTokenBytes: token.length - 1 }).encode(state), RunProtocolError)
  refuses(signed({ maxTokenBytes: token.length - 1 }), token)
  assert.deepEqual(signed({ maxTokenBytes: token.length }).decode(token), state)
})

published('keys have thirty-two bytes, and options are whole numbers', () => {
  assert.throws(() => signed({ secret: 'x'.repeat(31) }), TypeError)
  assert.throws(() => signed({ secret: new Uint8Array(31) }), TypeError)
  assert.throws(() => signed({ verificationSecrets: ['short'] }), TypeError)
  assert.doesNotThrow(() => signed({ secret: new Uint8Array(32), clockSkewMs: 0 }))
  for (const clockSkewMs of [-1, 1.5, NaN]) assert.throws(() => signed({ clockSkewMs }), TypeError)
  for (const maxAgeMs of [0, -1, 1.5, Infinity]) assert.throws(() => signed({ maxAgeMs }), TypeError)
  for (const maxTokenBytes of [0, -1, 1.5]) assert.throws(() => signed({ maxTokenBytes }), TypeError)
})

published('a key that was replaced still verifies, and an old reader refuses new tokens', () => {
  const old = signed()
  const renewed = signed({ secret: `${SECRET} renewed`, verificationSecrets: [SECRET] })
  assert.deepEqual(renewed.decode(old.encode(state) as string), state)
  const token = renewed.encode(state) as string
  assert.deepEqual(renewed.decode(token), state)
  refuses(old, token)
})

published('a token is good until its age, to the millisecond, and not before its time', async () => {
  const codec = signed({ maxAgeMs: 1_000, clockSkewMs: 100 })
  let token = ''
  await at(10_000, () => {
    token = codec.encode(state) as string
  })
  await at(10_999, () => {
    assert.deepEqual(codec.decode(token), state)
  })
  await at(11_000, () => {
    refuses(codec, token)
  })
  await at(9_900, () => {
    assert.deepEqual(codec.decode(token), state)
  })
  await at(9_899, () => {
    refuses(codec, token)
  })
})

/** A token whose envelope was changed, and signed again with the right key. */
function signedAgain(token: string, change: (text: string) => string): string {
  const text = Buffer.from(token.split('.')[0]!, 'base64url').toString()
  const body = Buffer.from(change(text)).toString('base64url')
  return `${body}.${createHmac('sha256', SECRET).update('run.continuation.v1\0').update(body).digest('base64url')}`
}

const envelope = (change: (envelope: any) => void) => (text: string) => {
  const value = JSON.parse(text)
  change(value)
  return JSON.stringify(value)
}

for (const [name, change] of [
  [
    'format',
    (value: any) => {
      value.format = 'other'
    },
  ],
  [
    'version',
    (value: any) => {
      value.version = 2
    },
  ],
  [
    'algorithm',
    (value: any) => {
      value.algorithm = 'none'
    },
  ],
  [
    'nonce',
    (value: any) => {
      value.nonce = 'short'
    },
  ],
] as const) {
  published(`another ${name} in an envelope is refused, whatever its signature`, () => {
    const token = signed().encode(state) as string
    assert.deepEqual(
      signed().decode(
        signedAgain(
          token,
          envelope(() => {}),
        ),
      ),
      state,
    )
    refuses(signed(), signedAgain(token, envelope(change)))
  })
}

published('an envelope with one field more, or written in another way, is refused', () => {
  const token = signed().encode(state) as string
  refuses(
    signed(),
    signedAgain(
      token,
      envelope((value) => {
        value.extra = 1
      }),
    ),
  )
  refuses(
    signed(),
    signedAgain(token, (text) => ` ${text}`),
  )
  refuses(
    signed(),
    signedAgain(token, (text) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text)).reverse()))),
  )
  refuses(
    signed(),
    signedAgain(token, () => 'no JSON'),
  )
})

published('a token that was changed, cut off, made longer or signed by another is refused', () => {
  const token = signed().encode(state) as string
  const [body, signature] = token.split('.') as [string, string]
  for (const wrong of [
    `${body.slice(0, -2)}AA.${signature}`,
    token.slice(0, -1),
    `${token}A`,
    `${token}.x`,
    body,
    `${body}.`,
    `.${signature}`,
    '',
    `${body}=.${signature}`,
    `${body}.${signature.slice(0, -1)}!`,
    `%%%.${signature}`,
    undefined,
    5,
  ])
    refuses(signed(), wrong)
  refuses(signed({ secret: `${SECRET} another` }), token)
})

published('a thousand changes to a token are a thousand refusals', () => {
  const token = signed().encode(state) as string
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.'
  let chance = 7
  const below = (n: number) => {
    chance = (Math.imul(chance, 1_103_515_245) + 12_345) >>> 0
    return chance % n
  }
  for (let i = 0; i < 1_000; i += 1) {
    const where = below(token.length)
    const letter = alphabet[below(alphabet.length)]!
    const changed = token.slice(0, where) + letter + token.slice(where + below(2))
    if (changed !== token) refuses(signed(), changed)
  }
})

for (const key of ['', 'short', `${'A'.repeat(42)}!`, 'A'.repeat(44), `${'A'.repeat(42)}B`, 5 as unknown as string]) {
  published(`the key ${JSON.stringify(key)} is refused before the store is asked`, async () => {
    const { calls, storage } = memory()
    await assert.rejects(async () => await createStoredContinuationCodec({ storage }).decode(key), RunProtocolError)
    assert.deepEqual(calls, [])
  })
}

published('a key is handed out when its continuation is kept, and not otherwise', async () => {
  const { storage } = memory({
    set: () => {
      throw new Error('the disk is full')
    },
  })
  await assert.rejects(async () => await createStoredContinuationCodec({ storage }).encode(state), { message: 'the disk is full' })
})

published('a continuation that was kept after the abort is removed', async () => {
  const gate = deferred()
  const { calls, kept, storage } = memory()
  const codec = createStoredContinuationCodec({
    storage: {
      ...storage,
      set: async (key, value) => {
        await gate.promise
        await storage.set(key, value)
      },
    },
  })
  const controller = new AbortController()
  const keeping = (async () => await codec.encode(state, { abortSignal: controller.signal, deadlineMs: Date.now() + 10_000 }))()
  const outcome = assert.rejects(keeping)
  await turn()
  controller.abort()
  gate.resolve()
  await outcome
  assert.deepEqual(calls, ['set', 'acquire', 'consume'])
  assert.equal(kept.size, 0)
})

published('the reason of the abort is told even when removing fails', async () => {
  const controller = new AbortController()
  const { storage } = memory({
    set: () => {
      controller.abort(new Error('no longer wanted'))
    },
    acquire: () => {
      throw new Error('the store is gone')
    },
  })
  const context = { abortSignal: controller.signal, deadlineMs: Date.now() + 10_000 }
  await assert.rejects(async () => await createStoredContinuationCodec({ storage }).encode(state, context), { message: 'no longer wanted' })
})
