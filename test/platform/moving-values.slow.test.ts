import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { homeKeys } from '../../src/compose/home-keys.ts'
import type { JsonObject } from '../../src/document/json.ts'
import type { FidelityReport } from '../../src/state/fidelity.ts'
import { personalDataIn, readPersonalData, withPersonalData } from '../../src/state/moved-personal-data.ts'
import { stateDigest, withStateChecksum } from '../../src/trust/checksum.ts'
import { issueMigrationToken } from '../../src/trust/migration-token.ts'
import { openSealed } from '../../src/trust/seal-for.ts'
import { noCertificates } from '../adapters/tls-front.ts'
import type { Relay } from '../fault/move-relay.ts'
import { movingSite } from './moving-site.ts'
import { approve, assertNowhere, auditOf, clerk, move, moved, start, valuesOf } from './moving-values-site.ts'

describe('values of personal data of runs that move', { skip: noCertificates }, () => {
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
