import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { type AskingPeer, askingPeer, type Revision } from '../../adapters/mcp/asking-peer.ts'
import { approvalsSite } from '../approvals-site.ts'
import { until } from '../leg-place.ts'

const effects = ({ log }: AskingPeer) => log().filter((line) => !line.startsWith('called'))

/** A platform with a worker, and an agent that calls a server which asks a person. */
async function place(t: TestContext, revision: Revision) {
  const peer = await askingPeer(t, revision, 'http')
  const site = await approvalsSite(t, { mcp_servers: peer.servers })
  const tools = ['book', 'two'].map((name) => ({
    name,
    description: 'Asks.',
    protocol: 'mcp',
    endpoint: `mcp://asking/${name}`,
    parameters_schema: { type: 'object', properties: {} },
  }))
  await site.upload('1.0.0', { tools, compliance: {} })
  const asks = async (tool = 'book') => {
    const run = await site.start({ tool }, 10)
    assert.equal(run.status, 'awaiting_approval', JSON.stringify(run))
    const [question] = await site.questions(1)
    assert.ok(question !== undefined)
    return { run, question: question as typeof question & Record<string, unknown> }
  }
  const over = async (runId: string) => {
    await until(async () => (await site.get(`/v1/runs/${runId}`)).status === 'completed')
    return site.get(`/v1/runs/${runId}`)
  }
  return { ...site, peer, asks, over }
}

for (const revision of ['2026', '2025'] as const)
  describe(`a question of a server of the ${revision} revision in the inbox`, () => {
    test('is shown as such, and answered over HTTP after the leg of the run has ended', async (t) => {
      const { asks, send, member, over, peer, get } = await place(t, revision)
      const { run, question } = await asks()
      assert.equal(question.kind, 'elicitation')
      assert.equal(question.asks, 'input')
      assert.equal(question.server, 'asking')
      assert.equal(question.tool, 'book')
      const [asked] = question.questions as readonly { readonly key: string; readonly message: string }[]
      assert.equal(asked?.message, 'Which city, and for how long?')
      assert.deepEqual((await get(`/v1/runs/${run.run_id}`)).waiting, [
        { call_id: 'c1', tool: 'book', asks: 'input' },
      ])
      const path = `/v1/approvals/${encodeURIComponent(question.id)}`
      const approver = await member('ann', 'approver')
      const decide = (json: object, token = approver) => send('POST', path, { token, json })
      const reader = await member('rob', 'viewer')
      assert.equal((await decide({ verdict: 'answer', content: { city: 'Bern' } }, reader)).status, 403)
      const robot = await member('robot', 'approver', 'service')
      assert.equal(
        (await decide({ verdict: 'answer', content: { city: 'Bern' } }, robot)).json.code,
        'PERSON_REQUIRED',
      )
      for (const [json, code, pointer] of [
        [{ verdict: 'approve' }, 'APPROVAL_VERDICT_INVALID', undefined],
        [{ verdict: 'assume' }, 'APPROVAL_VERDICT_INVALID', undefined],
        [{ verdict: 'answer', content: {} }, 'ANSWER_REFUSED', '/content'],
        [{ verdict: 'answer', content: { city: 'Bern', nights: 0 } }, 'ANSWER_REFUSED', '/content'],
        [{ verdict: 'answer', answers: { no: { action: 'accept' } } }, 'ANSWER_REFUSED', '/answers/no'],
        [
          { verdict: 'answer', content: { city: 'Bern' }, digest: `sha256:${'0'.repeat(64)}` },
          'APPROVAL_CHANGED',
          undefined,
        ],
      ] as const) {
        const refused = await decide(json)
        assert.equal(refused.json.code, code, refused.text)
        if (code === 'ANSWER_REFUSED') assert.equal(refused.status, 422)
        if (pointer !== undefined)
          assert.equal(refused.json.pointer ?? refused.json.at, pointer, refused.text)
      }
      assert.deepEqual(effects(peer), [])
      const { digest } = question
      const taken = await decide({ verdict: 'answer', content: { city: 'Bern', nights: 4 }, digest })
      assert.equal(taken.status, 200, taken.text)
      await over(run.run_id)
      assert.deepEqual(effects(peer), ['booked Bern 4 true double'])
      const again = await decide({ verdict: 'answer', content: { city: 'Basel' } })
      assert.equal(again.json.code, 'APPROVAL_DECIDED', again.text)
      const shown = await get(path)
      assert.deepEqual([shown.state, shown.outcome, shown.closed_by], ['closed', 'answer', 'ann'])
    })
  })

describe('a question of a server in the inbox', () => {
  test('is declined by a denial: the server decides what follows, and nothing was made', async (t) => {
    const { asks, make, over, peer } = await place(t, '2026')
    const { run, question } = await asks()
    await make(`/v1/approvals/${encodeURIComponent(question.id)}`, { verdict: 'deny' })
    await over(run.run_id)
    assert.deepEqual(effects(peer), [])
    assert.equal(peer.log().filter((line) => line === 'called book').length, 2)
  })

  test('is declined when its policy lets it expire', async (t) => {
    const { asks, send, over, peer, admin } = await place(t, '2026')
    const policy = { expire: { after_seconds: 1, verdict: 'deny' } }
    const put = await send('PUT', '/v1/approval-policies/short', { token: admin, json: policy })
    assert.ok(put.status < 300, put.text)
    const { run } = await asks()
    await over(run.run_id)
    assert.deepEqual(effects(peer), [])
  })

  test('needs as many people as its policy says, who give the same answers', async (t) => {
    const { asks, send, member, over, peer, admin } = await place(t, '2026')
    const put = await send('PUT', '/v1/approval-policies/pair', {
      token: admin,
      json: { approvals_needed: 2 },
    })
    assert.ok(put.status < 300, put.text)
    const [ann, bob] = [await member('ann', 'approver'), await member('bob', 'approver')]
    const { run, question } = await asks('two')
    const path = `/v1/approvals/${encodeURIComponent(question.id)}`
    const answers = (name: string) => ({
      stay: { action: 'accept', content: { city: 'Bern' } },
      guest: { action: 'accept', content: { name } },
    })
    const vote = async (token: string, name: string) =>
      (await send('POST', path, { token, json: { verdict: 'answer', answers: answers(name) } })).status
    assert.equal(await vote(ann, 'Ann'), 202)
    assert.equal(await vote(bob, 'Bob'), 202)
    assert.deepEqual(effects(peer), [])
    assert.equal(await vote(ann, 'Bob'), 200)
    await over(run.run_id)
    assert.deepEqual(effects(peer), ['booked Bern for Bob'])
  })

  test('is decided by no standing rule', async (t) => {
    const { asks, make, peer, questions } = await place(t, '2025')
    const { run } = await asks()
    const rule = { agent_id: run.agent_id, rule: 'book', expires_in_seconds: 3600 }
    await make('/v1/rules', rule).catch(() => {})
    assert.equal((await questions(1))[0]?.run_id, run.run_id)
    assert.deepEqual(effects(peer), [])
  })
})
