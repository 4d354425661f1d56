import assert from 'node:assert/strict'
import { cpSync, rmSync } from 'node:fs'
import { describe, test } from 'node:test'
import { noCertificates } from '../adapters/tls-front.ts'
import { clerk, laptopAt } from './laptop.ts'
import { type MovingPlatform, movingSite } from './moving-site.ts'
import { AGENT } from './organisation.ts'

const input = (to: string) => JSON.stringify({ tool: 'send', to })

/** Returns the only question of a run, as it is asked after the run was taken in. */
async function questionOf(platform: MovingPlatform, run: string) {
  await platform.reaches(run, 'awaiting_approval')
  const { items } = await platform.ok('GET', `/v1/approvals?run_id=${run}`)
  assert.equal(items.length, 1, JSON.stringify(items))
  return items[0] as { readonly id: string; readonly asks: string; readonly why: string }
}

describe('a run whose record is a copy, and that moves before it is driven', { skip: noCertificates }, () => {
  test('is asked about at the receiver before its write, and others are not', async (t) => {
    const site = await movingSite(t)
    const { a, b, baseUrl, effects } = site
    await a.upload(clerk(baseUrl))
    const begin = async (to: string) => {
      const { run_id } = await a.ok('POST', `/v1/agents/${AGENT}/runs`, { input: input(to) })
      await a.reaches(run_id, 'awaiting_approval')
      return run_id as string
    }
    const mark = (run: string, announced = false) =>
      a.sql(
        `INSERT INTO waybill.copied_runs (org, run_id, generation, announced) VALUES ('default', $1, 2, $2)`,
        [run, announced],
      )
    const move = async (run: string, method: string): Promise<string> => {
      const moved = await a.ok('POST', `/v1/runs/${run}/migrate`, { to: 'other', method })
      assert.equal(moved.state, 'moved', JSON.stringify(moved))
      return moved.target_run_id
    }

    for (const method of ['document', 'stream']) {
      await t.test(`from platform to platform, as a ${method}`, async () => {
        const run = await begin('ada')
        await mark(run)
        const there = await move(run, method)
        const { id, asks, why } = await questionOf(b, there)
        assert.equal(asks, 'unknown')
        assert.match(why, /put back from an older copy/)
        // An approval of a write that may have been sent is not one: only the verdicts for unknown outcomes count.
        const approved = await b.send('POST', `/v1/approvals/${id}`, { verdict: 'approve' })
        assert.ok(approved.status >= 400, JSON.stringify(approved))
        await b.ok('POST', `/v1/approvals/${id}`, { verdict: 'assume', result: 'sent' })
        await b.reaches(there, 'completed')
        assert.deepEqual(effects(), [])
      })

      await t.test(`as a ${method}, a run without the mark is asked as before`, async () => {
        const there = await move(await begin('bob'), method)
        const { asks } = await questionOf(b, there)
        assert.equal(asks, 'approval')
      })
    }

    await t.test(
      'after an announced restore, the question of before is kept, and the mark travels',
      async () => {
        const run = await begin('cy')
        await mark(run, true)
        const { 'x-waybill': member } = await a.ok('GET', `/v1/runs/${run}/state`)
        assert.equal(member.run.copied, 2)
        assert.equal((await questionOf(b, await move(run, 'document'))).asks, 'approval')
      },
    )

    await t.test('from a home that was put back, to a platform', async (t) => {
      const laptop = laptopAt(t, site)
      laptop.write('agent.json', clerk(baseUrl))
      await laptop.meet(b)
      const sent = async (run: string) =>
        questionOf(b, (await laptop.ok(['migrate', run, '--to', b.url, '--json'], b)).json.target_run_id)
      const [first, second] = [
        await laptop.waiting('agent.json', { tool: 'send', to: 'eve' }),
        await laptop.waiting('agent.json', { tool: 'send', to: 'eve' }),
      ]
      assert.equal((await sent(first)).asks, 'approval')
      const copy = `${laptop.home}-copy`
      cpSync(laptop.home, copy, { recursive: true })
      rmSync(laptop.home, { recursive: true })
      cpSync(copy, laptop.home, { recursive: true })
      const { asks, why } = await sent(second)
      assert.equal(asks, 'unknown')
      assert.match(why, /put back from an older copy/)
    })
    assert.deepEqual(effects(), [])
  })
})
