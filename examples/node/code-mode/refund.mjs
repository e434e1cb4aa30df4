// A model writes a script, the script wants to pay, and somebody has to agree first, in another process: see README.md.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'

import {
  experimental_codeModeTool as codeModeTool, experimental_continueCodeModeInterrupt as goOn, experimental_getCodeModeInterrupt as interruptOf,
} from '@ai-sdk/code-mode'
import { generateText, isStepCount, tool } from 'ai'
import { z } from 'zod'

import { scriptedModel } from './scripted-model.mjs'

const orders = tool({
  description: 'Orders of a customer',
  inputSchema: z.object({ customer: z.string() }),
  execute: async ({ customer }) => {
    console.log(`looking up the orders of ${customer}`)
    return [{ id: 'o-1', amount: 30, late: true }, { id: 'o-2', amount: 12, late: false }]
  },
})
const refund = tool({
  description: 'Pays an order back',
  inputSchema: z.object({ id: z.string(), amount: z.number() }),
  needsApproval: true,
  execute: async ({ id, amount }) => {
    console.log(`paying back ${amount} for ${id}`)
    return `paid back ${amount}`
  },
})

// An application has its key from a secret store.
const options = { approval: { mode: 'interrupt' }, continuationSecurity: { signingKey: process.env.CODE_MODE_KEY ?? 'for an example, and never for anything else' } }
const tools = { code: codeModeTool(options), orders, refund }
const asks = ({ output }) => interruptOf(output, options.continuationSecurity)
const generate = async (messages) =>
  await generateText({
    model: scriptedModel(),
    tools,
    experimental_toolCallers: { orders: ['code'], refund: ['code'] },
    stopWhen: [isStepCount(5), ({ steps }) => steps.at(-1).toolResults.some(asks)],
    messages,
  })

const FILE = process.env.REFUND_FILE ?? 'refund.json'
const [answer] = process.argv.slice(2)

if (answer === undefined) {
  const messages = [{ role: 'user', content: 'Ann says that an order of hers came late. Pay it back.' }]
  const { response, toolResults } = await generate(messages)
  const interrupt = toolResults.map(asks).find((asking) => asking !== undefined)
  writeFileSync(FILE, JSON.stringify({ messages: [...messages, ...response.messages], interrupt }))
  console.log(`asking: ${interrupt.toolName}(${JSON.stringify(interrupt.input)})`)
} else {
  const { interrupt, messages } = JSON.parse(readFileSync(FILE, 'utf8'))
  const resolution = { approved: answer === 'yes' }
  const value = await goOn({ interrupt, resolution, tools: { orders, refund }, options }).catch((error) => error.message)
  // What the model is told in the place of the question.
  messages.at(-1).content[0].output = { type: 'json', value }
  console.log((await generate(messages)).text)
  rmSync(FILE)
}
