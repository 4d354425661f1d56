import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const CALL = {
  index: 0,
  id: 'c1',
  type: 'function',
  function: { name: 'refund', arguments: '{"parcel":"1Z99A1","eur":40}' },
}

/** A model on this machine that asks for one refund, and then answers. No key is needed. */
export async function startModelServer() {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { messages, stream } = JSON.parse(Buffer.concat(chunks).toString()) as {
      messages: { role: string }[]
      stream?: boolean
    }
    const isPaid = messages.some(({ role }) => role === 'tool')
    const message = isPaid ? { content: 'We have paid you 40 EUR back.' } : { tool_calls: [CALL] }
    const finish_reason = isPaid ? 'stop' : 'tool_calls'
    const about = { id: 'x', created: 0, model: 'clerk-model' }
    const usage = { prompt_tokens: 40, completion_tokens: 10, total_tokens: 50 }
    if (stream === true) {
      const delta = { role: 'assistant', ...message }
      const chunk = {
        ...about,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, finish_reason }],
        usage,
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
      return
    }
    const choice = { index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ...about, object: 'chat.completion', choices: [choice], usage }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
