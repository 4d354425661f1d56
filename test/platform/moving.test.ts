import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { withStateChecksum } from '../../src/trust/checksum.ts'
import { noCertificates } from '../adapters/tls-front.ts'
import { until } from './leg-place.ts'
import { type MovingPlatform, movingSite } from './moving-site.ts'
import { AGENT, definitionOf } from './organisation.ts'

const clerk = (base_url: string) => {
  const parameters_schema = {
    type: 'object',
    properties: { to: { type: 'string' }, n: { type: 'integer' } },
    additionalProperties: false,
  }
  return definitionOf({
    version: '1.0.0',
    model: { provider: 'openai', preferred: 'gpt-4o', base_url },
    tools: ['send', 'look'].map((name) => ({ name, description: 'Acts.', parameters_schema })),
    compliance: { human_in_the_loop: { enabled: true } },
  })
}

const start = async (platform: MovingPlatform, input: object, members: object = {}): Promise<string> =>
  (await platform.ok('POST', `/v1/agents/${AGENT}/runs`, { input: JSON.stringify(input), ...members })).run_id

const move = (platform: MovingPlatform, runId: string, members: object = {}) =>
  platform.send('POST', `/v1/runs/${runId}/migrate`, { to: 'other', ...members })

describe('runs that move between two platforms', { skip: noCertificates }, () => {
  test('a question moves along, is answered once, and the run comes back', {
    timeout: 600_000,
  }, async (t) => {
    const { a, b, effects, baseUrl } = await movingSite(t)
    await a.upload(clerk(baseUrl))

    await t.test('a dry run sends and changes nothing', async () => {
      const run = await start(a, { tool: 'send', to: 'ada' })
      await a.reaches(run, 'awaiting_approval')
      const { status, json } = await move(a, run, { dry_run: true })
      assert.deepEqual(
        [status, json.state, json.owner],
        [200, 'would_move', `${a.url}/organisations/default`],
      )
      assert.equal(json.negotiation.verdict, 'accept')
      assert.equal(await a.status(run), 'awaiting_approval')
      assert.equal((await b.send('GET', `/v1/agents/${AGENT}`)).status, 404)
      assert.deepEqual((await b.ok('GET', '/v1/runs')).items, [])
      assert.deepEqual(await a.sql('SELECT * FROM waybill.moves'), [])
      await a.ok('POST', `/v1/runs/${run}/cancel`)
    })

    const run = await start(a, { tool: 'send', to: 'ada' }, { user: 'ada', session: 's-1' })
    await a.reaches(run, 'awaiting_approval')
    const [question] = (await a.ok('GET', '/v1/approvals')).items
    const moved = await move(a, run)
    assert.deepEqual(
      [moved.status, moved.json.state, moved.json.owner],
      [200, 'moved', `${b.url}/organisations/default`],
    )
    const there: string = moved.json.target_run_id

    await t.test('the definition was sent first, and the run is shown at both', async () => {
      assert.equal((await b.ok('GET', `/v1/agents/${AGENT}`)).version, '1.0.0')
      const old = await a.ok('GET', `/v1/runs/${run}`)
      assert.deepEqual(
        [old.status, old.moved_to],
        ['moved', { owner: `${b.url}/organisations/default`, run_id: there }],
      )
      const view = await b.reaches(there, 'awaiting_approval')
      assert.deepEqual([view.user, view.session, view.version], ['ada', 's-1', '1.0.0'])
      assert.equal((await b.ok('GET', '/v1/sessions/s-1')).run_id, there)
    })

    await t.test('AAIF-8.2-04: both hosts say who owns it', async () => {
      const owner = `${b.url}/organisations/default`
      const path = `/v1/migrations/${moved.json.jti}`
      assert.deepEqual(await a.ok('GET', path), {
        state: 'moved',
        owner,
        run_id: there,
        place: `${a.url}/organisations/default`,
      })
      assert.deepEqual(await b.ok('GET', path), { state: 'owned_here', owner, run_id: there, place: owner })
      assert.equal((await b.ok('DELETE', path)).state, 'owned_here')
    })

    await t.test('nothing can be asked of it at the old host', async () => {
      assert.deepEqual((await a.ok('GET', '/v1/approvals')).items, [])
      for (const [method, path, json] of [
        ['POST', `/v1/approvals/${question.id}`, { verdict: 'approve' }],
        ['POST', `/v1/runs/${run}/resume`],
        ['POST', `/v1/runs/${run}/pause`],
        ['POST', `/v1/runs/${run}/cancel`],
        ['POST', '/v1/sessions/s-1/messages', { input: 'hello' }],
        ['POST', `/v1/runs/${run}/migrate`, { to: 'other' }],
      ] as const) {
        const answer = await a.send(method, path, json)
        assert.deepEqual([answer.status, answer.json.code], [409, 'RUN_MOVED'], `${method} ${path}`)
        assert.match(answer.json.detail, new RegExp(`${b.url}.*${there}`))
      }
    })

    await t.test('its answer at the new host counts, and the write is made once', async () => {
      const [open] = (await b.ok('GET', '/v1/approvals')).items
      assert.equal(open.arguments.to, 'ada')
      await b.ok('POST', `/v1/approvals/${open.id}`, { verdict: 'approve' })
      const { output } = await b.reaches(there, 'completed')
      assert.equal(output, 'done')
      assert.deepEqual(effects(), ['send ada'])
    })

    await t.test('there and back again', async () => {
      const first = await start(a, { tool: 'send', to: 'bob' })
      await a.reaches(first, 'awaiting_approval')
      const second = (await move(a, first, { method: 'stream' })).json.target_run_id
      const back = (await move(b, second)).json
      assert.equal(back.state, 'moved', JSON.stringify(back))
      const third = back.target_run_id
      assert.notEqual(third, first)
      assert.deepEqual([await a.status(first), await b.status(second)], ['moved', 'moved'])
      const [open] = (await a.ok('GET', '/v1/approvals')).items
      assert.equal(open.run_id, third)
      await a.ok('POST', `/v1/approvals/${open.id}`, { verdict: 'approve' })
      await a.reaches(third, 'completed')
      assert.deepEqual(effects(), ['send ada', 'send bob'])
    })

    await t.test('a run under way is paused for the move, and continues by itself', async () => {
      const first = await start(a, { tool: 'look', n: 1500 })
      await until(async () => effects().includes('look'))
      const { json } = await move(a, first, { method: 'stream' })
      assert.equal(json.state, 'moved', JSON.stringify(json))
      const { output } = await b.reaches(json.target_run_id, 'completed')
      assert.equal(output, 'done')
      assert.equal(effects().filter((one) => one === 'look').length, 1)
    })

    await t.test('a run that a person has paused stays paused', async () => {
      const first = await start(a, { tool: 'send', to: 'cy' })
      await a.reaches(first, 'awaiting_approval')
      await a.ok('POST', `/v1/runs/${first}/pause`)
      await a.reaches(first, 'paused')
      const { json } = await move(a, first)
      assert.equal(json.state, 'moved', JSON.stringify(json))
      assert.equal(await b.status(json.target_run_id), 'paused')
      await b.ok('POST', `/v1/runs/${json.target_run_id}/resume`)
      await b.reaches(json.target_run_id, 'awaiting_approval')
      await b.ok('POST', `/v1/runs/${json.target_run_id}/cancel`)
    })

    await t.test('a decision that a paused run has not taken in holds the move back', async () => {
      const first = await start(a, { tool: 'send', to: 'gil' })
      await a.reaches(first, 'awaiting_approval')
      await a.ok('POST', `/v1/runs/${first}/pause`)
      await a.reaches(first, 'paused')
      const [open] = (await a.ok('GET', `/v1/approvals?run_id=${first}`)).items
      await a.ok('POST', `/v1/approvals/${open.id}`, { verdict: 'approve' })
      const { status, json } = await move(a, first)
      assert.deepEqual([status, json.code], [422, 'MOVE_REFUSED'])
      assert.match(json.detail, /RUN_BUSY/)
      assert.equal(await a.status(first), 'paused')
      await a.ok('POST', `/v1/runs/${first}/resume`)
      await a.reaches(first, 'completed')
      assert.ok(effects().includes('send gil'))
    })

    await t.test('waybill migrate and waybill peers do the same from a terminal', async () => {
      const run = await start(a, { tool: 'send', to: 'flo' })
      await a.reaches(run, 'awaiting_approval')
      const listed = await a.command(['peers', 'list'])
      assert.match(
        listed.out,
        new RegExp(`^NAME .*\nother {2}${b.url} .*the same users {2}sends and receives {2}\\S+\n$`),
      )
      const dry = await a.command(['migrate', run.slice(-12), '--to', 'other', '--dry-run'])
      assert.deepEqual([dry.code, dry.out], [0, `run ${run} would be moved; nothing was changed\n`], dry.err)
      assert.match(dry.err, /left behind\ncapabilities: accept\n$/)
      const unknown = await a.command(['migrate', run, '--to', 'https://else.example'])
      assert.deepEqual([unknown.code, unknown.out], [2, ''])
      assert.match(unknown.err, /PEER_NOT_FOUND/)
      const noStream = await a.command(['migrate', run, '--to', 'other', '--wss'])
      assert.deepEqual([noStream.code, noStream.out], [2, ''])
      assert.match(noStream.err, /add --method stream/)
      const how = ['--method', 'stream', '--wss']
      const moved = await a.command(['migrate', run, '--to', b.url, ...how, '--json'])
      assert.equal(moved.code, 0, moved.err)
      const { state, target_run_id } = JSON.parse(moved.out)
      assert.equal(state, 'moved')
      await b.reaches(target_run_id, 'awaiting_approval')
      await b.ok('POST', `/v1/runs/${target_run_id}/cancel`)
      const again = await a.command(['migrate', run, '--to', 'other'])
      assert.deepEqual([again.code, again.out], [1, ''])
      assert.match(again.err, /RUN_MOVED/)
    })

    for (const method of ['document', 'stream'])
      await t.test(
        `AAIF-8.3-14: a run that is moved (${method}) in mid-generation ends with the answer of one that is not`,
        async () => {
          const write =
            'Parcel 4711 left Bern on Monday, reached Basel on Tuesday, and is with the courier now.'
          const straight = await a.reaches(await start(a, { write }), 'completed')
          assert.equal(straight.output, write)
          const run = await start(a, { write, hold: 30 })
          const texts = () => a.sql('SELECT text FROM waybill.texts WHERE run_id = $1', [run])
          await until(async () => (await texts()).length > 0)
          const { json } = await move(a, run, { method })
          assert.equal(json.state, 'moved', JSON.stringify(json))
          const moved = await b.reaches(json.target_run_id, 'completed')
          assert.deepEqual(moved.output, straight.output)
        },
      )

    await t.test('both audit logs are whole, and say the same', async () => {
      const [here, other] = [await a.audit(), await b.audit()]
      assert.deepEqual([here.ok, other.ok], [true, true])
      const count = (kinds: readonly string[], kind: string) => kinds.filter((one) => one === kind).length
      assert.equal(count(here.kinds, 'run.moved'), count(other.kinds, 'run.received'))
      assert.equal(count(other.kinds, 'run.moved'), count(here.kinds, 'run.received'))
      assert.equal(count(here.kinds, 'run.moved'), 7)
    })
  })

  test('a move that cannot be finished ends with one owner', { timeout: 600_000 }, async (t) => {
    const { a, b, effects, baseUrl } = await movingSite(t)
    await a.upload(clerk(baseUrl))
    await b.upload(clerk(baseUrl))

    await t.test('the other platform is away: the move is refused, and the run stays', async () => {
      const run = await start(a, { tool: 'send', to: 'ada' })
      await a.reaches(run, 'awaiting_approval')
      await b.closeServer()
      const { status, json } = await move(a, run)
      assert.deepEqual([status, json.code], [424, 'PEER_UNREACHABLE'])
      assert.equal(await a.status(run), 'awaiting_approval')
      await b.openServer()
      await a.ok('POST', `/v1/runs/${run}/cancel`)
    })

    await t.test('a user who is not mapped is refused before anything is frozen', async () => {
      await b.pin(a, { users: { grace: 'grace-here', ann: 'anna' } })
      const run = await start(a, { tool: 'send', to: 'ada' }, { user: 'ada' })
      await a.reaches(run, 'awaiting_approval')
      const { status, json } = await move(a, run)
      assert.deepEqual([status, json.code], [422, 'MOVE_REFUSED'])
      assert.match(json.detail, /STATE_USER_UNKNOWN/)
      assert.deepEqual(await a.sql('SELECT * FROM waybill.moves'), [])
      await a.ok('POST', `/v1/runs/${run}/cancel`)
      await a.ok('POST', '/v1/organisations/default/members', { user: 'ann', roles: ['operator'] })
      const { token } = await a.ok('POST', '/v1/tokens', { user: 'ann' })
      const request = { input: JSON.stringify({ tool: 'send', to: 'ada' }), user: 'grace' }
      const other = (await a.send('POST', `/v1/agents/${AGENT}/runs`, request, token)).json.run_id
      await a.reaches(other, 'awaiting_approval')
      const moved = await move(a, other)
      assert.equal((await b.ok('GET', `/v1/runs/${moved.json.target_run_id}`)).user, 'grace-here')
      // Those who have caused it are the same people here, and with them who has brought it.
      const members = async (platform: MovingPlatform, runId: string) =>
        (await platform.sql('SELECT member FROM waybill.causers WHERE run_id = $1 ORDER BY 1', [runId])).map(
          ({ member }) => member,
        )
      const [by] = await b.sql('SELECT user_id FROM waybill.tokens ORDER BY created_at LIMIT 1')
      assert.deepEqual(await members(a, other), ['ann', 'grace'])
      assert.deepEqual(await members(b, moved.json.target_run_id), [by?.user_id, 'anna', 'grace-here'].sort())
      // As a stream as well: its first line carries them.
      const back = (await move(b, moved.json.target_run_id, { method: 'stream' })).json
      assert.equal(back.state, 'moved', JSON.stringify(back))
      const home = await members(a, back.target_run_id)
      assert.ok(
        ['ann', 'grace', 'anna', 'grace-here'].every((member) => home.includes(member)),
        String(home),
      )
      await b.pin(a)
    })

    await t.test(
      'the import is refused after the freeze: the token is withdrawn, and the run continues',
      async () => {
        const run = await start(a, { tool: 'look', n: 700 })
        // From now on the other platform does not know the key, so a token is refused; a dry run has none.
        await b.pin(a, { keys: (await b.send('GET', '/.well-known/jwks.json')).json })
        const { status, json } = await move(a, run)
        assert.deepEqual([status, json.code], [422, 'MOVE_REFUSED'])
        assert.match(json.detail, /STATE_TOKEN_UNKNOWN_SIGNER/)
        const { output } = await a.reaches(run, 'completed')
        assert.equal(output, 'done')
        const [row] = await a.sql('SELECT phase, document, jti FROM waybill.moves WHERE run_id = $1', [run])
        assert.deepEqual([row?.phase, row?.document], ['kept', null])
        assert.equal((await b.ok('GET', `/v1/migrations/${row?.jti}`)).state, 'refused')
        assert.equal((await a.ok('GET', `/v1/migrations/${row?.jti}`)).state, 'refused')
        await b.pin(a)
      },
    )

    await t.test('two moves at once: one token, one owner', async () => {
      const run = await start(a, { tool: 'send', to: 'dan' })
      await a.reaches(run, 'awaiting_approval')
      const [one, two] = await Promise.all([move(a, run), move(a, run)])
      const moved = [one, two].filter(({ json }) => json.state === 'moved')
      assert.ok(moved.length > 0, JSON.stringify([one, two]))
      assert.equal((await a.sql('SELECT 1 FROM waybill.moves WHERE run_id = $1', [run])).length, 1)
      const targets = new Set(moved.map(({ json }) => json.target_run_id))
      assert.equal(targets.size, 1)
      const [open] = (await b.ok('GET', '/v1/approvals')).items.filter((question: { run_id: string }) =>
        targets.has(question.run_id),
      )
      await b.ok('POST', `/v1/approvals/${open.id}`, { verdict: 'approve' })
      await b.reaches(open.run_id, 'completed')
      assert.deepEqual(
        effects().filter((effect) => effect === 'send dan'),
        ['send dan'],
      )
    })

    await t.test(
      '10,000 messages move as a document, as a stream and over WSS, and a refused stream is not waited for',
      async () => {
        const conversation = Array.from({ length: 10_000 }, (_, n) => ({
          role: n % 2 === 0 ? 'user' : 'assistant',
          content: `message ${n}`,
        }))
        const fork = withStateChecksum({
          sc_standard: 'SC-006',
          state_id: randomUUID(),
          agent_id: AGENT,
          checkpoint_at: new Date().toISOString(),
          status: 'paused',
          conversation,
          // More than the buffers of a connection hold.
          variables: { padding: 'x'.repeat(900_000) },
        })
        const { run_id } = await a.ok('POST', '/v1/states', fork)
        const texts = async (platform: MovingPlatform, id: string) =>
          (await platform.ok('GET', `/v1/runs/${id}/state`)).conversation.map(
            (one: { content: string }) => one.content,
          )
        const whole = await texts(a, run_id)
        assert.deepEqual(
          whole,
          conversation.map(({ content }) => content),
        )

        await b.pin(a, { keys: (await b.send('GET', '/.well-known/jwks.json')).json })
        const refused = await move(a, run_id, { method: 'stream' })
        assert.equal(refused.json.code, 'MOVE_REFUSED', JSON.stringify(refused.json))
        assert.match(refused.json.detail, /STATE_TOKEN_UNKNOWN_SIGNER/)
        assert.equal(await a.status(run_id), 'paused')
        await b.pin(a)

        assert.deepEqual(await texts(a, run_id), whole)
        const there = (await move(a, run_id, { method: 'stream' })).json
        assert.equal(there.state, 'moved', JSON.stringify(there))
        assert.deepEqual(await texts(b, there.target_run_id), whole)
        const back = (await move(b, there.target_run_id)).json
        assert.equal(back.state, 'moved', JSON.stringify(back))
        assert.deepEqual(await texts(a, back.target_run_id), whole)

        const { json: again } = await move(a, back.target_run_id, { method: 'stream', wss: true })
        assert.equal(again.state, 'moved', JSON.stringify(again))
        assert.deepEqual(await texts(b, again.target_run_id), whole)
        const [row] = await a.sql('SELECT socket, apart, document FROM waybill.moves WHERE jti = $1', [
          again.jti,
        ])
        assert.deepEqual(row, { socket: true, apart: true, document: null })
      },
    )
  })
})
