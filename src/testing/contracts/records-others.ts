import assert from 'node:assert/strict'
import { defined } from '../../document/defined.ts'
import type { RouteHistory } from '../../run/decide/route-history.ts'
import type { MemoryOwner } from '../../run/extension.ts'
import type { Grant } from '../../run/record/grant.ts'
import type { MemoryItem } from '../../run/state.ts'
import { KEY_ROTATED } from '../../trust/audit-chain.ts'
import { verifyAudit } from '../../trust/verify-audit-chain.ts'
import { AT, drive, fact, imported, newRun, type RecordsCase, refused, started } from './records-fixture.ts'

function grant(id: string, more: Partial<Grant> = {}): Grant {
  return { id, kind: 'host', what: 'api.example', by: 'ann', at: new Date(AT).toISOString(), ...more }
}

function owner(more: Partial<MemoryOwner> = {}): MemoryOwner {
  return { definition: 'd1', agent_id: 'agent-1', scope: 'user', user: 'ada', session: '', ...more }
}

function item(key: string, more: Partial<MemoryItem> = {}): MemoryItem {
  return { scope: 'user', key, content: `text of ${key}`, saved_at: AT, expires_at: null, ...more }
}

/** The cases of grants, the audit log, memory and routes. */
export const otherCases: readonly RecordsCase[] = [
  [
    'grants are listed in the order in which they were given; the same id replaces a grant',
    async ({ open }) => {
      const [one, two] = [await open(), await open()]
      await one.grants.give(grant('g1'), [fact('granted', 1)])
      await two.grants.give(grant('g2', { uses_left: 0 }), [fact('granted', 2)])
      await one.grants.give(grant('g1', { why: 'again' }), [fact('granted', 3)])
      assert.deepEqual(await two.grants.list(), [
        grant('g1', { why: 'again' }),
        grant('g2', { uses_left: 0 }),
      ])
      assert.equal((await two.audit.lines()).length, 3)
    },
  ],
  [
    'grants and items are listed in pages, which do not shift when one is removed or replaced',
    async ({ open }) => {
      const { grants, memory } = await open()
      for (const id of ['g1', 'g2', 'g3']) await grants.give(grant(id), [])
      const one = await grants.page({ limit: 2 })
      await grants.give(grant('g1', { why: 'again' }), [])
      await grants.revoke(new Set(['g2']), () => [])
      const two = await grants.page({ limit: 2, ...(one.next !== null && { cursor: one.next }) })
      assert.deepEqual(one.items, [grant('g1'), grant('g2')])
      assert.deepEqual(two, { items: [grant('g3')], next: null })

      const keys = ['a', '"b"', 'c\0', 'd', 'é']
      for (const key of keys) await memory.save(owner(), item(key), `call ${key}`)
      await memory.save(owner({ user: 'bob' }), item('e'), 'call')
      await memory.save(owner(), item('gone', { expires_at: AT + 1 }), 'call gone')
      const found: string[] = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await memory.page({ user: 'ada' }, AT + 1, { limit: 2, ...defined({ cursor }) })
        assert.ok(page.items.length <= 2)
        found.push(...page.items.map(({ key }) => key))
        if (cursor === undefined) await memory.forget({ key: page.items[1]?.key ?? '' })
        cursor = page.next
      }
      assert.deepEqual(found.sort(), keys.sort())
      const wrong = ['nonsense', Buffer.from('["x"]').toString('base64url')]
      for (const cursor of wrong) {
        await refused('CURSOR_INVALID', () => grants.page({ cursor }))
        await refused('CURSOR_INVALID', () => memory.page({}, AT, { cursor }))
      }
    },
  ],
  [
    'revoking returns the removed grants; an unknown id is not an error',
    async ({ open }) => {
      const records = await open()
      await records.grants.give(grant('g1'), [])
      await records.grants.give(grant('g2'), [])
      const ids = new Set(['g1', 'gone'])
      const entries = (revoked: readonly Grant[]) => revoked.map(({ id }) => fact(`revoked ${id}`))
      assert.deepEqual(await records.grants.revoke(ids, entries), [grant('g1')])
      assert.deepEqual(await records.grants.revoke(ids, entries), [])
      assert.deepEqual(await records.grants.list(), [grant('g2')])
      assert.equal((await records.audit.lines()).length, 1)
    },
  ],
  [
    'a grant is used only while it is valid, and its last use only once',
    async ({ open }) => {
      const stores = await Promise.all([open(), open(), open(), open()])
      const [records] = stores
      await records.grants.give(grant('free'), [])
      await records.grants.give(grant('twice', { uses_left: 2 }), [])
      await records.grants.give(grant('until', { until: new Date(AT).toISOString() }), [])
      assert.deepEqual(await records.grants.spend('free', AT), true)
      assert.deepEqual(await records.grants.spend('gone', AT), false)
      assert.deepEqual(
        [await records.grants.spend('until', AT - 1), await records.grants.spend('until', AT)],
        [true, false],
      )
      assert.equal(await records.grants.spend('twice', AT), true)
      const spent = await Promise.all(stores.map(async ({ grants }) => grants.spend('twice', AT)))
      assert.deepEqual([...spent].sort(), [false, false, false, true])
      const left = (await records.grants.list()).map(({ uses_left }) => uses_left)
      assert.deepEqual(left, [undefined, 0, undefined])
    },
  ],
  [
    'audit entries form one signed chain, from all processes',
    async ({ open, keys }) => {
      const [one, two] = [await open(), await open()]
      await one.audit.append([])
      assert.equal(await one.audit.head(), null)
      for (let n = 0; n < 5; n++)
        await Promise.all([
          one.audit.append([fact('one', n), fact('more', n)]),
          two.audit.append([fact('two', n)]),
          one.audit.append([fact('three', n)]),
        ])
      const lines = await two.audit.lines()
      assert.equal(lines.length, 20)
      const head = await two.audit.head()
      assert.equal(head?.n, 20)
      const text = lines.map((line) => `${line}\n`).join('')
      assert.deepEqual(verifyAudit(text, keys, head ?? undefined).problems, [])
      assert.deepEqual(await one.audit.lines(17), lines.slice(17))
      assert.deepEqual(await one.audit.lines(3, 2), lines.slice(3, 5))
      assert.deepEqual(await one.audit.lines(20), [])
    },
  ],
  [
    'after an entry that announces another key, that key signs the audit log, in all processes',
    async ({ open, keys, nextKey }) => {
      if (nextKey === undefined) return
      const [one, two] = [await open(), await open()]
      await one.audit.append([fact('one')])
      await two.audit.append([fact('two')])
      await one.audit.append([{ ...fact(KEY_ROTATED), key: nextKey }, fact('three')])
      await two.audit.append([fact('four')])
      const other = await open()
      await other.audit.append([fact('five')])
      const lines = await one.audit.lines()
      const signers = lines.map((line) => JSON.parse(line).key === nextKey)
      assert.deepEqual(signers, [false, false, false, true, true, true])
      const text = lines.map((line) => `${line}\n`).join('')
      assert.deepEqual(verifyAudit(text, keys, (await two.audit.head()) ?? undefined).problems, [])
    },
  ],
  [
    'an event and its audit entry are stored together or not at all',
    async ({ open, keys }) => {
      const records = await open()
      const run = await drive(records, newRun('r1'))
      await run.append(started('r1'), {}, { audit: [fact('run.started')] })
      const { event, state } = run.next({ type: 'run.resumed', by: 'x' })
      await refused('RUN_TAKEN_OVER', () =>
        run.run.append([{ ...event, seq: 9 }], { durable: true, state, audit: [fact('never')] }),
      )
      await run.tick(1, { audit: [fact('resumed')] })
      const lines = await records.audit.lines()
      assert.deepEqual(
        lines.map((line) => JSON.parse(line).fact.kind),
        ['run.started', 'resumed'],
      )
      assert.ok(verifyAudit(lines.map((line) => `${line}\n`).join(''), keys).ok)
    },
  ],
  [
    'a change that cannot be audited is refused',
    async ({ open }) => {
      const records = await open()
      const run = await drive(records, newRun('r1'))
      await records.grants.give(grant('g1'), [])
      // NaN has no canonical form, so the entry cannot be signed.
      const audit = [fact('good'), { ...fact('bad'), n: Number.NaN }]
      await assert.rejects(() => run.append(started('r1'), {}, { audit }))
      await run.run.close()
      for (const attempt of [
        () => records.runs.remove('r1', () => audit),
        () => records.runs.import([imported('i1', 2)], audit),
        () => records.grants.give(grant('g2'), audit),
        () => records.grants.revoke(new Set(['g1']), () => audit),
        () => records.audit.append(audit),
      ])
        await assert.rejects(async () => await attempt())
      assert.equal((await records.runs.read('r1')).state.seq, 0)
      assert.equal(await records.runs.has('i1'), false)
      assert.deepEqual(await records.grants.list(), [grant('g1')])
      assert.deepEqual(await records.audit.lines(), [])
    },
  ],
  [
    'an operator lists and removes items by owner, and items of other owners are not changed',
    async ({ open }) => {
      const records = await open()
      await records.memory.save(owner(), item('tea'), 'c1')
      await records.memory.save(owner(), item('milk'), 'c2')
      await records.memory.save(owner({ user: 'bob' }), item('tea'), 'c3')
      await records.memory.save(owner({ definition: 'd2' }), item('tea'), 'c4')
      await records.memory.save(owner({ agent_id: 'agent-2' }), item('old', { expires_at: AT + 1 }), 'c5')
      await records.memory.save(owner(), item('tea', { content: 'green' }), 'c6')
      const listed = async (filter: Parameters<typeof records.memory.list>[0], at = AT) =>
        (await records.memory.list(filter, at)).map(({ definition, user, key, revision }) =>
          [definition, user, key, revision].join(' '),
        )
      assert.deepEqual(await listed({ agent_id: 'agent-1', definition: 'd1' }), [
        'd1 ada milk 1',
        'd1 ada tea 2',
        'd1 bob tea 1',
      ])
      assert.deepEqual(await listed({ agent_id: 'agent-2' }), ['d1 ada old 1'])
      assert.deepEqual(await listed({ agent_id: 'agent-2' }, AT + 1), [])
      assert.equal(await records.memory.forget({ user: 'ada', key: 'tea', definition: 'd1' }), 1)
      assert.equal(await records.memory.forget({ user: 'ada', key: 'tea', definition: 'd1' }), 0)
      assert.deepEqual(
        await listed({ key: 'tea' }),
        ['d2 ada tea 1', 'd1 bob tea 1'].sort((a, b) => (a.includes('ada') ? -1 : b.includes('ada') ? 1 : 0)),
      )
      assert.equal(await records.memory.forget({}), 3)
      assert.deepEqual(await listed({}), [])
    },
  ],
  [
    'items of a session end with it, and declared items are stored again in a later session of the same name',
    async ({ open }) => {
      const records = await open()
      const session = owner({ scope: 'session', user: '', session: 's1' })
      const own = item('greeting', { scope: 'session' })
      await records.memory.seed(session, own, 'hash-1')
      await records.memory.save(session, item('seen', { scope: 'session' }), 'c1')
      await records.memory.save(owner(), item('stays'), 'c2')
      assert.equal(await records.memory.endSession('s1', { user: 'someone' }), 0)
      assert.equal(await records.memory.endSession('s1'), 2)
      assert.deepEqual(await records.memory.items(session, AT), [])
      await records.memory.seed(session, own, 'hash-1')
      assert.deepEqual(
        (await records.memory.items(session, AT)).map(({ key }) => key),
        ['greeting'],
      )
      // A session that was not used for a day has ended as well.
      const DAY = 24 * 60 * 60 * 1000
      assert.equal((await records.memory.items(session, AT + DAY - 1)).length, 1)
      assert.equal((await records.memory.items(session, AT + 2 * DAY)).length, 0)
      assert.equal((await records.memory.items(owner(), AT + 2 * DAY)).length, 1)
    },
  ],
  [
    'observations of routes by several processes are merged',
    async ({ open }) => {
      const [one, two] = [await open(), await open()]
      const seen = (at: number, turn: number, answers: RouteHistory['answers']): RouteHistory => ({
        at,
        turn,
        failures: 0,
        answers,
      })
      await one.routes.merge(new Map([['m1', seen(10, 1, [[10, 100]])]]))
      await two.routes.merge(
        new Map([
          ['m1', seen(20, 3, [[20, 200]])],
          ['m2', seen(5, 2, [])],
        ]),
      )
      await one.routes.merge(
        new Map([
          [
            'm1',
            seen(15, 2, [
              [10, 100],
              [15, 150],
            ]),
          ],
        ]),
      )
      assert.deepEqual(Object.fromEntries(await two.routes.read()), {
        m1: seen(20, 3, [
          [10, 100],
          [15, 150],
          [20, 200],
        ]),
        m2: seen(5, 2, []),
      })
    },
  ],
]
