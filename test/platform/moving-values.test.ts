import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { withStateChecksum } from '../../src/trust/checksum.ts'
import { noCertificates } from '../adapters/tls-front.ts'
import { until } from './leg-place.ts'
import { movingSite } from './moving-site.ts'
import {
  approve,
  assertNowhere,
  auditOf,
  clerk,
  decide,
  keyFile,
  move,
  moved,
  start,
  valuesOf,
} from './moving-values-site.ts'
import { AGENT, definitionOf } from './organisation.ts'

describe('values of personal data of runs that move', { skip: noCertificates }, () => {
  test('AAIF-12-07: they move sealed where an admin allows it, and are used at the other platform', {
    timeout: 600_000,
  }, async (t) => {
    const { a, b, effects, baseUrl } = await movingSite(t)
    await a.upload(clerk(baseUrl, 'anonymize'))
    await a.pin(b, { personal_data: true })
    await b.pin(a, { personal_data: true })
    const answers: unknown[] = []

    for (const method of ['document', 'stream'] as const)
      await t.test(`as a ${method}`, async () => {
        const value = `ada.${method}@example.com`
        const run = await start(a, value, { user: `ada-${method}`, session: method })
        if (method === 'document') {
          // The definition is sent with the first move.
          const first = await move(a, run, { dry_run: true })
          assert.deepEqual(first.json.report.entries, [])
          await b.upload(clerk(baseUrl, 'anonymize'))
        }
        const dry = await move(a, run, { dry_run: true })
        assert.deepEqual(valuesOf(dry.json.report), [
          { part: 'x-waybill.personal_data', status: 'carried', note: '1 value' },
        ])
        const keys = join(b.home, 'keys', 'pii')
        const before = existsSync(keys) ? readdirSync(keys).length : 0
        const answer = await move(a, run, { method, fail_on_loss: true })
        answers.push(dry, answer)
        const there: string = answer.json.target_run_id
        assert.equal(answer.json.state, 'moved', JSON.stringify(answer.json))
        assert.equal(readdirSync(keys).length, before + 1, 'the dry run has made no key')
        assert.ok(keyFile(b, there))
        await b.reaches(there, 'awaiting_approval')
        const [open] = (await b.ok('GET', '/v1/approvals')).items
        assert.deepEqual(open.arguments, { to: '[email:1]' })
        await approve(b, there)
        assert.equal(effects().at(-1), `send ${value}`)
        const [sent] = (await auditOf(a, 'run.moved')).filter((fact) => fact.run_id === run)
        const [received] = (await auditOf(b, 'run.received')).filter((fact) => fact.run_id === there)
        assert.deepEqual([sent?.personal_data, received?.personal_data], [1, 1])
        await assertNowhere([a, b], new RegExp(value), answers)
        assert.equal(JSON.stringify(await b.ok('GET', `/v1/runs/${there}`)).includes(value), false)
      })

    await t.test('there and back again, and the same value keeps its placeholder', async () => {
      const first = await start(a, 'back@example.com', { session: 'back' })
      const second = await moved(a, first)
      const third = await moved(b, second, { method: 'stream' })
      await approve(a, third)
      assert.equal(effects().at(-1), 'send back@example.com')
      const again = { input: JSON.stringify({ tool: 'send', to: 'back@example.com' }) }
      await a.ok('POST', '/v1/sessions/back/messages', again)
      await until(async () => JSON.stringify(await a.ok('GET', '/v1/approvals')).includes('[email:1]'))
      await decide(a, third, { verdict: 'approve' })
      await until(async () => effects().filter((one) => one === 'send back@example.com').length === 2)
      await assertNowhere([a, b], /back@example\.com/)
    })

    await t.test('only the values that the state names, also those of sub-agents', async () => {
      const [root, worker] = [1, 2].map((n) => `0198c0de-0000-7000-8000-00000000000${n}`) as [string, string]
      await a.upload(clerk(baseUrl, 'anonymize', { agent_id: worker }))
      const compliance = { pii_handling: 'anonymize' }
      const orchestration = { subagents: [{ ref: worker, alias: 'clerk' }], pipeline: ['clerk'] }
      const model = { provider: 'openai', preferred: 'gpt-4o', base_url: baseUrl }
      await a.upload(
        definitionOf(
          { name: 'Office', version: '1.0.0', model, compliance, orchestration },
          { agent_id: root },
        ),
      )
      const run = await start(a, 'sub@example.com', {}, root)
      const there = await moved(a, run)
      const [received] = (await auditOf(b, 'run.received')).filter((fact) => fact.run_id === there)
      assert.equal(received?.personal_data, 1)
      await b.reaches(there, 'awaiting_approval')
      await approve(b, there)
      assert.equal(effects().at(-1), 'send sub@example.com')
      await assertNowhere([a, b], /sub@example\.com/)
    })

    await t.test('an erasure on either platform destroys them', async () => {
      const run = await start(a, 'gone@example.com', { user: 'gone' })
      const there = await moved(a, run)
      assert.deepEqual([keyFile(a, run), keyFile(b, there)], [true, true])
      for (const [platform, id] of [
        [b, there],
        [a, run],
      ] as const) {
        const { id: erasure } = await platform.ok('POST', '/v1/erasures', { user: 'gone' })
        await until(
          async () =>
            (await platform.ok('GET', '/v1/erasures')).items.find((one: { id: string }) => one.id === erasure)
              ?.state !== 'pending',
        )
        assert.equal(keyFile(platform, id), false)
        assert.deepEqual(await platform.sql('SELECT line FROM waybill.sealed WHERE root = $1', [id]), [])
      }
    })
  })

  test('without permission, none moves, and a person decides about a call that needs one', {
    timeout: 600_000,
  }, async (t) => {
    const { a, b, effects, baseUrl } = await movingSite(t)
    await a.upload(clerk(baseUrl, 'anonymize'))
    await b.upload(clerk(baseUrl, 'anonymize'))
    const run = await start(a, 'ada@example.com')
    const dry = (await move(a, run, { dry_run: true })).json.report
    const stays = '1 value: they stay on the platform that captured the run'
    assert.deepEqual(valuesOf(dry), [{ part: 'x-waybill.personal_data', status: 'left_behind', note: stays }])
    const refused = await move(a, run, { fail_on_loss: true })
    assert.deepEqual([refused.status, refused.json.code], [422, 'STATE_LOSS'])

    const there = await moved(a, run)
    assert.equal(keyFile(b, there), false)
    assert.equal((await auditOf(a, 'run.moved'))[0]?.personal_data, undefined)
    assert.equal((await auditOf(b, 'run.received'))[0]?.personal_data, undefined)
    const [open] = (await b.ok('GET', '/v1/approvals')).items
    assert.deepEqual(open.arguments, { to: '[email withheld]' })
    assert.match(open.why, /values of personal data in it were left/)
    await decide(b, there, { verdict: 'edit', arguments: { to: 'front@desk' } })
    await b.reaches(there, 'completed')
    assert.deepEqual(effects(), ['send front@desk'])
    await assertNowhere([a, b], /ada@example\.com/)

    await t.test('the permission belongs to the peer, and ends when it is pinned without', async () => {
      const listed = async () => (await a.ok('GET', '/v1/peers')).items[0].personal_data
      assert.equal(await listed(), false)
      await a.pin(b, { personal_data: true })
      assert.equal(await listed(), true)
      await a.pin(b)
      assert.equal(await listed(), false)
      const keys = join(a.home, 'other-keys.json')
      writeFileSync(keys, JSON.stringify((await b.send('GET', '/.well-known/jwks.json')).json))
      const add = ['peers', 'add', 'other', '--url', b.url, '--same-users', '--keys', keys]
      const said = await a.command([...add, '--personal-data'])
      assert.equal(said.code, 0, said.err)
      assert.match(said.err, /sends and receives, with values of personal data/)
      assert.equal(await listed(), true)
      const facts = await auditOf(a, 'peer.set')
      assert.deepEqual(
        facts.map(({ personal_data }) => personal_data),
        [false, true, false, true],
      )
    })

    await t.test('for a key that the other platform does not have, only the names are sent', async () => {
      const { json: own } = await b.send('GET', '/.well-known/jwks.json')
      const foreign = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
      await a.pin(b, { personal_data: true, keys: { keys: [...own.keys, foreign] } })
      const second = await start(a, 'bob@example.com')
      const { report } = (await move(a, second, { dry_run: true })).json
      const [entry] = valuesOf(report)
      assert.match(entry?.note ?? '', /1 value: they are sealed for a key that this platform does not use/)
      const target = await moved(a, second)
      assert.deepEqual(await a.sql('SELECT values_sent FROM waybill.moves WHERE personal_data'), [])
      assert.equal(keyFile(b, target), false)
      // The newest key is the last one.
      await a.pin(b, { personal_data: true, keys: { keys: [foreign, ...own.keys] } })
      const third = await start(a, 'cy@example.com')
      await approve(b, await moved(a, third))
      assert.equal(effects().at(-1), 'send cy@example.com')
    })

    await t.test('a dry run makes no key, also if its state contains values in clear', async () => {
      const state = withStateChecksum({
        sc_standard: 'SC-006',
        state_id: randomUUID(),
        agent_id: AGENT,
        checkpoint_at: '2026-03-01T09:00:00Z',
        status: 'paused',
        conversation: [{ role: 'user', content: 'mail dan@example.com' }],
      })
      const keys = () => {
        const folder = join(b.home, 'keys', 'pii')
        return existsSync(folder) ? readdirSync(folder).length : 0
      }
      const before = keys()
      await b.ok('POST', '/v1/states?dry_run=true', state)
      assert.equal(keys(), before)
      await b.ok('POST', '/v1/states', state)
      assert.equal(keys(), before + 1)
    })
  })
})
