import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { homeKeys } from '../../src/compose/home-keys.ts'
import { openPlatform } from '../../src/compose/open-platform.ts'
import { subjectKeyFiles } from '../../src/compose/subject-key-files.ts'
import { writeBackup } from '../../src/platform/backup/write-backup.ts'
import { inOrganisation } from '../../src/platform/database/tenant.ts'
import { TABLES } from '../../src/platform/features.ts'
import { removeExpired } from '../../src/platform/removal/expired.ts'
import { removeRootRun } from '../../src/platform/removal/remove-root-run.ts'
import type { ConfigRetention } from '../../src/settings/config-schema.ts'
import { entryMaker } from '../../src/trust/audit-chain.ts'
import { ModelServer } from '../redteam/world.ts'
import { serve } from '../server/served.ts'
import { allRows } from './all-rows.ts'
import { AGENT, definitionOf } from './organisation.ts'
import { testDatabase } from './postgres.ts'
import { receiver, until } from './webhooks-fixture.ts'

/** What a user has written, which is nowhere after an erasure. */
const SAID = 'said-by-ada-Zk47Qp'

/** A platform with a worker, whose model repeats what it gets, or calls the tool that is named. */
async function site(t: TestContext) {
  const models = (await new ModelServer().start()) as ModelServer
  t.after(() => models.stop())
  models.speaks = ({ messages }) => {
    const last = messages.at(-1)
    const text = JSON.stringify(last?.content)
    const tool = last?.role === 'tool' ? undefined : /use (\w+)/.exec(text)?.[1]
    return tool === undefined ? `heard: ${text}` : [{ tool, args: { about: text } }]
  }
  const tools = await receiver(t)
  const held: ServerResponse[] = []
  tools.behaves.set('/wait', (_request, response) => held.push(response))
  // Hooks run in their order, and the platform must close before its database is removed.
  const closing: (() => Promise<void>)[] = []
  t.after(async () => {
    for (const response of held) response.end()
    for (const close of closing) await close()
  })
  const { ownerUrl, database } = await testDatabase(t)
  const home = mkdtempSync(join(tmpdir(), 'waybill-removal-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  const config = {
    tools: { wait: { read_only: true } },
    private_hosts: [tools.host],
    providers: { openai: { base_urls: [`${models.url}/v1`] } },
  }
  writeFileSync(join(home, 'config.yaml'), JSON.stringify(config))
  let admin = ''
  const opened = await openPlatform({
    home,
    data: home,
    databaseUrl: ownerUrl,
    env: { OPENAI_API_KEY: 'sk-unused' },
    worker: { leaseMs: 1000, pollMs: 20 },
    keepToken: (token) => {
      admin = token
    },
    version: '9.9.9',
    log: () => {},
  })
  closing.push(() => opened.close())
  const { send } = await serve(t, opened.platform)
  const ask = async (method: 'GET' | 'POST' | 'DELETE', path: string, json?: object, token = admin) =>
    send(method, path, { token, ...(json !== undefined && { json }) })
  const tool = (name: string) => ({
    name,
    description: name,
    protocol: 'http',
    endpoint: `${tools.url}/${name}`,
    parameters_schema: { type: 'object', properties: { about: { type: 'string' } } },
  })
  const definition = definitionOf({
    version: '1.0.0',
    model: { provider: 'openai', preferred: 'test-model', base_url: `${models.url}/v1` },
    tools: [tool('wait'), tool('send')],
    compliance: { human_in_the_loop: { enabled: true }, audit_log: true, pii_handling: 'anonymize' },
  })
  const uploaded = await ask('POST', '/v1/agents', definition)
  assert.equal(uploaded.status, 201, uploaded.text)
  const start = async (json: object, headers = {}) => {
    const answer = await send('POST', `/v1/agents/${AGENT}/runs`, { token: admin, json, headers })
    assert.ok(answer.status < 300, answer.text)
    return answer.json
  }
  const statusOf = async (run: string) => (await ask('GET', `/v1/runs/${run}`)).json.status
  return { ask, send, start, statusOf, admin, definition, home, ownerUrl, database, held }
}

describe('the erasure of a user', () => {
  it('removes every row of the user, and of no other user', async (t) => {
    const { ask, send, start, statusOf, admin, definition, home, ownerUrl, database, held } = await site(t)
    const { engine } = database
    const created = await ask('POST', '/v1/organisations', { organisation: 'other', admin: { user: 'eve' } })
    const eve = created.json.admin_token.token as string
    assert.equal((await ask('POST', '/v1/agents', definition, eve)).status, 201)
    const elsewhere = await ask('POST', `/v1/agents/${AGENT}/runs`, { input: 'x', user: 'ada' }, eve)
    const wait_seconds = 20
    const key = { 'idempotency-key': 'first' }
    const done = await start({ input: `${SAID} from ada@home.example`, user: 'ada', wait_seconds }, key)
    assert.equal(done.status, 'completed')
    const asks = await start({ input: `${SAID}: use send`, user: 'ada', wait_seconds })
    assert.equal(asks.status, 'awaiting_approval')
    const talks = await start({ input: SAID, user: 'ada', session: 'talk', wait_seconds })
    await ask('POST', '/v1/sessions/talk/messages', { input: `${SAID} again` })
    const waits = await start({ input: `${SAID}: use wait`, user: 'ada' })
    await until(() => held.length === 1, 'the call')
    const trigger = await ask('POST', '/v1/triggers', { agent_id: AGENT, kind: 'message' })
    const message = { from: 'ada', text: `${SAID} by message` }
    assert.ok((await ask('POST', `/v1/triggers/${trigger.json.id}/messages`, message)).status < 300)
    const fired = async () => (await ask('GET', `/v1/triggers/${trigger.json.id}/firings`)).json.items[0]
    await until(async () => (await fired())?.state === 'started', 'the firing')
    const bobs = await start({ input: 'said by bob', user: 'bob', wait_seconds })
    await engine.query(`
      INSERT INTO waybill.items (org, definition, agent_id, scope, user_id, session, key, content, saved_at, source)
        SELECT org, 'd', 'a', 'user', who, '', 'k', CASE WHEN org = 'default' AND who = 'ada' THEN '${SAID}' ELSE 'kept' END, 0, 'model'
        FROM unnest(ARRAY['ada', 'bob']) AS who, unnest(ARRAY['default', 'other']) AS org;
      INSERT INTO waybill.seeds (org, definition, agent_id, scope, user_id, session, key, sha256)
        VALUES ('default', '${SAID}', 'a', 'user', 'ada', '', 'k', '0');
      INSERT INTO waybill.memory_sessions (org, definition, agent_id, user_id, session, used_at)
        VALUES ('default', '${SAID}', 'a', 'ada', 's', 0)`)
    const keysOf = () => readdirSync(join(home, 'keys', 'pii'))
    assert.deepEqual(keysOf(), [`${done.run_id}.key`])
    const backUp = (name: string) =>
      writeBackup({
        ownerUrl,
        tables: TABLES.tables,
        folder: join(home, name),
        subjects: subjectKeyFiles(join(home, 'keys', 'subjects')),
        keys: [],
        version: '9.9.9',
      })
    await backUp('before')
    assert.match(await allRows(engine), new RegExp(SAID))

    // A transaction that began earlier could store a run of the user, so the erasure waits for it.
    const earlier = await engine.connect()
    await earlier.query('BEGIN; SELECT pg_current_xact_id()')
    const erasure = await ask('POST', '/v1/erasures', { user: 'ada' })
    assert.deepEqual([erasure.status, erasure.json.state, erasure.json.user], [202, 'pending', 'ada'])
    assert.equal((await ask('POST', '/v1/erasures', { user: 'ada' })).json.id, erasure.json.id)
    const state = async () => (await ask('GET', `/v1/erasures/${erasure.json.id}`)).json
    const runsOf = async (user: string) => (await ask('GET', `/v1/runs?user=${user}`)).json.items
    await until(async () => (await runsOf('ada')).length === 0, 'no runs')
    for (const request of [
      { input: 'x', user: 'ada' },
      { input: 'x', user: 'ada', session: 'new' },
    ]) {
      const refused = await ask('POST', `/v1/agents/${AGENT}/runs`, request)
      assert.deepEqual([refused.status, refused.json.code], [409, 'USER_BEING_ERASED'], refused.text)
    }
    await ask('POST', `/v1/triggers/${trigger.json.id}/messages`, { from: 'ada', text: `${SAID} too late` })
    const bobsMessage = { from: 'bob', text: 'kept: "from":"ada"' }
    assert.ok((await ask('POST', `/v1/triggers/${trigger.json.id}/messages`, bobsMessage)).status < 300)
    assert.equal((await state()).state, 'pending')
    await earlier.query('COMMIT')
    earlier.release()
    await until(async () => (await state()).state === 'removed', 'the end')

    const { user, runs, items, subject } = await state()
    assert.deepEqual([user, runs, items], [null, 5, 1])
    const rows = await allRows(engine)
    assert.doesNotMatch(rows, new RegExp(SAID))
    const payloads = await engine.query(`SELECT FROM waybill.firings WHERE payload LIKE '%kept: %'`)
    assert.equal(payloads.rowCount, 1)
    for (const { run_id } of [done, asks, talks, waits])
      assert.equal((await ask('GET', `/v1/runs/${run_id}`)).status, 404)
    assert.deepEqual(keysOf(), [])
    const { rows: left } = await engine.query(
      `SELECT 'run' AS kind, org FROM waybill.runs WHERE user_id = 'ada' UNION ALL
       SELECT 'item', org FROM waybill.items WHERE user_id = 'ada' UNION ALL
       SELECT 'session', org FROM waybill.conversations WHERE user_id = 'ada' UNION ALL
       SELECT 'spending', org FROM waybill.spending WHERE kind = 'user' AND subject = 'ada' ORDER BY kind`,
    )
    assert.deepEqual(
      left.filter(({ kind }) => kind !== 'spending'),
      [
        { kind: 'item', org: 'other' },
        { kind: 'run', org: 'other' },
      ],
    )
    assert.ok(left.every(({ org }) => org === 'other'))
    assert.equal((await fired())?.run_id !== undefined, true, 'the firing is still known')
    assert.equal(await statusOf(bobs.run_id), 'completed')
    assert.equal((await ask('GET', `/v1/runs/${elsewhere.json.run_id}`, undefined, eve)).status, 200)
    const audit = await ask('GET', '/v1/audit?limit=1000')
    const facts = audit.json.items.map(({ fact }: { fact: Record<string, unknown> }) => fact)
    // The runs of others continue meanwhile.
    const erased = facts.filter(({ kind }: Record<string, unknown>) => kind === 'user.erased')
    assert.deepEqual(
      erased.map((one: Record<string, unknown>) => [one.subject, one.runs, one.items]),
      [[subject, 5, 1]],
    )
    assert.equal(
      facts.filter(({ kind, why }: Record<string, unknown>) => kind === 'run.removed' && why === 'erasure')
        .length,
      5,
    )
    assert.equal((await ask('GET', '/v1/audit/verify')).json.ok, true)
    // A repeated request does not get the old answer.
    const repeated = await send('POST', `/v1/agents/${AGENT}/runs`, {
      token: admin,
      json: { input: `${SAID} from ada@home.example`, user: 'ada', wait_seconds },
      headers: key,
    })
    assert.notEqual(repeated.json.run_id, done.run_id)
    await ask('DELETE', `/v1/runs/${repeated.json.run_id}`)
    await backUp('after')
    const complete = await state()
    assert.equal(complete.state, 'complete')
    assert.ok(complete.complete_at >= complete.removed_at)
  })
})

describe('an erasure', () => {
  it('misses no run that is stored at the same moment, whatever the name of the user', async (t) => {
    const { ask, database } = await site(t)
    const { engine } = database
    const users = ['eve', 'x'.repeat(512), `'"\\%_ü😀`]
    const earlier = await engine.connect()
    await earlier.query('BEGIN; SELECT pg_current_xact_id()')
    const asked = await Promise.all(
      users.flatMap((user) =>
        Array.from({ length: 11 }, async (_, n) =>
          n === 5
            ? ask('POST', '/v1/erasures', { user })
            : ask('POST', `/v1/agents/${AGENT}/runs`, { input: SAID, user }),
        ),
      ),
    )
    await earlier.query('COMMIT')
    earlier.release()
    const answers = asked.map(({ status, json }) => (status === 202 ? 'stored' : json.code))
    assert.deepEqual(new Set(answers), new Set(['stored', 'USER_BEING_ERASED']))
    await until(async () => {
      const { items } = (await ask('GET', '/v1/erasures')).json
      return items.length === 3 && items.every(({ state }: { state: string }) => state === 'removed')
    }, 'the end')
    assert.doesNotMatch(await allRows(engine), new RegExp(SAID))
    const { items } = (await ask('GET', '/v1/erasures')).json
    const removed = items.reduce((sum: number, { runs }: { runs: number }) => sum + runs, 0)
    assert.equal(removed, answers.filter((answer) => answer === 'stored').length - 3)
  })
})

describe('one run', () => {
  it('is removed with its session, but not while a worker drives it', async (t) => {
    const { ask, start, held, database } = await site(t)
    const talks = await start({ input: SAID, session: 'talk', wait_seconds: 20 })
    const removed = await ask('DELETE', `/v1/runs/${talks.run_id}`)
    assert.deepEqual([removed.status, removed.json], [200, { removed: 1 }])
    assert.equal((await ask('DELETE', `/v1/runs/${talks.run_id}`)).status, 404)
    assert.equal((await ask('GET', '/v1/sessions/talk')).status, 404)
    assert.doesNotMatch(await allRows(database.engine), new RegExp(SAID))
    const waits = await start({ input: 'use wait' })
    await until(() => held.length === 1, 'the call')
    const driven = await ask('DELETE', `/v1/runs/${waits.run_id}`)
    assert.deepEqual([driven.status, driven.json.code], [409, 'RUN_LOCKED'], driven.text)
    const [, last] = (await ask('GET', '/v1/audit')).json.items
      .map(({ fact }: { fact: Record<string, unknown> }) => fact)
      .filter(({ kind }: Record<string, unknown>) => String(kind).startsWith('run.'))
      .slice(-2)
    assert.equal(last.kind, 'run.started')
  })
})

describe('retention', () => {
  it('removes what is older than the organisation keeps, and nothing else', async (t) => {
    const { database } = await testDatabase(t)
    const { engine } = database
    const home = mkdtempSync(join(tmpdir(), 'waybill-retention-'))
    t.after(() => rmSync(home, { recursive: true, force: true }))
    const nextEntry = entryMaker(homeKeys(home).signAudit)
    const gone: string[] = []
    const parts = { engine, nextEntry, erase: TABLES.erase, removeKey: (run: string) => gone.push(run) }
    const day = 86_400_000
    const now = 100 * day
    const limit = now - 30 * day
    await engine.query(`
      INSERT INTO waybill.organisations (org, name) VALUES ('a', 'A'), ('b', 'B');
      INSERT INTO waybill.runs (org, run_id, v, header, first, imported, created_at, agent_id, plans, parent, root)
        SELECT org, id, 1, '{}', '{}', false, at, 'x', '{}', parent, parent FROM (VALUES
          ('a', 'old', 0, NULL), ('a', 'child', 0, 'old'), ('a', 'edge', ${limit}, NULL), ('a', 'busy', 0, NULL),
          ('a', 'changed', 0, NULL), ('a', 'talk', 0, NULL), ('b', 'old', 0, NULL)) AS r(org, id, at, parent);
      INSERT INTO waybill.progress (org, run_id, epoch, seq, status, questions, updated_at, phase)
        SELECT org, id, 1, 0, 'completed', 0, at, phase FROM (VALUES
          ('a', 'old', ${limit - 1}, 'over'), ('a', 'child', 0, 'over'), ('a', 'edge', ${limit}, 'over'), ('a', 'busy', 0, 'parked'),
          ('a', 'changed', ${limit}, 'over'), ('a', 'talk', 0, 'over'), ('b', 'old', 0, 'over')) AS p(org, id, at, phase);
      INSERT INTO waybill.conversations (org, session, agent_id, run_id) VALUES ('a', 's', 'x', 'talk'), ('a', 'empty', 'x', NULL);
      INSERT INTO waybill.items (org, definition, agent_id, scope, user_id, session, key, content, saved_at, source)
        VALUES ('a', 'd', 'a', 'user', 'u', '', 'old', '', ${limit - 1}, 'model'), ('a', 'd', 'a', 'user', 'u', '', 'edge', '', ${limit}, 'model'),
          ('b', 'd', 'a', 'user', 'u', '', 'old', '', 0, 'model')`)
    const named = async (name: string, table: string, org = 'a') =>
      (
        await engine.query<{ name: string }>(
          `SELECT ${name} AS name FROM waybill.${table} WHERE org = $1 ORDER BY 1`,
          [org],
        )
      ).rows.map((row) => row.name)
    const expire = (retention: ConfigRetention, org = 'a') => removeExpired(parts, org, retention, now)

    assert.equal(await expire({}), false)
    assert.equal((await named('run_id', 'runs')).length, 6)
    assert.equal(await expire({ runs_days: 30 }), false)
    assert.deepEqual(await named('run_id', 'runs'), ['busy', 'changed', 'edge'])
    assert.deepEqual(gone.sort(), ['child', 'old', 'talk'])
    assert.deepEqual(await named('session', 'conversations'), ['empty'])
    assert.deepEqual(await named('key', 'items'), ['edge', 'old'])
    await expire({ memory_days: 30 })
    assert.deepEqual(await named('key', 'items'), ['edge'])
    assert.deepEqual(
      [await named('run_id', 'runs', 'b'), await named('key', 'items', 'b')],
      [['old'], ['old']],
    )
    const facts = (await named('line', 'audit')).map((line) => JSON.parse(line).fact)
    assert.deepEqual(
      facts.map(({ kind, run_id, by, why }) => [kind, run_id, by, why]).sort(),
      ['child', 'old', 'talk'].map((run) => ['run.removed', run, 'the platform', 'retention']),
    )

    // A message has opened it again since it was found.
    await engine.query(`UPDATE waybill.progress SET phase = 'parked', updated_at = 0 WHERE run_id = 'edge'`)
    const removal = { org: 'a', nextEntry, by: 'x', why: 'retention' as const, endedBefore: limit }
    assert.deepEqual(await inOrganisation(engine, 'a', (sql) => removeRootRun(sql, 'edge', removal)), [])

    await engine.query(`
      INSERT INTO waybill.items (org, definition, agent_id, scope, user_id, session, key, content, saved_at, source)
        SELECT 'b', 'd', 'a', 'user', 'u', '', n::text, '', 0, 'model' FROM generate_series(1, 200) AS n`)
    assert.deepEqual(
      [await expire({ memory_days: 1 }, 'b'), await expire({ memory_days: 1 }, 'b')],
      [true, false],
    )
    assert.deepEqual(await named('key', 'items', 'b'), [])
  })
})
