import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ended, newRun } from '../../../src/testing/contracts/records-fixture.ts'
import { ASKS } from '../../run/core.ts'
import { scriptedRun } from '../scripted-agent.ts'
import { AGENT, inboxSite } from './inbox-site.ts'

test('decisions of several people', async (t) => {
  const site = await inboxSite(t)
  const { asks, asksIn, policies, request, as, database, facts } = site
  const read = (id: string) => request('GET', `/v1/approvals/${id}`)
  const decide = (user: string, id: string, verdict: string, more: object = {}) =>
    as(user, 'POST', `/v1/approvals/${id}`, { verdict, ...more })
  const votesOf = (answer: {
    readonly json: { readonly votes: { readonly given: readonly { readonly by: string }[] } }
  }) => answer.json.votes.given.map(({ by }) => by)
  const kinds = async (kind: string) => (await facts('default')).filter((fact) => fact.kind === kind)

  await t.test('several people must agree; each votes once, and a denial decides at once', async () => {
    await policies({ three: { approvals_needed: 3 } })
    const { id } = await asks('votes')
    const first = await decide('ann', id, 'approve')
    assert.equal(first.status, 202)
    assert.deepEqual([first.json.votes.needed, votesOf(first)], [3, ['ann']])
    const again = await decide('ann', id, 'approve')
    assert.deepEqual([again.status, votesOf(again)], [202, ['ann']])
    assert.equal((await decide('ann', id, 'resend')).json.code, 'APPROVAL_VERDICT_INVALID')
    assert.deepEqual(votesOf(await decide('bob', id, 'approve')), ['ann', 'bob'])
    assert.deepEqual((await read(id)).votes.given.length, 2)
    // A vote counts as long as its member may decide.
    await request('POST', '/v1/organisations/default/members', { user: 'ann', roles: ['viewer'] })
    assert.deepEqual(votesOf(await decide('eve', id, 'approve')), ['bob', 'eve'])
    await request('POST', '/v1/organisations/default/members', {
      user: 'ann',
      roles: ['operator', 'approver'],
    })
    const last = await decide('eve', id, 'approve')
    assert.deepEqual([last.status, last.json.votes], [200, undefined])
    assert.deepEqual(
      [(await read(id)).state, (await decide('sam', id, 'approve')).json.code],
      ['closed', 'APPROVAL_DECIDED'],
    )
    assert.equal((await kinds('question.voted')).length, 3)

    const denied = await asks('denied')
    const several = await as('bob', 'POST', '/v1/approvals', {
      items: [{ id: denied.id, verdict: 'approve' }],
    })
    assert.equal(several.json.items[0].status, 202)
    assert.equal((await decide('sam', denied.id, 'deny')).status, 200)
    assert.equal((await read(denied.id)).outcome, 'deny')
  })

  await t.test(
    'of two people who give the last vote at the same moment, one decides (50 rounds)',
    async () => {
      await policies({ two: { approvals_needed: 2 } })
      const rounds = Array.from({ length: 50 }, (_, n) => `race-${n}`)
      for (const name of rounds) {
        const { id } = await asks(name)
        assert.equal((await decide('ann', id, 'approve')).status, 202)
        const last = await Promise.all(['bob', 'eve'].map((user) => decide(user, id, 'approve')))
        assert.deepEqual(last.map(({ status }) => status).sort(), [200, 409])
        assert.equal((await site.records.runs.decisions(name)).length, 1)
      }
    },
  )

  await t.test('votes about other arguments or another answer do not count together', async () => {
    await policies({ two: { approvals_needed: 2 } })
    const { id } = await asks('anew')
    await decide('ann', id, 'approve')
    await database.engine.query(`UPDATE waybill.votes SET about = 'other' WHERE question = $1`, [id])
    assert.deepEqual(votesOf(await decide('bob', id, 'approve')), ['bob'])

    const unknown = await asks('unknown', {}, 'unknown')
    const answers: readonly (readonly [user: string, verdict: string, more: object, given: string[]])[] = [
      ['ann', 'resend', {}, ['ann']],
      ['bob', 'assume', { result: { paid: 1 } }, ['bob']],
      ['eve', 'assume', { result: { paid: 2 } }, ['eve']],
      ['sam', 'assume', {}, ['sam']],
    ]
    for (const [user, verdict, more, given] of answers)
      assert.deepEqual(votesOf(await decide(user, unknown.id, verdict, more)), given)
    assert.equal((await decide('bob', unknown.id, 'assume')).status, 200)
  })

  await t.test('an edit is a vote for its arguments, if they pass the checks', async () => {
    await policies({ two: { approvals_needed: 2 } })
    await (await site.records.runs.create(scriptedRun('edits', { pays: 1 }, ASKS))).close()
    const { id } = await asksIn('edits')
    const { digest } = await read(id)
    const edit = (user: string, args: object) => decide(user, id, 'edit', { arguments: args, digest })
    const key = `sk-ant-api03-${'a1B2'.repeat(24)}`
    assert.equal((await edit('ann', { key })).json.code, 'ARGUMENTS_REFUSED')
    assert.deepEqual((await read(id)).votes.given, [])
    assert.deepEqual(votesOf(await decide('ann', id, 'approve')), ['ann'])
    // The arguments of the model, and others.
    assert.deepEqual(votesOf(await edit('bob', { n: 2 })), ['bob'])
    assert.deepEqual(votesOf(await edit('eve', { n: 3 })), ['eve'])
    assert.equal((await edit('sam', { n: 3 })).status, 200)
    const [decision] = await site.records.runs.decisions('edits')
    assert.deepEqual([decision?.verdict, decision?.arguments], ['edit', { n: 3 }])
  })

  await t.test('votes that are complete without a decision are decided by the next request', async () => {
    await policies({ two: { approvals_needed: 2 } })
    const { id } = await asks('complete')
    await decide('ann', id, 'approve')
    // As if the process had died between the last vote and the decision.
    await database.engine.query(
      `INSERT INTO waybill.votes (org, question, run_id, user_id, about) SELECT org, question, run_id, 'bob', about FROM waybill.votes
       WHERE question = $1`,
      [id],
    )
    assert.equal((await read(id)).state, 'open')
    assert.equal((await decide('ann', id, 'approve')).status, 200)
  })

  await t.test('the starter of a run may not decide, in whatever way it was started', async () => {
    await policies({ four: { starter_may_decide: false } })
    const start = async (user: string, path: string, json: object) => {
      const answer = await as(user, 'POST', path, json)
      assert.ok(answer.status < 300, answer.text)
      return answer.json
    }
    const excludes = async (runId: string, starters: readonly string[]) => {
      const { id } = await asksIn(runId)
      for (const user of starters) {
        const refused = await decide(user, id, 'approve')
        assert.deepEqual(
          [refused.status, refused.json.code],
          [403, 'STARTER_MAY_NOT_DECIDE'],
          `${runId} ${user}`,
        )
      }
      assert.deepEqual((await read(id)).excluded, starters)
      assert.equal((await decide('sam', id, 'approve')).status, 200)
    }
    const plain = await start('ann', `/v1/agents/${AGENT}/runs`, { input: 'x', user: 'bob' })
    // Another token of the same user.
    const { token } = await request('POST', '/v1/tokens', { user: 'ann' })
    const ended1 = await asksIn(plain.run_id)
    const path = `/v1/approvals/${ended1.id}`
    assert.equal((await site.send('POST', path, { token, json: { verdict: 'deny' } })).status, 403)
    assert.deepEqual((await read(ended1.id)).excluded, ['ann', 'bob'])
    // A question of its sub-agent.
    const parent = { run_id: plain.run_id, root_run_id: plain.run_id }
    await (await site.records.runs.create(newRun('helper', { agent_id: 'agent-2', parent }))).close()
    await excludes('helper', ['ann', 'bob'])
    await ended1.run.append(...ended('completed'))
    await ended1.run.run.close()
    const retried = await start('eve', `/v1/runs/${plain.run_id}/retry`, {})
    await excludes(retried.run_id, ['bob', 'eve'])
    const batch = await start('ann', `/v1/agents/${AGENT}/batches`, { inputs: ['a'] })
    const { rows } = await database.engine.query('SELECT run_id FROM waybill.runs WHERE batch = $1', [
      batch.batch_id,
    ])
    await excludes(rows[0].run_id, ['ann'])
    await start('ann', '/v1/sessions', { agent_id: AGENT, session: 'talk' })
    const { run_id } = await start('bob', '/v1/sessions/talk/messages', { input: 'x' })
    await start('eve', '/v1/sessions/talk/messages', { input: 'y' })
    await excludes(run_id, ['bob', 'eve'])
  })

  assert.deepEqual(site.logged, [])
})
