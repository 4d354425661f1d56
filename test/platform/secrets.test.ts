import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { environmentSecrets } from '../../src/adapters/secrets/environment-secrets.ts'
import { mayUseEnvironment } from '../../src/compose/may-use-environment.ts'
import { secretKeyFile } from '../../src/compose/secret-key-file.ts'
import type { InstallationKey } from '../../src/platform/secrets/installation-key.ts'
import { OrganisationSecrets } from '../../src/platform/secrets/organisation-secrets.ts'
import { rotateSecrets } from '../../src/platform/secrets/rotate-secrets.ts'
import { secretsContract } from '../../src/testing/contracts/secrets.ts'
import { entryMaker } from '../../src/trust/audit-chain.ts'
import { serve } from '../server/served.ts'
import { allRows } from './all-rows.ts'
import { peopleSite } from './people-fixture.ts'

const VALUE = 'v4lue-that-is-n0t-shown-Qq7'
const { privateKey } = generateKeyPairSync('ed25519')
const code = (wanted: string) => (error: unknown) => (error as { code?: string }).code === wanted

/** A server with the organisations `default` and `acme`, and the secrets as runs see them. */
async function place(t: TestContext) {
  const home = mkdtempSync(join(tmpdir(), 'waybill-secrets-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  const key = secretKeyFile(home)
  const site = await peopleSite(t, () => privateKey, key)
  const { database, admin } = site
  const { send, log } = await serve(t, await site.platform())
  const made = await send('POST', '/v1/organisations', {
    token: admin,
    json: { organisation: 'acme', admin: { user: 'ada' } },
  })
  const acme: string = made.json.admin_token.token
  const set = (token: string, name: string, value: string, hosts: readonly string[]) =>
    send('PUT', `/v1/secrets/${name}`, { token, json: { value, hosts } })
  const environment = environmentSecrets({ ENV: 'of-the-operator', LISTED: 'listed' })
  const opened = (by: InstallationKey = key) =>
    new OrganisationSecrets({
      pool: database.app,
      key: by,
      environment,
      mayUse: (org, name) => mayUseEnvironment({ environment_secrets: { LISTED: ['acme'] } }, org, name),
      ageMs: 0,
    })
  const get = (org: string, name: string, host = 'api.example', by?: InstallationKey) =>
    opened(by)
      .of(org)
      .get(name, { url: new URL(`https://${host}/x`) })
  const rotate = (by: InstallationKey = key) =>
    rotateSecrets(
      database.engine,
      by,
      entryMaker(() => privateKey),
      'admin',
    )
  return { ...site, home, key, admin, acme, send, log, set, get, opened, rotate }
}

describe('the routes of secrets', () => {
  it('set, show, list and remove a secret, and no answer contains its value', async (t) => {
    const { admin, send, set, facts, log, home, database } = await place(t)
    const answers = [
      await set(admin, 'CRM_KEY', VALUE, ['API.example', 'b.example:8443', 'api.example']),
      await send('GET', '/v1/secrets/CRM_KEY', { token: admin }),
      await send('GET', '/v1/secrets', { token: admin }),
      await set(admin, 'CRM_KEY', VALUE, ['https://api.example']),
      await set(admin, 'CRM_KEY', VALUE, []),
      await set(admin, VALUE, VALUE, ['api.example']),
      await send('PUT', '/v1/secrets/X', { token: admin, json: { value: 7, hosts: VALUE } }),
      await send('PUT', '/v1/secrets/X', {
        token: admin,
        body: `{"value": "${VALUE}"`,
        headers: { 'content-type': 'application/json' },
      }),
    ]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 422, 422, 422, 422, 400],
    )
    const { set_at, ...view } = answers[1]?.json ?? {}
    assert.deepEqual(view, {
      name: 'CRM_KEY',
      hosts: ['api.example', 'b.example:8443'],
      set_by: 'admin',
      used_at: null,
    })
    assert.ok(Math.abs(Date.parse(set_at) - Date.now()) < 60_000)
    assert.deepEqual(answers[2]?.json.items, [{ ...view, set_at }])
    const stored = JSON.stringify([answers.map(({ text }) => text), log, await facts('default')])
    assert.equal((stored + (await allRows(database.engine))).includes(VALUE), false)
    const folder = join(home, 'keys', 'secrets')
    assert.deepEqual(readdirSync(folder), ['installation.key'])
    assert.equal(statSync(join(folder, 'installation.key')).mode & 0o777, 0o600)
    assert.equal(readFileSync(join(folder, 'installation.key'), 'utf8').includes(VALUE), false)
    assert.equal((await send('DELETE', '/v1/secrets/CRM_KEY', { token: admin })).status, 200)
    for (const method of ['GET', 'DELETE'] as const)
      assert.equal(
        (await send(method, '/v1/secrets/CRM_KEY', { token: admin })).json.code,
        'SECRET_NOT_FOUND',
      )
    const kinds = (await facts('default')).map(({ kind, by }) => `${kind} ${by}`)
    assert.deepEqual(kinds.slice(-2), ['secret.set admin', 'secret.removed admin'])
  })

  it('only an admin changes them, and those of another organisation are not found', async (t) => {
    const { admin, acme, send, set } = await place(t)
    await set(admin, 'KEY', VALUE, ['api.example'])
    for (const value of [admin, `Bearer ${acme}`]) {
      const { status, json, text } = await set(admin, 'TOKEN', value, ['api.example'])
      assert.deepEqual([status, json.code], [422, 'SECRET_IS_TOKEN'])
      assert.equal(text.includes(value), false)
    }
    await send('POST', '/v1/organisations/default/members', {
      token: admin,
      json: { user: 'bob', roles: ['operator'] },
    })
    const bob = (await send('POST', '/v1/tokens', { token: admin, json: { user: 'bob' } })).json.token
    assert.equal((await set(bob, 'KEY', 'x', ['x.example'])).status, 403)
    assert.equal((await send('DELETE', '/v1/secrets/KEY', { token: bob })).status, 403)
    assert.equal((await send('GET', '/v1/secrets/KEY', { token: bob })).status, 200)
    for (const method of ['GET', 'DELETE'] as const)
      assert.equal((await send(method, '/v1/secrets/KEY', { token: acme })).status, 404)
    assert.deepEqual((await send('GET', '/v1/secrets', { token: acme })).json.items, [])
    assert.equal((await send('GET', '/v1/secrets?organisation=default', { token: acme })).status, 404)
    const theirs = await send('PUT', '/v1/secrets/KEY?organisation=acme', {
      token: admin,
      json: { value: 'v', hosts: ['a.example'] },
    })
    assert.equal(theirs.json.set_by, 'admin@default')
  })
})

