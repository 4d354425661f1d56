import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { describe, type TestContext, test } from 'node:test'
import { issueEnrolmentProof } from '../../src/trust/enrolment-proof.ts'
import { Place, type Said, waybill } from '../cli/fixture.ts'
import { clerk, decide } from './laptop.ts'
import { type MovingPlatform, type MovingSite, movingSite, TOOLS } from './moving-site.ts'
import { AGENT } from './organisation.ts'

const config = ({ a, baseUrl }: MovingSite): string =>
  JSON.stringify({ providers: { openai: { base_urls: [baseUrl] } }, ca_files: [a.caFile] })

/** A machine whose user knows the site, and nothing else. */
function machine(t: TestContext, site: MovingSite): Place {
  const place = new Place(t, clerk(site.baseUrl))
  mkdirSync(place.home, { mode: 0o700 })
  place.write('home/config.yaml', config(site))
  place.write('tools.mjs', TOOLS(site.log))
  place.env.OPENAI_API_KEY = 'not-used'
  return place
}

const json = ({ out }: Said) => JSON.parse(out)

/** Adds a member with this role. @returns a token of the member */
async function member(at: MovingPlatform, user: string, roles: readonly string[]): Promise<string> {
  await at.ok('POST', '/v1/organisations/default/members', { user, roles })
  return (await at.ok('POST', '/v1/tokens', { user, roles })).token
}

const jwksOf = (...keys: readonly KeyObject[]) => ({ keys: keys.map((key) => key.export({ format: 'jwk' })) })
const now = () => Math.floor(Date.now() / 1000)

