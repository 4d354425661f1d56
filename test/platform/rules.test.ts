import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sha256 } from '../../src/document/canonical.ts'
import { approvalsSite, type Question } from './approvals-site.ts'
import { until } from './leg-place.ts'

const OURS = 'send to=*@ours.example'
/** The audit log of an organisation has digests of texts. */
const digest = (text: string) => `sha256:${sha256(text)}`
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

describe('standing rules over HTTP', () => {
  test('are previewed, made by people, answer open and later questions, and end', async (t) => {
    const site = await approvalsSite(t)
    const { send, make, get, run, questions, events, agent, admin } = site
    await site.upload('1.0.0')
    const ann = await site.member('ann', 'approver')
    const rob = await site.member('rob', 'approver', 'service')
    const olga = await site.member('olga', 'operator')
    const rule = (members: object = {}) => ({ agent_id: agent, what: OURS, ...members })
    const post = (path: string, json: unknown, token = ann) => send('POST', path, { token, json })
    const codes = async (cases: readonly (readonly [unknown, string, string?])[], path: string) => {
      for (const [json, code, token] of cases) {
        const answer = await post(path, json, token)
        assert.equal(answer.json.code, code, `${JSON.stringify(json)}: ${answer.text}`)
      }
    }
    const decisionOf = async (runId: string) =>
      (await events(runId)).find(({ type }) => type === 'person.decided')

    const waiting = await Promise.all(
      ['ada@ours.example', 'bob@ours.example', 'eve@evil.example'].map((to) => run({ to }, 0)),
    )
    const [, bob, eve] = waiting.map(({ run_id }) => run_id as string)
    await questions(3)

    await t.test('a preview changes nothing', async () => {
      const before = await Promise.all(['/v1/rules', '/v1/audit'].map((path) => get(path)))
      const preview = await make('/v1/rules/preview', rule(), ann)
      const { open, past, gate, agent_name } = preview
      assert.deepEqual([open.questions, open.covered, gate, agent_name], [3, 2, 'ask', 'Clerk'])
      assert.deepEqual((open.covered_questions as Question[]).map((one) => one.arguments.to).sort(), [
        'ada@ours.example',
        'bob@ours.example',
      ])
      assert.deepEqual([past.runs, past.calls], [3, 0])
      assert.deepEqual(await Promise.all(['/v1/rules', '/v1/audit'].map((path) => get(path))), before)
    })

    await t.test('what is wrong is refused before anything is stored', async () => {
      await codes(
        [
          [rule(), 'PERSON_REQUIRED', rob],
          [rule(), 'ROLE_MISSING', olga],
          [rule({ what: '=x' }), 'CALL_RULE_INVALID'],
          [rule({ what: 'sent to=*@ours.example' }), 'CALL_RULE_UNKNOWN_TOOL'],
          [rule({ what: 'send cc=*@ours.example' }), 'CALL_RULE_UNKNOWN_ARGUMENT'],
          [rule({ until: inDays(-1) }), 'UNTIL_INVALID'],
          [rule({ until: inDays(91) }), 'UNTIL_INVALID'],
          [rule({ uses: 0 }), 'REQUEST_INVALID'],
          [rule({ kind: 'host' }), 'REQUEST_INVALID'],
          [rule({ agent_id: '0198c0de-0000-7000-8000-000000000099' }), 'AGENT_NOT_FOUND'],
          [rule({ version: '9.9.9' }), 'VERSION_NOT_FOUND'],
        ],
        '/v1/rules',
      )
      assert.deepEqual((await get('/v1/rules')).items, [])
      await questions(3)
    })

    const made = await post('/v1/rules', rule({ until: inDays(89), uses: 3, why: 'our own people' }))
    const { id } = made.json
    await t.test('a rule answers the open questions that it covers, in the name of its maker', async () => {
      assert.deepEqual([made.status, made.json.covers, made.json.in_force], [201, 2, true])
      const [left] = await questions(1)
      assert.equal(left?.run_id, eve)
      const decided = await decisionOf(bob ?? '')
      assert.deepEqual([decided?.by, decided?.grant, decided?.verdict], ['ann', id, 'approve'])
      const { items } = await get('/v1/audit')
      const entry = items
        .map(({ fact }: { fact: object }) => fact)
        .find((one: { kind: string }) => one.kind === 'grant.given')
      assert.deepEqual(
        [entry.by, entry.grant, entry.what, entry.agent_id, entry.why],
        ['ann', id, digest(OURS), agent, digest('our own people')],
      )
    })

    await t.test('later calls need no question until its uses are spent', async () => {
      assert.equal((await run({ to: 'cy@ours.example' })).status, 'completed')
      assert.equal((await run({ to: 'dan@ours.example' })).status, 'awaiting_approval')
      const [listed] = (await get('/v1/rules')).items
      assert.deepEqual([listed.id, listed.uses_left, listed.in_force], [id, 0, false])
      assert.equal('called_how' in listed, false)
    })

    await t.test('a preview names the decided calls that it would have matched', async () => {
      await post(`/v1/approvals/${(await questions(2)).find((one) => one.run_id === eve)?.id}`, {
        verdict: 'deny',
      })
      await until(async () => (await decisionOf(eve ?? '')) !== undefined)
      const { past } = await make('/v1/rules/preview', rule({ what: 'send to=**' }), ann)
      assert.deepEqual([past.calls, past.covered, past.denied], [4, 4, 1])
      const narrow = await make('/v1/rules/preview', rule({ calls: 2 }), ann)
      assert.equal(narrow.past.calls, 2)
      assert.equal(
        (await make('/v1/rules/preview', rule(), ann)).past.other_calls[0].why_not,
        'to is "eve@evil.example", not *@ours.example',
      )
    })

    await t.test('a decision makes a rule at once, for the call that it approves', async () => {
      const [open] = (await questions(1)) as [Question]
      const path = `/v1/approvals/${open.id}`
      const before = (await site.callRules()).length
      await codes(
        [
          [{ verdict: 'deny', rule: {} }, 'APPROVAL_VERDICT_INVALID'],
          [{ verdict: 'approve', rule: { what: 'send to=eve@evil.example' } }, 'CALL_RULE_OTHER_CALL'],
          [{ verdict: 'approve', rule: { what: 'note' } }, 'CALL_RULE_OTHER_CALL'],
          [{ verdict: 'approve', rule: { until: inDays(91) } }, 'UNTIL_INVALID'],
          [{ verdict: 'approve', rule: {}, digest: `sha256:${'0'.repeat(64)}` }, 'APPROVAL_CHANGED'],
          [{ verdict: 'approve', rule: {} }, 'PERSON_REQUIRED', rob],
        ],
        path,
      )
      assert.equal((await site.callRules()).length, before)
      const approved = await post(path, { verdict: 'approve', note: 'known', rule: {} })
      assert.deepEqual(
        [approved.status, approved.json.id, approved.json.rule.what, approved.json.rule.why],
        [200, open.id, 'send to=dan@ours.example', 'known'],
      )
      await questions(0)
      assert.equal((await run({ to: 'dan@ours.example' })).status, 'completed')
      await codes([[{ verdict: 'approve', rule: {} }, 'APPROVAL_DECIDED']], path)
      assert.equal((await site.callRules()).length, before + 1)
    })

    await t.test('of two decisions with a rule, one makes a rule', async () => {
      const { run_id } = await run({ to: 'kim@ours.example' })
      const [open] = (await questions(1)) as [Question]
      assert.equal(open.run_id, run_id)
      const before = (await site.callRules()).length
      const raced = await Promise.all(
        [ann, admin].map((token) =>
          post(
            '/v1/approvals',
            { items: [{ id: open.id, verdict: 'approve', rule: { any_version: token === ann } }] },
            token,
          ),
        ),
      )
      const statuses = raced.map(({ json }) => json.items[0].status).sort()
      assert.equal(statuses[0], 200)
      assert.ok([404, 409].includes(statuses[1]), String(statuses))
      assert.equal((await site.callRules()).length, before + 1)
    })

    await t.test('a rule does not decide what its policy leaves to several people', async () => {
      const [kim] = (await questions(0)) as Question[]
      assert.equal(kim, undefined)
      const put = (policy: object) => send('PUT', '/v1/approval-policies/two', { token: admin, json: policy })
      assert.equal((await put({ match: { tool: 'send' }, approvals_needed: 2 })).status, 200)
      // ann has made a rule for it.
      assert.equal((await run({ to: 'dan@ours.example' })).status, 'awaiting_approval')
      const [{ id }] = (await questions(1)) as [Question]
      const { hint, votes } = await get(`/v1/approvals/${id}`)
      assert.equal(
        hint,
        'the standing rule "send to=dan@ours.example" of ann covers this call and does not decide it: the approval policy two needs 2 approvals',
      )
      const [listed] = (await get('/v1/approvals')).items
      assert.deepEqual([listed.hint, listed.policy, listed.votes], [hint, 'two', { needed: 2, given: [] }])
      assert.deepEqual(votes, listed.votes)
      const refused = [[rule({ what: 'send to=d*@ours.example' }), 'RULE_HELD_BY_POLICY']] as const
      await codes(refused, '/v1/rules')
      await codes(refused, '/v1/rules/preview')
      const withRule = [[{ verdict: 'approve', rule: {} }, 'RULE_HELD_BY_POLICY']] as const
      await codes(withRule, `/v1/approvals/${id}`)
      // The question keeps its policy.
      await send('DELETE', '/v1/approval-policies/two', { token: admin })
      await codes(withRule, `/v1/approvals/${id}`)
      assert.deepEqual((await get(`/v1/approvals/${id}`)).votes.given, [])
      const later = rule({ what: 'send to=da*@ours.example' })
      assert.equal((await make('/v1/rules/preview', later, ann)).open.covered, 0)
      const made = await make('/v1/rules', later, ann)
      assert.equal(made.covers, 0)
      await send('DELETE', `/v1/rules/${made.id}`, { token: olga })
      assert.equal((await run({ to: 'dan@ours.example' })).status, 'completed')
      await post(`/v1/approvals/${id}`, { verdict: 'deny' })
      await questions(0)
    })

    await t.test('a rule of a starter does not decide where starters may not', async () => {
      const policy = { match: { tool: 'send' }, starter_may_decide: false }
      await send('PUT', '/v1/approval-policies/four', { token: admin, json: policy })
      await make('/v1/rules', rule({ what: 'send to=sue@ours.example' }), admin)
      assert.equal((await run({ to: 'sue@ours.example' })).status, 'awaiting_approval')
      const [{ id, run_id }] = (await questions(1)) as [Question & { run_id: string }]
      const { hint, excluded } = await get(`/v1/approvals/${id}`)
      assert.match(
        hint,
        /of (\S+) covers .*: \1 has caused this call, and the approval policy four lets only/,
      )
      assert.equal(excluded.includes(/ of (\S+) covers/.exec(hint)?.[1] ?? ''), true)
      // The rule of another person decides, also after that of the starter.
      const other = await make('/v1/rules', rule({ what: 'send to=su*@ours.example' }), ann)
      assert.equal(other.covers, 1)
      await questions(0)
      assert.equal((await decisionOf(run_id))?.by, 'ann')
      await send('DELETE', '/v1/approval-policies/four', { token: admin })
    })

    await t.test('a run that is busy with another call answers its question afterwards', async () => {
      await questions(0)
      const what = 'send to=lou@ours.example'
      const { run_id } = await site.start(
        {
          calls: [
            { tool: 'send', to: 'lou@ours.example' },
            { tool: 'look', n: 700 },
          ],
        },
        0,
      )
      await questions(1)
      assert.equal((await make('/v1/rules', rule({ what }), ann)).covers, 1)
      await until(async () => (await get(`/v1/runs/${run_id}`)).status === 'completed')
      assert.equal((await decisionOf(run_id))?.why, `standing rule: ${what}`)
    })

    await t.test('a rule is for one version, unless it says otherwise', async () => {
      await make('/v1/rules', rule({ what: 'send to=lea@ours.example' }), ann)
      await make('/v1/rules', rule({ what: 'send to=max@ours.example', any_version: true }), ann)
      await site.upload('1.1.0', { instructions: 'Be brief.' })
      assert.equal((await run({ to: 'lea@ours.example' })).status, 'awaiting_approval')
      assert.equal((await run({ to: 'max@ours.example' })).status, 'completed')
      // The waiting run has version 1.1.0.
      assert.equal(
        (await make('/v1/rules', rule({ what: 'send to=lea@ours.example', version: '1.0.0' }), ann)).covers,
        0,
      )
      assert.equal((await make('/v1/rules', rule({ what: 'send to=lea@ours.example' }), ann)).covers, 1)
      await questions(0)
    })

    await t.test('a rule for the calls of a sub-agent is for this place in this family', async () => {
      const leader = '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a44'
      const orchestration = { role: 'orchestrator', subagents: [{ ref: agent, alias: 'helper' }] }
      await site.upload('1.0.0', { orchestration, tools: [] }, { agent_id: leader })
      const lead = (to: string) => {
        const task = JSON.stringify({ tool: 'send', to, text: 'ask [email:1]' })
        return site.start({ tool: 'ask_helper', task }, 10, leader)
      }
      await lead('gil@ours.example')
      const [first] = (await questions(1)) as [Question]
      const approved = await post(`/v1/approvals/${first.id}`, { verdict: 'approve', rule: {} })
      // Placeholders of personal data are others in each run.
      assert.equal(approved.json.rule.what, 'send to=gil@ours.example')
      assert.equal((await lead('gil@ours.example')).status, 'completed')
      await questions(0)
      assert.equal((await run({ to: 'gil@ours.example' })).status, 'awaiting_approval')
      await lead('hal@ours.example')
      await questions(2)
      const named = rule({ agent_id: leader, what: 'send to=*@ours.example' })
      assert.deepEqual((await make('/v1/rules/preview', named, ann)).open.questions, 2)
      assert.equal((await make('/v1/rules', named, ann)).covers, 1)
      const [left] = (await questions(1)) as [Question]
      assert.equal(left.arguments.to, 'gil@ours.example')
      await post(`/v1/approvals/${left.id}`, { verdict: 'deny' })
      // With tools of its own, two agents of the family have one of this name.
      await site.upload('1.1.0', { orchestration }, { agent_id: leader })
      await codes([[named, 'CALL_RULE_AMBIGUOUS']], '/v1/rules')
    })

    await t.test(
      'a repeated request makes one rule, which ends when it is revoked or its maker is removed',
      async () => {
        const json = rule({ what: 'send to=pat@ours.example' })
        const twice = await Promise.all(
          [1, 2].map(() =>
            send('POST', '/v1/rules', { token: ann, json, headers: { 'idempotency-key': 'pat' } }),
          ),
        )
        assert.equal(twice[0]?.json.id, twice[1]?.json.id)
        assert.equal((await run({ to: 'pat@ours.example' })).status, 'completed')
        const path = `/v1/rules/${twice[0]?.json.id}`
        const viewer = await site.member('vic', 'viewer')
        assert.equal((await send('DELETE', path, { token: viewer })).json.code, 'ROLE_MISSING')
        assert.deepEqual((await send('DELETE', path, { token: olga })).json, { removed: 1 })
        assert.equal((await send('DELETE', path, { token: ann })).json.code, 'GRANT_NOT_FOUND')
        assert.equal((await run({ to: 'pat@ours.example' })).status, 'awaiting_approval')
        await make('/v1/rules', rule({ what: 'send to=zoe@ours.example' }), ann)
        assert.equal((await run({ to: 'zoe@ours.example' })).status, 'completed')
        for (const lost of [{ roles: ['author'] }, { kind: 'service', roles: ['approver'] }]) {
          await make('/v1/organisations/default/members', { user: 'ann', ...lost })
          assert.equal(
            (await run({ to: 'zoe@ours.example' })).status,
            'awaiting_approval',
            JSON.stringify(lost),
          )
        }
        await make('/v1/organisations/default/members', { user: 'ann', roles: ['approver'] })
        assert.equal((await run({ to: 'zoe@ours.example' })).status, 'completed')
        await send('DELETE', '/v1/organisations/default/members/ann', { token: admin })
        assert.equal((await run({ to: 'zoe@ours.example' })).status, 'awaiting_approval')
      },
    )
  })
})
