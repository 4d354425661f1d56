// A web server that streams the answer of an agent as server-sent events, and cancels the run if the client leaves.
import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { openAgent, WaybillError } from 'waybill'

// A rehearsal, so that the example needs no key; without `rehearse` the answer comes from the model.
const agent = await openAgent(new URL('../parcel-clerk/clerk.yaml', import.meta.url), { rehearse: true })

const server = createServer(async (request, response) => {
  try {
    await answer(await text(request), response)
  } catch (error) {
    // An error of ours is the same object as on the command line.
    const known =
      error instanceof WaybillError ? error.toJSON() : { code: 'INTERNAL', message: 'see the log' }
    if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: known }))
  }
})

async function answer(input: string, response: ServerResponse): Promise<void> {
  const left = new AbortController()
  response.on('close', () => left.abort())
  const started = await agent.start(input, { text: true, signal: left.signal })
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  const send = (event: string, data: unknown) =>
    response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  send('run', { run_id: started.run_id })
  for await (const piece of started.text) send('text', piece)
  const { status, output, error } = await started.result
  send('end', { status, output, error })
  response.end()
}

await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
const { port } = server.address() as AddressInfo

// A client, as a browser would read it.
const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'Where is 1Z999AA1?' })
const events = (await response.text())
  .trimEnd()
  .split('\n\n')
  .map((block) => /^event: (\w+)\ndata: (.*)$/.exec(block))
  .map((parts) => ({ event: parts?.[1], data: JSON.parse(parts?.[2] ?? 'null') }))
assert.equal(events[0]?.event, 'run')
const pieces = events.filter(({ event }) => event === 'text').map(({ data }) => data)
const end = events.at(-1)
assert.equal(end?.data.status, 'completed')
assert.deepEqual(JSON.parse(pieces.join('')), end?.data.output)

server.close()
await agent.close()
process.stdout.write(`streamed ${pieces.length} pieces of text, then the result\n`)
