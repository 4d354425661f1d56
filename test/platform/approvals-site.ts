import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openPlatform } from '../../src/compose/open-platform.ts'
import type { JsonObject } from '../../src/document/json.ts'
import { serve } from '../server/served.ts'
import { until } from './leg-place.ts'
import { scriptedModelServer } from './model-server.ts'
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

/**
 * The whole platform with a worker, and an agent whose calls a person must approve.
 * @param config more of the configuration of the operator
 */
export async function approvalsSite(t: TestContext, config: object = {}) {
  const closing: (() => Promise<void>)[] = []
  // Hooks run in the order of their registration: the platform closes before its database is removed.
  t.after(async () => {
    for (const close of closing) await close()
  })
  const base_url = await scriptedModelServer(t)
  const { ownerUrl } = await testDatabase(t)
  const home = mkdtempSync(join(tmpdir(), 'waybill-rules-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  writeFileSync(
    join(home, 'config.yaml'),
    JSON.stringify({ providers: { openai: { base_urls: [base_url] } }, ...config }),
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