describe('moves in two commands', () => {
  test('after a login, a run moves to the platform, and its receipts are verified', {
    timeout: 300_000,
  }, async (t) => {
    const site = await movingSite(t)
    const { a, effects } = site
    await a.ok('DELETE', '/v1/peers/other')
    const place = machine(t, site)
    const say = (...argv: readonly string[]) => waybill(place, argv)
    const token = await member(a, 'ada', ['operator', 'author', 'approver'])

    const login = await waybill(place, ['login', a.url], { stdin: token })
    assert.equal(login.code, 0, login.err)
    assert.match(
      login.err,
      /pinned the keys of the platform, as localhost-\d+: \S+\nthis machine is pinned there as ada-/,
    )
    const [pinned, ...others] = (await a.ok('GET', '/v1/peers')).items
    assert.deepEqual(
      [others, pinned.url, pinned.created_by, Object.values(pinned.users)],
      [[], null, 'ada', ['ada', 'ada']],
    )

    const started = await say(
      'run',
      'agent.json',
      '--input',
      '{"tool":"send","to":"eve"}',
      '--tools',
      'tools.mjs',
      '--local',
      '--json',
    )
    assert.equal(started.code, 4, started.out + started.err)
    const dry = await say('migrate', 'last', '--to', a.url, '--dry-run', '--json')
    assert.equal(dry.code, 0, dry.out + dry.err)
    const moved = await say('migrate', 'last', '--to', a.url, '--json')
    assert.equal(moved.code, 0, moved.out + moved.err)
    const there: string = json(moved).target_run_id
    await decide(a, there)
    assert.deepEqual(effects(), ['send eve'])
    const receipts = await say('receipts', 'verify', there, '--json')
    assert.equal(receipts.code, 0, receipts.out)

    const again = await waybill(place, ['login', a.url, '--json'], { stdin: token })
    assert.equal(json(again).machine, pinned.name)
    assert.equal((await a.ok('GET', '/v1/peers')).items.length, 1, 'the same machine is pinned once')

    await t.test('a machine is pinned only by who holds its key, and by its own member', async () => {
      const mallory = await member(a, 'mallory', ['operator'])
      const before = await a.ok('GET', '/v1/peers')
      const ada = generateKeyPairSync('ed25519')
      const own = generateKeyPairSync('ed25519')
      const aud = `${a.url}/organisations/default`
      const enrol = async (token: string, keys: object, claims: object, key: KeyObject) =>
        a.send(
          'POST',
          '/v1/peers/enrolments',
          {
            keys,
            users: ['x'],
            proof: await issueEnrolmentProof({ iat: now(), aud, sub: 'mallory', ...claims }, key),
          },
          token,
        )
      const refused = [
        await enrol(mallory, jwksOf(ada.publicKey), {}, own.privateKey),
        await enrol(mallory, jwksOf(own.publicKey), { sub: 'ada' }, own.privateKey),
        await enrol(
          mallory,
          jwksOf(own.publicKey),
          { aud: 'https://b.example/organisations/default' },
          own.privateKey,
        ),
        await enrol(mallory, jwksOf(own.publicKey), { iat: now() - 3600 }, own.privateKey),
        await enrol(mallory, jwksOf(own.publicKey, ada.publicKey), {}, own.privateKey),
      ]
      for (const { status, json } of refused) assert.deepEqual([status, json.code], [422, 'PEER_INVALID'])
      assert.deepEqual(await a.ok('GET', '/v1/peers'), before)
      // A second legitimate member has a machine of their own, and that of the first is as it was.
      const second = await enrol(mallory, jwksOf(own.publicKey), {}, own.privateKey)
      assert.deepEqual([second.status, second.json.users], [201, { x: 'mallory', mallory: 'mallory' }])
      // Who holds the key of a machine of another member does not take it over.
      const taken = await enrol(token, jwksOf(own.publicKey), { sub: 'ada' }, own.privateKey)
      assert.deepEqual([taken.status, taken.json.code], [422, 'PEER_INVALID'])
      const [first] = (await a.ok('GET', '/v1/peers')).items.filter(
        ({ name }: { name: string }) => name === pinned.name,
      )
      assert.deepEqual(first, pinned)
      const viewer = await member(a, 'vera', ['viewer'])
      assert.equal((await enrol(viewer, jwksOf(ada.publicKey), { sub: 'vera' }, ada.privateKey)).status, 403)
    })

    await t.test('other keys of the platform than the pinned ones are shown, and not pinned', async () => {
      const fresh = machine(t, site)
      const other = generateKeyPairSync('ed25519').publicKey
      fresh.write('other.jwks', JSON.stringify(jwksOf(other)))
      await waybill(fresh, ['keys', 'trust', 'prod', 'other.jwks', '--platform', a.url])
      const said = await waybill(fresh, ['login', a.url], { stdin: token })
      assert.equal(said.code, 0)
      assert.match(said.err, /publishes other keys than the pinned ones, which were kept/)
      const { trusted } = json(await waybill(fresh, ['keys', 'list', '--json']))
      assert.equal(trusted.length, 1)
    })
  })

  test('an invitation pins two platforms, once, and its token only hands runs over', {
    timeout: 300_000,
  }, async (t) => {
    const site = await movingSite(t)
    const { a, b, effects, baseUrl } = site
    const place = machine(t, site)
    for (const platform of [a, b]) await platform.ok('DELETE', '/v1/peers/other')
    const at = (platform: MovingPlatform) => ({ env: { WAYBILL_TOKEN: platform.admin } })
    await a.upload(clerk(baseUrl))
    await b.upload(clerk(baseUrl))
    const invited = await waybill(
      place,
      ['peers', 'invite', 'staging', '--same-users', '--server', b.url],
      at(b),
    )
    assert.equal(invited.code, 0, invited.err)
    const invite = invited.out.trim()
    assert.match(invite, /^wbi_[\w-]+$/)
    const add = (name: string, text = invite) =>
      waybill(place, ['peers', 'add', name, '-', '--same-users', '--server', a.url], {
        ...at(a),
        stdin: text,
      })
    const added = await add('production')
    assert.equal(added.code, 0, added.err)
    assert.match(added.err, /pinned: production .* sends and receives/)
    const thumbs = async (platform: MovingPlatform) =>
      (await platform.send('GET', '/.well-known/jwks.json')).json.keys.map(({ kid }: { kid: string }) => kid)
    for (const thumb of [...(await thumbs(a)), ...(await thumbs(b))])
      assert.ok(added.err.includes(thumb), `${thumb}: ${added.err}`)
    for (const thumb of await thumbs(b)) assert.ok(invited.err.includes(thumb))
    assert.deepEqual(
      (await b.ok('GET', '/v1/peers')).items.map(({ name, url }: { name: string; url: string }) => [
        name,
        url,
      ]),
      [['staging', a.url]],
    )

    const { run_id } = await a.ok('POST', `/v1/agents/${AGENT}/runs`, { input: '{"tool":"send","to":"eve"}' })
    await a.reaches(run_id, 'awaiting_approval')
    const moved = await waybill(
      place,
      ['migrate', run_id, '--to', 'production', '--server', a.url, '--json'],
      at(a),
    )
    assert.equal(moved.code, 0, moved.out + moved.err)
    await decide(b, json(moved).target_run_id)
    assert.deepEqual(effects(), ['send eve'])

    await t.test('it is used up, replaces nothing, and is not in the log', async () => {
      await a.ok('DELETE', '/v1/peers/production')
      assert.match((await add('production')).err, /TOKEN_REFUSED|valid token/)
      for (const platform of [a, b])
        for (const secret of [invite, tokenIn(invite)]) assert.ok(!platform.logged().includes(secret))
      const taken = await waybill(place, ['peers', 'invite', 'staging', '--server', b.url, '--json'], at(b))
      assert.equal(json(taken).error.code, 'PEER_INVALID')
      const second = await b.ok('POST', '/v1/peers/invites', { name: 'second' })
      await a.ok('POST', '/v1/peers', {
        name: 'production',
        url: b.url,
        keys: (await b.send('GET', '/.well-known/jwks.json')).json,
      })
      assert.match(
        (await add('production', invitation(second))).err,
        /is pinned already, and is not replaced/,
      )
      const used = await b.send(
        'POST',
        '/v1/peers/join',
        { url: a.url, organisation: 'default', keys: second.keys },
        second.token,
      )
      assert.equal(used.json.code, 'PEER_INVALID', 'the place is pinned already')
      await b.sql(
        `UPDATE waybill.tokens SET expires_at = now() - interval '1 second' WHERE id IN (SELECT max(id) FROM waybill.tokens)`,
      )
      const late = await b.send(
        'POST',
        '/v1/peers/join',
        { url: 'https://c.example', organisation: 'default', keys: second.keys },
        second.token,
      )
      assert.equal(late.status, 401)
    })

    await t.test('neither the invitation nor the token for runs permits anything else', async () => {
      const third = await b.ok('POST', '/v1/peers/invites', { name: 'third' })
      const keys = jwksOf(generateKeyPairSync('ed25519').publicKey)
      const forbidden = async (token: string) => {
        const run = (await b.ok('GET', '/v1/runs')).items[0].run_id
        for (const [method, path, body] of [
          ['GET', '/v1/me'],
          ['GET', '/v1/runs'],
          ['GET', `/v1/runs/${run}`],
          ['GET', `/v1/runs/${run}/state`],
          ['POST', `/v1/runs/${run}/migrate`, { to: 'third' }],
          ['POST', `/v1/agents/${AGENT}/runs`, { input: 'x' }],
          ['POST', '/v1/agents', clerk(baseUrl)],
          ['POST', '/v1/tokens', { scopes: ['runs:read'] }],
          ['GET', '/v1/peers'],
          ['POST', '/v1/peers', { name: 'x', keys }],
          ['POST', '/v1/peers/enrolments', { keys, users: [], proof: 'x' }],
          ['POST', '/v1/peers/invites', { name: 'x' }],
          ['GET', '/v1/secrets'],
          ['GET', '/v1/approvals'],
          ['GET', '/v1/audit'],
        ] as const) {
          const { status, json } = await b.send(method, path, body, token)
          assert.equal(status, 403, `${method} ${path}: ${JSON.stringify(json)}`)
          assert.match(json.code, /^(SCOPE|ROLE)_MISSING$/)
        }
      }
      await forbidden(third.token)
      const joined = await b.send(
        'POST',
        '/v1/peers/join',
        { url: 'https://c.example', organisation: 'default', keys },
        third.token,
      )
      assert.equal(joined.status, 201, JSON.stringify(joined.json))
      const { token } = joined.json
      await forbidden(token)
      assert.equal(
        (
          await b.send(
            'POST',
            '/v1/peers/join',
            { url: 'https://d.example', organisation: 'default', keys },
            token,
          )
        ).status,
        403,
      )
      // A state without a migration token would start a run.
      const { run_id: waits } = await b.ok('POST', `/v1/agents/${AGENT}/runs`, {
        input: '{"tool":"send","to":"x"}',
      })
      await b.reaches(waits, 'awaiting_approval')
      const state = await b.ok('GET', `/v1/runs/${waits}/state`)
      assert.equal((await b.send('POST', '/v1/states', state, token)).json.code, 'SCOPE_MISSING')
      // No request for a token names these scopes, and an admin without an invitation cannot join.
      for (const scope of ['peers:join', 'moves:receive', 'terms:{"name":"x","users":null}'])
        assert.equal((await b.send('POST', '/v1/tokens', { scopes: [scope] })).status, 422, scope)
      assert.equal(
        (await b.send('POST', '/v1/peers/join', { url: 'https://d.example', organisation: 'default', keys }))
          .json.code,
        'PEER_INVITE_REFUSED',
      )
    })
  })
})

function tokenIn(invite: string): string {
  return JSON.parse(Buffer.from(invite.slice(4), 'base64url').toString()).token as string
}

function invitation({ url, organisation, keys, token }: Record<string, unknown>): string {
  return `wbi_${Buffer.from(JSON.stringify({ v: 1, url, organisation, keys, token })).toString('base64url')}`
}
