import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { homeKeys } from '../../src/compose/home-keys.ts'
import type { JsonObject } from '../../src/document/json.ts'
import type { FidelityEntry, FidelityReport } from '../../src/state/fidelity.ts'
import { personalDataIn, readPersonalData, withPersonalData } from '../../src/state/moved-personal-data.ts'
import { stateDigest, withStateChecksum } from '../../src/trust/checksum.ts'
import { issueMigrationToken } from '../../src/trust/migration-token.ts'
import { openSealed } from '../../src/trust/seal-for.ts'
import { noCertificates } from '../adapters/tls-front.ts'
import type { Relay } from '../fault/move-relay.ts'
import { until } from './leg-place.ts'
import { type MovingPlatform, movingSite } from './moving-site.ts'
import { AGENT, definitionOf } from './organisation.ts'

const PARAMETERS = {
  type: 'object',
  // Placeholders do not match it: the real value does.
  properties: { to: { type: 'string', pattern: '^[^@]+@[^@]+$' } },
  additionalProperties: false,
}

const clerk = (base_url: string, pii_handling: string, root: object = {}) =>
  definitionOf(
    {
      name: `Clerk ${JSON.stringify(root)}`,
      version: '1.0.0',
      model: { provider: 'openai', preferred: 'gpt-4o', base_url },
      tools: [{ name: 'send', description: 'Sends.', parameters_schema: PARAMETERS }],
      compliance: { human_in_the_loop: { enabled: true }, pii_handling },
    },
    root,
  )

const start = async (platform: MovingPlatform, to: string, members: object = {}, agent = AGENT) => {
  const input = JSON.stringify({ tool: 'send', to })
  const { run_id } = await platform.ok('POST', `/v1/agents/${agent}/runs`, { input, ...members })
  await platform.reaches(run_id, 'awaiting_approval')
  return run_id as string
}

const move = (platform: MovingPlatform, runId: string, members: object = {}) =>
  platform.send('POST', `/v1/runs/${runId}/migrate`, { to: 'other', ...members })

const moved = async (platform: MovingPlatform, runId: string, members: object = {}): Promise<string> => {
  const { json } = await move(platform, runId, members)
  assert.equal(json.state, 'moved', JSON.stringify(json))
  return json.target_run_id
}

const decide = async (platform: MovingPlatform, runId: string, decision: object) => {
  await platform.reaches(runId, 'awaiting_approval')
  const { items } = await platform.ok('GET', '/v1/approvals')
  const open = items.find((one: { run_id: string; root_run_id?: string }) =>
    [one.run_id, one.root_run_id].includes(runId),
  )
  const { id, digest } = open ?? items[0]
  await platform.ok('POST', `/v1/approvals/${id}`, { ...decision, digest })
}

const approve = async (platform: MovingPlatform, runId: string) => {
  await decide(platform, runId, { verdict: 'approve' })
  await platform.reaches(runId, 'completed')
}

const valuesOf = ({ entries }: FidelityReport): readonly FidelityEntry[] =>
  entries.filter(({ part }) => part === 'x-waybill.personal_data')

const auditOf = async (platform: MovingPlatform, kind: string): Promise<readonly JsonObject[]> =>
  (await platform.ok('GET', '/v1/audit')).items
    .map((line: { fact?: JsonObject }) => line.fact ?? line)
    .filter((fact: { kind: string }) => fact.kind === kind)

const keyFile = (platform: MovingPlatform, runId: string) =>
  existsSync(join(platform.home, 'keys', 'pii', `${runId}.key`))

