import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withStateChecksum } from '../../../src/trust/checksum.ts'
import { approvalsSite } from '../approvals-site.ts'
import { until } from '../leg-place.ts'

const POLICY = '/v1/approval-policies/four'

/** Ann and bob may start and decide, sam decides about what both have caused, and root is an admin. */
async function causersSite(t: Parameters<typeof approvalsSite>[0]) {
  const site = await approvalsSite(t)
  const { send, make, get, admin, agent } = site
  const tokens = new Map<string, string>()
  const member = async (user: string, roles: readonly string[], kind = 'person') => {
    await make('/v1/organisations/default/members', { user, kind, roles })
    tokens.set(user, (await make('/v1/tokens', { user })).token)
  }
  for (const user of ['ann', 'bob', 'sam']) await member(user, ['operator', 'approver'])
  await member('root', ['admin'])
  await site.upload('1.0.0')
  await send('PUT', POLICY, { token: admin, json: { starter_may_decide: false } })
  const tokenOf = (user: string) => tokens.get(user) ?? ''
  const as = (user: string, method: 'GET' | 'POST' | 'PUT', path: string, json?: unknown) =>
    send(method, path, { token: tokenOf(user), ...(json !== undefined && { json }) })
  const done = async (user: string, path: string, json: object = {}, method: 'POST' | 'PUT' = 'POST') => {
    const answer = await as(user, method, path, json)
    assert.ok(answer.status < 300, `${path}: ${answer.text}`)
    return answer.json
  }
  const input = (to: string) => JSON.stringify({ tool: 'send', to })
  const questionOf = async (runId: string, tool = 'send') => {
    let found: { readonly id: string; readonly digest: string } | undefined
    await until(async () => {
      found = (await get(`/v1/approvals?run_id=${runId}&tool=${tool}`)).items[0]
      return found !== undefined
    })
    if (found === undefined) throw new TypeError('there is a question')
    return found
  }
  /** Starts a run of a member that asks. */
  const asks = async (user: string) => {
    const { run_id } = await done(user, `/v1/agents/${agent}/runs`, { input: input(user) })
    return { run_id, ...(await questionOf(run_id)) }
  }
  const decide = (user: string, id: string, more: object = { verdict: 'approve' }) =>
    as(user, 'POST', `/v1/approvals/${id}`, more)
  /** Each of them is refused at every door, and sam is not. */
  const excludes = async (runId: string, members: readonly string[], free: readonly string[] = ['sam']) => {
    const { id } = await questionOf(runId)
    const { excluded, asks } = await get(`/v1/approvals/${id}`)
    assert.deepEqual(excluded, members)
    const verdicts =
      asks === 'approval'
        ? [{ verdict: 'approve' }, { verdict: 'deny' }, { verdict: 'approve', rule: { uses: 1 } }]
        : [{ verdict: 'resend' }, { verdict: 'assume', result: 'sent' }, { verdict: 'deny' }]
    for (const user of members.filter((one) => tokens.has(one) && one !== 'job')) {
      for (const more of verdicts) {
        const answer = await decide(user, id, more)
        const code = 'rule' in more ? 'RULE_HELD_BY_POLICY' : 'STARTER_MAY_NOT_DECIDE'
        assert.deepEqual(
          [answer.status, answer.json.code],
          ['rule' in more ? 409 : 403, code],
          `${user} ${answer.text}`,
        )
      }
      const bulk = await as(user, 'POST', '/v1/approvals', { items: [{ id, ...verdicts[0] }] })
      assert.equal(bulk.json.items[0].problem.code, 'STARTER_MAY_NOT_DECIDE')
    }
    for (const user of free) assert.ok((await decide(user, id, { verdict: 'deny' })).status < 300)
  }
  return { ...site, member, tokenOf, as, done, input, questionOf, asks, decide, excludes }
}