describe('the secrets of an organisation', () => {
  it('keep the contract of every store of secrets', async (t) => {
    const { admin, send, set, opened } = await place(t)
    const to = { url: new URL('https://api.example') }
    const secrets = opened().of('default')
    const names = new Set<string>()
    const contract = secretsContract(async () => {
      for (const name of names) await send('DELETE', `/v1/secrets/${name}`, { token: admin })
      return {
        secrets: { has: (name) => secrets.has(name, to), get: (name) => secrets.get(name, to) },
        async set(name, value) {
          names.add(name)
          if (value === undefined) await send('DELETE', `/v1/secrets/${name}`, { token: admin })
          else await set(admin, name, value, ['api.example'])
        },
      }
    })
    for (const { check } of contract) await check()
  })

  it('are its own, go to their hosts only, and the environment is for those that may use it', async (t) => {
    const { admin, acme, set, get, opened } = await place(t)
    await set(admin, 'KEY', 'of-default', ['api.example', 'b.example:8443'])
    await set(acme, 'KEY', 'of-acme', ['api.example'])
    await set(acme, 'ENV', 'own', ['own.example'])
    const table: [string, string, string, string | undefined][] = [
      ['default', 'KEY', 'api.example', 'of-default'],
      ['acme', 'KEY', 'api.example', 'of-acme'],
      ['default', 'KEY', 'b.example:8443', 'of-default'],
      ['default', 'KEY', 'b.example', undefined],
      ['acme', 'KEY', 'b.example:8443', undefined],
      ['acme', 'KEY', 'sub.api.example', undefined],
      ['default', 'ENV', 'any.example', 'of-the-operator'],
      ['acme', 'ENV', 'any.example', undefined],
      ['default', 'LISTED', 'any.example', undefined],
      ['acme', 'LISTED', 'any.example', 'listed'],
      ['acme', 'ENV', 'own.example', 'own'],
      ['none', 'KEY', 'api.example', undefined],
      ['default', '"\u0000', 'api.example', undefined],
    ]
    for (const [org, name, host, value] of table) {
      assert.equal(await get(org, name, host), value, `${org} ${name} ${host}`)
      const to = { url: new URL(`https://${host}`) }
      assert.equal(await opened().of(org).has(name, to), value !== undefined, `${org} ${name} ${host}`)
    }
    const secrets = opened().of('default')
    assert.equal(
      await secrets.get('ENV', { url: new URL('https://x.example'), stored_only: true }),
      undefined,
    )
    // What the operator's own configuration names has no target, and is never a secret of an organisation.
    assert.deepEqual([await secrets.get('ENV'), await secrets.get('KEY')], ['of-the-operator', undefined])
    assert.deepEqual(await opened().of('acme').values?.('ENV'), ['own', 'of-the-operator'])
  })

  it('cannot be read when their rows are changed, or moved to another name, host or organisation', async (t) => {
    const { admin, acme, set, get, database } = await place(t)
    const { engine } = database
    const fresh = async () => {
      await set(admin, 'ONE', 'value-one', ['api.example'])
      await set(admin, 'TWO', 'value-two', ['api.example'])
      await set(acme, 'ONE', 'value-acme', ['api.example'])
    }
    const copy = (columns: string, from: string, to: string) =>
      engine.query(
        `UPDATE waybill.secrets AS t SET (${columns}) = (SELECT ${columns} FROM waybill.secrets AS f WHERE ${from}) WHERE ${to}`,
      )
    const [one, two, theirs] = [
      `org = 'default' AND name = 'ONE'`,
      `org = 'default' AND name = 'TWO'`,
      `org = 'acme' AND name = 'ONE'`,
    ]
    const attacks: (() => Promise<unknown>)[] = [
      () => copy('sealed, version', two, one),
      () => copy('sealed', two, one),
      () => copy('sealed, version', theirs, one),
      () => engine.query(`UPDATE waybill.secrets SET hosts = '{api.example,evil.example}' WHERE ${one}`),
      () =>
        engine.query(
          `UPDATE waybill.secrets SET sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1) WHERE ${one}`,
        ),
      () => engine.query(`UPDATE waybill.secrets SET sealed = '\\x00' WHERE ${one}`),
      () =>
        engine.query(
          `UPDATE waybill.secrets SET sealed = substr(sealed, 1, length(sealed) - 12) WHERE ${one}`,
        ),
      () => engine.query(`UPDATE waybill.secrets SET version = 'other' WHERE ${one}`),
      // The whole organisation of another one, with its key.
      async () => {
        await engine.query(
          `INSERT INTO waybill.secret_keys SELECT 'default', key_id, wrapped_by, wrapped FROM waybill.secret_keys WHERE org = 'acme' ON CONFLICT DO NOTHING`,
        )
        await copy('sealed, version, key_id', theirs, one)
      },
    ]
    for (const [n, attack] of attacks.entries()) {
      await fresh()
      assert.equal(await get('default', 'ONE'), 'value-one')
      await attack()
      await assert.rejects(get('default', 'ONE'), code('SECRET_UNREADABLE'), `attack ${n}`)
      await engine.query(`DELETE FROM waybill.secrets; DELETE FROM waybill.secret_keys`)
    }
    await fresh()
    await engine.query(`UPDATE waybill.secrets SET name = 'MOVED' WHERE ${two}`)
    await assert.rejects(get('default', 'MOVED'), code('SECRET_UNREADABLE'))
  })
})

