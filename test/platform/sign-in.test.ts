import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { csrfOf } from '../../src/http/session-cookie.ts'
import { firstTokenInForce } from '../../src/platform/people/first-admin.ts'
import { serve } from '../server/served.ts'
import { until } from './leg-place.ts'
import { peopleSite } from './people-fixture.ts'

async function place(t: TestContext) {
  const site = await peopleSite(t)
  const { send } = await serve(t, await site.platform(), { publicUrl: 'https://waybill.test' })
  const { admin: token } = site
  const signIn = async (by = token) => {
    const answer = await send('POST', '/v1/browser-session', { token: by })
    const [pair = ''] = String(answer.headers['set-cookie']).split(';')
    return { answer, cookie: pair, csrf: answer.json.csrf as string }
  }
  return { ...site, token, send, signIn }
}

describe('the session of a browser', () => {
  it('has the rights of its token, in a cookie that scripts and other hosts cannot have', async (t) => {
    const { send, signIn, facts } = await place(t)
    const { answer, cookie, csrf } = await signIn()
    assert.equal(answer.status, 201)
    const header = String(answer.headers['set-cookie'])
    assert.match(header, /^__Host-waybill=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict; Expires=/)
    assert.equal(answer.text.includes(cookie.split('=')[1] ?? '-'), false)
    const me = await send('GET', '/v1/me', { headers: { cookie } })
    assert.deepEqual([me.status, me.json.user, me.json.roles], [200, 'admin', ['admin']])
    const session = (await send('GET', '/v1/browser-session', { headers: { cookie } })).json
    assert.equal(session.csrf, csrf)
    assert.equal(
      (await send('GET', '/v1/browser-session', { headers: { cookie: `a=b; ${cookie}; c` } })).status,
      200,
    )
    const ended = await send('DELETE', '/v1/browser-session', { headers: { cookie, 'x-csrf-token': csrf } })
    assert.deepEqual([ended.json.ended, /Max-Age=0/.test(String(ended.headers['set-cookie']))], [true, true])
    assert.equal((await send('GET', '/v1/me', { headers: { cookie } })).status, 401)
    const kinds = (await facts('default')).map(({ kind }) => kind)
    assert.deepEqual(kinds.slice(-2), ['session.opened', 'session.ended'])
  })

  it('changes nothing without its own csrf value, or for a page of another site', async (t) => {
    const { send, signIn } = await place(t)
    const [{ cookie, csrf }, other] = [await signIn(), await signIn()]
    const team = (headers: Record<string, string>) =>
      send('POST', '/v1/organisations/default/teams', {
        headers: { cookie, ...headers },
        json: { team: 'x' },
      })
    const own = { 'x-csrf-token': csrf }
    for (const [name, headers] of [
      ['none', {}],
      ['empty', { 'x-csrf-token': '' }],
      ['of another session', { 'x-csrf-token': other.csrf }],
      ['shorter', { 'x-csrf-token': csrf.slice(1) }],
      ['another origin', { ...own, origin: 'https://evil.test' }],
      ['no origin', { ...own, origin: 'null' }],
      ['the same name at another port', { ...own, origin: 'https://localhost:1' }],
      ['another site', { ...own, 'sec-fetch-site': 'cross-site' }],
      ['a sibling', { ...own, 'sec-fetch-site': 'same-site' }],
    ] as const) {
      const { status, json } = await team(headers)
      assert.deepEqual([status, json.code], [403, 'CSRF_REFUSED'], name)
    }
    const read = await send('GET', '/v1/me', { headers: { cookie, 'sec-fetch-site': 'cross-site' } })
    assert.equal(read.status, 403, 'reading too')
    for (const headers of [
      own,
      { ...own, 'sec-fetch-site': 'same-origin' },
      { ...own, 'sec-fetch-site': 'none' },
    ])
      assert.ok((await team(headers)).status < 300, JSON.stringify(headers))
    // A token does not need it, and counts before the cookie.
    assert.equal(
      (await send('GET', '/v1/me', { headers: { cookie, authorization: 'Bearer wbt_x' } })).status,
      401,
    )
  })

  it('ends with its token, its member, its time and its rest; a cookie that is made up is unknown', async (t) => {
    const { send, signIn, token, database } = await place(t)
    const status = async (cookie: string) => (await send('GET', '/v1/me', { headers: { cookie } })).status
    const newToken = async (json: object) => (await send('POST', '/v1/tokens', { token, json })).json
    await send('POST', '/v1/organisations/default/members', {
      token,
      json: { user: 'bob', roles: ['viewer', 'operator'] },
    })
    const change = (sql: string) => database.engine.query(sql)
    const ends: readonly (readonly [name: string, act: (id: string) => Promise<unknown>])[] = [
      ['token revoked', (id) => send('DELETE', `/v1/tokens/${id}`, { token })],
      ['token expired', (id) => change(`UPDATE waybill.tokens SET expires_at = now() WHERE id = '${id}'`)],
      [
        'rest',
        () => change(`UPDATE waybill.browser_sessions SET used_at = now() - interval '12 hours 1 second'`),
      ],
      ['time', () => change(`UPDATE waybill.browser_sessions SET ends_at = now()`)],
      ['member removed', () => send('DELETE', '/v1/organisations/default/members/bob', { token })],
    ]
    for (const [name, act] of ends) {
      const made = await newToken({ user: 'bob' })
      const { cookie } = await signIn(made.token)
      assert.equal(await status(cookie), 200, name)
      await change(
        `UPDATE waybill.browser_sessions SET used_at = now() - interval '11 hours 59 minutes' WHERE ended_at IS NULL`,
      )
      assert.equal(await status(cookie), 200, `${name}: before`)
      // The request has noted its use, or it would do so after the change.
      await until(async () => {
        const { rows } = await change(
          `SELECT used_at > now() - interval '1 minute' AS noted FROM waybill.browser_sessions ORDER BY created_at DESC LIMIT 1`,
        )
        return rows[0]?.noted === true
      })
      await act(made.id)
      assert.equal(await status(cookie), 401, name)
    }
    for (const made of [
      '__Host-waybill=',
      `__Host-waybill=${'a'.repeat(43)}`,
      '__Host-waybill=x;y',
      'waybill=1',
    ])
      assert.equal(await status(made), 401, made)
  })

  it('has never more roles than its member, ends with its token, and is not for programs', async (t) => {
    const { send, signIn, token } = await place(t)
    const set = (json: object) => send('POST', '/v1/organisations/default/members', { token, json })
    await set({ user: 'eve', roles: ['viewer', 'operator'] })
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const made = (await send('POST', '/v1/tokens', { token, json: { user: 'eve', expires_at } })).json
    const { cookie, answer } = await signIn(made.token)
    assert.equal(answer.json.expires_at, expires_at)
    await set({ user: 'eve', roles: ['viewer'] })
    assert.deepEqual((await send('GET', '/v1/me', { headers: { cookie } })).json.roles, ['viewer'])
    await set({ user: 'robot', kind: 'service', roles: ['operator'] })
    const robot = (await send('POST', '/v1/tokens', { token, json: { user: 'robot' } })).json.token
    const refused = await send('POST', '/v1/browser-session', { token: robot })
    assert.deepEqual([refused.status, refused.json.code], [403, 'PERSON_REQUIRED'])
  })

  it('a repeated request to sign in shows neither cookie nor csrf value again', async (t) => {
    const { send, token } = await place(t)
    const headers = { 'idempotency-key': 'sign-in' }
    const first = await send('POST', '/v1/browser-session', { token, headers })
    const again = await send('POST', '/v1/browser-session', { token, headers })
    assert.deepEqual([first.status, again.status, again.json.csrf], [201, 201, ''])
    assert.equal(again.headers['set-cookie'], undefined)
  })
})

