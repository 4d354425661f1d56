import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvalsOf } from '../../../src/platform/inbox/approvals.ts'
import { ballotOf } from '../../../src/platform/inbox/ballot.ts'
import { dueQuestions, performDue } from '../../../src/platform/inbox/due-questions.ts'
import { ended, newRun } from '../../../src/testing/contracts/records-fixture.ts'
import { entryMaker } from '../../../src/trust/audit-chain.ts'
import { ASKS } from '../../run/core.ts'
import { until } from '../leg-place.ts'
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
    await (await site.records.runs.create(scriptedRun('anew', { pays: 1 }, ASKS))).close()
    const { id } = await asksIn('anew')
    const edit = (n: number, digest: string) => ({ arguments: { n }, digest })
    const { digest } = await read(id)
    assert.deepEqual(votesOf(await decide('ann', id, 'approve')), ['ann'])
    assert.deepEqual(votesOf(await decide('bob', id, 'edit', edit(2, digest))), ['bob'])
    assert.deepEqual(votesOf(await decide('eve', id, 'edit', edit(3, digest))), ['eve'])
    assert.deepEqual(votesOf(await decide('sam', id, 'approve', { digest })), ['sam'])
    // A member who is removed has no vote any more, and gets no second one by coming back.
    await request('DELETE', '/v1/organisations/default/members/sam')
    assert.deepEqual((await read(id)).votes.given, [])
    assert.deepEqual(votesOf(await decide('ann', id, 'approve')), ['ann'])
    await site.member('sam')
    assert.equal((await decide('sam', id, 'approve')).status, 200)

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
    const [listed] = (await request('GET', '/v1/approvals?run_id=edits')).items
    const [given] = listed.votes.given
    assert.deepEqual([listed.policy, listed.votes.needed], ['two', 2])
    assert.deepEqual([given.by, given.verdict, given.arguments], ['eve', 'edit', { n: 3 }])
    assert.deepEqual((await read(id)).votes, listed.votes)
    // An approval that does not say which arguments are meant would remove the vote.
    const unclear = await decide('sam', id, 'approve')
    assert.deepEqual([unclear.status, unclear.json.code], [409, 'APPROVAL_VOTED_OTHERWISE'])
    for (const named of [given.digest, digest])
      assert.ok(unclear.json.hint.includes(named), unclear.json.hint)
    assert.deepEqual((await read(id)).votes, listed.votes)
    assert.notEqual(given.digest, digest)
    assert.equal(
      (await decide('sam', id, 'approve', { digest: `sha256:${'0'.repeat(64)}` })).json.code,
      'APPROVAL_CHANGED',
    )
    // With the digest of the question it is a vote for the arguments of the model.
    assert.deepEqual(votesOf(await decide('sam', id, 'approve', { digest })), ['sam'])
    assert.deepEqual(votesOf(await edit('eve', { n: 3 })), ['eve'])
    assert.equal((await decide('sam', id, 'approve', { digest: given.digest, note: 'agreed' })).status, 200)
    const [decision] = await site.records.runs.decisions('edits')
    assert.deepEqual([decision?.verdict, decision?.arguments], ['edit', { n: 3 }])
  })

  /** Votes as a process does that dies between the last vote and the decision. */
  const dies = async (user: string, runId: string, id: string, decision: object = { verdict: 'approve' }) => {
    const principal = { organisation: 'default', user, roles: ['approver' as const] }
    const { records } = site
    const sync = { pool: database.app, org: 'default', records }
    const audited = async () => {}
    const ballot = ballotOf({ app: database.app, org: 'default', principal, audited, sync, records })
    const cast: typeof ballot.cast = async (...vote) => {
      assert.equal(await ballot.cast(...vote), undefined)
      throw new Error('the process has died')
    }
    const approvals = approvalsOf(records, principal, { ...ballot, cast }, async () => ({
      items: [],
      next: null,
    }))
    const { digest } = await read(id)
    await assert.rejects(approvals.decide(id, { ...decision, digest } as never), /has died/)
    assert.deepEqual([(await read(id)).state, await records.runs.decisions(runId)], ['open', []])
  }
  const due = (id: string) =>
    database.engine.query(
      'UPDATE waybill.questions SET voted_at = clock_timestamp(), retry_at = NULL WHERE id = $1 AND voted_at IS NOT NULL',
      [id],
    )

  await t.test('votes that are complete without a decision are decided by the next request', async () => {
    await policies({ two: { approvals_needed: 2 } })
    const { id } = await asks('complete')
    await decide('ann', id, 'approve')
    await dies('bob', 'complete', id)
    assert.equal((await decide('ann', id, 'approve')).status, 200)
  })

  await t.test('or by a worker, once, in the name of the last voter', async () => {
    await policies({ two: { approvals_needed: 2 } })
    await (await site.records.runs.create(scriptedRun('left', { pays: 1 }, ASKS))).close()
    const { id } = await asksIn('left')
    const { digest } = await read(id)
    const edited = { arguments: { n: 5 }, digest, note: 'first' }
    assert.equal((await decide('ann', id, 'edit', edited)).status, 202)
    const parts = {
      engine: database.engine,
      nextEntry: entryMaker(site.signAudit),
      recordsOf: () => site.records,
    }
    const look = async () => {
      const mine = (await dueQuestions(database.engine)).filter((one) => one.id === id)
      await Promise.all(mine.map((one) => performDue(parts, one)))
      return mine.length
    }
    // One vote is not enough, and a worker leaves the decision to the process that has stored the last vote.
    await due(id)
    assert.equal(await look(), 0)
    await dies('bob', 'left', id, { verdict: 'edit', arguments: { n: 5 }, why: 'second' })
    assert.equal(await look(), 0)
    assert.equal((await read(id)).state, 'open')
    // A voter loses the role: the votes are not complete any more.
    await request('POST', '/v1/organisations/default/members', { user: 'ann', roles: ['viewer'] })
    await due(id)
    assert.equal(await look(), 1)
    assert.equal((await read(id)).state, 'open')
    await request('POST', '/v1/organisations/default/members', {
      user: 'ann',
      roles: ['operator', 'approver'],
    })
    await dies('bob', 'left', id, { verdict: 'edit', arguments: { n: 5 } })
    await due(id)
    const workers = [site.worker(), site.worker()]
    await until(async () => {
      for (const worker of workers) worker.look(true)
      return (await read(id)).state === 'closed'
    })
    const [decision, ...others] = await site.records.runs.decisions('left')
    assert.deepEqual([decision?.by, decision?.verdict, decision?.arguments], ['bob', 'edit', { n: 5 }])
    assert.deepEqual([decision?.why, others], ['second', []])
    const { state, outcome, closed_by } = await read(id)
    assert.deepEqual([state, outcome, closed_by], ['closed', 'edit', 'bob'])
    assert.equal((await decide('ann', id, 'approve', { digest })).json.code, 'APPROVAL_DECIDED')
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
    await excludes(retried.run_id, ['ann', 'bob', 'eve'])
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
