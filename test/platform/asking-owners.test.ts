import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { homeKeys } from '../../src/compose/home-keys.ts'
import { subjectKeyFiles } from '../../src/compose/subject-key-files.ts'
import { restoreBackup } from '../../src/platform/backup/restore-backup.ts'
import { writeBackup } from '../../src/platform/backup/write-backup.ts'
import { TABLES } from '../../src/platform/features.ts'
import { entryMaker } from '../../src/trust/audit-chain.ts'
import { issueMigrationToken } from '../../src/trust/migration-token.ts'
import { noCertificates } from '../adapters/tls-front.ts'
import { until } from './leg-place.ts'
import { type MovingPlatform, movingSite } from './moving-site.ts'
import { AGENT, definitionOf } from './organisation.ts'
import { testDatabase } from './postgres.ts'

/** Puts a platform back to a backup that was taken before `meanwhile`, in another database. Its server is closed. */
async function putBack(
  t: TestContext,
  { home, ownerUrl, closeServer }: MovingPlatform,
  meanwhile: () => Promise<void>,
) {
  const folder = join(home, 'backup')
  const subjects = subjectKeyFiles(join(home, 'keys', 'subjects'))
  await writeBackup({ ownerUrl, tables: TABLES.tables, folder, subjects, keys: [], version: '9.9.9' })
  await meanwhile()
  await closeServer()
  const restored = await testDatabase(t)
  const nextEntry = entryMaker(homeKeys(home).signAudit)
  await restoreBackup({
    ownerUrl: restored.ownerUrl,
    steps: TABLES.steps,
    folder,
    subjects,
    nextEntry,
    paused: false,
  })
  const sql = async (text: string, values: readonly unknown[] = []) =>
    (await restored.database.engine.query(text, [...values])).rows
  return { sql, env: { DATABASE_URL: restored.ownerUrl } }
}

