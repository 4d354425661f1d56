import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { homeKeys } from '../../src/compose/home-keys.ts'
import { secretKeyFile } from '../../src/compose/secret-key-file.ts'
import { peopleSite } from '../platform/people-fixture.ts'
import { serve } from '../server/served.ts'
import { Place, waybill } from './fixture.ts'

const TWO = 'match: { tool: pay_* }\napprovals_needed: 2\nstarter_may_decide: false\n'

describe('waybill policies', () => {
  it('lists, sets and removes the policies of a server and of the database of this machine', async (t) => {
    const place = new Place(t)
    const site = await peopleSite(t, homeKeys(place.home).signAudit, secretKeyFile(place.home))
    const { server } = await serve(t, await site.platform())
    const url = await server.listen({ host: '127.0.0.1', port: 0 })
    const there = { WAYBILL_SERVER: url, WAYBILL_TOKEN: site.admin }
    place.write('two.yaml', TWO)
    place.write('wrong.json', '{"aprovals_needed": 2}')
    const places = [
      { flags: [], env: there },
      { flags: ['--database-url', site.ownerUrl], env: {} },
    ] as const
    for (const { flags, env } of places) {
      const policies = (argv: readonly string[], stdin = '') =>
        waybill(place, ['policies', ...argv, ...flags], { stdin, env })
      const about = JSON.stringify(flags)
      assert.match((await policies(['list'])).err, /^no approval policies/m, about)
      const set = await policies(['set', 'payments', 'two.yaml'])
      assert.equal(set.code, 0, set.err)
      const line = 'payments  order 100  tool pay_*  2 approvals  not by starters'
      assert.ok(set.err.endsWith(`set: ${line}\n`), set.err)
      const last = '{"order": 5, "expire": {"after_seconds": 60, "verdict": "deny"}}'
      const piped = await policies(['set', 'all', '-', '--json'], last)
      assert.deepEqual(JSON.parse(piped.out).order, 5, piped.err)
      assert.equal(
        (await policies(['list'])).out,
        [
          'NAME      ORDER  FOR         POLICY\n',
          'all       5      all tools   one approval, denies after 60 s\n',
          'payments  100    tool pay_*  2 approvals, not by starters\n',
        ].join(''),
      )
      const { items } = JSON.parse((await policies(['list', '--json'])).out)
      assert.deepEqual([items.length, items[1].match, items[1].changed_by], [2, { tool: 'pay_*' }, 'admin'])
      for (const [argv, code] of [
        [['set', 'payments', 'wrong.json'], 'REQUEST_INVALID'],
        [['set', 'Pay', 'two.yaml'], 'REQUEST_INVALID'],
        [['set', 'payments', 'none.yaml'], 'FILE_UNREADABLE'],
        [['remove', 'none'], 'POLICY_NOT_FOUND'],
      ] as const) {
        const refused = await policies(argv)
        assert.ok(refused.code !== 0 && refused.err.includes(code), `${about} ${argv}: ${refused.err}`)
      }
      for (const name of ['payments', 'all']) assert.equal((await policies(['remove', name])).code, 0)
    }
  })
})
