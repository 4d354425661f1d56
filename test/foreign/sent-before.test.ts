import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import pg from 'pg'
import { retire } from '../../src/platform/engine/retention.ts'
import { TABLES } from '../../src/platform/features.ts'
import { noCertificates } from '../adapters/tls-front.ts'
import { until } from '../platform/leg-place.ts'
import { type Answer, movingSite } from '../platform/moving-site.ts'
import { definitionOf } from '../platform/organisation.ts'
import { ForeignPlatform, type Members, type TokenOptions } from './foreign-platform.ts'

const BOSS = '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a20'
const HELPER = '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a21'
const CHIEF = '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a23'
const ASKER = '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a24'
const HEAD = '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a25'
/** Of no other agent. */
const ALONE = '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a22'

const asks = (content: string) => ({ conversation: [{ role: 'user', content }] })
/** What the sub-agent has to do says who has sent its document. */
const sends = (to: string) => asks(JSON.stringify({ tool: 'send', to }))

/** Two platforms of other makers that b has pinned, and agents, one of which is the sub-agent of another one. */
async function siteOf(t: TestContext) {
  const { a, b, baseUrl, effects } = await movingSite(t)
  const model = { provider: 'openai', preferred: 'gpt-4o', base_url: baseUrl }
  const tools = [{ name: 'send', description: 'Sends.', parameters_schema: { type: 'object' } }]
  const over = (ref: string, alias: string) => ({ subagents: [{ ref, alias }], pipeline: [alias] })
  const compliance = { human_in_the_loop: { enabled: true }, audit_log: true }
  const definitions = [
    definitionOf({ name: 'Helper', model, tools }, { agent_id: HELPER }),
    definitionOf({ name: 'Alone', model, tools }, { agent_id: ALONE }),
    definitionOf({ name: 'Boss', model, orchestration: over(HELPER, 'helper') }, { agent_id: BOSS }),
    definitionOf({ name: 'Chief', model, orchestration: over(BOSS, 'boss') }, { agent_id: CHIEF }),
    definitionOf({ name: 'Asker', model, tools, compliance }, { agent_id: ASKER }),
    definitionOf({ name: 'Head', model, orchestration: over(ASKER, 'asker') }, { agent_id: HEAD }),
  ]
  for (const one of definitions) await b.upload(one)
  const graphs = new ForeignPlatform('LangGraph')
  const crews = new ForeignPlatform('CrewAI')
  for (const [name, one] of [
    ['graphs', graphs],
    ['crews', crews],
  ] as const)
    await b.ok('POST', '/v1/peers', {
      ...{ name, keys: one.jwks, profile: 'draft', source_platforms: [one.name] },
    })
  const post = (document: Members, query = '', token?: string) =>
    b.send('POST', `/v1/states${query}`, document, token)
  const kept = async () => Number((await b.sql('SELECT count(*)::int AS n FROM waybill.kept_states'))[0]?.n)
  const runs = async () => Number((await b.sql('SELECT count(*)::int AS n FROM waybill.runs'))[0]?.n)
  return { a, b, definitions, graphs, crews, post, kept, runs, effects }
}

const childOf = (one: ForeignPlatform, to: string, members: Members = {}) =>
  one.state(HELPER, { ...sends(to), ...members })
const parentOf = (one: ForeignPlatform, child: Members, members: Members = {}) =>
  one.state(BOSS, {
    subagent_states: [
      { alias: 'helper', agent_id: HELPER, state_id: child.state_id ?? '', status: 'running' },
    ],
    ...members,
  })
const ofHelper = ({ json }: Answer) =>
  json.report.entries.find(({ part }: { part: string }) => part === 'subagent_states helper')
const KEPT = { part: 'subagent_states helper', status: 'kept', note: 'it continues with its own state' }

