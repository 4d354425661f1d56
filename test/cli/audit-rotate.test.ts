import assert from 'node:assert/strict'
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { localHome } from '../../src/compose/local-home.ts'
import { localPrincipal } from '../../src/session/principal.ts'
import { drive, newRun, started } from '../../src/testing/contracts/records-fixture.ts'
import { Place, waybill } from './fixture.ts'

type Entry = {
  readonly n: number
  readonly key: string
  readonly fact: { readonly kind: string; readonly key?: string }
}

/** A home whose audit log has an entry for each of these grants. */
async function logged(t: TestContext, ...hosts: readonly string[]): Promise<Place> {
  const place = new Place(t)
  for (const host of hosts) await grant(place, host)
  return place
}

async function grant(place: Place, host: string): Promise<void> {
  const { code, err } = await waybill(place, ['grants', 'allow', 'host', host])
  assert.equal(code, 0, err)
}

async function json<T>(place: Place, argv: readonly string[], expected = 0): Promise<T> {
  const { code, out, err } = await waybill(place, [...argv, '--json'])
  assert.equal(code, expected, out + err)
  return JSON.parse(out) as T
}

const entries = async (place: Place) =>
  (await json<{ readonly entries: readonly Entry[] }>(place, ['audit', 'show'])).entries

const keyFile = (place: Place, name: string) => join(place.home, 'keys', name)

const openLocal = ({ home }: Place) =>
  localHome(home, {
    principal: localPrincipal('ann'),
    secrets: { has: async () => false, get: async () => undefined },
  })

