import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openPlatform } from '../../src/compose/open-platform.ts'
import type { JsonObject } from '../../src/document/json.ts'
import { serve } from '../server/served.ts'
import { until } from './leg-place.ts'
import { AGENT, definitionOf } from './organisation.ts'
import { testDatabase } from './postgres.ts'

/** The question of an agent, as GET /v1/approvals shows it. */
export interface Question {
  readonly id: string
  readonly run_id: string
  readonly digest: string
  readonly arguments: JsonObject
}

const TOOLS = `
const untilAborted = ({ n }, { signal }) =>
  new Promise((resolve, reject) => {
    if (n !== undefined) setTimeout(resolve, n, 'seen')
    signal.addEventListener('abort', () => reject(signal.reason))
  })
export const tools = {
  send: async () => 'sent',
  note: async () => 'noted',
  look: Object.assign(untilAborted, { readOnly: true }),
}
`

/** A model whose first answer is the call that its input contains as JSON, or its `calls`. */
async function modelServer(t: TestContext): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { messages, stream } = JSON.parse(Buffer.concat(chunks).toString())
    const asked = String(messages.findLast((one: { role: string }) => one.role === 'user')?.content)
    const made = messages.at(-1).role === 'tool'
    const script = /\{"(?:tool|calls)".*\}/.exec(asked)?.[0]
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

/** The whole platform with a worker, and an agent whose calls a person must approve. */
export async function approvalsSite(t: TestContext) {
  const closing: (() => Promise<void>)[] = []
  // Hooks run in the order of their registration: the platform closes before its database is removed.
  t.after(async () => {
    for (const close of closing) await close()
  })
  const base_url = await modelServer(t)
  const { ownerUrl } = await testDatabase(t)
  const home = mkdtempSync(join(tmpdir(), 'waybill-rules-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  writeFileSync(
    join(home, 'config.yaml'),
    JSON.stringify({ providers: { openai: { base_urls: [base_url] } } }),
  )
  writeFileSync(join(home, 'tools.mjs'), TOOLS)
  let admin = ''
  const opened = await openPlatform({
    home,
    data: join(home, 'data'),
    databaseUrl: ownerUrl,
    env: { OPENAI_API_KEY: 'not-used' },
    tools: join(home, 'tools.mjs'),
    worker: {},
    version: '9.9.9',
    keepToken: (token) => {
      admin = token
    },
    log: () => {},
  })
  closing.push(() => opened.close())
  const { send } = await serve(t, opened.platform)
  const make = async (path: string, json: unknown, token = admin) => {
    const answer = await send('POST', path, { token, json })
    assert.ok(answer.status < 300, `${path}: ${answer.text}`)
    return answer.json
  }
  const get = async (path: string, token = admin) => (await send('GET', path, { token })).json
  const member = async (user: string, role: string, kind = 'person'): Promise<string> => {
    await make('/v1/organisations/default/members', { user, kind, roles: [role] })
    return (await make('/v1/tokens', { user })).token
  }
  const upload = (version: string, agent: object = {}, root: object = {}) => {
    const parameters_schema = {
      type: 'object',
      properties: { to: { type: 'string' }, text: { type: 'string' }, n: { type: 'integer' } },
      additionalProperties: false,
    }
    const tools = ['send', 'note', 'look'].map((name) => ({
      name,
      description: 'Writes.',
      parameters_schema,
    }))
    const model = { provider: 'openai', preferred: 'gpt-4o', base_url }
    const compliance = { human_in_the_loop: { enabled: true } }
    return make('/v1/agents', definitionOf({ version, model, tools, compliance, ...agent }, root))
  }
  /** Starts a run that makes these calls, and waits until it has ended or asks. */
  const start = (input: JsonObject, wait_seconds = 10, agent = AGENT) =>
    make(`/v1/agents/${agent}/runs`, { input: JSON.stringify(input), wait_seconds })
  const run = (args: JsonObject, wait_seconds = 10) => start({ tool: 'send', ...args }, wait_seconds)
  const questions = async (count: number): Promise<readonly Question[]> => {
    let items: readonly Question[] = []
    await until(async () => {
      items = (await get('/v1/approvals')).items
      return items.length === count
    })
    return items
  }
  const callRules = async (): Promise<readonly JsonObject[]> => (await get('/v1/rules')).items
  const events = async (runId: string): Promise<readonly JsonObject[]> =>
    (await get(`/v1/runs/${runId}/events`)).items
  return {
    send,
    make,
    get,
    member,
    upload,
    start,
    run,
    questions,
    callRules,
    events,
    admin,
    agent: AGENT,
    database: opened.database,
  }
}
