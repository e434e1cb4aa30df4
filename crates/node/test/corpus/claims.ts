/** Claims of the user's own, in memory: those that several runners of the corpus share. */
import type { Claimed, Claims, Point } from 'intermission'

interface Standing {
  readonly answers: string
  state: 'going' | 'left' | 'done'
  ticket: number
  ledger?: Uint8Array
  waiting: (() => void)[]
}

export class SharedClaims implements Claims {
  readonly #points = new Map<string, Standing>()

  async claim(point: Point, answers: string): Promise<Claimed> {
    for (;;) {
      const standing = this.#points.get(key(point))
      if (standing === undefined) {
        this.#points.set(key(point), { answers, state: 'going', ticket: 1, waiting: [] })
        return { status: 'yours', ticket: 1 }
      }
      if (standing.answers !== answers) return { status: 'conflict', winner: standing.answers }
      if (standing.state === 'done') return { status: 'done', ledger: standing.ledger as Uint8Array }
      if (standing.state === 'left') {
        standing.state = 'going'
        return { status: 'yours', ticket: ++standing.ticket, left: standing.ledger }
      }
      await new Promise<void>((resolve) => standing.waiting.push(resolve))
    }
  }

  settle(point: Point, ticket: number, ledger: Uint8Array, done: boolean): void {
    this.#change(point, ticket, (standing) => {
      standing.ledger = ledger
      standing.state = done ? 'done' : 'left'
    })
  }

  release(point: Point, ticket: number): void {
    this.#change(point, ticket, (standing) => {
      if (standing.ledger === undefined) this.#points.delete(key(point))
      else standing.state = 'left'
    })
  }

  #change(point: Point, ticket: number, change: (standing: Standing) => void): void {
    const standing = this.#points.get(key(point))
    if (standing === undefined || standing.ticket !== ticket) return
    change(standing)
    for (const wake of standing.waiting.splice(0)) wake()
  }
}

const key = ({ runId, length }: Point): string => `${runId} ${length}`