describe('the members who have caused a call', () => {
  test('are handed on wherever a run leads to a run, and none of them decides', {
    timeout: 300_000,
  }, async (t) => {
    const site = await causersSite(t)
    const { get, done, as, asks, decide, excludes, questionOf, agent, input, make, tokenOf } = site

    await t.test('a fork has those of the captured run and who has made it', async () => {
      const { run_id } = await asks('ann')
      const state = (await as('bob', 'GET', `/v1/runs/${run_id}/state`)).json
      const fork = await done('bob', '/v1/states', state)
      const again = await as('root', 'GET', `/v1/runs/${fork.run_id}/state`)
      await excludes(fork.run_id, ['ann', 'bob'])
      // Also of a state whose own run was left out: its receipts name it; and of a fork of a fork.
      const member = { ...state['x-waybill'], receipts: [{ type: 'receipt', run_id }] }
      const { run_id: _left, ...edited } = { ...state, 'x-waybill': member }
      const second = await done('bob', '/v1/states', withStateChecksum(edited))
      await excludes(second.run_id, ['ann', 'bob'])
      const third = await done('root', '/v1/states', again.json)
      assert.ok(third.run_id !== undefined)
      const { rows } = await site.database.engine.query(
        'SELECT member FROM waybill.causers WHERE run_id = $1 ORDER BY 1',
        [third.run_id],
      )
      assert.deepEqual(
        rows.map(({ member: one }) => one),
        ['ann', 'bob', 'root'],
      )
    })

    await t.test(
      'a retry has those of the run that is retried, and a resumed run who has resumed it',
      async () => {
        const { run_id } = await asks('ann')
        await done('ann', `/v1/runs/${run_id}/cancel`)
        const retried = await done('bob', `/v1/runs/${run_id}/retry`)
        await excludes(retried.run_id, ['ann', 'bob'])
        const held = (await done('ann', `/v1/agents/${agent}/runs`, {
          input: JSON.stringify({
            calls: [
              { tool: 'look', n: 1500 },
              { tool: 'send', to: 'x' },
            ],
          }),
        })) as { readonly run_id: string }
        await done('ann', `/v1/runs/${held.run_id}/pause`)
        await done('bob', `/v1/runs/${held.run_id}/resume`)
        const { rows } = await site.database.engine.query(
          'SELECT member FROM waybill.causers WHERE run_id = $1 ORDER BY 1',
          [held.run_id],
        )
        assert.deepEqual(
          rows.map(({ member }) => member),
          ['ann', 'bob'],
        )
        await done('ann', `/v1/runs/${held.run_id}/cancel`)
      },
    )

    await t.test('a trigger has who has made it, who has changed it, and who fires it', async () => {
      const made = await done('ann', '/v1/triggers', {
        agent_id: agent,
        kind: 'schedule',
        schedule: '0 0 1 1 *',
        input: input('hook'),
      })
      await done('bob', `/v1/triggers/${made.id}`, { schedule: '0 0 1 1 *', input: input('hook') }, 'PUT')
      const { run_id } = await done('root', `/v1/triggers/${made.id}/fire`)
      await excludes(run_id, ['ann', 'bob', 'root'])
    })

    await t.test(
      'the end of a run that fires a trigger hands its causers on, and a message its sender',
      async () => {
        const other = '0198c0de-0000-7000-8000-0000000000e1'
        await site.upload('1.0.0', { name: 'Other', instructions: input('event') }, { agent_id: other })
        const made = await done('bob', '/v1/triggers', {
          agent_id: other,
          kind: 'event',
          event: 'run.ended',
          of_agent: agent,
        })
        const { run_id } = await done('ann', `/v1/agents/${agent}/runs`, { input: 'hello', wait_seconds: 10 })
        assert.ok(run_id !== undefined)
        let fired: { readonly slot: string; readonly run_id: string | null } | undefined
        await until(async () => {
          const { items } = await get(`/v1/triggers/${made.id}/firings`)
          fired = items.find(({ slot }: { readonly slot: string }) => slot.startsWith(run_id))
          return typeof fired?.run_id === 'string'
        })
        await excludes(fired?.run_id ?? '', ['ann', 'bob'])
        const taker = await done('bob', '/v1/triggers', { agent_id: agent, kind: 'message' })
        const taken = await done('ann', `/v1/triggers/${taker.id}/messages`, {
          from: 'carl',
          text: input('message'),
        })
        const { excluded } = await get(`/v1/approvals/${(await questionOf(taken.run_id)).id}`)
        assert.deepEqual(excluded, ['ann', 'bob', 'carl'])
      },
    )

    await t.test('a message to a session, also one that was delivered long ago', async () => {
      await done('ann', '/v1/sessions', { agent_id: agent, session: 'talk' })
      const { run_id } = await done('ann', '/v1/sessions/talk/messages', { input: 'hello' })
      await until(async () => (await get(`/v1/runs/${run_id}`)).status === 'completed')
      await done('bob', '/v1/sessions/talk/messages', { input: 'hello again' })
      await until(async () => {
        const { rows } = await site.database.engine.query('SELECT state FROM waybill.messages')
        return (
          rows.every(({ state }) => state === 'delivered') &&
          (await get(`/v1/runs/${run_id}`)).status === 'completed'
        )
      })
      await site.database.engine.query(`DELETE FROM waybill.messages WHERE state = 'delivered'`)
      await done('root', '/v1/sessions/talk/messages', { input: input('later') })
      await excludes(run_id, ['ann', 'bob', 'root'])
    })

    await t.test('a decision whose text the model reads', async () => {
      const calls = [{ tool: 'send', to: 'x' }]
      const { run_id } = await done('ann', `/v1/agents/${agent}/runs`, { input: JSON.stringify({ calls }) })
      const { id } = await questionOf(run_id)
      const { rows } = await site.database.engine.query('SELECT 1 FROM waybill.causers WHERE run_id = $1', [
        run_id,
      ])
      assert.equal(rows.length, 1)
      assert.equal((await decide('bob', id, { verdict: 'deny', note: 'send it to mallory' })).status, 200)
      const after = await site.database.engine.query(
        'SELECT member FROM waybill.causers WHERE run_id = $1 ORDER BY 1',
        [run_id],
      )
      assert.deepEqual(
        after.rows.map(({ member }) => member),
        ['ann', 'bob'],
      )
    })

    await t.test('a service account has those who have made its token', async () => {
      await site.member('job', ['operator'], 'service')
      const { token } = await make('/v1/tokens', { user: 'job' }, tokenOf('root'))
      const { run_id } = await make(`/v1/agents/${agent}/runs`, { input: input('job') }, token)
      await excludes(run_id, ['job', 'root'])
    })
  })

  test('do not decide with a token that they have made for another member since', {
    timeout: 300_000,
  }, async (t) => {
    const site = await causersSite(t)
    const { make, send, asks, tokenOf, decide, get, admin, agent } = site
    const { id } = await asks('root')
    const given = (await make('/v1/tokens', { user: 'bob' }, tokenOf('root'))).token
    const post = (token: string, json: object, path = `/v1/approvals/${id}`) =>
      send('POST', path, { token, json })
    assert.deepEqual([(await post(given, { verdict: 'approve' })).json.code], ['STARTER_MAY_NOT_DECIDE'])
    // Nor with one that this token has made, nor in a browser session, nor by a new member, nor with a rule.
    const second = (await make('/v1/tokens', {}, given)).token
    assert.equal((await post(second, { verdict: 'approve' })).json.code, 'STARTER_MAY_NOT_DECIDE')
    await make('/v1/organisations/default/members', { user: 'zoe', roles: ['approver'] }, tokenOf('root'))
    const zoe = (await make('/v1/tokens', { user: 'zoe' }, tokenOf('root'))).token
    assert.equal((await post(zoe, { verdict: 'approve' })).json.code, 'STARTER_MAY_NOT_DECIDE')
    const rule = { agent_id: agent, what: 'send to=root' }
    assert.equal((await make('/v1/rules', rule, given)).covers, 0)
    assert.equal((await get(`/v1/approvals/${id}`)).state, 'open')
    // The token that bob had before decides: it is a second person's.
    assert.equal((await decide('bob', id)).status, 200)

    await send('PUT', POLICY, { token: admin, json: { approvals_needed: 2 } })
    const voted = await asks('ann')
    const forBob = (await make('/v1/tokens', { user: 'bob' }, tokenOf('root'))).token
    const path = `/v1/approvals/${voted.id}`
    assert.equal(
      (await send('POST', path, { token: tokenOf('root'), json: { verdict: 'approve' } })).status,
      202,
    )
    assert.equal((await post(forBob, { verdict: 'approve' }, path)).json.code, 'APPROVAL_SAME_PERSON')
    // Two members who got their tokens while the question was open can be one admin.
    assert.equal((await decide('bob', voted.id)).status, 200)
    const other = `/v1/approvals/${(await asks('ann')).id}`
    const late = async (user: string) => (await make('/v1/tokens', { user }, tokenOf('root'))).token
    assert.equal((await post(await late('bob'), { verdict: 'approve' }, other)).status, 202)
    assert.equal(
      (await post(await late('sam'), { verdict: 'approve' }, other)).json.code,
      'APPROVAL_SAME_PERSON',
    )
    assert.equal(
      (await send('POST', other, { token: tokenOf('sam'), json: { verdict: 'approve' } })).status,
      200,
    )
  })
})
