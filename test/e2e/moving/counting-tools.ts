import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { Gates } from './gates.ts'

/** One request that reached the tool server. */
export interface Reached {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly key: string
  /** The caller got the answer; false: it closed the connection before. */
  answered: boolean
}

export interface CountingTools {
  /** `HOST:PORT`, as the configuration allows it. */
  readonly host: string
  readonly url: string
  /** What has reached it from runs with this mark. */
  of(tag: string): readonly Reached[]
}

/**
 * A server for the HTTP tools of both platforms. Each request takes effect when it arrives; its answer waits at the gate
 * `TAG TOOL WHAT`.
 */
export async function countingTools(t: Pick<TestContext, 'after'>, gates: Gates): Promise<CountingTools> {
  const all: (Reached & { readonly tag: string })[] = []
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const args = body === '' ? Object.fromEntries(url.searchParams) : JSON.parse(body)
    const tool = url.pathname.slice(1)
    const tag = String(args.tag)
    const key = String(request.headers['idempotency-key'] ?? '')
    const reached = { tag, tool, args, key, answered: false }
    all.push(reached)
    await gates.pass(`${tag} ${tool} ${args.what}`)
    if (response.destroyed) return
    reached.answered = true
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ result: `${tool} of ${args.what} for ${tag}` }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    gates.openAll()
    server.closeAllConnections()
    server.close()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, url: `http://${host}`, of: (tag) => all.filter((one) => one.tag === tag) }
}
