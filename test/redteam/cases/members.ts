import assert from 'node:assert/strict'
import type { JsonObject } from '../../../src/document/json.ts'
import { withStateChecksum } from '../../../src/trust/checksum.ts'
import { allRows } from '../../platform/all-rows.ts'
import { until } from '../../platform/leg-place.ts'
import { type Attack, type Category, numbered } from '../attack.ts'
import { type MemberWorld, memberWorld } from '../member-world.ts'

interface Scheme {
  readonly attack: string
  readonly by: string
  /** @returns the question, and who must not decide it */
  readonly prepare: (world: MemberWorld) => Promise<{ readonly question: string; readonly who: string }>
}

const stateOf = async ({ as }: MemberWorld, who: string, run: string) =>
  (await as(who, 'GET', `/v1/runs/${run}/state`)).json
const input = (to: string) => JSON.stringify({ tool: 'send', to })

/** Ann has begun it, bob continues it, and ann decides; or the other way round. */
const SCHEMES: readonly Scheme[] = [
  {
    attack: 'a fork of the own run that another member makes',
    by: 'a captured state',
    async prepare(world) {
      const { run } = await world.asks('ann')
      const fork = await world.done('bob', '/v1/states', await stateOf(world, 'bob', run))
      return { question: await world.questionOf(fork.run_id), who: 'ann' }
    },
  },
  {
    attack: 'a fork of a fork',
    by: 'a captured state',
    async prepare(world) {
      const { run } = await world.asks('ann')
      const first = await world.done('bob', '/v1/states', await stateOf(world, 'bob', run))
      const second = await world.done('root', '/v1/states', await stateOf(world, 'root', first.run_id))
      return { question: await world.questionOf(second.run_id), who: 'ann' }
    },
  },
  {
    attack: 'a fork of a state whose run was left out',
    by: 'an edited state that keeps its receipts',
    async prepare(world) {
      const { run } = await world.asks('ann')
      const { run_id: _run, ...state } = await stateOf(world, 'bob', run)
      const fork = await world.done('bob', '/v1/states', withStateChecksum(withReceipt(state, run)))
      return { question: await world.questionOf(fork.run_id), who: 'ann' }
    },
  },
  {
    attack: 'a fork of a state whose own member cannot be read',
    by: 'an edited state',
    async prepare(world) {
      const { run } = await world.asks('ann')
      const state = await stateOf(world, 'bob', run)
      const member = { ...state['x-waybill'], v: 9 }
      const fork = await world.done('bob', '/v1/states', withStateChecksum({ ...state, 'x-waybill': member }))
      return { question: await world.questionOf(fork.run_id), who: 'ann' }
    },
  },
  {
    attack: 'a retry of the own run that another member asks for',
    by: 'POST /v1/runs/R/retry',
    async prepare(world) {
      const { run } = await world.asks('ann')
      await world.done('ann', `/v1/runs/${run}/cancel`)
      await until(
        async () => (await world.done('ann', `/v1/runs/${run}`, undefined, 'GET')).status === 'cancelled',
      )
      const retried = await world.done('bob', `/v1/runs/${run}/retry`)
      return { question: await world.questionOf(retried.run_id), who: 'ann' }
    },
  },
  {
    attack: 'a trigger of the own that another member fires',
    by: 'POST /v1/triggers/T/fire',
    prepare: async (world) => fired(world, 'ann', undefined, 'ann'),
  },
  {
    attack: 'a trigger of another member that was changed',
    by: 'PUT /v1/triggers/T',
    prepare: async (world) => fired(world, 'bob', 'ann', 'ann'),
  },
  {
    attack: 'the own message to a conversation, after it was removed',
    by: 'POST /v1/sessions/S/messages',
    async prepare(world) {
      const session = `talk-${Date.now()}`
      await world.done('ann', '/v1/sessions', { agent_id: world.agent, session })
      const { run_id } = await world.done('ann', `/v1/sessions/${session}/messages`, { input: 'hello' })
      await until(
        async () => (await world.done('ann', `/v1/runs/${run_id}`, undefined, 'GET')).status === 'completed',
      )
      await world.database.engine.query(`DELETE FROM waybill.messages WHERE state = 'delivered'`)
      await world.done('bob', `/v1/sessions/${session}/messages`, { input: input('later') })
      return { question: await world.questionOf(run_id), who: 'ann' }
    },
  },
  {
    attack: 'a batch of the own',
    by: 'POST /v1/agents/A/batches',
    async prepare(world) {
      const { batch_id } = await world.done('ann', `/v1/agents/${world.agent}/batches`, {
        inputs: [input('x')],
      })
      const { rows } = await world.database.engine.query('SELECT run_id FROM waybill.runs WHERE batch = $1', [
        batch_id,
      ])
      return { question: await world.questionOf(rows[0].run_id), who: 'ann' }
    },
  },
  {
    attack: 'a run of a service account, with the own account',
    by: 'a token that the member has made for it',
    async prepare(world) {
      await world.done('root', '/v1/organisations/default/members', {
        user: 'job',
        kind: 'service',
        roles: ['operator'],
      })
      const { token } = await world.done('root', '/v1/tokens', { user: 'job' })
      const { run } = await world.asks(token)
      return { question: await world.questionOf(run), who: 'root' }
    },
  },
  {
    attack: 'a token in the name of another member',
    by: 'POST /v1/tokens, after the run has begun',
    async prepare(world) {
      const { question } = await world.asks('root')
      return { question, who: (await world.done('root', '/v1/tokens', { user: 'sam' })).token }
    },
  },
  {
    attack: 'a token that such a token has made',
    by: 'POST /v1/tokens twice',
    async prepare(world) {
      const { question } = await world.asks('root')
      const { token } = await world.done('root', '/v1/tokens', { user: 'sam' })
      return { question, who: (await world.done(token, '/v1/tokens', {})).token }
    },
  },
  {
    attack: 'a member who was invented for it',
    by: 'POST /v1/organisations/O/members',
    async prepare(world) {
      const { question } = await world.asks('root')
      const user = `invented-${Date.now()}`
      await world.done('root', '/v1/organisations/default/members', { user, roles: ['approver'] })
      return { question, who: (await world.done('root', '/v1/tokens', { user })).token }
    },
  },
  {
    attack: 'a standing rule that such a token has made',
    by: 'POST /v1/rules',
    async prepare(world) {
      const { question } = await world.asks('root')
      const { token } = await world.done('root', '/v1/tokens', { user: 'sam' })
      const made = await world.done(token, '/v1/rules', { agent_id: world.agent, what: 'send to=root' })
      assert.equal(made.covers, 0)
      const { state } = await world.done('root', `/v1/approvals/${question}`, undefined, 'GET')
      assert.equal(state, 'open')
      // It would decide in the name of a person who has not seen the run before.
      await world.as('root', 'DELETE', `/v1/rules/${made.id}`)
      return { question, who: 'root' }
    },
  },
]

