// Runs scripts that may pay, once somebody has said yes: see README.md.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'

import { approval, approve, createRunner, deny, sealed } from 'intermission'

/** An application has its key from a secret store; a new one for each start makes old tokens unreadable. */
const key = process.env.INTERMISSION_KEY ?? crypto.getRandomValues(new Uint8Array(32))

const runner = createRunner({
  hostFunctions: {
    bills: { find: async (id) => ({ id, amount: 120 }) },
    pay: approval(async ({ amount }) => `paid ${amount}`),
  },
  codec: sealed({ keys: key, expiresInMs: 7 * 24 * 3600 * 1000 }),
  audience: 'bills',
})

/** What a client is told of a run. */
async function told(result) {
  switch (result.status) {
    case 'completed':
      return { status: 'completed', value: result.value }
    case 'interrupted': {
      const questions = result.interruptions.map((asked) => ({ id: asked.id, [asked.hostFunction]: asked.arguments }))
      return { status: 'interrupted', token: await runner.encode(result.continuation), questions }
    }
    case 'failed':
      return { status: 'failed', code: result.error.code, message: result.error.message }
    default:
      return { status: result.status }
  }
}

async function answered(body) {
  const { token, id, approve: yes } = JSON.parse(body)
  return await runner.resume(token, { resolutions: [yes ? approve(id) : deny(id)] })
}

export const server = createServer(async (request, response) => {
  const reply = (status, body) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  try {
    const body = await text(request)
    if (request.url === '/runs') reply(200, await told(await runner.run(body)))
    else if (request.url === '/answers') reply(200, await told(await answered(body)))
    else reply(404, { error: 'post a script to /runs, an answer to /answers' })
  } catch (error) {
    reply(400, { code: error.code, error: error.message })
  }
})

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  server.listen(8080, '127.0.0.1', () => console.log('http://127.0.0.1:8080'))
}
