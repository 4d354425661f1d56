import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A model on this machine that asks for one refund, and then answers. No key is needed. */
export async function startModelServer() {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { messages } = JSON.parse(Buffer.concat(chunks).toString()) as { messages: { role: string }[] }
    const isPaid = messages.some(({ role }) => role === 'tool')
    const call = {
      id: 'c1',
      type: 'function',
      function: { name: 'refund', arguments: '{"parcel":"1Z99A1","eur":40}' },
    }
    const message = isPaid
      ? { role: 'assistant', content: 'We have paid you 40 EUR back.' }
      : { role: 'assistant', content: null, tool_calls: [call] }
    const choice = { index: 0, message, finish_reason: isPaid ? 'stop' : 'tool_calls' }
    const usage = { prompt_tokens: 40, completion_tokens: 10, total_tokens: 50 }
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        id: 'x',
        object: 'chat.completion',
        created: 0,
        model: 'm',
        choices: [choice],
        usage,
      }),
    )
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
