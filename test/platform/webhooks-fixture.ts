import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMessagePoster } from '../../src/adapters/net/post-message.ts'
import { homeKeys } from '../../src/compose/home-keys.ts'
import { type SenderOptions, WebhookSender } from '../../src/platform/webhooks/work.ts'
import { webhookGrants } from '../../src/settings/webhook-grants.ts'
import {
  answered,
  Driven,
  ended,
  newRun,
  type RunOptions,
  started,
} from '../../src/testing/contracts/records-fixture.ts'
import { entryMaker } from '../../src/trust/audit-chain.ts'
import { serve } from '../server/served.ts'
import { peopleSite } from './people-fixture.ts'
import { addWorker, asWorker } from './records/organisation.ts'

export interface ReceivedMessage {
  readonly path: string
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void

export interface Receiver {
  readonly url: string
  /** The host and port, as the operator names it. */
  readonly host: string
  readonly messages: ReceivedMessage[]
  /** How it answers by the path of the URL; default: 204. */
  readonly behaves: Map<string, Behaviour>
  /** Messages at a time. */
  readonly most: () => number
  /** Ends the server, and starts it again. */
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
}

/** A receiver of webhooks on this machine. */
export async function receiver(t: TestContext): Promise<Receiver> {
  const messages: ReceivedMessage[] = []
  const behaves = new Map<string, Behaviour>()
  let open = 0
  let most = 0
  const server = createServer(async (request, response) => {
    most = Math.max(most, ++open)
    response.on('close', () => open--)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const headers = request.headers as Record<string, string>
    const path = request.url ?? ''
    messages.push({ path, id: headers['webhook-id'] ?? '', headers, body: Buffer.concat(chunks).toString() })
    const behave = behaves.get(path)
    if (behave === undefined) response.writeHead(204).end()
    else behave(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const host = `127.0.0.1:${port}`
  return {
    url: `http://${host}`,
    host,
    messages,
    behaves,
    most: () => most,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
    start: () => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve)),
  }
}

export const status =
  (code: number, headers: Record<string, string> = {}): Behaviour =>
  (_request, response) =>
    response.writeHead(code, headers).end('{}')

/** A platform whose operator allows webhooks to these hosts, with the routes of the organisation `default`. */
export async function webhookSite(t: TestContext, hosts: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-webhooks-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const { messages: keys, signAudit } = homeKeys(folder)
  const grants = webhookGrants({ allow_hosts: hosts })
  const site = await peopleSite(t, signAudit)
  const platform = await site.platform({ keys, webhookGrants: grants })
  const { send } = await serve(t, platform)
  const senders: WebhookSender[] = []
  t.after(() => Promise.all(senders.map((sender) => sender.stop())))
  const { admin: token, database } = site
  const logged: string[] = []
  const records = asWorker(t, database, 'default', await addWorker(database))
  const request = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, json?: object) => {
    const answer = await send(method, path, { token, ...(json !== undefined && { json }) })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
    return answer.json
  }
  return {
    ...site,
    folder,
    send,
    request,
    records,
    platform,
    logged,
    create: (json: object) => request('POST', '/v1/webhooks', json),
    /** Starts what a worker does for webhooks: looks for due deliveries until the test ends. */
    sender(options: Partial<SenderOptions> = {}): WebhookSender {
      const sender = new WebhookSender(
        { engine: database.engine, log: (_level, message) => logged.push(message) },
        {
          keys,
          post: createMessagePoster(grants),
          nextEntry: entryMaker(signAudit),
          delaysMs: [1, 1],
          ...options,
        },
      )
      senders.push(sender)
      const timer = setInterval(() => sender.send(), 20)
      t.after(() => clearInterval(timer))
      return sender
    },
    deliveries: async (webhook: string) => (await request('GET', `/v1/webhooks/${webhook}/deliveries`)).items,
    /** Drives a run: it asks a person once, and ends. */
    async asks(runId: string, options: RunOptions = {}) {
      const run = new Driven(await records.runs.create(newRun(runId, options)))
      await run.append(started(runId))
      await run.append(...answered('asking'))
      return run
    },
    async ends(runId: string, options: RunOptions = {}) {
      const run = new Driven(await records.runs.create(newRun(runId, options)))
      await run.append(started(runId))
      await run.append(...ended('completed'))
      await run.run.close()
    },
  }
}

/** Waits until a condition holds, at most 8 seconds. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  seconds = 8,
): Promise<void> {
  for (const end = performance.now() + seconds * 1000; !(await condition()); ) {
    if (performance.now() > end) throw new Error(`after ${seconds} seconds, not yet: ${what}`)
    await sleep(15)
  }
}
