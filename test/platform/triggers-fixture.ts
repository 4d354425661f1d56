import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { homeKeys } from '../../src/compose/home-keys.ts'
import { openPlatform } from '../../src/compose/open-platform.ts'
import type { Json } from '../../src/document/json.ts'
import { openPostgresRecords } from '../../src/platform/records/open-postgres-records.ts'
import { TenantRuns } from '../../src/platform/runs/runs.ts'
import { TenantSessions } from '../../src/platform/sessions/tenant-sessions.ts'
import { RunFollower } from '../../src/platform/streams/run-follower.ts'
import { TriggerEngine } from '../../src/platform/triggers/trigger-engine.ts'
import type { Principal } from '../../src/session/principal.ts'
import { newRun } from '../../src/testing/contracts/records-fixture.ts'
import { entryMaker } from '../../src/trust/audit-chain.ts'
import { planOf } from '../run/fixture.ts'
import { serve } from '../server/served.ts'
import { AGENT, definitionOf } from './organisation.ts'
import { testDatabase } from './postgres.ts'

export interface FiringRow {
  readonly slot: string
  readonly state: string
  readonly why: string | null
  readonly run_id: string | null
  readonly version: string | null
  readonly on_behalf_of: string | null
  readonly depth: number
}

const LIMITS = { max_iterations: 3, budget_tokens: 100, budget_usd: 2, budget_calls: 5, budget_ms: 60_000 }
const PLAN = { ...planOf(), limits: LIMITS }

/** A platform with an agent and its routes, without a worker: nothing fires by itself, and no run is driven. */
export async function triggerSite(t: TestContext) {
  const { ownerUrl, database } = await testDatabase(t)
  const home = mkdtempSync(join(tmpdir(), 'waybill-triggers-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  writeFileSync(join(home, 'config.yaml'), '{}\n')
  let token = ''
  const opened = await openPlatform({
    home,
    data: join(home, 'data'),
    databaseUrl: ownerUrl,
    env: { OPENAI_API_KEY: 'not-used' },
    version: '9.9.9',
    keepToken: (one) => {
      token = one
    },
    log: () => {},
  })
  t.after(() => opened.close())
  const { signAudit } = homeKeys(home)
  const { send } = await serve(t, opened.platform)
  const request = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, json?: object) => {
    const answer = await send(method, path, { token, ...(json !== undefined && { json }) })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer.json
  }
  const { engine } = database
  const upload = (version: string, agent: object = {}, agentId = AGENT) =>
    request('POST', '/v1/agents', definitionOf({ version, ...agent }, { agent_id: agentId }))
  await upload('1.0.0')
  const follower = new RunFollower(engine)
  t.after(() => follower.close())
  /** The inputs of started runs, by their ids. */
  const inputs = new Map<string, { readonly input: Json; readonly triggered: boolean }>()
  const runsOf = (principal: Principal): TenantRuns => {
    const records = openPostgresRecords(database, principal.organisation, {
      worker: null,
      signAudit,
    })
    return new TenantRuns({
      database,
      principal,
      records,
      follower,
      webhookGrants: { hosts: [] },
      planner: {
        async newRun({ agent_id }, first, { run_id = '' }) {
          const { rows } = await engine.query<{ active: string }>(
            'SELECT active FROM waybill.agents WHERE agent_id = $1',
            [agent_id],
          )
          inputs.set(run_id, { input: first.input, triggered: first.triggered === true })
          return { run: { ...newRun(run_id, { plan: PLAN }), first }, version: rows[0]?.active ?? '' }
        },
      },
      notify: () => {},
      commanded: () => {},
    })
  }
  const sessionsOf = (principal: Principal) =>
    new TenantSessions({ database, principal, runs: runsOf(principal), notify: () => {} })
  const logged: string[] = []
  const engines: TriggerEngine[] = []
  t.after(() => Promise.all(engines.map((one) => one.stop())))
  const site = {
    database,
    signAudit,
    engine,
    send,
    request,
    upload,
    inputs,
    logged,
    token,
    runsOf,
    create: (json: object) => request('POST', '/v1/triggers', { agent_id: AGENT, ...json }),
    firings: async (id: string): Promise<readonly FiringRow[]> =>
      (await request('GET', `/v1/triggers/${id}/firings`)).items.toReversed(),
    /** What a worker does for triggers. */
    worker(options: Partial<ConstructorParameters<typeof TriggerEngine>[0]> = {}): TriggerEngine {
      const one = new TriggerEngine({
        engine,
        nextEntry: entryMaker(signAudit),
        runsOf,
        sessionsOf,
        log: (_level, message) => logged.push(message),
        ...options,
      })
      engines.push(one)
      return one
    },
    /** Makes a schedule due that has been waiting since a time. */
    async since(id: string, at: Date) {
      await engine.query('UPDATE waybill.triggers SET next_at = $2 WHERE id = $1', [id, at])
    },
    /** Ends a run, as its worker does. */
    async end(runId: string, status = 'completed') {
      await engine.query(
        `UPDATE waybill.progress SET status = $2, stop_reason = $2, phase = 'over' WHERE run_id = $1`,
        [runId, status],
      )
    },
  }
  return site
}

export type TriggerSite = Awaited<ReturnType<typeof triggerSite>>

/** Returns the headers of a message in the form of Standard Webhooks. */
export function standardHeaders(
  secret: string,
  body: string,
  { id = 'msg_1', at = Date.now(), type = 'application/json' } = {},
): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000))
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'content-type': type,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}

/** Returns the headers of a message in the form of GitHub. */
export function githubHeaders(
  secret: string,
  body: string,
  id = 'd1',
  event = 'push',
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'x-github-event': event,
    'x-github-delivery': id,
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  }
}
