import { MockLanguageModelV4 } from 'ai/test'

const SCRIPT = `
const late = (await tools.orders({ customer: 'ann' })).filter((order) => order.late);
const receipts = [];
for (const { id, amount } of late) receipts.push(await tools.refund({ id, amount }));
return receipts;
`

/** In the place of a language model: first it writes a script, and when it has the outcome it says so. */
export function scriptedModel() {
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const told = prompt.flatMap(({ role, content }) => (role === 'tool' ? content : [])).at(-1)
      const content = told === undefined
        ? { type: 'tool-call', toolCallId: 'call-1', toolName: 'code', input: JSON.stringify({ js: SCRIPT }) }
        : { type: 'text', text: `The script says: ${JSON.stringify(told.output.value)}` }
      const reason = told === undefined ? 'tool-calls' : 'stop'
      const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } }
      return { content: [content], finishReason: { unified: reason, raw: reason }, usage, warnings: [] }
    },
  })
}
