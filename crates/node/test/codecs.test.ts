import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  type ClaimedEntry, type Claims, CodecError, Continuation, type ContinuationStore, type Interrupted, type RunnerOptions, type StoredEntry,
  approval, approve, codec, createRunner, open, sealed, signed, stored, unwrap,
} from 'intermission'

const KEY = 'k1:Zm9yIGRvY3VtZW50YXRpb24sIG5ldmVyIGZvciB1c2U'
let sent = 0
const hostFunctions = { mail: approval((to: string) => `sent ${++sent} to ${to}`) }

async function putAway(options: RunnerOptions): Promise<{ runner: ReturnType<typeof createRunner>; put: Interrupted; id: string }> {
  sent = 0
  const runner = createRunner({ hostFunctions, ...options })
  const put = (await runner.run("return await mail('ann')")) as Interrupted
  assert.equal(put.status, 'interrupted')
  return { runner, put, id: put.interruptions[0]?.id ?? '' }
}

test('tokens of every kind are read again by whoever has the key', async () => {
  const codecs = {
    sealed: sealed({ keys: KEY }),
    signed: signed({ keys: new Uint8Array(32).fill(5), expiresInMs: 60_000 }),
    open: open(),
    stored: stored(),
  }
  for (const [name, codec] of Object.entries(codecs)) {
    const { runner, put, id } = await putAway({ codec })
    const token = await runner.encode(put.continuation)
    assert.match(token, /^imt1_/, name)
    const inspection = await runner.inspect(token)
    assert.deepEqual([inspection.runId, inspection.calls, inspection.over], [put.report.runId, 1, false])
    assert.equal(inspection.interruptions[0]?.id, id)
    assert.equal(typeof inspection.expires, name === 'signed' ? 'number' : 'undefined')
    assert.deepEqual((await runner.decode(token)).bytes, put.continuation.bytes)
    assert.equal(unwrap(await runner.resume(token, { resolutions: [approve(id)] })), 'sent 1 to ann')
  }
})

test('a token is bound to its key, its audience and its context', async () => {
  const { runner, put, id } = await putAway({ codec: sealed({ keys: KEY }), audience: 'shop' })
  const token = await runner.encode(put.continuation, 'user 7')
  const resolutions = [approve(id)]
  await assert.rejects(runner.resume(token, { resolutions, context: 'user 8' }), (error: CodecError) => {
    return error instanceof CodecError && error.code === 'TOKEN_REFUSED'
  })
  for (const other of [{ audience: 'bank', codec: sealed({ keys: KEY }) }, { audience: 'shop', codec: sealed({ keys: new Uint8Array(32) }) }]) {
    const stranger = createRunner({ hostFunctions, ...other })
    await assert.rejects(stranger.resume(token, { resolutions, context: 'user 7' }), { name: 'CodecError' })
  }
  const rotated = createRunner({ hostFunctions, audience: 'shop', codec: sealed({ keys: ['n:bmV3OiBmb3IgZG9jdW1lbnRhdGlvbiwgbm90IGZvciB1c2U', KEY] }) })
  assert.equal(unwrap(await rotated.resume(token, { resolutions, context: Buffer.from('user 7') })), 'sent 1 to ann')
  await assert.rejects(createRunner({ hostFunctions }).resume(token), { code: 'NO_CODEC' })
  assert.throws(() => createRunner({ codec: sealed({ keys: 'short' }) }), { name: 'OptionsError' })
})

test('a stored token is good once', async () => {
  const { runner, put, id } = await putAway({ codec: stored() })
  const token = await runner.encode(put.continuation)
  const resume = (): Promise<unknown> => runner.resume(token, { resolutions: [approve(id)] }).then(unwrap)
  assert.equal(await resume(), 'sent 1 to ann')
  await assert.rejects(resume(), { code: 'TOKEN_USED' })
  await assert.rejects(runner.inspect('imt1_knobody'), { code: 'TOKEN_UNKNOWN' })
})

