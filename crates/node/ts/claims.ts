import { type Hooks, own } from './codec.js'

/** A place in a run's life: the run, and how many entries its ledger had. */
export interface Point {
  readonly runId: string
  readonly length: number
}

/** What a claim gives. */
export type Claimed =
  /** Go on; where an earlier attempt with the same answers has failed or died, from the ledger that it left. */
  | { readonly status: 'yours'; readonly ticket: number; readonly left?: Uint8Array | undefined }
  /** The same was done before, and this ledger came of it. */
  | { readonly status: 'done'; readonly ledger: Uint8Array }
  /** Other answers were first. */
  | { readonly status: 'conflict'; readonly winner: string }

type Awaitable<T> = T | Promise<T>

/** Remembers, for each point of a run, the answers that were first. Each of these has to be done in one step, however many processes use it. */
export interface Claims {
  /** Claims a point for `answers`. Waits while somebody goes on from it with the same answers, at most until his claim is too old: `lease` milliseconds after he made it. */
  claim(point: Point, answers: string, now: number, lease: number): Awaitable<Claimed>
  /** What came of it: a ledger to be given to whoever asks again (`done`), or to be gone on from by the next who does. */
  settle(point: Point, ticket: number, ledger: Uint8Array, done: boolean): Awaitable<void>
  /** Nothing came of it. The point is free again; where an earlier attempt has left something, only for whoever gives the same answers. */
  release(point: Point, ticket: number): Awaitable<void>
}

/** @internal */
export function claimsHooks(claims: Claims): Hooks {
  const point = ({ runId, length }: Readonly<Record<string, unknown>>): Point => ({ runId: runId as string, length: length as number })
  return {
    'claims.claim': (body) => claims.claim(point(body), body['answers'] as string, body['now'] as number, body['lease'] as number),
    'claims.settle': (body) => claims.settle(point(body), body['ticket'] as number, own(body['ledger']) as Uint8Array, body['done'] as boolean),
    'claims.release': (body) => claims.release(point(body), body['ticket'] as number),
  }
}
