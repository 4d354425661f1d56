import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { homeKeys } from '../../src/compose/home-keys.ts'
import { peopleSite } from '../platform/people-fixture.ts'
import { serve } from '../server/served.ts'
import { Place, waybill } from './fixture.ts'

/** A server of the platform, and a user of the command line. */
async function scene(t: TestContext) {
  const place = new Place(t)
  const site = await peopleSite(t, homeKeys(place.home).signAudit)
  const { server } = await serve(t, await site.platform())
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const file = join(place.home, 'logins.json')
  return { ...site, url, place, file }
}

describe('waybill login', () => {
  it('checks the token, keeps it for the user alone, and logout forgets it', async (t) => {
    const { admin, url, place, file } = await scene(t)
    const { code, out, err } = await waybill(place, ['login', `${url}/`, '--json'], { stdin: `${admin}\n` })
    assert.equal(code, 0, err)
    assert.deepEqual(JSON.parse(out), {
      server: url,
      organisation: 'default',
      user: 'admin',
      roles: ['admin'],
    })
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).tokens[url], admin)
    assert.equal((out + err).includes(admin), false)
    assert.equal((await waybill(place, ['logout'])).code, 0)
    assert.equal(readFileSync(file, 'utf8').includes(admin), false)
    assert.match((await waybill(place, ['logout'])).err, /no login to forget/)
  })

  it('keeps nothing if the server refuses the token, does not answer, or is another one', async (t) => {
    const { url, place, admin, file } = await scene(t)
    const web = createServer((_request, response) => response.end('<html>'))
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
    t.after(() => web.close())
    const { port } = web.address() as { port: number }
    const table = [
      [url, `wbt_${'x'.repeat(43)}`, 'TOKEN_REFUSED', 2],
      [url, 'sk-another-secret-of-the-user', 'USAGE', 2],
      ['http://127.0.0.1:1', admin, 'SERVER_UNREACHABLE', 3],
      [`http://127.0.0.1:${port}`, admin, 'SERVER_ANSWER_INVALID', 3],
      ['http://waybill.example', admin, 'USAGE', 2],
      [`http://user@${url.slice(7)}`, admin, 'USAGE', 2],
      ['waybill.example', admin, 'USAGE', 2],
    ] as const
    for (const [to, input, expected, exit] of table) {
      const { code, err, out } = await waybill(place, ['login', to, '--json'], { stdin: input })
      assert.deepEqual([JSON.parse(out).error.code, code], [expected, exit], to)
      assert.equal((out + err).includes(input), false)
    }
    assert.throws(() => statSync(file), { code: 'ENOENT' })
  })

  it('a damaged file is reported, without its text', async (t) => {
    const { place, file } = await scene(t)
    mkdirSync(place.home, { recursive: true, mode: 0o700 })
    for (const text of [
      '{"tokens": wbt_secret',
      '[]',
      '{"current": 1, "tokens": {}}',
      '{"tokens": {"a": 1}}',
    ]) {
      writeFileSync(file, text)
      const { err, code } = await waybill(place, ['token', 'list'])
      assert.match(err, /LOGINS_DAMAGED/)
      assert.doesNotMatch(err, /wbt_secret/)
      assert.equal(code, 2)
    }
  })
})

describe('waybill token', () => {
  it('creates, lists and revokes tokens of the server that login keeps', async (t) => {
    const { admin, url, place } = await scene(t)
    await waybill(place, ['login', url], { stdin: admin })
    const made = await waybill(place, ['token', 'new', 'ci', '--role', 'operator', 'viewer'])
    assert.match(made.out, /^wbt_[\w-]{43}\n$/)
    const { items } = JSON.parse((await waybill(place, ['token', 'list', '--json'])).out)
    const { id } = items.find((one: { name: string }) => one.name === 'ci')
    const env = { WAYBILL_TOKEN: made.out.trim() }
    const own = await waybill(place, ['token', 'list', '--server', url, '--json'], { env })
    assert.deepEqual(
      JSON.parse(own.out).items.map((one: { name: string }) => one.name),
      ['first', 'ci'],
    )
    assert.equal((await waybill(place, ['token', 'revoke', id])).code, 0)
    const refused = await waybill(place, ['token', 'list', '--server', url], { env })
    assert.match(refused.err, /TOKEN_REFUSED/)
    assert.match(refused.err, /waybill login/)
  })

  it('works on the database of this machine, for another organisation too', async (t) => {
    const { ownerUrl, place, url, admin } = await scene(t)
    const local = ['--database-url', ownerUrl]
    const headers = { authorization: `Bearer ${admin}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ organisation: 'acme', admin: { user: 'ada' } })
    assert.equal((await fetch(`${url}/v1/organisations`, { method: 'POST', headers, body })).status, 201)
    const made = await waybill(place, ['token', 'new', '--org', 'acme', '--user', 'ada', '--json', ...local])
    assert.equal(made.code, 0, made.err)
    const { id, token, org, role, expires_at } = JSON.parse(made.out)
    assert.deepEqual([org, role], ['acme', 'admin'])
    assert.ok(Date.parse(expires_at) > Date.now() + 89 * 86_400_000)
    const me = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(((await me.json()) as { user: string }).user, 'ada')
    assert.equal((await waybill(place, ['token', 'revoke', id, '--org', 'acme', ...local])).code, 0)
    assert.equal((await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status, 401)
  })

  it('names a new token whose value was lost with the answer of the server', async (t) => {
    const { url, place, admin } = await scene(t)
    let isLost = false
    const between = createServer(async ({ method = '', url: path, headers, socket }, response) => {
      const { 'idempotency-key': key = '', 'content-type': type = 'application/json' } = headers
      const sent = { authorization: `Bearer ${admin}`, 'content-type': type, 'idempotency-key': String(key) }
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: sent,
        ...(method === 'POST' && { body: '{"name":"ci"}' }),
      })
      const text = await answer.text()
      if (method === 'POST' && !isLost) {
        isLost = true
        return socket.destroy()
      }
      return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
    })
    await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve))
    t.after(() => between.close())
    const server = `http://127.0.0.1:${(between.address() as { port: number }).port}`
    const env = { WAYBILL_TOKEN: admin }
    const { code, out } = await waybill(place, ['token', 'new', 'ci', '--server', server, '--json'], { env })
    const { error } = JSON.parse(out)
    assert.deepEqual([code, error.code], [3, 'SERVER_ANSWER_INVALID'], out)
    const listed = await waybill(place, ['token', 'list', '--server', server, '--json'], { env })
    const made = JSON.parse(listed.out).items.find(({ name }: { readonly name: string }) => name === 'ci')
    assert.match(error.hint, new RegExp(`waybill token revoke ${made.id}`))
  })

  it('refuses what it cannot mean', async (t) => {
    const { place, url, admin } = await scene(t)
    const table = [
      [['new', '--role', 'root'], /Allowed choices/],
      [['new', '--expires', 'soon', '--server', url], /is not a time/],
      [['revoke', admin, '--server', url], /the token itself/],
      [['list', '--server', 'http://127.0.0.1:1'], /there is no token for/],
    ] as const
    for (const [argv, message] of table) {
      const { code, err } = await waybill(place, ['token', ...argv])
      assert.equal(code, 2)
      assert.match(err, message)
      assert.equal(err.includes(admin), false)
    }
  })
})
