/** One of two processes that have nothing in common but what the first one prints: it asks; the other, given that, goes on with the answer `yes`. */
import { type CallLogEntry } from 'intermission/sandbox'

import { interrupted, world } from './actions.ts'

interface Saved {
  script: string
  callLog: (CallLogEntry | null)[]
  position: number
  state: unknown
  call: { id: string; input?: unknown }
}

const [, , what, given = ''] = process.argv
const { did, sandbox } = world()
if (what === 'resume') {
  const { call, callLog, position, script, state } = JSON.parse(given) as Saved
  const { data } = await sandbox.eval({ script, data: {}, callLog, resumption: { position, data: 'yes', state, call } })
  console.log(JSON.stringify({ data, did }))
} else {
  const { call, callLog, interrupt, position } = await interrupted(sandbox.eval({ script: given, data: {} }))
  console.log(JSON.stringify({ script: given, callLog, position, state: interrupt.state, call } satisfies Saved))
}
