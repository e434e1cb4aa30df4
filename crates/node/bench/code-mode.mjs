// `@ai-sdk/code-mode` on whatever package is called `run` beside it: its basic flows, with a scripted model. docs/run-compat.md tells how a `run` is made of
// `intermission/run`. In a folder that has them, and this file: npm install @ai-sdk/code-mode ai zod && node code-mode.mjs
import assert from 'node:assert/strict'

import {
  DIRECT_TOOL_CALL, experimental_codeModeTool as codeModeTool, experimental_continueCodeModeInterrupt as goOn,
  experimental_requestCodeModeInterrupt as interrupt, experimental_runCodeMode as runCodeMode,
} from '@ai-sdk/code-mode'
import { generateText, isStepCount, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { z } from 'zod'

let refunds = 0
const stock = tool({ description: 'Stock', inputSchema: z.object({ id: z.string() }), execute: async ({ id }) => ({ id, units: 42 }) })
const demand = tool({ description: 'Demand', inputSchema: z.object({ id: z.string() }), execute: async ({ id }) => ({ id, units: 31 }) })
const hang = tool({ description: 'Hang', inputSchema: z.object({}), execute: () => new Promise(() => {}) })
const refund = tool({
  description: 'Refund',
  inputSchema: z.object({ amount: z.number() }),
  needsApproval: true,
  execute: async ({ amount }) => {
    refunds += 1
    return amount
  },
})
const login = tool({
  description: 'Log in',
  inputSchema: z.object({}),
  execute: async (_, { codeModeInterrupt }) => codeModeInterrupt?.resolution ?? interrupt({ kind: 'login' }),
})

/** Approves, or not, until there is a value. */
async function decided(js, approved) {
  const options = { approval: { mode: 'interrupt' } }
  let result = await runCodeMode({ js, tools: { refund }, options })
  while (result?.type === 'code-mode-interrupt') {
    result = await goOn({ interrupt: result, resolution: { approved, reason: 'a test' }, tools: { refund }, options })
  }
  return result
}

const flows = {
  'tools are called, also concurrently': async () => {
    const js = "const [a, b] = await Promise.all([tools.stock({ id: 'x' }), tools.demand({ id: 'x' })]); return a.units - b.units"
    assert.equal(await runCodeMode({ js, tools: { stock, demand } }), 11)
  },
  'TypeScript': async () => assert.deepEqual(await runCodeMode({ js: 'const n: number = 2; return { n }', tools: {} }), { n: 2 }),
  'a tool that is missing': () => assert.rejects(runCodeMode({ js: 'await tools.nope({})', tools: { stock } }), { message: 'Unknown tool: nope' }),
  'input that is invalid': () => assert.rejects(runCodeMode({ js: 'await tools.stock({ id: 5 })', tools: { stock } }), { code: 'CODE_MODE_TOOL_ERROR' }),
  'an error with its line': () => assert.rejects(runCodeMode({ js: "\nthrow new Error('x')", tools: {} }), (error) => /code-mode\.js:2:/.test(error.stack)),
  'a script without an end': () =>
    assert.rejects(runCodeMode({ js: 'for (;;) {}', tools: {}, options: { executionPolicy: { timeoutMs: 300 } } }), { code: 'CODE_MODE_TIMEOUT' }),
  'an abort': async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 50)
    const toolExecutionOptions = { abortSignal: controller.signal, toolCallId: 'x', messages: [] }
    await assert.rejects(runCodeMode({ js: 'await tools.hang({})', tools: { hang }, toolExecutionOptions }), { code: 'CODE_MODE_ABORTED' })
  },
  'a tool that interrupts': async () => {
    const asking = await runCodeMode({ js: 'return await tools.login({})', tools: { login } })
    assert.equal(await goOn({ interrupt: asking, resolution: 'a token', tools: { login } }), 'a token')
  },
  'an approval': async () => {
    refunds = 0
    assert.equal(await decided('return await tools.refund({ amount: 5 })', true), 5)
    assert.equal(refunds, 1)
  },
  'two approvals': async () => {
    refunds = 0
    assert.deepEqual(await decided('return await Promise.all([tools.refund({ amount: 1 }), tools.refund({ amount: 2 })])', true), [1, 2])
    assert.equal(refunds, 2)
  },
  'an approval that is denied': () =>
    assert.rejects(decided('return await tools.refund({ amount: 5 })', false), { code: 'CODE_MODE_TOOL_APPROVAL_DENIED' }),
  'generateText': async () => {
    const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } }
    const says = [
      [{ type: 'tool-call', toolCallId: '1', toolName: 'code', input: JSON.stringify({ js: "return (await tools.stock({ id: 'x' })).units + 1" }) }],
      [{ type: 'text', text: 'done' }],
    ]
    const model = new MockLanguageModelV4({
      doGenerate: async () => {
        const content = says.shift()
        const unified = says.length > 0 ? 'tool-calls' : 'stop'
        return { content, finishReason: { unified, raw: unified }, usage, warnings: [] }
      },
    })
    const tools = { code: codeModeTool({}), stock }
    const result = await generateText({
      model, tools, experimental_toolCallers: { stock: ['code', DIRECT_TOOL_CALL] }, stopWhen: isStepCount(3), prompt: 'How many, and one?',
    })
    assert.deepEqual([result.steps[0].toolResults[0].output, result.text], [43, 'done'])
  },
}

for (const [name, flow] of Object.entries(flows)) {
  const outcome = await flow().then(() => 'works', (error) => `FAILS: ${error.message}`)
  console.log(`${name}: ${outcome}`)
}
process.exit(0)