describe('a platform that was put back to before a move', { skip: noCertificates }, () => {
  test('asks the pinned platforms which runs they own, before it drives any', async (t) => {
    const { a, b, effects, baseUrl } = await movingSite(t)
    await a.upload(
      definitionOf({
        version: '1.0.0',
        model: { provider: 'openai', preferred: 'gpt-4o', base_url: baseUrl },
        tools: [{ name: 'send', description: 'Sends.', parameters_schema: { type: 'object' } }],
        compliance: { human_in_the_loop: { enabled: true } },
      }),
    )
    const begin = async (to: string): Promise<string> => {
      const input = JSON.stringify({ tool: 'send', to })
      const { run_id } = await a.ok('POST', `/v1/agents/${AGENT}/runs`, { input })
      await a.reaches(run_id, 'awaiting_approval')
      return run_id
    }
    const [run, kept, claimed] = [await begin('ada'), await begin('bob'), await begin('cleo')]
    // A second organisation of b, which a has pinned as well.
    const place = (url: string, org: string) => `${url}/organisations/${org}`
    const acme = { organisation: 'acme', admin: { user: 'x' } }
    const { token } = (await b.ok('POST', '/v1/organisations', acme)).admin_token
    await b.sql(
      `INSERT INTO waybill.peers (org, name, url, organisation, keys, users, created_by)
       SELECT 'acme', name, url, organisation, keys, users, created_by FROM waybill.peers WHERE org = 'default'`,
    )
    const { json: keys } = await b.send('GET', '/.well-known/jwks.json')
    await a.ok('POST', '/v1/peers', {
      name: 'acme',
      url: b.url,
      organisation: 'acme',
      keys,
      token,
      users: null,
    })

    let there = ''
    const { sql, env } = await putBack(t, a, async () => {
      for (const one of [run, claimed])
        assert.equal((await a.ok('POST', `/v1/runs/${one}/migrate`, { to: 'other' })).state, 'moved')
      ;[{ run_id: there }] = (await b.sql('SELECT run_id FROM waybill.arrivals WHERE source_run_id = $1', [
        run,
      ])) as unknown as [{ run_id: string }]
      // The second organisation claims what went to the first one, which says nothing of it.
      await b.sql(`UPDATE waybill.arrivals SET org = 'acme' WHERE source_run_id = $1`, [claimed])
      // And b claims a run that never left, with a token that it has made.
      const iat = Math.floor(Date.now() / 1000)
      const made = await issueMigrationToken(
        {
          ...{ iat, exp: iat + 900, jti: 'made', state_id: 's', agent_id: AGENT, run_id: kept },
          iss: place(a.url, 'default'),
          aud: place(b.url, 'default'),
        },
        homeKeys(b.home).signAudit(homeKeys(b.home).messages.current()),
      )
      await b.sql(
        `INSERT INTO waybill.arrivals (org, jti, peer, state, run_id, token, source) VALUES ('default', 'made', 'other', 'owned', 'r', $1, $2)`,
        [made, place(a.url, 'default')],
      )
    })
    // As if its next leg had been due.
    await sql(`UPDATE waybill.progress SET phase = 'queued', leg = greatest(leg, 1) WHERE run_id = $1`, [run])
    const events = async () => (await sql('SELECT seq FROM waybill.events WHERE run_id = $1', [run])).length
    const before = await events()
    await a.openServer(env)

    await t.test('the run is away, and both sides name its owner', async () => {
      assert.equal(await a.status(run), 'moved')
      const [move] = await sql('SELECT jti, target, target_run_id FROM waybill.moves WHERE run_id = $1', [
        run,
      ])
      assert.deepEqual([move?.target, move?.target_run_id], [place(b.url, 'default'), there])
      const [here, of] = await Promise.all([a, b].map((one) => one.ok('GET', `/v1/migrations/${move?.jti}`)))
      assert.deepEqual([here.state, here.owner, here.run_id], ['moved', of.owner, of.run_id])
      assert.equal(await events(), before)
      const log = await sql(`SELECT line FROM waybill.audit WHERE org = 'default'`)
      assert.equal(log.filter(({ line }) => String(line).includes('run.found_moved')).length, 1)
    })

    await t.test(
      'another platform cannot claim it, and a token that it has made proves nothing',
      async () => {
        for (const one of [kept, claimed]) assert.equal(await a.status(one), 'awaiting_approval', a.logged())
        for (const name of ['acme', 'other'])
          assert.match(
            a.logged(),
            new RegExp(`${name} names a run that this organisation has not sent there`),
          )
      },
    )

    await t.test('it is sent once, by its owner', async () => {
      const { items } = await b.ok('GET', '/v1/approvals')
      const question = items.find((one: { run_id: string }) => one.run_id === there)
      await b.ok('POST', `/v1/approvals/${question.id}`, { verdict: 'approve' })
      await b.reaches(there, 'completed')
      assert.deepEqual(effects(), ['send ada'])
    })

    await t.test('a platform that cannot be reached is asked again later', async () => {
      await a.closeServer()
      await b.closeServer()
      await sql('DELETE FROM waybill.moves')
      await sql(`SELECT set_config('waybill.move', 'on', false)`)
      await sql(
        `WITH s AS MATERIALIZED (SELECT set_config('waybill.move', 'on', true))
         UPDATE waybill.progress SET phase = 'parked' FROM s WHERE run_id = $1`,
        [run],
      )
      await sql('UPDATE waybill.installation SET generation = generation + 1')
      await a.openServer(env)
      assert.equal(await a.status(run), 'awaiting_approval')
      await b.openServer()
      await until(async () => (await a.status(run)) === 'moved', 30_000)
    })

    await t.test('a question that no pinned platform has signed is refused', async () => {
      for (const [question, code] of [
        ['x', 'REQUEST_INVALID'],
        ['a.b.c', 'PEER_INVALID'],
      ] as const) {
        const { status, json } = await b.send('POST', '/v1/arrivals', { question })
        assert.deepEqual([status, json.code], [422, code])
      }
    })
  })
})
