import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { backupTables } from '../../src/platform/backup/backup-tables.ts'
import { ownerOf } from '../../src/platform/backup/table-owners.ts'
import { TABLES } from '../../src/platform/features.ts'
import { allRows } from './all-rows.ts'
import { approvalsSite } from './approvals-site.ts'
import { until } from './leg-place.ts'
import { testDatabase } from './postgres.ts'

/** What the runs of a user carry in every text. */
const CANARY = 'canary-of-ada-Qz83'
const THIRD = '0198c0de-0000-7000-8000-0000000000e2'
const OTHER = '0198c0de-0000-7000-8000-0000000000e1'

describe('the data of a user', () => {
  test('is in no table after an erasure, wherever a run has carried it, and is encrypted in every backup', {
    timeout: 300_000,
  }, async (t) => {
    const site = await approvalsSite(t)
    const { send, get, agent, admin, database } = site
    const { engine } = database
    const compliance = { human_in_the_loop: { enabled: true }, audit_log: true }
    await site.upload('1.0.0', { compliance })
    await site.upload('1.0.0', { name: 'Other', compliance: { audit_log: true } }, { agent_id: OTHER })
    let n = 0
    /** Every request has a key, so that its answer is stored. */
    const post = async (path: string, json: object, user = admin) => {
      const headers = { 'idempotency-key': `key-${n++}` }
      const answer = await send('POST', path, { token: user, json, headers })
      assert.ok(answer.status < 300, `${path}: ${answer.text}`)
      return answer.json
    }
    const ann = await site.member('ann', 'approver')
    await post('/v1/triggers', { agent_id: OTHER, kind: 'event', event: 'run.ended', of_agent: agent })
    const start = (input: object, more: object = {}) =>
      post(`/v1/agents/${agent}/runs`, {
        input: JSON.stringify(input),
        user: 'ada',
        wait_seconds: 20,
        ...more,
      })
    const questionOf = async (run_id: string) => {
      let found: { readonly id: string; readonly digest: string } | undefined
      await until(async () => {
        found = (await get(`/v1/approvals?run_id=${run_id}`)).items[0]
        return found !== undefined
      })
      return found ?? { id: '', digest: '' }
    }
    const call = { tool: 'send', to: CANARY }
    // Rules, notes, edited arguments, votes, and tools that a model makes up.
    const ruled = await start(call)
    const { id } = await questionOf(ruled.run_id)
    await post(`/v1/approvals/${id}`, { verdict: 'approve', note: `why ${CANARY}`, rule: { uses: 5 } })
    const denied = await start({ tool: 'send', to: `denied ${CANARY}` })
    await post(`/v1/approvals/${(await questionOf(denied.run_id)).id}`, { verdict: 'deny', note: CANARY })
    await start({ tool: CANARY, to: CANARY })
    await send('PUT', '/v1/approval-policies/two', { token: admin, json: { approvals_needed: 2 } })
    const voted = await start({ tool: 'send', to: `voted ${CANARY}` })
    const open = await questionOf(voted.run_id)
    await post(
      `/v1/approvals/${open.id}`,
      { verdict: 'edit', digest: open.digest, arguments: { to: `edited ${CANARY}` } },
      ann,
    )
    // What a run leads to: a fork, a retry, a run that its end has fired, a session, a batch, a message.
    const state = await get(`/v1/runs/${voted.run_id}/state`)
    await post('/v1/states', state)
    const wrote = await start({ write: `text ${CANARY}` })
    assert.match(JSON.stringify(wrote.output), new RegExp(CANARY))
    await post(`/v1/runs/${wrote.run_id}/retry`, {})
    const derived = async () => (await get(`/v1/runs?agent_id=${OTHER}&limit=100`)).items
    await until(async () => JSON.stringify(await events(await derived())).includes(CANARY))
    await start({ write: CANARY }, { session: `talk ${CANARY}` })
    // The plan of a run names the owner of its memory.
    const remembers = { name: 'Third', memory: [{ scope: 'session', content: 'Colours.' }], compliance }
    await site.upload('1.0.0', remembers, { agent_id: THIRD })
    const request = { input: 'x', user: 'ada', session: `memory ${CANARY}`, wait_seconds: 20 }
    await post(`/v1/agents/${THIRD}/runs`, request)
    await post(`/v1/sessions/talk%20${CANARY}/messages`, { input: CANARY })
    await post(`/v1/agents/${agent}/batches`, { inputs: [CANARY], user: 'ada' })
    const trigger = await post('/v1/triggers', { agent_id: agent, kind: 'message' })
    await post(`/v1/triggers/${trigger.id}/messages`, { from: 'ada', text: CANARY, id: `id ${CANARY}` })
    await engine.query(
      `INSERT INTO waybill.items (org, definition, agent_id, scope, user_id, session, key, content, saved_at, source, run_id)
       VALUES ('default', 'd', 'a', 'agent', '', '', 'k', $1, 0, 'model', $2)`,
      [CANARY, wrote.run_id],
    )
    const bobs = await post(`/v1/agents/${agent}/runs`, { input: 'of bob', user: 'bob', wait_seconds: 20 })
    async function events(runs: readonly { readonly run_id: string }[]) {
      return Promise.all(runs.map(({ run_id }) => get(`/v1/runs/${run_id}/events`)))
    }
    const carrying = async () => {
      const found: string[] = []
      for (const { name, columns, select } of await backupTables(
        engine as unknown as pg.Client,
        TABLES.tables,
      )) {
        const { rows } = await engine.query(`SELECT * FROM (${select}) AS t`)
        for (const { subject, ...row } of rows) {
          const text = columns
            .map((column) =>
              Buffer.isBuffer(row[column]) ? row[column].toString('latin1') : JSON.stringify(row[column]),
            )
            .join(' ')
          if (text.includes(CANARY)) found.push(`${name} ${subject === null ? 'of nobody' : 'of a user'}`)
        }
      }
      return [...new Set(found)].sort()
    }
    const before = await carrying()
    assert.ok(before.length >= 8, before.join(', '))
    assert.ok(before.includes('plans of a user'), before.join(', '))
    assert.deepEqual(
      before.filter((one) => one.endsWith('of nobody')),
      [],
    )
    const erasure = await post('/v1/erasures', { user: 'ada' })
    await until(async () => (await get(`/v1/erasures/${erasure.id}`)).state === 'removed')
    const left = (await allRows(engine)).split('\n').filter((text) => text.includes(CANARY))
    assert.deepEqual(left, [])
    assert.equal((await get('/v1/audit/verify')).ok, true)
    assert.equal((await get(`/v1/runs/${bobs.run_id}`)).status, 'completed')
  })

  test('has a rule in each table, and no text of an organisation came in unseen', async (t) => {
    const { ownerUrl } = await testDatabase(t)
    const client = new pg.Client({ connectionString: ownerUrl })
    await client.connect()
    client.on('error', () => {})
    t.after(() => client.end().catch(() => {}))
    const { rows } = await client.query<{
      name: string
      columns: string[]
      texts: string[]
      cascades: boolean
    }>(`
      SELECT c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns,
        array_agg(a.attname::text ORDER BY a.attnum) FILTER (WHERE a.atttypid::regtype::text IN ('text', 'text[]', 'jsonb', 'json', 'bytea')) AS texts,
        EXISTS (SELECT FROM pg_constraint AS r WHERE r.conrelid = c.oid AND r.contype = 'f' AND r.confdeltype = 'c'
          AND r.confrelid IN ('waybill.runs'::regclass, 'waybill.questions'::regclass)) AS cascades
      FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE c.relnamespace = 'waybill'::regnamespace AND c.relkind = 'r' GROUP BY c.oid, c.relname ORDER BY c.relname`)
    const without = rows.filter((table) => ownerOf(table, TABLES.tables) === undefined)
    assert.deepEqual(
      without.map(({ name }) => name),
      [],
    )
    // A new column belongs into this list only if no text of a run can reach it.
    const texts = rows
      .filter(({ name }) => isOfOrganisation(name))
      .map(({ name, texts: found }) => `${name}: ${(found ?? []).filter((one) => one !== 'org').join(' ')}`)
    assert.deepEqual(texts, TEXTS)
    // Rows of a run go with it: by their reference, or by name.
    const others = rows.filter(
      ({ name, columns, cascades }) => columns.includes('run_id') && !cascades && name !== 'runs',
    )
    assert.deepEqual(
      others.map(({ name }) => name),
      REMOVED,
    )
    const unknown = ownerOf({ name: 'notes', columns: ['org', 'id', 'text'] }, TABLES.tables)
    assert.equal(unknown, undefined)
  })
})

