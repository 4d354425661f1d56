import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Role } from '../../src/session/principal.ts'
import { serve } from '../server/served.ts'
import { peopleSite } from './people-fixture.ts'

/** Serves people and tokens of a database; `other` is a second server of the same one. */
async function place(t: TestContext) {
  const site = await peopleSite(t)
  const { database, admin, facts: factsOf } = site
  const { send } = await serve(t, await site.platform())
  const other = await serve(t, await site.platform())
  const created = async (path: string, json: object, token = admin) => {
    const answer = await send('POST', path, { token, json })
    assert.ok(answer.status < 300, `${path}: ${answer.text}`)
    return answer.json
  }
  const member = (user: string, roles: readonly Role[], more = {}) =>
    created('/v1/organisations/default/members', { user, roles, ...more })
  const tokenOf = async (user: string, more = {}) =>
    (await created('/v1/tokens', { user, ...more })).token as string
  return { database, admin, send, other, created, member, tokenOf, factsOf }
}

describe('organisations', () => {
  it('an admin of the first one creates another, whose admin knows only that one', async (t) => {
    const { send, created, factsOf } = await place(t)
    const acme = await created('/v1/organisations', {
      organisation: 'acme',
      name: 'Acme',
      admin: { user: 'ada@acme.test' },
    })
    const { token, expires_at } = acme.admin_token
    assert.ok(Date.parse(expires_at) < Date.now() + 8 * 86_400_000)
    assert.deepEqual((await send('GET', '/v1/me', { token })).json, {
      organisation: 'acme',
      user: 'ada@acme.test',
      kind: 'person',
      roles: ['admin'],
      token: { id: acme.admin_token.id, expires_at },
    })
    const seen = (await send('GET', '/v1/organisations', { token })).json
    assert.deepEqual(
      seen.items.map((one: { organisation: string }) => one.organisation),
      ['acme'],
    )
    const refused = await send('POST', '/v1/organisations', {
      token,
      json: { organisation: 'b', admin: { user: 'b' } },
    })
    assert.equal(refused.status, 403)
    for (const org of ['default', 'acme'])
      assert.equal((await factsOf(org)).at(-1)?.kind, 'organisation.created')
  })

  it('pages list all of them for an installer, and a name is used once', async (t) => {
    const { send, admin, created } = await place(t)
    for (const organisation of ['a', 'b', 'c'])
      await created('/v1/organisations', { organisation, admin: { user: 'x' } })
    const one = (await send('GET', '/v1/organisations?limit=3', { token: admin })).json
    const two = (await send('GET', `/v1/organisations?limit=3&cursor=${one.next}`, { token: admin })).json
    const names = [...one.items, ...two.items].map((item: { organisation: string }) => item.organisation)
    assert.deepEqual(names, ['a', 'b', 'c', 'default'])
    assert.equal(two.next, null)
    const again = await send('POST', '/v1/organisations', {
      token: admin,
      json: { organisation: 'b', admin: { user: 'x' } },
    })
    assert.equal(again.json.code, 'ORGANISATION_EXISTS')
  })

  it('another organisation is answered like one that does not exist, also to its name in a token', async (t) => {
    const { send, created, member, tokenOf } = await place(t)
    const acme = await created('/v1/organisations', { organisation: 'acme', admin: { user: 'ada' } })
    await member('vic', ['viewer'])
    for (const token of [acme.admin_token.token, await tokenOf('vic')])
      for (const path of ['members', 'teams']) {
        const own = token === acme.admin_token.token ? 'default' : 'acme'
        const there = await send('GET', `/v1/organisations/${own}/${path}`, { token })
        const nowhere = await send('GET', `/v1/organisations/nowhere/${path}`, { token })
        assert.equal(there.status, 404)
        assert.equal(there.text.replace(own, 'X'), nowhere.text.replace('nowhere', 'X'))
      }
    const { token } = acme.admin_token
    assert.equal((await send('GET', '/v1/tokens?organisation=default', { token })).status, 404)
    assert.equal((await send('POST', '/v1/tokens', { token, json: { organisation: 'default' } })).status, 404)
  })

  it('an installer manages the members and tokens of another one, in its own name', async (t) => {
    const { send, admin, created, factsOf } = await place(t)
    await created('/v1/organisations', { organisation: 'acme', admin: { user: 'ada' } })
    await created('/v1/organisations/acme/members', { user: 'bob', roles: ['operator'] })
    const { token, organisation } = await created('/v1/tokens', { user: 'bob', organisation: 'acme' })
    assert.equal(organisation, 'acme')
    assert.deepEqual((await send('GET', '/v1/me', { token })).json.roles, ['operator'])
    assert.equal((await send('GET', '/v1/tokens?organisation=acme', { token: admin })).json.items.length, 2)
    const facts = await factsOf('acme')
    assert.deepEqual(
      facts.slice(-2).map(({ kind, by }) => [kind, by]),
      [
        ['member.set', 'admin@default'],
        ['token.created', 'admin@default'],
      ],
    )
  })
})