function withReceipt(state: JsonObject, run: string): JsonObject {
  return {
    ...state,
    'x-waybill': { ...(state['x-waybill'] as JsonObject), receipts: [{ type: 'receipt', run_id: run }] },
  }
}

async function fired(world: MemberWorld, maker: string, changer: string | undefined, who: string) {
  const settings = { schedule: '0 0 1 1 *', input: input('trigger') }
  const { id } = await world.done(maker, '/v1/triggers', {
    agent_id: world.agent,
    kind: 'schedule',
    ...settings,
  })
  if (changer !== undefined) {
    await world.done(changer, `/v1/triggers/${id}`, settings, 'PUT')
    // Another member answers for it afterwards.
    await world.done('root', `/v1/triggers/${id}`, settings, 'PUT')
  }
  const { run_id } = await world.done('root', `/v1/triggers/${id}/fire`)
  return { question: await world.questionOf(run_id), who }
}

/** What tokens and erasures must hold, each with its own check. */
const OTHERS: readonly Omit<Attack, 'id'>[] = [
  {
    attack: 'two votes of one person',
    by: 'a token of another member, made while the question is open',
    holds: 'they are not counted as two',
    async try() {
      const world = await memberWorld()
      const policy = { match: { tool: 'note' }, order: 1, approvals_needed: 2 }
      await world.done('root', '/v1/approval-policies/two', policy, 'PUT')
      const note = JSON.stringify({ tool: 'note', text: 'x' })
      const { run_id } = await world.done('ann', `/v1/agents/${world.agent}/runs`, { input: note })
      const question = await world.questionOf(run_id)
      const { token } = await world.done('root', '/v1/tokens', { user: 'sam' })
      const vote = (who: string) => world.as(who, 'POST', `/v1/approvals/${question}`, { verdict: 'approve' })
      assert.equal((await vote('root')).status, 202)
      assert.equal((await vote(token)).json.code, 'APPROVAL_SAME_PERSON')
      assert.equal((await vote('bob')).status, 200)
    },
  },
  {
    attack: 'a token that lasts longer',
    by: 'POST /v1/tokens of an admin, for another member',
    holds: 'it ends with the one that has made it',
    async try() {
      const world = await memberWorld()
      const expires_at = new Date(Date.now() + 60_000).toISOString()
      const { token } = await world.done('root', '/v1/tokens', { expires_at })
      for (const json of [{ expires_at: null }, { user: 'ann', expires_at: null }, { user: 'ann' }])
        assert.equal((await world.done(token, '/v1/tokens', json)).expires_at, expires_at)
    },
  },
  {
    attack: 'more than its scopes',
    by: 'a token, a browser session and an organisation of a token with one scope',
    holds: 'each is limited to the same scope',
    async try() {
      const world = await memberWorld()
      const { token } = await world.done('admin', '/v1/tokens', { scopes: ['people:write'] })
      assert.equal((await world.as(token, 'POST', '/v1/tokens', { scopes: ['runs:read'] })).status, 403)
      const other = await world.done(token, '/v1/tokens', {})
      assert.deepEqual(other.scopes, ['people:write'])
      const organisation = `org-${Date.now()}`
      const made = await world.done(token, '/v1/organisations', { organisation, admin: { user: 'x' } })
      for (const one of [other.token, made.admin_token.token])
        assert.equal((await world.as(one, 'GET', '/v1/runs')).json.code, 'SCOPE_MISSING')
    },
  },
  {
    attack: 'the text of an erased user',
    by: 'a rule, a note and a stored answer about a call',
    holds: 'it is in no table, the audit log included',
    async try() {
      const world = await memberWorld()
      const said = 'said-by-the-erased-Wq82'
      const run = { input: input(said), user: 'erased' }
      const { run_id } = await world.done('ann', `/v1/agents/${world.agent}/runs`, run)
      const question = await world.questionOf(run_id)
      const rule = { verdict: 'approve', note: said, rule: { uses: 5 } }
      await world.done('sam', `/v1/approvals/${question}`, rule)
      const { id } = await world.done('root', '/v1/erasures', { user: 'erased' })
      await until(
        async () => (await world.done('root', `/v1/erasures/${id}`, undefined, 'GET')).state === 'removed',
      )
      assert.equal((await allRows(world.database.engine)).includes(said), false)
    },
  },
]

export const members: Category = {
  name: 'Acting as another member of the organisation',
  enforced: 'the list of who has caused a run, the makers of tokens, and erasures by construction',
  file: 'test/redteam/members.test.ts',
  attacks: numbered('members', [
    ...SCHEMES.map(
      ({ attack, by, prepare }): Omit<Attack, 'id'> => ({
        attack,
        by,
        holds: 'the member does not decide about it, at any door',
        async try() {
          const world = await memberWorld()
          const { question, who } = await prepare(world)
          await world.cannotDecide(who, question)
        },
      }),
    ),
    ...OTHERS,
  ]),
  controls: [
    {
      passes: 'another member decides about a fork, and a token that is older than the run decides',
      async try() {
        const world = await memberWorld()
        const { run } = await world.asks('ann')
        const fork = await world.done('bob', '/v1/states', await stateOf(world, 'bob', run))
        const question = await world.questionOf(fork.run_id)
        await world.done('sam', `/v1/approvals/${question}`, { verdict: 'deny' })
        const { token } = await world.done('root', '/v1/tokens', { user: 'sam' })
        const later = await world.asks('root')
        await world.done(token, `/v1/approvals/${later.question}`, { verdict: 'deny' })
      },
    },
  ],
}