const TEXTS: readonly string[] = [
  'agent_versions: agent_id version digest definition media_type body status report uploaded_by',
  'agents: agent_id name active labels',
  'approval_policies: name body changed_by',
  'audit: line',
  'audit_heads: line',
  'batches: batch agent_id by',
  'erasures: id user_id subject by',
  'installation: id system timeline place',
  'members: user_id kind name roles created_by mail',
  'organisations: name limits',
  'peers: name url organisation keys users token token_key token_version created_by profile source_platforms',
  'routes: name body',
  'saved_calls: call_key',
  'secret_keys: key_id wrapped_by wrapped',
  'secrets: name hosts version key_id sealed set_by',
  'stops: id kind subject by reason lifted_by',
  'team_members: team user_id',
  'teams: team name roles',
  'tokens: id hash name roles user_id created_by scopes makers',
  'triggers: id agent_id kind settings event of_agent statuses source declared why acts_for created_by hook salt key old_salt old_key makers',
  'webhooks: id url receiver events agent_id runs signature salt key old_salt old_key why created_by',
]
/**
 * By `removeRun`, `removeRootRun` and `performErasure`, or, of a stream that arrives and of slots, by time. What is left of
 * moves and arrivals says who owns the run.
 */
const REMOVED: readonly string[] = [
  'arrivals',
  'arriving_events',
  'commands',
  'conversations',
  'decisions',
  'events',
  'firings',
  'items',
  'moves',
  'slots',
  'texts',
]

/** Whether the rows of a table are of the organisation or the installation, and a backup has them. */
function isOfOrganisation(name: string): boolean {
  const { owner, left_out } = TABLES.tables[name] ?? {}
  return typeof owner === 'string' && left_out === undefined
}