describe('a token with scopes', () => {
  it('is used for these requests only, in a session too, and gives no others', async (t) => {
    const { send, signIn, token } = await place(t)
    const json = { scopes: ['people:read', 'people:write', 'runs:read'] }
    const made = await send('POST', '/v1/tokens', { token, json })
    assert.deepEqual(made.json.scopes, json.scopes)
    const { cookie } = await signIn(made.json.token)
    for (const [method, path, allowed] of [
      ['GET', '/v1/me', true],
      ['GET', '/v1/runs', true],
      ['GET', '/v1/runs/none', true],
      ['POST', '/v1/runs/none/cancel', false],
      ['GET', '/v1/agents', false],
      ['PUT', '/v1/budgets', false],
      ['GET', '/openai/v1/models', false],
    ] as const)
      for (const headers of [
        { authorization: `Bearer ${made.json.token}` },
        { cookie, 'x-csrf-token': csrfOf(cookie.split('=')[1] ?? '') },
      ]) {
        const answer = await send(method, path, { headers })
        if (path.startsWith('/openai')) continue
        assert.equal(answer.text.includes('SCOPE_MISSING'), !allowed, `${method} ${path}`)
      }
    const child = (scopes?: readonly string[]) =>
      send('POST', '/v1/tokens', { token: made.json.token, json: scopes === undefined ? {} : { scopes } })
    assert.deepEqual((await child()).json.scopes, json.scopes)
    assert.deepEqual((await child(['runs:read'])).json.scopes, ['runs:read'])
    const more = await child(['runs:write'])
    assert.deepEqual([more.status, more.json.code, more.json.pointer], [403, 'SCOPE_MISSING', '/scopes'])
    for (const wrong of ['run:read', 'runs:delete', 'RUNS:read']) {
      const answer = await send('POST', '/v1/tokens', { token, json: { scopes: ['runs:read', wrong] } })
      assert.deepEqual([answer.status, answer.json.code], [422, 'REQUEST_INVALID'], wrong)
    }
  })
})

describe('the token of the first start', () => {
  it('is known as long as it is valid', async (t) => {
    const { send, token, database } = await place(t)
    const id = await firstTokenInForce(database.engine)
    assert.match(id ?? '', /^[0-9a-f-]{36}$/)
    await send('POST', '/v1/tokens', { token, json: {} })
    await send('DELETE', `/v1/tokens/${id}`, { token })
    assert.equal(await firstTokenInForce(database.engine), null)
  })
})
