import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { homeKeys } from '../../src/compose/home-keys.ts'
import { secretKeyFile } from '../../src/compose/secret-key-file.ts'
import { allRows } from '../platform/all-rows.ts'
import { peopleSite } from '../platform/people-fixture.ts'
import { serve } from '../server/served.ts'
import { Place, waybill } from './fixture.ts'

const VALUE = 'crm-v4lue-Yc58Vm2Ks1Wd'

/** A server of the platform, and a user of the command line with the same home. */
async function scene(t: TestContext) {
  const place = new Place(t)
  const site = await peopleSite(t, homeKeys(place.home).signAudit, secretKeyFile(place.home))
  const { server } = await serve(t, await site.platform())
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return { ...site, url, place }
}

describe('waybill secret', () => {
  it('sets, lists and removes secrets of the server that login keeps', async (t) => {
    const { admin, url, place, database } = await scene(t)
    await waybill(place, ['login', url], { stdin: admin })
    const hosts = ['--host', 'api.example', 'b.example:8443']
    const set = await waybill(place, ['secret', 'set', 'CRM_KEY', ...hosts], { stdin: `${VALUE}\n` })
    assert.equal(set.code, 0, set.err)
    const shown = [
      set,
      await waybill(place, ['secret', 'list']),
      await waybill(place, ['secret', 'list', '--json']),
    ]
    const [{ set_at, ...view }] = JSON.parse(shown[2]?.out ?? '').items
    const expected = { name: 'CRM_KEY', hosts: ['api.example', 'b.example:8443'], set_by: 'admin' }
    assert.deepEqual(view, { ...expected, used_at: null })
    assert.match(
      shown[1]?.out ?? '',
      /^NAME +USED +SET +HOSTS\nCRM_KEY {2}never {2}\S+ by admin {2}api\.example,b\.example:8443\n$/,
    )
    const texts = JSON.stringify(shown) + (await allRows(database.engine))
    assert.equal(texts.includes(VALUE), false)
    assert.equal((await waybill(place, ['secret', 'remove', 'CRM_KEY'])).code, 0)
    assert.match((await waybill(place, ['secret', 'remove', 'CRM_KEY'])).err, /SECRET_NOT_FOUND/)
    assert.match((await waybill(place, ['secret', 'list'])).err, /no secrets/)
  })

  it('works on the database of this machine, where the key is rotated', async (t) => {
    const { ownerUrl, place } = await scene(t)
    const local = ['--database-url', ownerUrl]
    const set = await waybill(
      place,
      ['secret', 'set', 'CRM_KEY', '--host', 'api.example', '--json', ...local],
      {
        stdin: VALUE,
      },
    )
    assert.deepEqual(JSON.parse(set.out).hosts, ['api.example'])
    const file = join(place.home, 'keys', 'secrets', 'installation.key')
    const before = readFileSync(file, 'utf8')
    const { code, out, err } = await waybill(place, ['secret', 'rotate', '--json', ...local])
    assert.equal(code, 0, err)
    const { key_id, keys } = JSON.parse(out)
    assert.equal(keys, 1)
    assert.notEqual(readFileSync(file, 'utf8'), before)
    assert.ok(readFileSync(file, 'utf8').startsWith(key_id))
  })

  it('refuses a value in place of a name, an empty value and an invalid host', async (t) => {
    const { admin, url, place } = await scene(t)
    await waybill(place, ['login', url], { stdin: admin })
    const table = [
      [['set', VALUE, '--host', 'api.example'], VALUE, /the name of a secret has letters/],
      [['set', 'CRM_KEY', '--host', 'api.example'], '\n', /the value is empty/],
      [['set', 'CRM_KEY', '--host', '*.example'], VALUE, /not the name of a host/],
      [['set', 'CRM_KEY'], VALUE, /--host/],
    ] as const
    for (const [argv, stdin, message] of table) {
      const { code, err, out } = await waybill(place, ['secret', ...argv], { stdin })
      assert.notEqual(code, 0)
      assert.match(err, message)
      assert.equal((out + err).includes(VALUE), false)
    }
  })
})