test('a store of the user\'s own is asked for everything', async () => {
  const places = new Map<string, { entry: StoredEntry; ticket?: string; used?: boolean }>()
  const said: string[] = []
  const store: ContinuationStore = {
    put: async (key, entry) => void (said.push('put'), places.set(key, { entry })),
    get: (key) => (said.push('get'), places.get(key)?.entry),
    claim: async (key, ticket): Promise<ClaimedEntry> => {
      said.push('claim')
      const place = places.get(key)
      if (place === undefined) return { status: 'unknown' }
      if (place.used === true) return { status: 'used', entry: place.entry }
      if (place.ticket !== undefined) return { status: 'busy' }
      place.ticket = ticket
      return { status: 'yours', entry: place.entry }
    },
    consume: (key, ticket) => {
      said.push('consume')
      const place = places.get(key)
      assert.equal(place?.ticket, ticket)
      if (place !== undefined) place.used = true
    },
    release: (key, ticket) => {
      said.push('release')
      const place = places.get(key)
      if (place?.ticket === ticket) delete place.ticket
    },
  }
  const { runner, put, id } = await putAway({ codec: stored(store, { expiresInMs: 60_000 }), audience: 'shop' })
  const token = await runner.encode(put.continuation, 'me')
  const entry = places.get(token)?.entry
  assert.deepEqual(entry?.continuation, put.continuation.bytes)
  assert.deepEqual([entry?.audience, Buffer.from(entry?.context ?? []).toString(), typeof entry?.expires], ['shop', 'me', 'number'])
  await runner.inspect(token, 'me')
  await assert.rejects(runner.resume(token, { context: 'me', resolutions: [approve('int_aaaaaaaaaaaaaaaaaaaaaaaaaa')] }), { code: 'RESOLUTION_UNKNOWN' })
  assert.equal(unwrap(await runner.resume(token, { context: 'me', resolutions: [approve(id)] })), 'sent 1 to ann')
  await assert.rejects(runner.resume(token, { context: 'me' }), { code: 'TOKEN_USED' })
  assert.deepEqual(said, ['put', 'get', 'claim', 'release', 'claim', 'consume', 'claim'])

  const broken = createRunner({ hostFunctions, codec: stored({ ...store, put: () => { throw new Error('the disk is full') } }) })
  await assert.rejects(broken.encode(put.continuation), { code: 'STORE', message: /the disk is full/ })
})

test('a codec of the user\'s own writes and reads', async () => {
  const own = codec({
    encode: (continuation, { context }) => `${Buffer.from(context).toString()}|${Buffer.from(continuation.bytes).toString('hex')}`,
    read: async (token) => ({ continuation: new Continuation(Buffer.from(token.split('|')[1] ?? '', 'hex')) }),
  })
  const { runner, put, id } = await putAway({ codec: own })
  const token = await runner.encode(put.continuation, 'me')
  assert.ok(token.startsWith('me|'))
  assert.equal(unwrap(await runner.resume(token, { resolutions: [approve(id)] })), 'sent 1 to ann')
  await assert.rejects(runner.resume('me|00'), { name: 'ResumeError' })
})

test('claims make the first answer the only one', async () => {
  const { runner, put, id } = await putAway({ claims: 'memory' })
  const resume = (reason?: string): Promise<unknown> =>
    runner.resume(put.continuation, { resolutions: [approve(id, reason === undefined ? {} : { at: 1 })] }).then(unwrap)
  assert.deepEqual(await Promise.all([resume(), resume()]), ['sent 1 to ann', 'sent 1 to ann'])
  assert.equal(sent, 1)
})

test('claims of the user\'s own are asked and told', async () => {
  const said: unknown[] = []
  const claims: Claims = {
    claim: async (point, answers, now, lease) => {
      said.push(['claim', point.length, answers.includes('approved'), now > 0, lease > 30_000])
      return { status: 'yours', ticket: 7 }
    },
    settle: (point, ticket, ledger, done) => void said.push(['settle', point.length, ticket, ledger instanceof Uint8Array, done]),
    release: (point, ticket) => void said.push(['release', point.length, ticket]),
  }
  const { runner, put, id } = await putAway({ claims })
  assert.equal(unwrap(await runner.resume(put.continuation, { resolutions: [approve(id)] })), 'sent 1 to ann')
  const { length } = put.continuation
  assert.deepEqual(said, [['claim', length, true, true, true], ['settle', length, 7, true, true]])
  const conflict = createRunner({ hostFunctions, claims: { ...claims, claim: () => ({ status: 'conflict', winner: 'no' }) } })
  await assert.rejects(conflict.resume(put.continuation, { resolutions: [approve(id)] }), { code: 'RESOLUTION_CONFLICT', winner: 'no' })
})

test('a ledger is kept while its run goes on, and is enough to go on from', async () => {
  const kept = new Map<string, Uint8Array[]>()
  const ledgerSink = {
    append: async (runId: string, from: number, entries: readonly Uint8Array[]) => {
      const ledger = kept.get(runId) ?? []
      assert.equal(ledger.length, from)
      kept.set(runId, [...ledger, ...entries])
    },
  }
  const { runner, put, id } = await putAway({ ledgerSink })
  const bytes = Buffer.concat([Uint8Array.of(1), ...(kept.get(put.report.runId) ?? [])])
  assert.deepEqual(new Uint8Array(bytes), put.continuation.bytes)
  assert.equal(unwrap(await runner.resume(new Continuation(bytes), { resolutions: [approve(id)] })), 'sent 1 to ann')
  const full = createRunner({ hostFunctions, ledgerSink: { append: () => { throw new Error('the disk is full') } } })
  const result = await full.run('return await mail(1)')
  assert.equal(result.status === 'failed' && result.error.code, 'LEDGER_NOT_KEPT')
})

test('bytes that are no continuation are refused', async () => {
  assert.throws(() => new Continuation(new Uint8Array([1, 2, 3])).runId, { name: 'OptionsError' })
  await assert.rejects(createRunner().resume(new Continuation(new Uint8Array())), { name: 'OptionsError' })
})