describe('members and teams', () => {
  it('a member has its own roles and those of its teams, until it leaves them', async (t) => {
    const { send, admin, created, member, tokenOf } = await place(t)
    await member('ann', ['viewer'])
    const token = await tokenOf('ann', { roles: ['viewer'] })
    await created('/v1/organisations/default/teams', { team: 'duty', roles: ['approver'], members: ['ann'] })
    const [seen] = (await send('GET', '/v1/organisations/default/members', { token })).json.items.filter(
      (one: { user: string }) => one.user === 'ann',
    )
    assert.deepEqual([seen.roles, seen.roles_of_teams, seen.teams], [['viewer'], ['approver'], ['duty']])
    const both = await tokenOf('ann')
    const rolesOf = async () => (await send('GET', '/v1/me', { token: both })).json.roles
    assert.deepEqual(await rolesOf(), ['viewer', 'approver'])
    assert.equal((await send('DELETE', '/v1/organisations/default/teams/duty', { token: admin })).status, 200)
    assert.deepEqual(await rolesOf(), ['viewer'])
  })

  it('are replaced as a whole, except teams or members that are not named', async (t) => {
    const { send, admin, created, member } = await place(t)
    await created('/v1/organisations/default/teams', { team: 'one' })
    await created('/v1/organisations/default/teams', { team: 'two' })
    assert.deepEqual((await member('ann', ['viewer'], { teams: ['one', 'two'] })).teams, ['one', 'two'])
    assert.deepEqual((await member('ann', ['author'], { kind: 'service', name: 'Ann' })).teams, [
      'one',
      'two',
    ])
    assert.deepEqual((await member('ann', ['author'], { teams: ['two'] })).teams, ['two'])
    const renamed = await created('/v1/organisations/default/teams', {
      team: 'two',
      name: 'Two',
      roles: ['viewer'],
    })
    assert.deepEqual(renamed, { team: 'two', name: 'Two', roles: ['viewer'], members: ['ann'] })
    const { items } = (await send('GET', '/v1/organisations/default/teams', { token: admin })).json
    assert.deepEqual(
      items.map((one: { members: string[] }) => one.members),
      [[], ['ann']],
    )
  })

  it('names that are not known are refused, and nothing is changed', async (t) => {
    const { send, admin, member } = await place(t)
    await member('ann', ['viewer'])
    const post = (path: string, json: object) =>
      send('POST', `/v1/organisations/default/${path}`, { token: admin, json })
    const table = [
      [await post('members', { user: 'ann', roles: ['admin'], teams: ['none'] }), 404, 'TEAM_NOT_FOUND'],
      [await post('teams', { team: 'one', members: ['ann', 'none'] }), 404, 'MEMBER_NOT_FOUND'],
      [await post('members', { user: '"ann', roles: [] }), 422, 'REQUEST_INVALID'],
      [await post('members', { user: 'a\u0000b', roles: [] }), 422, 'REQUEST_INVALID'],
      [await post('members', { user: 'ann', roles: ['root'] }), 422, 'REQUEST_INVALID'],
      [await post('teams', { team: 'Two' }), 422, 'REQUEST_INVALID'],
      [
        await send('DELETE', '/v1/organisations/default/members/none', { token: admin }),
        404,
        'MEMBER_NOT_FOUND',
      ],
      [await send('DELETE', '/v1/organisations/default/members/%00', { token: admin }), 400, 'QUERY_INVALID'],
      [await send('DELETE', '/v1/organisations/default/teams/%00', { token: admin }), 400, 'QUERY_INVALID'],
      [await send('DELETE', '/v1/tokens/%00', { token: admin }), 400, 'QUERY_INVALID'],
      [await send('GET', '/v1/organisations/%00/teams', { token: admin }), 400, 'QUERY_INVALID'],
    ] as const
    for (const [{ status, json }, expected, code] of table)
      assert.deepEqual([status, json.code], [expected, code])
    const { items } = (await send('GET', '/v1/organisations/default/members', { token: admin })).json
    assert.deepEqual(
      items.map((one: { user: string; roles: string[] }) => [one.user, one.roles]),
      [
        ['admin', ['admin']],
        ['ann', ['viewer']],
      ],
    )
  })

  it('the last person who is an admin stays one', async (t) => {
    const { send, admin, created, member } = await place(t)
    const path = '/v1/organisations/default/members'
    const attempts = [
      () => send('DELETE', `${path}/admin`, { token: admin }),
      () => send('POST', path, { token: admin, json: { user: 'admin', roles: ['viewer'] } }),
      () => send('POST', path, { token: admin, json: { user: 'admin', roles: ['admin'], kind: 'service' } }),
    ]
    await member('robot', ['admin'], { kind: 'service' })
    for (const attempt of attempts) assert.equal((await attempt()).json.code, 'ORGANISATION_WITHOUT_ADMIN')
    await created('/v1/organisations/default/teams', { team: 'admins', roles: ['admin'] })
    await member('ann', [], { teams: ['admins'] })
    assert.equal((await attempts[0]?.())?.status, 200)
  })
})

