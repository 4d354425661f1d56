import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, type TestContext, test } from 'node:test'
import type { MemoryOwner } from '../../../src/run/extension.ts'
import type { Later, Records } from '../../../src/run/record/records.ts'
import type { MemoryItem } from '../../../src/run/state.ts'
import { AT, fact, imported, newRun } from '../../../src/testing/contracts/records-fixture.ts'
import { recordStores } from '../../contract/record-stores.ts'
import { folderOf, openIn } from './records-fixture.ts'

const HOUR = 3_600_000
const DAY = 86_400_000

const OWNER: MemoryOwner = { definition: 'd', agent_id: 'a', scope: 'session', user: '', session: 's1' }
const itemOf = (saved_at: number, expires_at: number | null = null): MemoryItem => ({
  scope: 'session',
  key: 'k',
  content: 'c',
  saved_at,
  expires_at,
})

for (const [name, open] of Object.entries(recordStores())) {
  const memoryOf = (t: TestContext): Records['memory'] => {
    const records = open(folderOf(t))
    t.after(() => records.close())
    return records.memory
  }
  const namesOf = async (items: Later<readonly MemoryItem[]>) => (await items).map(({ key }) => key)

  describe(`lifetimes of memory: ${name}`, () => {
    for (const [when, later, kept] of [
      ['a millisecond before 24 h without use', DAY - 1, true],
      ['after 24 h without use', DAY, false],
    ] as const)
      test(`AAIF §4.5: ${when} a session is ${kept ? 'kept' : 'over'}`, async (t) => {
        const memory = memoryOf(t)
        await memory.save(OWNER, itemOf(AT), 'call-1')
        assert.deepEqual(await namesOf(memory.list({}, AT + later)), kept ? ['k'] : [])
      })

    test('the use of a session keeps it for another 24 h, and an earlier use does not shorten that', async (t) => {
      const memory = memoryOf(t)
      await memory.save(OWNER, itemOf(AT), 'call-1')
      await memory.items(OWNER, AT + HOUR)
      await memory.items(OWNER, AT)
      assert.deepEqual(await namesOf(memory.list({}, AT + HOUR + DAY - 1)), ['k'])
      assert.deepEqual(await namesOf(memory.list({}, AT + HOUR + DAY)), [])
    })

    test('when one session is over, the others and all other scopes stay', async (t) => {
      const memory = memoryOf(t)
      await memory.save(OWNER, itemOf(AT), 'call-1')
      await memory.save({ ...OWNER, session: 's2' }, itemOf(AT + 1), 'call-2')
      await memory.save({ ...OWNER, scope: 'user', user: 'ann', session: '' }, itemOf(AT), 'call-3')
      const left = await memory.list({}, AT + DAY)
      assert.deepEqual(
        left.map(({ scope, session }) => `${scope} ${session}`),
        ['session s2', 'user '],
      )
    })

    test('an ended session gets the items of the definition again', async (t) => {
      const memory = memoryOf(t)
      await memory.seed(OWNER, itemOf(AT), 'digest')
      await memory.items(OWNER, AT)
      assert.deepEqual(await namesOf(memory.list({}, AT + DAY)), [])
      await memory.seed(OWNER, itemOf(AT + DAY), 'digest')
      assert.deepEqual(await namesOf(memory.list({}, AT + DAY)), ['k'])
    })

    for (const [when, expires_at, kept] of [
      ['never expires', null, true],
      ['expires a millisecond later', AT + 1, true],
      ['expires now', AT, false],
      ['has expired', AT - 1, false],
    ] as const)
      test(`an item that ${when} is ${kept ? 'kept' : 'gone'}`, async (t) => {
        const memory = memoryOf(t)
        await memory.save(OWNER, itemOf(AT - HOUR, expires_at), 'call-1')
        assert.deepEqual(await namesOf(memory.list({}, AT)), kept ? ['k'] : [])
        assert.deepEqual(await namesOf(memory.items(OWNER, AT)), kept ? ['k'] : [])
      })

    test('a counted call is not counted again', async (t) => {
      const memory = memoryOf(t)
      assert.equal(await memory.save(OWNER, itemOf(AT), 'call-1'), true)
      await memory.list({}, AT + 90 * DAY)
      assert.equal(await memory.save(OWNER, itemOf(AT + 90 * DAY), 'call-1'), false)
      assert.equal(await memory.save(OWNER, itemOf(AT + 90 * DAY), 'call-2'), true)
    })
  })
}

describe('SQLite: leftovers', () => {
  test('a counted call is removed after 90 days', async (t) => {
    const { memory } = openIn(t, folderOf(t))
    await memory.save(OWNER, itemOf(AT), 'call-1')
    await memory.list({}, AT + 90 * DAY + 1)
    assert.equal(await memory.save(OWNER, itemOf(AT + 90 * DAY + 1), 'call-1'), true)
  })

  test('unlocked lock files of unknown processes are removed after an hour', async (t) => {
    const home = folderOf(t)
    const locks = join(home, 'locks')
    mkdirSync(locks)
    for (const [file, hours] of [
      ['old.lock', 1.1],
      ['held.lock', 2],
      ['new.lock', 0.9],
      ['just-now.lock', 0],
      ['old.txt', 2],
    ] as const) {
      const path = join(locks, file)
      writeFileSync(path, '')
      if (file === 'held.lock') {
        const db = new DatabaseSync(path)
        t.after(() => db.close())
        db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
      }
      const time = new Date(Date.now() - hours * HOUR)
      utimesSync(path, time, time)
    }
    await openIn(t, home).runs.create(newRun('r1'))
    const left = readdirSync(locks).filter((file) => !/^[0-9a-f]{24}\.lock$/.test(file))
    assert.deepEqual(left.sort(), ['held.lock', 'just-now.lock', 'new.lock', 'old.txt'])
  })
})

describe('SQLite: data that must survive a power failure is flushed', () => {
  test('an import is flushed only if it is audited', async (t) => {
    const records = openIn(t, folderOf(t))
    await records.runs.import([imported('r1', 1)])
    const { flushes } = records.counts()
    await records.runs.import([imported('r2', 1)], [])
    assert.equal(records.counts().flushes, flushes)
    await records.runs.import([imported('r3', 1)], [fact('run.imported')])
    assert.equal(records.counts().flushes, flushes + 1)
  })
})
