import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, type TestContext, test } from 'node:test'
import type { PlannedModel } from '../../src/plan/plan.ts'
import { MemoryRouteBoard } from '../../src/run/drive/route-board.ts'
import type { Records } from '../../src/run/record/records.ts'
import { recordStores } from '../contract/record-stores.ts'

const NOW = 1_800_000_000_000

function route(model: string, base_url?: string): PlannedModel {
  return { provider: 'openai', model, eligible: true, ...(base_url !== undefined && { base_url }) }
}
const A = route('a')

for (const [name, open] of Object.entries(recordStores())) {
  describe(`observations of routes: ${name}`, () => {
    /** Opens views of one place, like separate processes. */
    const viewsOf = (t: TestContext) => {
      const folder = mkdtempSync(join(tmpdir(), 'waybill-routes-'))
      t.after(() => rmSync(folder, { recursive: true, force: true }))
      return async () => {
        const records: Records = open(join(folder, 'home'))
        t.after(() => records.close())
        const board = new MemoryRouteBoard(await records.routes.read(), () => {})
        return { board, save: () => records.routes.merge(board.histories) }
      }
    }

    test('another process knows the medians, the failing routes and the next turn', async (t) => {
      const view = viewsOf(t)
      const { board, save } = await view()
      board.asked(A, NOW)
      for (const ms of [30, 10, 20]) board.answered(A, ms, NOW)
      for (let i = 0; i < 3; i++) board.failed(route('b'), { kind: 'timeout' }, NOW)
      await save()
      assert.deepEqual((await view()).board.read([A, route('b'), route('c')], NOW), [
        { turn: 1, failures: 0, p50_ms: 20 },
        { turn: 0, failures: 3, closed_until: NOW + 60_000 },
        { turn: 0, failures: 0 },
      ])
    })

    test('concurrent writes of processes lose no observations', async (t) => {
      const view = viewsOf(t)
      const one = await view()
      const two = await view()
      one.board.answered(A, 10, NOW)
      two.board.answered(A, 30, NOW + 1)
      two.board.answered(route('b'), 5, NOW)
      await one.save()
      await two.save()
      const [a, b] = (await view()).board.read([A, route('b')], NOW + 2)
      assert.deepEqual([a?.p50_ms, b?.p50_ms], [10, 5])
    })

    test('yesterday’s answers are ignored today: the route counts as not observed', async (t) => {
      const view = viewsOf(t)
      const { board, save } = await view()
      board.answered(A, 10, NOW)
      await save()
      const kept = (await view()).board
      assert.equal(kept.read([A], NOW + 86_399_999)[0]?.p50_ms, 10)
      assert.equal(kept.read([A], NOW + 86_400_000)[0]?.p50_ms, undefined)
    })
  })
}

test('the number of stored answers of a route is bounded, and only host and path of its address are stored', () => {
  const board = new MemoryRouteBoard(new Map(), () => {})
  for (let i = 0; i < 300; i++) board.answered(route(`model-${i}`), 1, NOW + i)
  for (let i = 0; i < 300; i++) board.answered(A, i, NOW + 1000 + i)
  board.answered(route('a', 'https://me:hidden@gateway.example/v1?key=hidden'), 1, NOW + 2000)
  const kept = [...board.histories.keys()]
  assert.ok(kept.includes('openai/a at gateway.example/v1'))
  assert.ok(!JSON.stringify([...board.histories]).includes('hidden'))
  assert.equal(board.histories.get('openai/a')?.answers.length, 32)
})

describe('a route whose row cannot be read counts as not observed', () => {
  for (const body of ['', '{', 'null', '7', '{}', '{"answers":1}'])
    test(`"${body}"`, async (t) => {
      const home = mkdtempSync(join(tmpdir(), 'waybill-routes-'))
      t.after(() => rmSync(home, { recursive: true, force: true }))
      const records = recordStores()['in SQLite'](home)
      t.after(() => records.close())
      const board = new MemoryRouteBoard(new Map(), () => {})
      board.answered(A, 10, NOW)
      board.answered(route('b'), 20, NOW)
      await records.routes.merge(board.histories)
      const [name = ''] = board.histories.keys()
      const db = new DatabaseSync(join(home, 'waybill.db'), { timeout: 5000 })
      db.prepare('UPDATE routes SET body = ? WHERE name = ?').run(body, name)
      db.close()
      const medians = async () =>
        new MemoryRouteBoard(await records.routes.read(), () => {})
          .read([A, route('b')], NOW)
          .map(({ p50_ms }) => p50_ms)
      assert.deepEqual(await medians(), [undefined, 20])
      assert.equal((await records.routes.read()).size, 1)
      await records.routes.merge(new Map([...board.histories].slice(0, 1)))
      assert.deepEqual(await medians(), [10, 20])
    })
})