describe('tokens', () => {
  it('are shown once, and only a hash is stored, also when a request is repeated', async (t) => {
    const { send, admin, database } = await place(t)
    const request = { token: admin, json: { name: 'ci' }, headers: { 'idempotency-key': 'k1' } }
    const first = await send('POST', '/v1/tokens', request)
    const again = await send('POST', '/v1/tokens', request)
    const { token, ...known } = first.json
    assert.match(token, /^wbt_[\w-]{43}$/)
    assert.deepEqual(again.json, known)
    assert.equal(again.headers['idempotency-replayed'], 'true')
    const { items } = (await send('GET', '/v1/tokens', { token: admin })).json
    assert.equal(items.length, 2)
    assert.equal(JSON.stringify(items).includes('wbt_'), false)
    for (const table of ['tokens', 'idempotency', 'audit']) {
      const { rows } = await database.engine.query(`SELECT t::text AS row FROM waybill.${table} AS t`)
      assert.ok(rows.length > 0)
      assert.equal(
        rows.some(({ row }) => row.includes(token.slice(4))),
        false,
        table,
      )
    }
  })

  it('have at most the roles that their user has at the time of each request', async (t) => {
    const { send, member, tokenOf } = await place(t)
    await member('ann', ['operator', 'approver'])
    const token = await tokenOf('ann')
    const rolesOf = async () => (await send('GET', '/v1/me', { token })).json.roles
    assert.deepEqual(await rolesOf(), ['operator', 'approver'])
    await member('ann', ['approver', 'author'])
    assert.deepEqual(await rolesOf(), ['approver'])
  })

  it('of others are created by admins only; own ones have no further roles', async (t) => {
    const { send, admin, member, tokenOf } = await place(t)
    await member('ann', ['operator', 'viewer'])
    await member('bob', ['viewer'])
    const token = await tokenOf('ann', { roles: ['operator'] })
    const post = (json: object, by = token) => send('POST', '/v1/tokens', { token: by, json })
    assert.deepEqual((await post({})).json.roles, ['operator'])
    assert.equal((await post({ user: 'bob' })).json.code, 'ROLE_MISSING')
    assert.equal((await post({ roles: ['viewer'] })).json.code, 'ROLE_EXCEEDED')
    assert.equal((await post({ user: 'bob', roles: ['operator'] }, admin)).json.code, 'ROLE_EXCEEDED')
    assert.equal((await post({ user: 'none' }, admin)).json.code, 'MEMBER_NOT_FOUND')
  })

  it('expire in 90 days if no time is named; one that a token has created does not outlive it', async (t) => {
    const { send, admin, member, tokenOf } = await place(t)
    await member('ann', ['viewer'])
    const soon = new Date(Date.now() + 3_600_000).toISOString()
    const token = await tokenOf('ann', { expires_at: soon })
    const days = async (by: string, json: object) =>
      Math.round(
        (Date.parse((await send('POST', '/v1/tokens', { token: by, json })).json.expires_at) - Date.now()) /
          86_400_000,
      )
    assert.equal(await days(admin, {}), 90)
    for (const json of [{}, { expires_at: null }, { expires_at: '2999-01-01T00:00:00Z' }])
      assert.equal((await send('POST', '/v1/tokens', { token, json })).json.expires_at, soon)
    const sooner = new Date(Date.now() + 60_000).toISOString()
    assert.equal(
      (await send('POST', '/v1/tokens', { token, json: { expires_at: sooner } })).json.expires_at,
      sooner,
    )
    assert.equal(
      (await send('POST', '/v1/tokens', { token: admin, json: { expires_at: null } })).json.expires_at,
      null,
    )
    // Nor does one of an admin, for whomever it is made, nor the first one of a new organisation.
    const short = { user: 'admin', expires_at: soon }
    const brief = (await send('POST', '/v1/tokens', { token: admin, json: short })).json.token
    for (const json of [{ expires_at: null }, { user: 'ann' }, { user: 'ann', expires_at: null }])
      assert.equal((await send('POST', '/v1/tokens', { token: brief, json })).json.expires_at, soon)
    const scoped = { scopes: ['people:write'], expires_at: soon }
    const limited = (await send('POST', '/v1/tokens', { token: admin, json: scoped })).json.token
    const made = await send('POST', '/v1/organisations', {
      token: limited,
      json: { organisation: 'brief', admin: { user: 'bea' } },
    })
    assert.equal(made.json.admin_token.expires_at, soon)
    const first = made.json.admin_token.token
    assert.equal((await send('GET', '/v1/runs', { token: first })).json.code, 'SCOPE_MISSING')
    const past = await send('POST', '/v1/tokens', {
      token: admin,
      json: { expires_at: '2020-01-01T00:00:00Z' },
    })
    assert.equal(past.json.code, 'REQUEST_INVALID')
  })

  it('of admins: the last one is revoked only if that is confirmed', async (t) => {
    const { send, admin, created, member } = await place(t)
    const revoke = (token: string, id: string, query = '') =>
      send('DELETE', `/v1/tokens/${id}${query}`, { token })
    const { items } = (await send('GET', '/v1/tokens', { token: admin })).json
    const first = items[0].id
    // None of these is another token of an admin.
    await created('/v1/tokens', { roles: ['viewer'], name: 'a viewer' })
    await created('/v1/tokens', { scopes: ['runs:read'], name: 'limited' })
    await member('ann', ['operator'])
    await created('/v1/tokens', { user: 'ann' })
    const refused = await revoke(admin, first)
    assert.deepEqual([refused.status, refused.json.code], [409, 'TOKEN_IS_LAST'])
    assert.match(refused.json.hint, /confirm=self/)
    assert.equal((await revoke(admin, first, '?confirm=yes')).json.code, 'QUERY_INVALID')
    assert.equal((await send('GET', '/v1/me', { token: admin })).status, 200)
    // A second admin: then either may go, and not both at once.
    await member('eve', ['admin'])
    const second = await created('/v1/tokens', { user: 'eve' })
    const both = await Promise.all([revoke(admin, second.id), revoke(second.token, first)])
    // The other one is refused, or has no token any more.
    assert.equal(both.filter(({ status }) => status === 200).length, 1)
    assert.ok(both.every(({ status }) => [200, 401, 409].includes(status)))
    const [left, id] = both[0]?.status === 200 ? [admin, first] : [second.token, second.id]
    assert.equal((await revoke(left, id)).json.code, 'TOKEN_IS_LAST')
    assert.equal((await revoke(left, id, '?confirm=self')).status, 200)
    assert.equal((await send('GET', '/v1/me', { token: left })).status, 401)
  })

  it('that are revoked, or whose user is removed, are refused at once by every server', async (t) => {
    const { send, other, admin, created, member, tokenOf } = await place(t)
    await member('ann', ['viewer'])
    const { id, token } = await created('/v1/tokens', { user: 'ann' })
    const second = await tokenOf('ann')
    const statuses = async (one: string) =>
      Promise.all([send, other.send].map(async (by) => (await by('GET', '/v1/me', { token: one })).status))
    assert.deepEqual(await statuses(token), [200, 200])
    assert.equal((await send('DELETE', `/v1/tokens/${id}`, { token: second })).status, 200)
    assert.deepEqual(await statuses(token), [401, 401])
    assert.equal(
      (await send('DELETE', '/v1/organisations/default/members/ann', { token: admin })).status,
      200,
    )
    assert.deepEqual(await statuses(second), [401, 401])
    await member('ann', ['viewer'])
    assert.deepEqual(await statuses(second), [401, 401])
  })

  it('of others are neither listed for nor revoked by a user without the role admin', async (t) => {
    const { send, created, member, tokenOf } = await place(t)
    await member('ann', ['viewer'])
    await member('bob', ['viewer'])
    const { id } = await created('/v1/tokens', { user: 'bob' })
    const token = await tokenOf('ann')
    const { items } = (await send('GET', '/v1/tokens', { token })).json
    assert.deepEqual(
      items.map((one: { user: string }) => one.user),
      ['ann'],
    )
    assert.equal((await send('DELETE', `/v1/tokens/${id}`, { token })).status, 404)
    const wrong = await send('DELETE', `/v1/tokens/${token}`, { token })
    assert.equal(wrong.status, 422)
    assert.equal(wrong.text.includes(token), false)
  })

  it('show when they were used last', async (t) => {
    const { send, admin, member, tokenOf } = await place(t)
    await member('ann', ['viewer'])
    const token = await tokenOf('ann')
    const usedAt = async () =>
      (await send('GET', '/v1/tokens', { token: admin })).json.items.find(
        (one: { user: string }) => one.user === 'ann',
      ).used_at
    assert.equal(await usedAt(), null)
    await send('GET', '/v1/me', { token })
    for (let tries = 0; (await usedAt()) === null && tries < 100; tries++);
    assert.ok(Math.abs(Date.parse(await usedAt()) - Date.now()) < 60_000)
  })

  it('that are wrong 60 times are answered 429, and a valid one is not', async (t) => {
    const { send, admin } = await place(t)
    const statuses: number[] = []
    for (let n = 0; n < 61; n++) statuses.push((await send('GET', '/v1/me', { token: `wbt_${n}` })).status)
    assert.deepEqual(statuses, [...Array(60).fill(401), 429])
    const { json, headers } = await send('GET', '/v1/me', { token: 'wbt_x' })
    assert.deepEqual([json.code, headers['retry-after']], ['ATTEMPTS_EXCEEDED', '2'])
    assert.equal((await send('GET', '/v1/me', { token: admin })).status, 200)
  })
})
