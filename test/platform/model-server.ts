import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

/** The text in `write`, which the model writes piece by piece; after `hold` characters it stops, unless it continues. */
interface Writes {
  readonly write: string
  readonly hold?: number
}

/**
 * A model whose first answer is the call that its input contains as JSON, or its instructions do, or its `calls`. For an
 * input such as `{"write":"a text","hold":10}`, it writes a text, and continues an interrupted one.
 */
export async function scriptedModelServer(t: TestContext): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { messages, stream } = JSON.parse(Buffer.concat(chunks).toString())
    const given = messages.map((one: { content: unknown }) => /\{"write".*\}/.exec(String(one.content))?.[0])
    const found = given.find((one: string | undefined) => one !== undefined)
    if (found !== undefined && stream === true) {
      writeText(response, JSON.parse(found), messages)
      return
    }
    const asked = String(messages.findLast((one: { role: string }) => one.role === 'user')?.content)
    const made = messages.at(-1).role === 'tool'
    const instructions = messages.find((one: { role: string }) => one.role === 'system')?.content ?? ''
    const [script] =
      /\{"(?:tool|calls)".*\}/.exec(asked) ?? /\{"(?:tool|calls)".*\}/.exec(String(instructions)) ?? []
    const calls = [JSON.parse(script ?? '{"calls":[]}')].flatMap(
      ({ calls: several, ...one }) => several ?? one,
    )
    const tool_calls = calls.map(({ tool, ...args }, index) => ({
      index,
      id: `c${index + 1}`,
      type: 'function',
      function: { name: tool, arguments: JSON.stringify(args) },
    }))
    const delta = {
      role: 'assistant',
      ...(made || calls.length === 0 ? { content: 'done' } : { tool_calls }),
    }
    const finish_reason = 'content' in delta ? 'stop' : 'tool_calls'
    const usage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 }
    const about = { id: 'x', created: 1, model: 'm', usage }
    if (stream !== true) {
      const choice = { index: 0, message: { content: null, ...delta }, finish_reason }
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ ...about, object: 'chat.completion', choices: [choice] }))
      return
    }
    const chunk = { ...about, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] }
    response.setHeader('content-type', 'text/event-stream')
    response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

/** A held answer stays open until its client leaves. */
function writeText(
  response: ServerResponse,
  { write, hold }: Writes,
  messages: readonly { readonly role: string; readonly content: unknown }[],
): void {
  const before = messages.at(-2)
  const continues = before?.role === 'assistant'
  const from = continues ? String(before.content).length : 0
  const to = continues ? undefined : hold
  const usage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 }
  const send = (delta: object, more: object = {}) => {
    const choices = [{ index: 0, delta, finish_reason: null, ...more }]
    const chunk = { id: 'x', created: 1, model: 'm', object: 'chat.completion.chunk', choices, usage }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  response.setHeader('content-type', 'text/event-stream')
  for (const content of write.slice(from, to).match(/.{1,9}/gs) ?? []) send({ role: 'assistant', content })
  if (to !== undefined) return
  send({}, { finish_reason: 'stop' })
  response.end('data: [DONE]\n\n')
}
