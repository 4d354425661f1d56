import assert from 'node:assert/strict'
import { defined } from '../../document/defined.ts'
import type { RunFilter } from '../../run/record/records.ts'
import {
  AT,
  answered,
  decided,
  drive,
  ended,
  fact,
  idsOf,
  imported,
  newRun,
  planNamed,
  QUESTION,
  type RecordsCase,
  refused,
  started,
} from './records-fixture.ts'

/** The cases of the records of runs: stored completely, found, listed and removed. */
export const runCases: readonly RecordsCase[] = [
  [
    'a new place is empty, and reading it stores nothing',
    async ({ open }) => {
      const records = await open()
      assert.deepEqual(await records.runs.list(), { items: [], next: null })
      assert.deepEqual(await records.runs.find('', 5), [])
      assert.equal(await records.runs.has('r1'), false)
      for (const ask of ['read', 'events', 'listed', 'open', 'remove', 'decisions'] as const)
        await refused('RUN_NOT_FOUND', () => records.runs[ask]('r1'))
      await refused('RUN_NOT_FOUND', () => records.runs.decide('r1', QUESTION, decided('ann', 1)))
      assert.deepEqual(await records.runs.sealed('r1'), [])
      assert.deepEqual(await records.grants.list(), [])
      assert.deepEqual(await records.audit.lines(), [])
      assert.equal(await records.audit.head(), null)
      assert.equal((await records.routes.read()).size, 0)
      await records.close()
      await records.close()
    },
  ],
  [
    'a new run is stored completely before its first event: header, plan, family and input',
    async ({ open }) => {
      const records = await open()
      const run = newRun('r1', { user: 'ada', family: [planNamed('agent-2')] })
      const opened = await records.runs.create(run, { durable: true })
      assert.equal(opened.epoch, 1)
      assert.deepEqual([opened.state.seq, opened.state.status], [0, 'running'])
      const stored = await (await open()).runs.read('r1')
      assert.deepEqual([stored.header, stored.plan, stored.family], [run.header, run.plan, run.family])
      assert.deepEqual([stored.first, stored.imported, stored.state.seq], [run.first, false, 0])
      assert.equal(await records.runs.has('r1'), true)
    },
  ],
  [
    'a second run with the same id is refused, and the first is not changed',
    async ({ open }) => {
      const records = await open()
      const first = await drive(records, newRun('r1'))
      await refused('RUN_EXISTS', () => records.runs.create(newRun('r1', { user: 'other' })))
      await first.append(started('r1'))
      assert.equal((await records.runs.read('r1')).header.user, undefined)
    },
  ],
  [
    "a sub-agent's run has the plans of its root",
    async ({ open }) => {
      const records = await open()
      const [other, own] = [planNamed('agent-3'), planNamed('agent-2')]
      await records.runs.create(newRun('root', { family: [own, other] }))
      const parent = { run_id: 'root', root_run_id: 'root' }
      const child = await records.runs.create(newRun('child', { agent_id: 'agent-2', plan: own, parent }))
      const agents = [...child.family].map(({ agent_id }) => agent_id).sort()
      assert.deepEqual(agents, ['agent-1', 'agent-2', 'agent-3'])
      assert.deepEqual((await records.runs.read('child')).family, child.family)
    },
  ],
  [
    'events are returned as they were appended, all or after a number, and fold to the same state',
    async ({ open }) => {
      const records = await open()
      const run = await drive(records, newRun('r1'))
      const odd = `Zwei Zeilen,\n"Anführung", 🥨, \\ and \u0000 ${'x'.repeat(50_000)}`
      await run.append({ type: 'run.started', input: { odd, n: 1.5, list: [null, true] } })
      await run.append(...answered('asking'))
      await run.tick(3, { durable: true })
      const events = await records.runs.events('r1')
      assert.deepEqual(
        events.map(({ seq }) => seq),
        [1, 2, 3, 4, 5],
      )
      assert.deepEqual(events[0]?.fact, { type: 'run.started', input: { odd, n: 1.5, list: [null, true] } })
      assert.deepEqual(await records.runs.events('r1', 3), events.slice(3))
      for (const after of [5, 6, 99]) assert.deepEqual(await records.runs.events('r1', after), [])
      const { state } = await (await open()).runs.read('r1')
      assert.deepEqual(JSON.parse(JSON.stringify(state)), JSON.parse(JSON.stringify(run.state)))
    },
  ],
  [
    'several events of one append are stored together, and appends that are not awaited keep their order',
    async ({ open }) => {
      const records = await open()
      const run = await drive(records, newRun('r1'))
      const first = run.next(started('r1'))
      run.state = first.state
      const second = run.next({ type: 'run.resumed', by: 'x' })
      run.state = second.state
      const appended = [
        run.run.append([first.event, second.event], { durable: false, state: second.state }),
        run.tick(),
      ]
      await Promise.all(appended)
      assert.equal((await records.runs.listed('r1')).seq, 3)
    },
  ],
  [
    'a list shows the current state of a run without folding its events',
    async ({ open }) => {
      const records = await open()
      const run = await drive(records, newRun('r1'))
      const before = await records.runs.listed('r1')
      assert.deepEqual([before.seq, before.updated_at, before.created_at], [0, AT, AT])
      await run.append(started('r1'))
      await run.append(...answered('asking'))
      const asking = await records.runs.listed('r1')
      assert.deepEqual(
        [asking.status, asking.seq, asking.questions, asking.live, asking.imported, asking.updated_at],
        ['waiting', 2, 1, true, false, AT + 2000],
      )
      assert.equal('stop_reason' in asking, false)
      await run.append(...ended('failed'))
      await run.run.close()
      const { items } = await (await open()).runs.list()
      assert.deepEqual(items, [await records.runs.listed('r1')])
      const [shown] = items
      assert.deepEqual([shown?.status, shown?.stop_reason, shown?.live], ['failed', 'error', false])
      assert.deepEqual(shown?.header, newRun('r1').header)
    },
  ],
  [
    'each filter of a list works, and filters can be combined',
    async ({ open }) => {
      const records = await open()
      const root = { run_id: 'r2', root_run_id: 'r2' }
      const gone = { run_id: 'gone', root_run_id: 'gone' }
      await records.runs.create(newRun('r1', { user: 'ada', batch: { id: 'b1', key: 'inputs', index: 0 } }))
      await records.runs.create(newRun('r2', { later: 10, agent_id: 'agent-2', user: 'bob' }))
      const asks = await drive(records, newRun('r3', { later: 20, parent: root }))
      await asks.append(started('r3'))
      await asks.append(...answered('asking'))
      const unknown = await drive(records, newRun('r4', { later: 30, parent: gone, user: 'ada' }))
      await unknown.append(started('r4'))
      await unknown.append(...answered('unknown'))
      await unknown.append(...ended('completed'))
      const table: readonly (readonly [RunFilter, readonly string[]])[] = [
        [{}, ['r4', 'r3', 'r2', 'r1']],
        [{ status: 'waiting' }, ['r3']],
        [{ status: 'completed' }, ['r4']],
        [{ status: 'running' }, ['r2', 'r1']],
        [{ agent_id: 'agent-2' }, ['r2']],
        [{ agent_id: 'agent' }, []],
        [{ user: 'ada' }, ['r4', 'r1']],
        [{ batch: 'b1' }, ['r1']],
        [{ since: AT + 10 }, ['r4', 'r3', 'r2']],
        [{ since: AT + 11 }, ['r4', 'r3']],
        [{ questions: true }, ['r4', 'r3']],
        [{ roots: true }, ['r4', 'r2', 'r1']],
        [{ root: 'r2' }, ['r3', 'r2']],
        [{ root: 'gone' }, ['r4']],
        [{ user: 'ada', questions: true }, ['r4']],
        [{ user: 'ada', status: 'waiting' }, []],
        [{ roots: true, since: AT + 10, agent_id: 'agent-1' }, ['r4']],
      ]
      for (const [filter, ids] of table)
        assert.deepEqual(idsOf((await records.runs.list(filter)).items), ids, JSON.stringify(filter))
    },
  ],
  [
    'pages neither repeat nor skip a run, even if runs are added and removed meanwhile',
    async ({ open }) => {
      const records = await open()
      // Four of them are created in the same millisecond.
      for (let n = 0; n < 9; n++) await records.runs.create(newRun(`r${n}`, { later: n < 4 ? 0 : n }))
      const seen: string[] = []
      let cursor: string | null | undefined
      for (let pages = 0; cursor !== null; pages++) {
        assert.ok(pages < 9, 'the pages do not end')
        const page = await records.runs.list({}, { limit: 2, ...defined({ cursor }) })
        assert.ok(page.items.length <= 2)
        seen.push(...idsOf(page.items))
        cursor = page.next
        await records.runs.create(newRun(`new${pages}`, { later: 100 + pages }))
      }
      assert.deepEqual(seen, ['r8', 'r7', 'r6', 'r5', 'r4', 'r3', 'r2', 'r1', 'r0'])
      const whole = await records.runs.list({ since: AT + 8 }, { limit: 20 })
      assert.equal(whole.next, null)
      // A page that is exactly full is the last one.
      const { length } = whole.items
      assert.ok(length > 1)
      for (const [limit, isLast] of [
        [length - 1, false],
        [length, true],
      ] as const) {
        const { items, next } = await records.runs.list({ since: AT + 8 }, { limit })
        assert.deepEqual([items.length, next === null], [limit, isLast])
      }
      await refused('CURSOR_INVALID', () => records.runs.list({}, { cursor: 'nonsense' }))
    },
  ],
  [
    'runs of the same millisecond are ordered by id, highest first, in lists and pages',
    async ({ open }) => {
      const records = await open()
      const parent = { run_id: 'm2', root_run_id: 'm2' }
      const batch = { id: 'b1', key: 'inputs', index: 0 }
      // Neither in the order of their ids, nor with ids that increase with time.
      for (const [id, later] of [
        ['m2', 5],
        ['m4', 5],
        ['m1', 5],
        ['m3', 5],
        ['a-later', 9],
        ['z-earlier', 1],
      ] as const) {
        const more = { user: 'ada', batch, later, ...(id !== 'm2' && { parent }) }
        const run = await drive(records, newRun(id, more))
        await run.append(started(id))
        await run.append(...answered('asking'))
      }
      const all = ['a-later', 'm4', 'm3', 'm2', 'm1', 'z-earlier']
      const same = ['m4', 'm3', 'm2', 'm1']
      const filters: readonly RunFilter[] = [
        {},
        { user: 'ada' },
        { agent_id: 'agent-1' },
        { batch: 'b1' },
        { status: 'waiting' },
        { questions: true },
        { root: 'm2' },
        { since: AT },
      ]
      for (const filter of filters)
        for (const limit of [1, 2, 4, 6, 7]) {
          const seen: string[] = []
          let cursor: string | undefined
          do {
            const page = await records.runs.list(filter, { limit, ...defined({ cursor }) })
            seen.push(...idsOf(page.items))
            cursor = page.next ?? undefined
            assert.ok(seen.length <= all.length, `${seen} ${JSON.stringify(filter)}`)
          } while (cursor !== undefined)
          assert.deepEqual(seen, all, `${JSON.stringify(filter)} by ${limit}`)
        }
      assert.deepEqual(await records.runs.find('m', 9), same)
      assert.deepEqual(await records.runs.find('m', 2), ['m4', 'm3'])
    },
  ],
  [
    'runs are found by a prefix or suffix of their id',
    async ({ open }) => {
      const records = await open()
      const ids = ['aa-1-zz', 'aa-2-zy', 'ab-3-zz', 'a%-4-z_']
      for (const [later, id] of ids.entries()) await records.runs.create(newRun(id, { later }))
      const table: readonly (readonly [string, number, readonly string[]])[] = [
        ['aa', 9, ['aa-2-zy', 'aa-1-zz']],
        ['zz', 9, ['ab-3-zz', 'aa-1-zz']],
        ['zz', 1, ['ab-3-zz']],
        ['-3-', 9, []],
        ['aa-1-zz', 9, ['aa-1-zz']],
        ['a%', 9, ['a%-4-z_']],
        ['z_', 9, ['a%-4-z_']],
        ['AA', 9, []],
      ]
      for (const [part, limit, found] of table)
        assert.deepEqual(await records.runs.find(part, limit), found, part)
    },
  ],
  [
    'a run is removed with its events, decisions, sealed lines and sub-agents, and its id can be used again',
    async ({ open }) => {
      const records = await open()
      const shared = planNamed('agent-1')
      for (const run of [
        newRun('r1', { plan: shared }),
        newRun('r2', { plan: shared, parent: { run_id: 'r1', root_run_id: 'r1' } }),
        newRun('r3', { plan: shared, parent: { run_id: 'r2', root_run_id: 'r1' } }),
        newRun('other', { plan: shared }),
      ]) {
        const driven = await drive(records, run)
        await driven.append(started('x'), {}, { sealed: [`sealed of ${run.header.run_id}`] })
        if (run.header.run_id === 'r1') await records.runs.decide('r1', QUESTION, decided('ann', 1))
        await driven.run.close()
      }
      assert.deepEqual(await records.runs.sealed('r1'), ['sealed of r1', 'sealed of r2', 'sealed of r3'])
      let reported: readonly string[] = []
      const removed = await records.runs.remove('r1', (ids) => {
        reported = ids
        return [fact('runs.removed')]
      })
      assert.deepEqual([...removed].sort(), ['r1', 'r2', 'r3'])
      assert.deepEqual(reported, removed)
      assert.equal((await records.audit.lines()).length, 1)
      assert.deepEqual(idsOf((await records.runs.list()).items), ['other'])
      assert.deepEqual((await records.runs.read('other')).plan, shared)
      await refused('RUN_NOT_FOUND', () => records.runs.read('r2'))
      await records.runs.create(newRun('r1', { plan: shared }))
      assert.deepEqual(await records.runs.events('r1'), [])
      assert.deepEqual(await records.runs.decisions('r1'), [])
      assert.deepEqual(await records.runs.sealed('r1'), [])
      assert.deepEqual((await records.runs.read('r1')).plan, shared)
    },
  ],
  [
    'a run is not removed, and no removal audited, while it or one of its sub-agents is being driven',
    async ({ open }) => {
      const records = await open()
      await (await records.runs.create(newRun('r1'))).close()
      const child = newRun('r2', { parent: { run_id: 'r1', root_run_id: 'r1' } })
      const opened = await (await open()).runs.create(child)
      await refused('RUN_LOCKED', () => records.runs.remove('r1', () => [fact('runs.removed')]))
      assert.equal((await records.runs.list()).items.length, 2)
      assert.deepEqual(await records.audit.lines(), [])
      await opened.close()
      await records.runs.remove('r1')
    },
  ],
  [
    'runs are imported all or none, can be read, and cannot be resumed',
    async ({ open }) => {
      const records = await open()
      await records.runs.create(newRun('there'))
      const both = [imported('i1', 3, { user: 'ada' }), imported('there', 1)]
      await refused('RUN_EXISTS', () => records.runs.import(both, [fact('runs.imported')]))
      assert.equal(await records.runs.has('i1'), false)
      assert.deepEqual(await records.audit.lines(), [])
      await refused('RUN_EXISTS', () => records.runs.import([imported('i1', 1), imported('i1', 1)]))
      assert.equal(await records.runs.has('i1'), false)
      const [gap] = [imported('gap', 3)]
      const torn = { ...gap, events: gap?.events.filter(({ seq }) => seq !== 2) ?? [] } as typeof gap
      await refused('RECORD_DAMAGED', () => records.runs.import(torn === undefined ? [] : [torn]))
      const child = imported('i2', 2, { parent: { run_id: 'i1', root_run_id: 'i1' } })
      await records.runs.import([imported('i1', 3, { user: 'ada' }), child], [fact('runs.imported')])
      assert.equal((await records.audit.lines()).length, 1)
      const { state, imported: isImported, header } = await records.runs.read('i1')
      assert.deepEqual([state.seq, isImported, header.user], [3, true, 'ada'])
      const listed = await records.runs.listed('i1')
      assert.deepEqual([listed.imported, listed.live, listed.seq], [true, false, 3])
      await refused('RUN_IMPORTED', () => records.runs.open('i1'))
      assert.deepEqual([...(await records.runs.remove('i1'))].sort(), ['i1', 'i2'])
    },
  ],
  [
    'runs are restored all or none with their events, and continue after them',
    async ({ open }) => {
      const records = await open()
      await records.runs.create(newRun('there'))
      const both = [imported('s1', 3), imported('there', 1)]
      await refused('RUN_EXISTS', () => records.runs.restore(both, [fact('run.restored')]))
      assert.equal(await records.runs.has('s1'), false)
      assert.deepEqual(await records.audit.lines(), [])
      const child = imported('s2', 2, { parent: { run_id: 's1', root_run_id: 's1' } })
      const sealed = { sealed: ['one', 'two'] }
      await records.runs.restore(
        [{ ...imported('s1', 3, { user: 'ada' }), ...sealed }, child],
        [fact('run.restored')],
      )
      assert.equal((await records.audit.lines()).length, 1)
      assert.deepEqual(await records.runs.sealed('s1'), ['one', 'two'])
      const listed = await records.runs.listed('s1')
      assert.deepEqual([listed.imported, listed.live, listed.seq], [false, false, 3])
      for (const id of ['s1', 's2']) {
        const run = await drive(records, id)
        const { seq } = run.state
        await run.tick(2)
        await run.run.close()
        assert.equal((await records.runs.events(id)).length, seq + 2)
      }
      assert.deepEqual([...(await records.runs.remove('s1'))].sort(), ['s1', 's2'])
    },
  ],
  [
    'a request to pause a run is taken once, and ends with the lease of the run',
    async ({ open }) => {
      const { runs } = await open()
      if (runs.askPause === undefined || runs.takePause === undefined) return
      const run = await runs.create(newRun('r1'))
      await runs.create(newRun('r2'))
      assert.equal(await runs.takePause('r1'), null)
      await runs.askPause('r1', 'ada')
      await runs.askPause('r1', 'bob')
      assert.equal(await runs.takePause('r2'), null)
      assert.equal(await runs.takePause('r1'), 'bob')
      assert.equal(await runs.takePause('r1'), null)
      await runs.askPause('r1', 'ada')
      await run.close()
      await (await runs.open('r1')).close()
      assert.equal(await runs.takePause('r1'), null, 'it was for the process that drove the run before')
      await refused('RUN_NOT_FOUND', async () => runs.askPause?.('gone', 'ada'))
      await runs.askPause('r1', 'ada')
      await runs.remove('r1')
    },
  ],
  [
    'sealed lines are stored with the root run, in the order of appending',
    async ({ open }) => {
      const records = await open()
      const root = await drive(records, newRun('r1'))
      const child = await drive(records, newRun('r2', { parent: { run_id: 'r1', root_run_id: 'r1' } }))
      await root.append(started('r1'), {}, { sealed: ['one', 'two'] })
      await child.append(started('r2'), {}, { sealed: ['three'] })
      await root.tick(1, { sealed: ['one'] })
      assert.deepEqual(await records.runs.sealed('r1'), ['one', 'two', 'three', 'one'])
      assert.deepEqual(await records.runs.sealed('r2'), [])
    },
  ],
]