describe('the key of the installation', () => {
  it('is exchanged, with all secrets readable, and the old one is gone', async (t) => {
    const { admin, acme, set, get, rotate, home, facts } = await place(t)
    await set(admin, 'KEY', 'of-default', ['api.example'])
    await set(acme, 'KEY', 'of-acme', ['api.example'])
    const file = join(home, 'keys', 'secrets', 'installation.key')
    const before = readFileSync(file, 'utf8')
    const { key_id, keys } = await rotate()
    assert.equal(keys, 2)
    const after = readFileSync(file, 'utf8')
    assert.match(after, new RegExp(`^${key_id} \\S{44}\\n$`))
    assert.deepEqual([await get('default', 'KEY'), await get('acme', 'KEY')], ['of-default', 'of-acme'])
    assert.equal((await facts('default')).at(-1)?.kind, 'secrets.rotated')
    writeFileSync(file, before)
    await assert.rejects(get('acme', 'KEY'), code('SECRET_KEY_MISSING'))
  })

  it('leaves everything readable when its exchange is interrupted at any point', async (t) => {
    const { admin, acme, set, get, rotate, key, home, database } = await place(t)
    const file = join(home, 'keys', 'secrets', 'installation.key')
    await set(admin, 'KEY', 'of-default', ['api.example'])
    await set(acme, 'KEY', 'of-acme', ['api.example'])
    const crash = async () => {
      throw new Error('crash')
    }
    const wrappedBy = async () =>
      (await database.engine.query('SELECT DISTINCT wrapped_by FROM waybill.secret_keys')).rows.map(
        ({ wrapped_by }) => wrapped_by as string,
      )
    const stored: string[] = []
    let wraps = 0
    const interrupted: InstallationKey[] = [
      { ...key, renew: crash },
      { ...key, wrap: crash },
      { ...key, wrap: (...args) => (++wraps === 2 ? crash() : key.wrap(...args)) },
      {
        ...key,
        dropOlder: () =>
          wrappedBy()
            .then((ids) => stored.push(...ids))
            .then(crash),
      },
    ]
    for (const by of interrupted) {
      await assert.rejects(rotate(by), /crash/)
      assert.deepEqual([await get('default', 'KEY'), await get('acme', 'KEY')], ['of-default', 'of-acme'])
    }
    // The old key was to be removed only after nothing stored needs it.
    assert.deepEqual(stored, [readFileSync(file, 'utf8').split(' ')[0]])
    const [, later] = await Promise.all([rotate(), set(acme, 'LATER', 'later', ['api.example']), rotate()])
    assert.equal(later.status, 200)
    assert.equal(
      readFileSync(join(home, 'keys', 'secrets', 'installation.key'), 'utf8').split('\n').length,
      2,
    )
    assert.deepEqual([await get('default', 'KEY'), await get('acme', 'LATER')], ['of-default', 'later'])
  })

  it('is made once by several processes, and a damaged file is an error without its text', async (t) => {
    const home = mkdtempSync(join(tmpdir(), 'waybill-secrets-'))
    t.after(() => rmSync(home, { recursive: true, force: true }))
    const binding = Buffer.from('b')
    const [one, two] = [secretKeyFile(home), secretKeyFile(home)]
    const wrapped = await one.wrap(Buffer.alloc(32, 7), binding)
    assert.deepEqual(await two.unwrap(wrapped, binding), Buffer.alloc(32, 7))
    await assert.rejects(two.unwrap(wrapped, Buffer.from('c')), code('SECRET_UNREADABLE'))
    const file = join(home, 'keys', 'secrets', 'installation.key')
    writeFileSync(file, `id ${VALUE}\n`)
    await assert.rejects(one.wrap(Buffer.alloc(32), binding), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'SECRET_KEY_MISSING')
      return !JSON.stringify([error.message, error]).includes(VALUE)
    })
  })
})