/** The value is in no table and in no output of either platform. */
const assertNowhere = async (
  platforms: readonly MovingPlatform[],
  value: RegExp,
  answers: unknown = null,
) => {
  for (const platform of platforms) {
    assert.doesNotMatch(await platform.rows(), value)
    assert.doesNotMatch(platform.logged(), value)
  }
  assert.doesNotMatch(JSON.stringify(answers), value)
}

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

  test('what was sealed for another state, sender or receiver is left behind', {
    timeout: 600_000,
  }, async (t) => {
    const { a, b, baseUrl } = await movingSite(t)
    for (const platform of [a, b]) await platform.upload(clerk(baseUrl, 'anonymize'))
    const run = await start(a, 'crafted@example.com')
    const captured = await a.ok('GET', `/v1/runs/${run}/state`)
    const place = (url: string) => `${url}/organisations/default`
    const key = homeKeys(a.home).signAudit()
    const theirs = homeKeys(b.home).signAudit()
    const values = [{ text: '[email:1]', value: 'crafted@example.com', identity: 'crafted@example.com' }]
    const right = { source: place(a.url), target: place(b.url) }
    const state = (): JsonObject => ({
      ...captured,
      state_id: randomUUID(),
      status: 'migrating',
      provenance: { source_platform: place(a.url) },
    })
    const sealed = async (document: JsonObject, about: object = {}, by = theirs, list = values as unknown) =>
      (await withPersonalData(document as never, list as never, by, {
        ...right,
        ...about,
      })) as unknown as JsonObject
    const post = async (document: JsonObject): Promise<FidelityReport> => {
      const iat = Math.floor(Date.now() / 1000)
      const token = await issueMigrationToken(
        {
          iss: place(a.url),
          aud: place(b.url),
          iat,
          exp: iat + 900,
          jti: randomUUID(),
          state_id: String(document.state_id),
          agent_id: String(document.agent_id),
          run_id: run,
          digest: stateDigest(document),
        },
        key,
      )
      const provenance = { ...(document.provenance as JsonObject), migration_token: token }
      const body = withStateChecksum({ ...document, provenance })
      return (await b.ok('POST', '/v1/states', body)).report
    }
    const moveIn = async (from: JsonObject, to: JsonObject): Promise<JsonObject> => {
      const { personal_data } = from['x-waybill'] as JsonObject
      return {
        ...to,
        'x-waybill': { ...(to['x-waybill'] as JsonObject), personal_data: personal_data ?? null },
      }
    }
    const changed = /1 value: they were changed, or sealed for another state, sender or receiver/
    const cases: readonly (readonly [string, RegExp, () => Promise<JsonObject>])[] = [
      ['another state', changed, async () => moveIn(await sealed(state()), state())],
      ['another sender', changed, () => sealed(state(), { source: place('https://else.example') })],
      ['another receiver', changed, () => sealed(state(), { target: `${b.url}/organisations/globex` })],
      [
        'a key that is not here',
        /the sender must pin its keys again/,
        () => sealed(state(), {}, generateKeyPairSync('ed25519').privateKey),
      ],
      [
        'damaged text',
        changed,
        async () => {
          const document = await sealed(state())
          const member = document['x-waybill'] as { readonly personal_data: string }
          const parts = member.personal_data.split('.')
          parts[3] = Buffer.from('x').toString('base64url') + parts[3]
          return { ...document, 'x-waybill': { ...member, personal_data: parts.join('.') } }
        },
      ],
      [
        'no sealed text',
        changed,
        async () => ({
          ...state(),
          'x-waybill': { ...captured['x-waybill'], personal_data: 'crafted' },
        }),
      ],
      ['no values', changed, () => sealed(state(), {}, theirs, [{ text: '[email:1]' }])],
      ['no list', changed, () => sealed(state(), {}, theirs, 'crafted@example.com')],
      ['no permission', /1 value: they stay on the platform that captured the run/, async () => state()],
    ]
    for (const [what, note, document] of cases)
      await t.test(what, async () => {
        const [entry] = valuesOf(await post(await document()))
        assert.equal(entry?.status, 'left_behind')
        assert.match(entry.note ?? '', note)
      })
    await t.test('and the right one is carried', async () => {
      const entries = valuesOf(await post(await sealed(state())))
      assert.deepEqual(
        entries.map(({ status }) => status),
        ['carried'],
      )
    })
    await t.test('a fork gets none, whatever its state brings', async () => {
      const { approval_request: _, ...fork } = { ...state(), status: 'paused' } as JsonObject
      const { report } = await b.ok('POST', '/v1/states', withStateChecksum(await sealed(fork)))
      const [entry] = valuesOf(report)
      assert.deepEqual(entry?.status, 'left_behind')
      assert.match(entry?.note ?? '', /only a move from a pinned platform brings them/)
    })
    await assertNowhere([a, b], /crafted@example\.com/)
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

  test('encrypted values are sealed with the key of the other platform', { timeout: 600_000 }, async (t) => {
    const key = () => ({ WAYBILL_PII_KEY: randomBytes(32).toString('base64') })
    const { a, b, effects, baseUrl, relays } = await movingSite(t, {
      relays: true,
      config: { pii: { key_env: 'WAYBILL_PII_KEY' } },
      env: { a: key(), b: key() },
    })
    await a.upload(clerk(baseUrl, 'encrypt'))
    await b.upload(clerk(baseUrl, 'encrypt'))
    const run = await start(a, 'ada@example.com')
    const [asked] = (await a.ok('GET', '/v1/approvals')).items
    assert.match(asked.arguments.to, /^pii:v2:/)
    const { report } = (await move(a, run, { dry_run: true })).json
    assert.deepEqual(
      valuesOf(report).map(({ status }) => status),
      ['left_behind'],
    )
    await a.pin(b, { personal_data: true })
    const there = await moved(a, run, { fail_on_loss: true })
    const [open] = (await b.ok('GET', '/v1/approvals')).items
    assert.match(open.arguments.to, /^pii:v2:/)
    assert.notEqual(open.arguments.to, asked.arguments.to)
    await approve(b, there)
    assert.deepEqual(effects(), ['send ada@example.com'])
    await assertNowhere([a, b], /ada@example\.com/)

    const relay = relays[1] as Relay
    await t.test(
      'AAIF-8.2-01, AAIF-12-07: the state is captured as migrating; a dry run sends names, and no values',
      async () => {
        const next = await start(a, 'bob@example.com')
        const key = homeKeys(b.home).signAudit()
        const sent: unknown[] = []
        relay.before = async (path, body) => {
          if (!path.startsWith('/v1/states')) return
          const sealed = personalDataIn(JSON.parse(body.toString())) ?? ''
          const { status } = JSON.parse(body.toString())
          sent.push([
            path,
            status,
            readPersonalData(await openSealed(sealed, key)).map((one) => Object.keys(one)),
          ])
        }
        await move(a, next, { dry_run: true })
        assert.deepEqual(sent.splice(0), [['/v1/states?dry_run=true', 'migrating', [['text']]]])
        await moved(a, next)
        assert.deepEqual(sent, [
          ['/v1/states?dry_run=true', 'migrating', [['text']]],
          ['/v1/states', 'migrating', [['text', 'value']]],
        ])
      },
    )

    await t.test('none are sent if the permission ends while the move begins', async () => {
      const next = await start(a, 'cy@example.com')
      relay.before = async (path) => {
        if (!path.includes('dry_run')) return
        relay.before = () => {}
        await a.pin(b)
      }
      const target = await moved(a, next)
      const [received] = (await auditOf(b, 'run.received')).filter((fact) => fact.run_id === target)
      assert.equal(received?.personal_data, undefined)
    })
  })
})