describe('audit rotate', () => {
  test('AAIF-4.9-08: the old key announces the new one, which signs all later entries; the log is whole', async (t) => {
    const place = await logged(t, 'a.example')
    const first = await json<Record<string, string>>(place, ['audit', 'rotate'])
    await grant(place, 'b.example')
    const second = await json<Record<string, string>>(place, ['audit', 'rotate'])
    await grant(place, 'c.example')
    assert.deepEqual([first.name, second.name, second.previous_key_id], ['audit-2', 'audit-3', first.key_id])
    const log = await entries(place)
    assert.deepEqual(
      log.map(({ fact, key }) => [fact.kind, key]),
      [
        ['grant.given', first.previous_key_id],
        ['audit.key_rotated', first.previous_key_id],
        ['grant.given', first.key_id],
        ['audit.key_rotated', first.key_id],
        ['grant.given', second.key_id],
      ],
    )
    assert.equal(log[1]?.fact.key, first.key_id)
    assert.equal((await waybill(place, ['audit', 'verify'])).code, 0)
  })

  test('an export is whole directly after a rotation and later, in a home that trusts the keys', async (t) => {
    const place = await logged(t, 'a.example')
    const other = new Place(t)
    const files = [keyFile(place, 'audit.pub'), keyFile(place, 'audit-2.pub')]
    for (const grants of [[], ['b.example']]) {
      if (grants.length === 0) await waybill(place, ['audit', 'rotate'])
      for (const host of grants) await grant(place, host)
      place.write('log.ndjson', (await waybill(place, ['audit', 'export'])).out)
      assert.equal((await waybill(place, ['audit', 'verify', 'log.ndjson'])).code, 0)
    }
    other.write('log.ndjson', (await waybill(place, ['audit', 'export'])).out)
    for (const [index, file] of files.entries()) {
      assert.equal((await waybill(other, ['audit', 'verify', 'log.ndjson'])).code, 1, String(index))
      other.write('k.pub', readFileSync(file, 'utf8'))
      assert.equal((await waybill(other, ['keys', 'trust', `them-${index}`, 'k.pub'])).code, 0)
    }
    assert.equal((await waybill(other, ['audit', 'verify', 'log.ndjson'])).code, 0)
  })

  test('an open home continues with the new key after another process rotated it', async (t) => {
    const place = await logged(t)
    const home = await openLocal(place)
    t.after(() => home.close())
    const at = new Date().toISOString()
    await home.audit.append([{ at, kind: 'one' }])
    await waybill(place, ['audit', 'rotate'])
    await home.audit.append([{ at, kind: 'two' }])
    const keys = (await entries(place)).map(({ key }) => key)
    assert.deepEqual([keys[0] === keys[1], keys[1] === keys[2]], [true, false])
    assert.equal((await waybill(place, ['audit', 'verify'])).code, 0)
  })

  test('two rotations at once give one whole log', async (t) => {
    const place = await logged(t, 'a.example')
    await Promise.all([waybill(place, ['audit', 'rotate']), waybill(place, ['audit', 'rotate'])])
    await grant(place, 'b.example')
    assert.equal((await waybill(place, ['audit', 'verify'])).code, 0)
  })

  test('a key file that a crash left before the announcement has no effect', async (t) => {
    const place = await logged(t, 'a.example')
    await waybill(place, ['keys', 'new', 'audit-2'])
    rmSync(keyFile(place, 'audit-2.pub'))
    await grant(place, 'b.example')
    const rotated = await json<Record<string, string>>(place, ['audit', 'rotate'])
    assert.equal(rotated.name, 'audit-3')
    await grant(place, 'c.example')
    assert.equal((await waybill(place, ['audit', 'verify'])).code, 0)
  })

  test('a revoked key cannot announce another one, and no key file is made', async (t) => {
    const place = await logged(t, 'a.example')
    await waybill(place, ['keys', 'revoke', 'audit', '--reason', 'stolen'])
    const { error } = await json<{ readonly error: { readonly code: string } }>(place, ['audit', 'rotate'], 1)
    assert.equal(error.code, 'AUDIT_KEY_WRONG')
    assert.ok(!existsSync(keyFile(place, 'audit-2.key')))
  })

  test('after a rotation the old key, a missing new key and a revoked new key refuse entries', async (t) => {
    const refused = async (change: (place: Place) => unknown) => {
      const place = await logged(t, 'a.example')
      await waybill(place, ['audit', 'rotate'])
      await change(place)
      const { error } = await json<{ readonly error: { readonly code: string } }>(
        place,
        ['grants', 'allow', 'host', 'b.example'],
        1,
      )
      assert.equal(error.code, 'AUDIT_KEY_WRONG')
      assert.equal((await entries(place)).length, 2)
      assert.deepEqual(
        readdirSync(join(place.home, 'keys')).filter((name) => name.startsWith('audit-3')),
        [],
      )
    }
    await refused((place) => waybill(place, ['keys', 'revoke', 'audit-2', '--reason', 'stolen']))
    await refused((place) => {
      for (const half of ['key', 'pub']) rmSync(keyFile(place, `audit-2.${half}`))
    })
    await refused((place) => rmSync(keyFile(place, 'audit-2.key')))
    await refused((place) => {
      for (const half of ['key', 'pub'])
        copyFileSync(keyFile(place, `audit.${half}`), keyFile(place, `audit-2.${half}`))
    })
    await refused((place) => {
      for (const half of ['key', 'pub'])
        renameSync(keyFile(place, `audit-2.${half}`), keyFile(place, `mine.${half}`))
    })
    await refused((place) => {
      for (const half of ['key', 'pub']) rmSync(keyFile(place, `audit.${half}`))
      for (const half of ['key', 'pub']) rmSync(keyFile(place, `audit-2.${half}`))
    })
  })

  test('a lost or revoked old key does not stop new entries', async (t) => {
    const place = await logged(t, 'a.example')
    await waybill(place, ['audit', 'rotate'])
    await waybill(place, ['keys', 'revoke', 'audit', '--reason', 'retired'])
    await grant(place, 'b.example')
    rmSync(keyFile(place, 'audit.key'))
    await grant(place, 'c.example')
    assert.equal((await entries(place)).length, 4)
    // Its signatures are invalid since its revocation.
    assert.equal((await waybill(place, ['audit', 'verify'])).code, 1)
  })

  test('a home without a log, and a damaged log, are not rotated', async (t) => {
    const empty = new Place(t)
    const none = await json<{ readonly error: { readonly code: string } }>(empty, ['audit', 'rotate'], 2)
    assert.equal(none.error.code, 'AUDIT_NOT_FOUND')
    const place = await logged(t, 'a.example')
    writeFileSync(keyFile(place, 'audit.key'), '', { mode: 0o600 })
    assert.notEqual((await waybill(place, ['audit', 'rotate'])).code, 0)
    assert.ok(!existsSync(keyFile(place, 'audit-2.key')))
  })

  test('the keys of the log are not offered for documents, and an exported run is signed by the new key', async (t) => {
    const place = await logged(t, 'a.example')
    await waybill(place, ['audit', 'rotate'])
    await waybill(place, ['keys', 'new', 'me'])
    place.write('d.json', JSON.stringify({ a: 1 }))
    assert.equal((await waybill(place, ['sign', 'd.json', '--detached'])).code, 0)
    const home = await openLocal(place)
    const run = await drive(home, newRun('r1'))
    await run.append(started('r1'))
    await home.close()
    const { out, err } = await waybill(place, ['runs', 'export', 'r1'])
    const last = out.trimEnd().split('\n').at(-1) ?? ''
    const { own } = await json<{
      readonly own: readonly { readonly name: string; readonly key_id: string }[]
    }>(place, ['keys', 'list'])
    assert.equal(JSON.parse(last).key, own.find(({ name }) => name === 'audit-2')?.key_id, err)
  })
})