describe('AAIF §8.1 states of sub-agents that are sent before the state of their caller', {
  skip: noCertificates,
}, () => {
  test('AAIF-8.1-21: are kept, used once by the caller that names them, and belong to their sender', async (t) => {
    const { b, definitions, graphs, crews, post, kept, runs, effects } = await siteOf(t)
    await b.ok('POST', '/v1/organisations/default/members', { user: 'bob', roles: ['operator'] })
    const { token: bob } = await b.ok('POST', '/v1/tokens', { name: 'of bob', user: 'bob' })

    await t.test(
      'one with a token is kept without a word in the request, and continues with its caller',
      async () => {
        const before = await runs()
        const state = childOf(graphs, 'ann')
        const jti = crypto.randomUUID()
        const first = await post(graphs.handedOver(state, { claims: { jti } }))
        assert.deepEqual([first.status, first.json.status], [202, 'kept'], JSON.stringify(first.json))
        assert.deepEqual([first.json.state_id, await kept(), await runs()], [state.state_id, 1, before])
        assert.equal((await b.send('GET', `/v1/migrations/${jti}`)).status, 404, 'nothing is decided yet')
        const parent = await post(graphs.handedOver(parentOf(graphs, state)))
        assert.equal(parent.status, 201, JSON.stringify(parent.json))
        assert.deepEqual(ofHelper(parent), KEPT)
        await b.reaches(parent.json.run_id, 'completed')
        assert.deepEqual([effects().filter((one) => one === 'send ann').length, await kept()], [1, 0])
        const migration = await b.ok('GET', `/v1/migrations/${jti}`)
        assert.equal(migration.state, 'owned_here')
        const [run] = await b.sql('SELECT parent FROM waybill.runs WHERE run_id = $1', [migration.run_id])
        assert.equal(run?.parent, parent.json.run_id)
        // Its token is used up, for each purpose.
        for (const query of ['', '?subagent=false', '?subagent=true'])
          assert.equal(
            (await post(graphs.handedOver(state, { claims: { jti } }), query)).json.code,
            'STATE_TOKEN_USED',
          )
        const { kinds, ok } = await b.audit()
        assert.deepEqual([ok, kinds.includes('state.kept'), kinds.includes('state.used')], [true, true, true])
      },
    )

    await t.test('of two pinned platforms, each uses what it has sent itself', async () => {
      const [own, other] = [childOf(graphs, 'graphs'), childOf(crews, 'crews')]
      // Both know the same id.
      const same = { ...other, state_id: own.state_id ?? '' }
      assert.equal((await post(graphs.handedOver(own))).status, 202)
      const unrelated = await post(crews.handedOver(parentOf(crews, own)))
      assert.equal(unrelated.status, 201)
      assert.equal(ofHelper(unrelated).status, 'left_behind', JSON.stringify(ofHelper(unrelated)))
      assert.equal((await post(crews.handedOver(same))).status, 202)
      const [left, right] = [
        await post(crews.handedOver(parentOf(crews, same))),
        await post(graphs.handedOver(parentOf(graphs, own))),
      ]
      for (const one of [left, right]) {
        assert.deepEqual(ofHelper(one), KEPT)
        await b.reaches(one.json.run_id, 'completed')
      }
      await b.reaches(unrelated.json.run_id, 'completed')
      for (const to of ['graphs', 'crews'])
        assert.equal(effects().filter((one) => one === `send ${to}`).length, 1, to)
      assert.equal(await kept(), 0)
    })

    await t.test(
      'without tokens, they belong to the member who brings both, from the same platform',
      async () => {
        const child = childOf(graphs, 'fork', { status: 'running' })
        const parent = parentOf(graphs, child, { status: 'running' })
        assert.equal((await post(graphs.document(child))).status, 202)
        for (const [what, answer] of [
          ['another member', await post(graphs.document(parent), '', bob)],
          ['another platform', await post(crews.document(parent))],
          ['another platform, which signs', await post(crews.handedOver(parentOf(crews, child)))],
        ] as const) {
          assert.equal(answer.status, 201, JSON.stringify(answer.json))
          assert.equal(ofHelper(answer).status, 'left_behind', what)
        }
        const own = await post(graphs.document(parent))
        assert.deepEqual(ofHelper(own), KEPT)
        await b.reaches(own.json.run_id, 'completed')
        assert.equal(effects().filter((one) => one === 'send fork').length, 1)
        // What a platform has signed is not used for a state that no platform has signed.
        const signed = childOf(graphs, 'signed')
        assert.equal((await post(graphs.handedOver(signed))).status, 202)
        const unsigned = await post(graphs.document(parentOf(graphs, signed, { status: 'running' })))
        assert.equal(ofHelper(unsigned).status, 'left_behind')
        await b.sql('DELETE FROM waybill.kept_states')
      },
    )

    await t.test('sent again they are the same; another content of the same id is refused', async () => {
      const child = childOf(graphs, 'again')
      const [first, second] = [graphs.handedOver(child), graphs.handedOver(child)]
      for (const one of [first, first, second]) assert.equal((await post(one)).status, 202)
      assert.equal(await kept(), 1)
      const other = await post(graphs.handedOver({ ...child, ...sends('mallory') }))
      assert.deepEqual([other.status, other.json.code], [422, 'STATE_DOCUMENT_DIFFERS'])
      // The token that came last counts; that of the first was replaced, and can still be withdrawn.
      const parent = await post(graphs.handedOver(parentOf(graphs, child)))
      assert.deepEqual(ofHelper(parent), KEPT)
      await b.reaches(parent.json.run_id, 'completed')
    })

    await t.test('a dry run keeps nothing, and uses nothing up', async () => {
      const child = childOf(graphs, 'dry')
      const dry = await post(graphs.handedOver(child), '?dry_run=true')
      assert.deepEqual([dry.status, dry.json.status, await kept()], [200, 'kept', 0])
      assert.equal((await post(graphs.handedOver(child))).status, 202)
      const parent = graphs.handedOver(parentOf(graphs, child))
      const examined = await post(parent, '?dry_run=true')
      assert.deepEqual([examined.status, ofHelper(examined), await kept()], [200, KEPT, 1])
      assert.deepEqual(ofHelper(await post(parent)), KEPT)
    })

    await t.test('a withdrawn, replaced or expired one is not used', async () => {
      const cases: Readonly<Record<string, (jti: string) => Promise<unknown>>> = {
        withdrawn: (jti) => b.ok('DELETE', `/v1/migrations/${jti}`),
        'of a platform that is pinned with another key': async () => {
          const { jwks } = new ForeignPlatform('LangGraph')
          const pin = (keys: unknown) =>
            b.ok('POST', '/v1/peers', {
              ...{ name: 'graphs', keys, profile: 'draft', source_platforms: ['LangGraph'] },
            })
          await pin({ keys: [...(jwks.keys as []), ...(graphs.jwks.keys as [])] })
          await b.sql(`UPDATE waybill.kept_states SET kid = 'not pinned any more'`)
        },
        expired: () => b.sql(`UPDATE waybill.kept_states SET until = now() - interval '1 second'`),
      }
      for (const [what, harm] of Object.entries(cases)) {
        const [child, jti] = [childOf(graphs, what), crypto.randomUUID()]
        assert.equal((await post(graphs.handedOver(child, { claims: { jti } }))).status, 202)
        await harm(jti)
        const parent = await post(graphs.handedOver(parentOf(graphs, child)))
        assert.deepEqual([parent.status, ofHelper(parent).status], [201, 'left_behind'], what)
        await b.reaches(parent.json.run_id, 'completed')
      }
      assert.ok(!effects().some((one) => /withdrawn|key|expired/.test(one)))
      // A worker removes what has expired, at any time.
      await b.sql('DELETE FROM waybill.kept_states')
    })

    await t.test('the request decides before all else whether it is a run of its own', async () => {
      const before = await kept()
      for (const [query, status] of [
        ['?subagent=false', 201],
        ['?resume=true', 201],
        ['?resume=false', 201],
        ['?subagent=true&resume=true', 202],
      ] as const) {
        const answer = await post(graphs.handedOver(childOf(graphs, query)), query)
        assert.equal(answer.status, status, `${query}: ${JSON.stringify(answer.json)}`)
        if (status === 201)
          await b.reaches(answer.json.run_id, query === '?resume=false' ? 'paused' : 'completed')
      }
      // An agent that no other one declares as its sub-agent.
      const alone = await post(graphs.handedOver(graphs.state(ALONE, sends('alone'))))
      assert.equal(alone.status, 201)
      await b.reaches(alone.json.run_id, 'completed')
      const explicit = await post(graphs.handedOver(graphs.state(ALONE, sends('explicit'))), '?subagent=true')
      assert.equal(explicit.status, 202)
      assert.equal(await kept(), before + 2)
    })

    await t.test('AAIF-8.2-04: they are verified as the states of callers are', async () => {
      const unknown = new ForeignPlatform('LangGraph')
      const given = (options: TokenOptions) => graphs.handedOver(childOf(graphs, 'x'), options)
      const before = await kept()
      for (const [code, document] of [
        ['STATE_TOKEN_UNKNOWN_SIGNER', unknown.handedOver(childOf(unknown, 'x'))],
        ['STATE_TOKEN_EXPIRED', given({ claims: { iat: 1, exp: 2 } })],
        ['STATE_TOKEN_INVALID', given({ claims: { state_id: 'x' } })],
        ['STATE_TOKEN_INVALID', given({ without: ['jti'] })],
        ['STATE_CHECKSUM_MISMATCH', { ...given({}), variables: { x: 1 } }],
        ['STATE_NOT_PAUSED', graphs.handedOver(childOf(graphs, 'x', { status: 'running' }))],
      ] as const)
        for (const query of ['', '?subagent=true'])
          assert.equal((await post(document, query)).json.code, code)
      const bare = graphs.document(childOf(graphs, 'x'))
      assert.equal((await post(bare)).json.code, 'STATE_TOKEN_MISSING')
      // A platform that only hands runs over brings no document that it has not signed.
      const invite = await b.ok('POST', '/v1/peers/invites', { name: 'third', users: null })
      const self = { url: 'https://third.example', organisation: 'default', keys: unknown.jwks }
      const joined = await b.send('POST', '/v1/peers/join', self, invite.token)
      assert.equal(joined.status, 201, JSON.stringify(joined.json))
      const { token } = joined.json
      assert.equal((await post(bare, '?subagent=true', token)).json.code, 'SCOPE_MISSING')
      assert.equal(await kept(), before)
      assert.equal((await post(bare, '?subagent=true')).status, 202)
    })

    await t.test('as streams', async () => {
      const lines = (state: Members, between: readonly Members[], filled: Members) => {
        const { state_id, agent_id, run_id, status } = state
        const base = { sc_standard: 'SC-006', state_id, agent_id, run_id, status } as Members
        const covered = { ...base, provenance: { source_platform: graphs.name }, ...filled } as Members
        return graphs.stream(state, between, covered)
      }
      const child = childOf(graphs, 'streamed', { run_id: 'thread-2' })
      const conversation = child.conversation as readonly Members[]
      const chunk = { type: 'context_chunk', index: 0, messages: conversation }
      const first = await b.handoff(lines(child, [chunk], { conversation }))
      assert.deepEqual([first.status, first.json.status], [202, 'kept'], JSON.stringify(first.json))
      const parent = parentOf(graphs, child, { run_id: 'thread-3' })
      const [entry] = parent.subagent_states as readonly Members[]
      const answer = await b.handoff(
        lines(parent, [{ type: 'subagent_ref', ...entry }], { subagent_states: [entry ?? {}] }),
      )
      assert.equal(answer.status, 201, JSON.stringify(answer.json))
      assert.deepEqual(ofHelper(answer), KEPT)
      await b.reaches(answer.json.run_id, 'completed')
      assert.equal(effects().filter((one) => one === 'send streamed').length, 1)
      const own = childOf(graphs, 'own stream', { run_id: 'thread-4' })
      const messages = own.conversation as readonly Members[]
      const alone = lines(own, [{ type: 'context_chunk', index: 0, messages }], { conversation: messages })
      assert.equal((await b.handoff(alone, undefined, undefined, '?subagent=false')).status, 201)
    })

    await t.test('to any depth', async () => {
      const child = childOf(graphs, 'deep')
      const middle = parentOf(graphs, child)
      const [entry] = middle.subagent_states as readonly Members[]
      const top = graphs.state(CHIEF, {
        subagent_states: [{ ...entry, alias: 'boss', agent_id: BOSS, state_id: middle.state_id ?? '' }],
      })
      // A state that names sub-agents is a caller, unless the request says otherwise.
      for (const one of [middle, child])
        assert.equal((await post(graphs.handedOver(one), '?subagent=true')).status, 202)
      const answer = await post(graphs.handedOver(top))
      assert.equal(answer.status, 201, JSON.stringify(answer.json))
      const parts = answer.json.report.entries.filter(({ part }: { part: string }) =>
        /subagent_states/.test(part),
      )
      assert.deepEqual(
        parts.map(({ part, status }: { part: string; status: string }) => [part, status]),
        [
          ['subagent_states boss', 'kept'],
          ['boss: subagent_states helper', 'kept'],
        ],
      )
      await b.reaches(answer.json.run_id, 'completed')
      assert.equal(effects().filter((one) => one === 'send deep').length, 1)
    })

    await t.test('`waybill resume FILE --server` sends the files beside a state first', async () => {
      const child = childOf(graphs, 'file', { status: 'paused' })
      const document = graphs.handedOver(parentOf(graphs, child))
      writeFileSync(join(b.home, `${child.state_id}.json`), JSON.stringify(graphs.document(child)))
      const file = join(b.home, 'state.json')
      writeFileSync(file, JSON.stringify(document))
      const { code, out, err } = await b.command(['resume', file, '--json'])
      assert.equal(code, 0, err)
      assert.match(err, /the state of a sub-agent was sent first/)
      assert.deepEqual(ofHelper({ status: 0, json: JSON.parse(out) }), KEPT)
      assert.equal(effects().filter((one) => one === 'send file').length, 1)
    })

    await t.test(
      'a state of Waybill says itself that it is that of a sub-agent; an erasure removes it',
      async () => {
        await b.sql('DELETE FROM waybill.kept_states')
        const { run_id } = await b.ok('POST', `/v1/agents/${HEAD}/runs`, {
          ...{ input: JSON.stringify({ tool: 'send', to: 'x' }), user: 'ann', wait_seconds: 10 },
        })
        await b.reaches(run_id, 'awaiting_approval')
        const state = (await b.ok('GET', `/v1/runs/${run_id}/state`)) as Members
        const [child] = (state['x-waybill'] as Members).documents as readonly Members[]
        assert.ok(child)
        const kept202 = await post(child)
        assert.deepEqual([kept202.status, kept202.json.status], [202, 'kept'], JSON.stringify(kept202.json))
        // The same, as if another user were served: its run is still one of ann.
        const { checksum: _, ...provenance } = child.provenance as Members
        const { user: __, ...member } = child['x-waybill'] as Members
        const own = { ...child, provenance, state_id: crypto.randomUUID(), 'x-waybill': member } as Members
        assert.equal((await post(graphs.document(own))).status, 202)
        const rows = await b.sql('SELECT user_id, mentions FROM waybill.kept_states ORDER BY at')
        assert.deepEqual(rows, [
          { user_id: 'ann', mentions: ['ann'] },
          { user_id: null, mentions: ['ann'] },
        ])
        // The caller has it as well, and both must be equal.
        const changed = graphs.document({ ...own, state_id: child.state_id ?? '', variables: { more: 1 } })
        await b.sql('DELETE FROM waybill.kept_states WHERE user_id IS NOT NULL')
        assert.equal((await post({ ...changed })).status, 202)
        await b.sql('UPDATE waybill.kept_states SET sender = $1', [
          JSON.stringify(['member', 'admin', String((state.provenance as Members).source_platform)]),
        ])
        assert.equal((await post(state)).json.code, 'STATE_DOCUMENT_DIFFERS')
        const { id } = await b.ok('POST', '/v1/erasures', { user: 'ann' })
        await until(async () => (await b.ok('GET', `/v1/erasures/${id}`)).state !== 'pending')
        assert.equal(await kept(), 0)
        const fence = await post(child)
        assert.equal(fence.status, 202, 'after the erasure, ann may come back')
      },
    )

    await t.test('a limited number is kept, for a limited time', async () => {
      await b.sql('DELETE FROM waybill.kept_states')
      const [child, more] = [childOf(graphs, 'first'), childOf(graphs, 'more')]
      assert.equal((await post(graphs.handedOver(child))).status, 202)
      await b.sql(`INSERT INTO waybill.kept_states (org, sender, state_id, agent_id, checksum, document, by, until)
        SELECT 'default', 's', 'n' || n, 'a', 'c', '{}', 'x', now() + interval '1 hour' FROM generate_series(1, 999) AS n`)
      const full = await post(graphs.handedOver(more))
      assert.deepEqual([full.status, full.json.code], [409, 'KEPT_STATES_FULL'])
      // What is kept may be sent again.
      assert.equal((await post(graphs.handedOver(child))).status, 202)
      await b.sql(`UPDATE waybill.kept_states SET until = now() - interval '1 second' WHERE sender = 's'`)
      const owner = new pg.Pool({ connectionString: b.ownerUrl })
      await retire(owner, TABLES.sweeps).finally(() => owner.end())
      assert.equal(await kept(), 1)
      assert.equal((await post(graphs.handedOver(more))).status, 202)
    })

    await t.test('another organisation does not see them', async () => {
      const child = childOf(graphs, 'wall', { status: 'running' })
      assert.equal((await post(graphs.document(child))).status, 202)
      const globex = await b.ok('POST', '/v1/organisations', {
        organisation: 'globex',
        admin: { user: 'admin' },
      })
      const there = globex.admin_token.token
      // The functions of the operator are those of another organisation.
      for (const { agent, ...root } of definitions as readonly Members[]) {
        const { tools: _, ...members } = agent as Members
        const uploaded = await b.send('POST', '/v1/agents', { ...root, agent: members }, there)
        assert.equal(uploaded.status, 201, JSON.stringify(uploaded.json))
      }
      const parent = graphs.document(parentOf(graphs, child, { status: 'running' }))
      const other = await post(parent, '', there)
      assert.deepEqual([other.status, ofHelper(other).status], [201, 'left_behind'])
      assert.deepEqual(ofHelper(await post(parent)), KEPT)
    })
  })
})
