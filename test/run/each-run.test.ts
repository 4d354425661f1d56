import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { eachRun } from '../../src/run/record/each-run.ts'
import type { Page, RunFilter } from '../../src/run/record/records.ts'
import { newRun } from '../../src/testing/contracts/records-fixture.ts'
import { recordStores } from '../contract/record-stores.ts'

const PAGE = 3

test('the first page is requested without a cursor, each later one with that of the previous page', async () => {
  const asked: (Page | undefined)[] = []
  const cursors = ['c1', 'c2', null]
  const runs = {
    list: (_filter?: RunFilter, page?: Page) => ({ items: [], next: cursors[asked.push(page) - 1] ?? null }),
  }
  assert.deepEqual(await Array.fromAsync(eachRun({ runs }, {}, PAGE)), [])
  assert.deepEqual(asked, [{ limit: PAGE }, { limit: PAGE, cursor: 'c1' }, { limit: PAGE, cursor: 'c2' }])
})

for (const [name, open] of Object.entries(recordStores())) {
  const opened = async (t: TestContext, amount: number) => {
    const folder = mkdtempSync(join(tmpdir(), 'waybill-each-run-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const records = open(folder)
    t.after(() => records.close())
    const ids = Array.from({ length: amount }, (_, index) => `run-${index}`)
    for (const [later, id] of ids.entries())
      await (await records.runs.create(newRun(id, { later, agent_id: `agent-${later % 2}` }))).close()
    const pages: (Page | undefined)[] = []
    const runs = {
      list: (filter?: RunFilter, page?: Page) => {
        pages.push(page)
        return records.runs.list(filter, page)
      },
    }
    return { records: { runs }, pages, newestFirst: ids.reverse() }
  }

  describe(`runs ${name}, page by page`, () => {
    for (const [amount, pages] of [
      [0, 1],
      [1, 1],
      [PAGE, 1],
      [PAGE + 1, 2],
      [2 * PAGE, 2],
      [2 * PAGE + 1, 3],
    ] as const)
      test(`${amount} runs in pages of ${PAGE}: each once, newest first`, async (t) => {
        const site = await opened(t, amount)
        const ids = await Array.fromAsync(eachRun(site.records, {}, PAGE), ({ run_id }) => run_id)
        assert.deepEqual(ids, site.newestFirst)
        assert.deepEqual(
          site.pages.map((page) => page?.limit),
          Array.from({ length: pages }, () => PAGE),
        )
      })

    test('the filter applies to every page, and only the needed pages are read', async (t) => {
      const site = await opened(t, 4 * PAGE)
      const even = await Array.fromAsync(eachRun(site.records, { agent_id: 'agent-0' }, PAGE))
      assert.deepEqual(
        even.map(({ run_id }) => run_id),
        site.newestFirst.filter((_, index) => index % 2 === 1),
      )
      site.pages.length = 0
      for await (const { run_id } of eachRun(site.records, {}, PAGE)) {
        assert.equal(run_id, site.newestFirst[0])
        break
      }
      assert.equal(site.pages.length, 1)
    })
  })
}
