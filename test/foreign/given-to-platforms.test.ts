import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { noCertificates } from '../adapters/tls-front.ts'
import { movingSite } from '../platform/moving-site.ts'
import { AGENT, definitionOf } from '../platform/organisation.ts'
import { ForeignPlatform, type Members, receive, type StreamOptions } from './foreign-platform.ts'

const STEP = { pipeline_position: { current_step: 'collect' }, variables: { seen: 2 }, iteration: 1 }
const MEMORY = { scope: 'task', key: 'k', content: 'c', backend: 'in_memory', ttl_remaining_seconds: 0 }
const PENDING = { id: 'c9', tool_name: 'gone', arguments: {}, status: 'pending' }
const SUBAGENT = { alias: 'helper', agent_id: randomUUID(), state_id: randomUUID(), status: 'running' }
const SAID: readonly Members[] = [
  { role: 'user', content: 'Go' },
  { role: 'assistant', content: 'I am looking.', tool_name: 'look', tool_call_id: 'c1' },
  { role: 'tool', content: 'seen', tool_name: 'look', tool_call_id: 'c1' },
]

/** Members of a state, one optional part after the other. */
const OPTIONAL: Readonly<Record<string, Members>> = {
  'nothing else': {},
  'a run': { run_id: 'thread-17' },
  versions: { sc_version: '2.0.0', agent_version: '0.9.0' },
  'a conversation with calls': { conversation: SAID },
  memory: { memory_snapshot: [MEMORY] },
  'a position': STEP,
  'empty parts': {
    conversation: [],
    memory_snapshot: [],
    pending_tool_calls: [],
    subagent_states: [],
    variables: {},
  },
  'a pending call': { pending_tool_calls: [PENDING] },
  'sub-agents': { subagent_states: [SUBAGENT] },
  'an extension': { 'x-langgraph': { node: 'collect' } },
  everything: {
    ...{ run_id: 'thread-18', sc_version: '3.4.0', conversation: SAID, memory_snapshot: [MEMORY], ...STEP },
    ...{ pending_tool_calls: [PENDING], subagent_states: [SUBAGENT] },
  },
}

