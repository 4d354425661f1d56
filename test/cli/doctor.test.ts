import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { createKey } from '../../src/trust/key-file.ts'
import { Place, waybill } from './fixture.ts'

interface Check {
  readonly check: string
  readonly ok: boolean
  readonly detail: string
  readonly fix?: string
}

async function diagnosed(place: Place, ...argv: readonly string[]) {
  const { code, out } = await waybill(place, ['doctor', '--json', '--port', '0', ...argv])
  const { ok, checks } = JSON.parse(out) as { readonly ok: boolean; readonly checks: readonly Check[] }
  assert.equal(code, ok ? 0 : 1)
  const failed = checks.filter((check) => !check.ok)
  for (const { fix } of failed) assert.ok(fix !== undefined)
  return { checks, failed, names: failed.map(({ check }) => check) }
}

async function otherProgram(t: TestContext): Promise<number> {
  const server = createServer((socket) => socket.end('no HTTP')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}

describe('waybill doctor', () => {
  it('passes before the first start, and creates nothing', async (t) => {
    const place = new Place(t)
    const { checks, names } = await diagnosed(place)
    assert.deepEqual(names, [])
    assert.match(
      checks.find(({ check }) => check === 'database')?.detail ?? '',
      /^there is none yet: the first start creates one of PostgreSQL \d+ in .*home\/platform\/postgres$/,
    )
    assert.equal(existsSync(place.home), false)
  })

  it('reports a home and keys that this user cannot read', async (t) => {
    const place = new Place(t)
    symlinkSync('loop', join(place.folder, 'loop'))
    const { out } = await waybill(place, ['doctor', '--json', '--port', '0'], {
      env: { WAYBILL_HOME: join(place.folder, 'loop') },
    })
    const { checks } = JSON.parse(out) as { readonly checks: readonly Check[] }
    const home = checks.find(({ check }) => check === 'home')
    assert.deepEqual(
      [home?.ok, home?.fix],
      [false, 'make the home readable and writable for this user, or set WAYBILL_HOME to another folder'],
    )
    assert.match(home?.detail ?? '', /^this user cannot read and write .*loop: ELOOP/)
    const keys = checks.find(({ check }) => check === 'keys')
    assert.deepEqual([keys?.ok, keys?.fix], [false, home?.fix])
  })

  it('prints one line for each check, and a note if there is no key of a provider', async (t) => {
    const place = new Place(t)
    const { code, out } = await waybill(place, ['doctor', '--port', '0'])
    assert.equal(code, 0)
    assert.match(out, /^ok {6}configuration: there is none: the defaults apply\n/)
    assert.match(out, /\nnote {4}providers: no key .*\n {8}fix: set a key, for example OPENAI_API_KEY/)
    const withKey = await waybill(place, ['doctor', '--port', '0'], { env: { OPENAI_API_KEY: 'k' } })
    assert.match(withKey.out, /\nok {6}providers: keys are set: OPENAI_API_KEY\n/)
  })

  it('names a home that others may change, a wrong configuration and a missing audit key', async (t) => {
    const place = new Place(t)
    mkdirSync(place.home)
    place.write('home/config.yaml', 'hosts: 7\n')
    createKey(join(place.home, 'keys'), 'audit')
    rmSync(join(place.home, 'keys', 'audit.key'))
    chmodSync(place.home, 0o777)
    const { failed, names } = await diagnosed(place)
    assert.deepEqual(names, ['configuration', 'home', 'keys'])
    assert.match(failed[1]?.fix ?? '', /^chmod 700 /)
    assert.match(failed[2]?.detail ?? '', /keys\/audit\.key is missing/)
  })

  it('names a port that another program uses', async (t) => {
    const port = await otherProgram(t)
    const { failed } = await diagnosed(new Place(t), '--port', String(port))
    assert.deepEqual(
      failed.map(({ check }) => check),
      ['port'],
    )
    assert.match(failed[0]?.detail ?? '', new RegExp(`^port ${port} cannot be used: .*EADDRINUSE`))
  })

  it('names a database that does not answer, without its password', async (t) => {
    const url = 'postgres://owner:hunter2@127.0.0.1:1/none'
    const { checks, names } = await diagnosed(new Place(t), '--database-url', url)
    assert.deepEqual(names, ['database'])
    assert.doesNotMatch(JSON.stringify(checks), /hunter2/)
  })

  it('names a folder that is not one of the embedded database', async (t) => {
    const place = new Place(t)
    mkdirSync(join(place.folder, 'data/postgres/data'), { recursive: true })
    place.write('data/postgres/data/PG_VERSION', '9.6\n')
    const { failed } = await diagnosed(place, '--data', 'data')
    assert.deepEqual(
      failed.map(({ check }) => check),
      ['database'],
    )
    assert.match(failed[0]?.detail ?? '', /written by PostgreSQL 9\.6/)
  })
})
