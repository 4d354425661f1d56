import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { homeKeys } from '../../src/compose/home-keys.ts'
import { secretKeyFile } from '../../src/compose/secret-key-file.ts'
import { peopleSite } from '../platform/people-fixture.ts'
import { serve } from '../server/served.ts'
import { Place, waybill } from './fixture.ts'

/** A server of the platform without a worker, and an admin of it. */
async function scene(t: TestContext) {
  const place = new Place(t)
  const site = await peopleSite(t, homeKeys(place.home).signAudit, secretKeyFile(place.home))
  const { server } = await serve(t, await site.platform())
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  assert.equal((await waybill(place, ['login', url], { stdin: site.admin })).code, 0)
  return { ...site, url, place }
}

describe('waybill erase', () => {
  it('requests an erasure on the server or on this machine, and lists how far each is', async (t) => {
    const { place, database, ownerUrl } = await scene(t)
    assert.match((await waybill(place, ['erase', '--list'])).err, /no erasures/)
    const asked = await waybill(place, ['erase', 'ada', '--yes'])
    assert.deepEqual([asked.code, asked.out], [0, ''])
    const [, id] = /^requested: erasure (\S+);/m.exec(asked.err) ?? []
    const again = JSON.parse((await waybill(place, ['erase', 'ada', '--yes', '--json'])).out)
    assert.deepEqual([again.id, again.user, again.state], [id, 'ada', 'pending'])
    const shown = await waybill(place, ['erase', '--list'])
    assert.match(shown.out, /^\S+ {2}ada {2}pending {2}0 runs, 0 memory items {2}requested \S+ by admin\n$/)
    await database.engine.query(
      'UPDATE waybill.erasures SET user_id = NULL, removed_at = now(), runs = 1, items = 2',
    )
    const removed = await waybill(place, ['erase', '--list'])
    assert.match(
      removed.out,
      /subject [0-9a-f]{12} {2}removed; still in older backups .* {2}1 run, 2 memory items/,
    )
    assert.doesNotMatch(removed.out, /ada/)
    await database.engine.query('UPDATE waybill.erasures SET keys_destroyed_at = now()')
    assert.match((await waybill(place, ['erase', '--list'])).out, / {2}complete {2}/)
    const local = ['--database-url', ownerUrl, '--org', 'default', '--yes', '--json']
    assert.equal(JSON.parse((await waybill(place, ['erase', 'bob', ...local])).out).user, 'bob')
    const { items } = JSON.parse((await waybill(place, ['erase', '--list', '--json'])).out)
    assert.deepEqual(
      items.map(({ user }: { user: string | null }) => user),
      ['bob', null],
    )
  })

  it('asks a person first, and refuses what is ambiguous', async (t) => {
    const { place, database } = await scene(t)
    const table = [
      [['erase'], /give either a user or --list/],
      [['erase', 'ada', '--list'], /give either a user or --list/],
      [['erase', 'ada'], /needs a confirmation.*\n.*--yes/],
      [['erase', 'ada', '--json'], /needs a confirmation/],
      [['erase', 'ada', '--yes', '--org', 'other'], /in the organisation of the token/],
    ] as const
    for (const [argv, message] of table) {
      const { code, err, out } = await waybill(place, argv)
      assert.equal(code, 2, argv.join(' '))
      assert.match(err + out, message)
    }
    assert.equal((await database.engine.query('SELECT FROM waybill.erasures')).rowCount, 0)
  })
})