describe('AAIF §8 a platform written from the draft alone', { skip: noCertificates }, () => {
  test('hands runs over, and takes them over', async (t) => {
    const { a, b, baseUrl } = await movingSite(t)
    const agent = definitionOf({
      version: '1.0.0',
      model: { provider: 'openai', preferred: 'gpt-4o', base_url: baseUrl },
      tools: [{ name: 'send', description: 'Sends.', parameters_schema: { type: 'object' } }],
      compliance: { human_in_the_loop: { enabled: true }, audit_log: true },
    })
    for (const platform of [a, b]) await platform.upload(agent)
    const graphs = new ForeignPlatform('LangGraph')
    // A second platform that is pinned as well, by a URL.
    const crews = new ForeignPlatform('https://crews.example')
    const pin = (one: ForeignPlatform, members: object) =>
      b.ok('POST', '/v1/peers', { keys: one.jwks, profile: 'draft', ...members })
    await pin(graphs, { name: 'graphs', source_platforms: ['LangGraph'] })
    await pin(crews, { name: 'crews', url: 'https://crews.example' })
    const post = (document: Members, query = '') => b.send('POST', `/v1/states${query}`, document)
    const runs = async () => (await b.sql('SELECT count(*)::int AS n FROM waybill.runs'))[0]?.n

    for (const [what, members] of Object.entries(OPTIONAL))
      await t.test(`AAIF-8.2-08, AAIF-8.2-09: a document with ${what} continues by itself`, async () => {
        const { status, json } = await post(graphs.handedOver(graphs.state(AGENT, members)))
        assert.deepEqual([status, json.status], [201, 'running'], JSON.stringify(json))
        for (const name of Object.keys(members))
          assert.ok(
            json.report.entries.some(({ part }: { part: string }) => part.startsWith(name)),
            `${name} is not in the report`,
          )
        await b.reaches(json.run_id, 'completed')
      })

    await t.test('a platform with a URL is known by it, and so is this one', async () => {
      const claims = { iss: 'https://crews.example', aud: b.url }
      const { status, json } = await post(crews.handedOver(crews.state(AGENT), { claims }))
      assert.equal(status, 201, JSON.stringify(json))
    })

    await t.test(
      'AAIF-8.2-07: one that was paused stays paused, unless the caller says otherwise',
      async () => {
        const given = (status: string, claims: Members = {}) =>
          graphs.handedOver(graphs.state(AGENT, { status }), { claims })
        for (const [document, query, expected] of [
          [given('paused'), '', 'paused'],
          [given('paused'), '?resume=true', 'running'],
          [given('paused', { continues: true }), '', 'running'],
          [given('paused', { continues: true }), '?resume=false', 'paused'],
          [given('migrating'), '?resume=false', 'paused'],
          [given('migrating'), '?resume=true', 'running'],
        ] as const) {
          const { status, json } = await post(document, query)
          assert.deepEqual([status, json.status], [201, expected], JSON.stringify(json))
          if (expected === 'paused') assert.equal(await b.status(json.run_id), 'paused')
          else await b.reaches(json.run_id, 'completed')
        }
        // Without a token it is a fork, and continues as the command line continues it.
        const fork = await post(graphs.document(graphs.state(AGENT, { status: 'running' })))
        assert.deepEqual([fork.status, fork.json.status], [201, 'running'])
      },
    )

    await t.test(
      'AAIF-8.2-04, AAIF-12-10: what is not proved is refused, and nothing is stored',
      async () => {
        const before = await runs()
        const state = () => graphs.state(AGENT)
        const unknownOne = new ForeignPlatform('LangGraph')
        const used = graphs.handedOver(state())
        assert.equal((await post(used)).status, 201)
        for (const [what, code, document] of [
          ['a second use', 'STATE_TOKEN_USED', used],
          ['an unknown one of this name', 'STATE_TOKEN_UNKNOWN_SIGNER', unknownOne.handedOver(state())],
          [
            'the key of the other platform',
            'STATE_TOKEN_UNKNOWN_SIGNER',
            graphs.document(state(), crews.token(state())),
          ],
          [
            'the name of the other platform',
            'STATE_TOKEN_INVALID',
            graphs.handedOver(state(), { claims: { iss: 'https://crews.example' } }),
          ],
          ['no jti', 'STATE_TOKEN_INVALID', graphs.handedOver(state(), { without: ['jti'] })],
          [
            'another organisation',
            'STATE_TOKEN_INVALID',
            graphs.handedOver(state(), { claims: { aud: `${b.url}/organisations/globex` } }),
          ],
          [
            'another key',
            'STATE_TOKEN_INVALID',
            graphs.handedOver(state(), { by: generateKeyPairSync('ed25519').privateKey }),
          ],
          ['no token', 'STATE_TOKEN_MISSING', graphs.document(state())],
          [
            'a changed state',
            'STATE_CHECKSUM_MISMATCH',
            { ...graphs.handedOver(state()), variables: { x: 1 } },
          ],
          ['another agent', 'AGENT_NOT_FOUND', graphs.handedOver(graphs.state(randomUUID()))],
        ] as const) {
          const { json } = await post(document)
          assert.equal(json.code, code, what)
        }
        assert.equal(await runs(), Number(before) + 1)
      },
    )

    const streamed = (state: Members, between: readonly Members[], options: StreamOptions = {}) => {
      const base = {
        ...{
          sc_standard: 'SC-006',
          state_id: state.state_id,
          agent_id: state.agent_id,
          run_id: 'thread-1',
          status: 'migrating',
        },
        provenance: { source_platform: graphs.name },
      } as Members
      return { base, lines: (covered: Members) => graphs.stream(state, between, covered, options) }
    }
    const chunk = (index: number, messages: readonly Members[]) => ({
      type: 'context_chunk',
      index,
      messages,
    })
    const [memory, step, pending, ref] = [
      { type: 'memory_item', ...MEMORY },
      { type: 'pipeline_state', ...STEP },
      { type: 'pending_tool', ...PENDING },
      { type: 'subagent_ref', ...SUBAGENT },
    ] as const
    const full = {
      conversation: SAID,
      memory_snapshot: [MEMORY],
      ...STEP,
      pending_tool_calls: [PENDING],
      subagent_states: [SUBAGENT],
    }
    const none = {
      ...{ conversation: [], memory_snapshot: [], pipeline_position: {}, variables: {}, iteration: 0 },
      ...{ pending_tool_calls: [], subagent_states: [] },
    }
    const cases: Readonly<Record<string, readonly [readonly Members[], Members, StreamOptions?]>> = {
      'only the first and the last line': [[], {}],
      'the same, and the checksum covers empty parts': [[], none],
      'a conversation alone': [[chunk(0, SAID)], { conversation: SAID }],
      'an empty chunk': [[chunk(0, [])], { conversation: [] }],
      'all messages': [
        [chunk(0, SAID.slice(0, 1)), chunk(1, SAID.slice(1)), memory, step, pending, ref],
        full,
      ],
      'all messages in another order': [
        [ref, pending, chunk(0, SAID.slice(0, 2)), step, memory, chunk(1, SAID.slice(2))],
        full,
      ],
      'the position first': [[step, chunk(0, SAID)], { conversation: SAID, ...STEP }],
      'no conversation': [[memory, step], { memory_snapshot: [MEMORY], ...STEP }],
      'the status of a paused run in the checksum': [
        [chunk(0, SAID)],
        { conversation: SAID, status: 'paused' },
      ],
    }
    for (const [what, [between, covered, options]] of Object.entries(cases))
      await t.test(
        `AAIF-8.3-16, AAIF-8.3-17, AAIF-8.3-18: a stream with ${what} continues by itself`,
        async () => {
          const { base, lines } = streamed(graphs.state(AGENT, { run_id: 'thread-1' }), between, options)
          const { status, json } = await b.handoff(lines({ ...base, ...covered }))
          assert.deepEqual([status, json.status], [201, 'running'], JSON.stringify(json))
          await b.reaches(json.run_id, 'completed')
        },
      )

    await t.test('AAIF-8.3-19: digits in upper case and a type in other letters are the same', async () => {
      const state = graphs.state(AGENT, { run_id: 'thread-1' })
      const { base, lines } = streamed(state, [])
      const upper = lines(base).map((line) =>
        line.replace(/"checksum":"[^"]*"/, (text) => text.toUpperCase()),
      )
      const named = upper.map((line) => line.replace('"CHECKSUM"', '"checksum"'))
      const { status, json } = await b.handoff(named, 'Application/X-AAIF-Handoff+NDJSON')
      assert.equal(status, 201, JSON.stringify(json))
    })

    await t.test('AAIF-8.3-06 to AAIF-8.3-13: other streams are refused, and nothing is stored', async () => {
      const before = await runs()
      const good = streamed(graphs.state(AGENT, { run_id: 'thread-1' }), [chunk(0, SAID)])
      const covered = { ...good.base, conversation: SAID }
      const twice = good.lines(covered)
      const error = `${JSON.stringify({ type: 'handoff_error', code: 'GONE', message: 'no more' })}\n`
      for (const [what, code, lines] of [
        ['a chunk that the checksum does not cover', 'STATE_CHECKSUM_MISMATCH', good.lines(good.base)],
        [
          'a status that no move has',
          'STATE_CHECKSUM_MISMATCH',
          good.lines({ ...covered, status: 'running' }),
        ],
        ['no end', 'HANDOFF_FAILED', twice.slice(0, -1)],
        ['handoff_error', 'HANDOFF_FAILED', [...twice.slice(0, 2), error]],
        ['no beginning', 'HANDOFF_FAILED', twice.slice(1)],
        ['a second beginning', 'HANDOFF_FAILED', [...twice.slice(0, 1), ...twice]],
        ['a line after the end', 'HANDOFF_FAILED', [...twice, twice[1] ?? '']],
        [
          'an expired token',
          'STATE_TOKEN_EXPIRED',
          graphs.stream(graphs.state(AGENT, { run_id: 'thread-1' }), [], good.base, {
            claims: { iat: 1, exp: 2 },
          }),
        ],
        [
          'another digest',
          'STATE_TOKEN_INVALID',
          streamed(graphs.state(AGENT, { run_id: 'thread-1' }), [], { claims: { digest: 'ab' } }).lines(
            good.base,
          ),
        ],
      ] as const) {
        const { json } = await b.handoff(lines)
        const isOther = what === 'another digest' && json.code === 'STATE_CHECKSUM_MISMATCH'
        assert.ok(json.code === code || isOther, `${what}: ${JSON.stringify(json)}`)
      }
      assert.equal(await runs(), before)
    })

    await t.test(
      'AAIF-8.2-10: a run goes from a platform to it, and from it to another platform',
      async () => {
        await a.ok('POST', '/v1/peers', {
          ...{ name: 'graphs', profile: 'draft', source_platforms: ['LangGraph'], keys: graphs.jwks },
        })
        const { run_id } = await a.ok('POST', `/v1/agents/${AGENT}/runs`, {
          input: JSON.stringify({ tool: 'send', to: 'ada' }),
          wait_seconds: 10,
        })
        const sends = await a.send('POST', `/v1/runs/${run_id}/confirm-move`, {})
        assert.deepEqual([sends.status, sends.json.code], [422, 'MOVE_REFUSED'])
        const { jti } = await a.ok('POST', `/v1/runs/${run_id}/migrate`, { to: 'graphs', pull: true })
        const early = await a.send('POST', `/v1/runs/${run_id}/confirm-move`, {})
        assert.deepEqual([early.status, early.json.code], [409, 'MOVE_NOT_READY'])
        const document = (await a.ok('GET', `/v1/migrations/${jti}/state`)) as Members
        const { claims } = receive(document, await a.ok('GET', '/.well-known/jwks.json'))
        assert.deepEqual([claims.aud, claims.state_id], ['LangGraph', document.state_id])

        const { provenance: _, 'x-waybill': __, ...members } = document
        const own = { ...members, state_id: randomUUID(), status: 'paused' } as Members
        const { status, json } = await post(graphs.handedOver(own))
        assert.equal(status, 201, JSON.stringify(json))
        const confirmed = await a.ok('POST', `/v1/runs/${run_id}/confirm-move`, {
          target_run_id: json.run_id,
        })
        assert.deepEqual([confirmed.state, confirmed.owner], ['moved', 'LangGraph'])
        const again = await a.ok('POST', `/v1/runs/${run_id}/confirm-move`, {})
        assert.equal(again.state, 'moved')
        assert.equal((await a.send('POST', `/v1/runs/${run_id}/resume`)).status, 409)
        assert.equal((await a.send('POST', `/v1/runs/${run_id}/take-back`)).status, 409)
      },
    )

    await t.test('what it does not take is taken back, and continues', async () => {
      const { run_id } = await a.ok('POST', `/v1/agents/${AGENT}/runs`, {
        input: JSON.stringify({ tool: 'send', to: 'eve' }),
        wait_seconds: 10,
      })
      const { jti } = await a.ok('POST', `/v1/runs/${run_id}/migrate`, { to: 'graphs', pull: true })
      await a.ok('GET', `/v1/migrations/${jti}/state`)
      const back = await a.ok('POST', `/v1/runs/${run_id}/take-back`)
      assert.equal(back.state, 'kept')
      assert.equal(await a.status(run_id), 'awaiting_approval')
      // Nothing of that state can be taken any more.
      assert.equal((await a.send('GET', `/v1/migrations/${jti}/state`)).status, 409)
    })

    await t.test('a person does not decide about a platform that answers itself', async () => {
      const { run_id } = await a.ok('POST', `/v1/agents/${AGENT}/runs`, {
        input: JSON.stringify({ tool: 'send', to: 'eve' }),
        wait_seconds: 10,
      })
      const sent = await a.send('POST', `/v1/runs/${run_id}/migrate`, { to: 'other', pull: true })
      assert.equal(sent.json.code, 'PEER_INVALID', JSON.stringify(sent.json))
      // The weaker profile is refused for a platform that speaks the whole protocol.
      const keys = await b.ok('GET', '/.well-known/jwks.json')
      const weaker = await a.send('POST', '/v1/peers', { name: 'weak', url: b.url, keys, profile: 'draft' })
      assert.deepEqual([weaker.status, weaker.json.code], [422, 'PEER_INVALID'], JSON.stringify(weaker.json))
      assert.equal(weaker.json.pointer, '/profile')
    })
  })
})
