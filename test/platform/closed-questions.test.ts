import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { approvalsSite, type Question } from './approvals-site.ts'
import { until } from './leg-place.ts'

const HURRIED = '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a22'
const LAPSING = '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a33'
const LEADER = '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a44'
const SEND = { tool: 'send', to: 'ada@ours.example' }

describe('the questions of a run that ends', () => {
  test('disappear, however it ends, and cannot be decided any more', async (t) => {
    const site = await approvalsSite(t)
    const { send, make, get, start, questions, agent, admin } = site
    await site.upload('1.0.0')
    await site.upload('1.0.0', { runtime: { timeout_seconds: 1 } }, { agent_id: HURRIED })
    await site.upload(
      '1.0.0',
      { compliance: { human_in_the_loop: { enabled: true, timeout_seconds: 1 } } },
      { agent_id: LAPSING },
    )
    await site.upload(
      '1.0.0',
      { orchestration: { role: 'orchestrator', subagents: [{ ref: agent, alias: 'helper' }] } },
      { agent_id: LEADER },
    )
    const statusOf = async (runId: string): Promise<string> => (await get(`/v1/runs/${runId}`)).status
    const ended = (runId: string, status: string) => until(async () => (await statusOf(runId)) === status)
    const post = (path: string, json: unknown) => send('POST', path, { token: admin, json })
    /** Checks that a question is closed: in the list, and for each way to decide it. */
    const assertClosed = async ({ id, digest }: Question) => {
      await questions(0)
      const path = `/v1/approvals/${id}`
      for (const json of [
        { verdict: 'approve', digest },
        { verdict: 'deny' },
        { verdict: 'edit', digest, arguments: { to: 'x' } },
        { verdict: 'resend' },
        { verdict: 'approve', rule: {} },
      ]) {
        const answer = await post(path, json)
        assert.deepEqual([answer.status, answer.json.code], [404, 'APPROVAL_NOT_FOUND'], answer.text)
      }
      const several = await post('/v1/approvals', { items: [{ id, verdict: 'approve' }] })
      assert.equal(several.json.items[0].problem.code, 'APPROVAL_NOT_FOUND')
    }
    const asked = async (): Promise<Question> => (await questions(1))[0] as Question

    await t.test('cancelled', async () => {
      const { run_id } = await start(SEND)
      const question = await asked()
      await make(`/v1/runs/${run_id}/cancel`, {})
      await ended(run_id, 'cancelled')
      await assertClosed(question)
    })

    await t.test('cancelled while a sub-agent asks', async () => {
      const { run_id } = await start({ tool: 'ask_helper', task: JSON.stringify(SEND) }, 10, LEADER)
      const question = await asked()
      assert.notEqual(question.run_id, run_id)
      await make(`/v1/runs/${run_id}/cancel`, {})
      await ended(run_id, 'cancelled')
      await assertClosed(question)
    })

    await t.test('failed at its deadline, while another call takes long', async () => {
      const { run_id } = await start({ calls: [SEND, { tool: 'look' }] }, 0, HURRIED)
      const question = await asked()
      await ended(run_id, 'failed')
      await assertClosed(question)
    })

    await t.test('no person has decided in time', async () => {
      const { run_id } = await start(SEND, 0, LAPSING)
      const question = await asked()
      await ended(run_id, 'completed')
      await assertClosed(question)
    })

    for (const on_busy of ['interrupt', 'rollback'])
      await t.test(`its turn is superseded by a message (${on_busy})`, async () => {
        const { session } = await make('/v1/sessions', { agent_id: agent })
        await make(`/v1/sessions/${session}/messages`, { input: JSON.stringify(SEND) })
        const question = await asked()
        await make(`/v1/sessions/${session}/messages`, { input: '{}', on_busy })
        await until(async () => (await get(`/v1/sessions/${session}`)).status === 'completed')
        await assertClosed(question)
      })

    await t.test('stopped, and cancelled under the stop', async () => {
      const { run_id } = await start(SEND)
      const question = await asked()
      const { id } = await make('/v1/stop', { run: run_id })
      // A stop is not an end: the question waits for its lifting.
      assert.equal((await asked()).id, question.id)
      await make(`/v1/runs/${run_id}/cancel`, {})
      await ended(run_id, 'cancelled')
      await assertClosed(question)
      await send('DELETE', `/v1/stops/${id}`, { token: admin })
      await assertClosed(question)
    })

    await t.test('set aside, and cancelled', async () => {
      const { run_id } = await start(SEND)
      const question = await asked()
      await site.database.engine.query(
        `UPDATE waybill.progress SET phase = 'set_aside', why = 'its workers die' WHERE run_id = $1`,
        [run_id],
      )
      assert.equal(await statusOf(run_id), 'set_aside')
      await make(`/v1/runs/${run_id}/cancel`, {})
      await ended(run_id, 'cancelled')
      await assertClosed(question)
    })
  })
})
