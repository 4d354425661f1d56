import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noCertificates } from '../adapters/tls-front.ts'
import { laptopAt } from './laptop.ts'
import { type MovingPlatform, movingSite } from './moving-site.ts'
import { AGENT, definitionOf } from './organisation.ts'

const clerk = (base_url: string) =>
  definitionOf({
    version: '1.0.0',
    model: { provider: 'openai', preferred: 'gpt-4o', base_url },
    tools: ['send', 'look'].map((name) => ({
      name,
      description: 'Acts.',
      parameters_schema: { type: 'object', properties: { to: { type: 'string' }, n: { type: 'integer' } } },
    })),
    compliance: { human_in_the_loop: { enabled: true } },
  })

/** Approves the only question of a run, and waits for its end. */
const decide = async (platform: MovingPlatform, runId: string): Promise<void> => {
  await platform.reaches(runId, 'awaiting_approval')
  const { items } = await platform.ok('GET', `/v1/approvals?run_id=${runId}`)
  assert.equal(items.length, 1)
  await platform.ok('POST', `/v1/approvals/${items[0].id}`, { verdict: 'approve' })
  await platform.reaches(runId, 'completed')
}

describe('runs that move from a machine without a server', { skip: noCertificates }, () => {
  test('a question moves to a platform, and is answered there', async (t) => {
    const site = await movingSite(t)
    const { a, b, effects, baseUrl } = site
    const laptop = laptopAt(t, site)
    laptop.write('agent.json', clerk(baseUrl))
    const run = await laptop.waiting('agent.json', { tool: 'send', to: 'ada' })
    const owner = `${a.url}/organisations/default`
    const statusHere = async (id: string) => (await laptop.ok(['runs', 'show', id, '--json'])).json.status

    await t.test('nothing is frozen before the platform has pinned its keys', async () => {
      const refused = await laptop.command(['migrate', run, '--to', a.url], a)
      assert.equal(refused.code, 1, refused.err)
      assert.match(refused.err, /MOVE_REFUSED.*has not pinned the key/s)
      assert.equal(await statusHere(run), 'awaiting_approval')
    })
    await laptop.meet(a)

    await t.test('a dry run sends and changes nothing', async () => {
      const { json } = await laptop.ok(['migrate', run, '--to', a.url, '--dry-run', '--json'], a)
      assert.equal(json.state, 'would_move')
      assert.match(json.owner, /^urn:waybill:home:[\w-]{43}$/)
      assert.equal(json.negotiation.verdict, 'accept')
      assert.equal(await statusHere(run), 'awaiting_approval')
      assert.equal((await a.send('GET', `/v1/agents/${AGENT}`)).status, 404)
      assert.deepEqual((await a.ok('GET', '/v1/runs')).items, [])
    })

    const { json: moved } = await laptop.ok(['migrate', run, '--to', a.url, '--json'], a)
    assert.deepEqual([moved.state, moved.owner], ['moved', owner])
    const there: string = moved.target_run_id

    await t.test('AAIF-8.2-04: the definition was sent first, and both say who owns the run', async () => {
      assert.equal((await a.ok('GET', `/v1/agents/${AGENT}`)).version, '1.0.0')
      assert.deepEqual(await a.ok('GET', `/v1/migrations/${moved.jti}`), {
        state: 'owned_here',
        owner,
        run_id: there,
      })
      const { json } = await laptop.ok(['runs', 'show', run, '--json'])
      assert.deepEqual([json.status, json.moved_to], ['moved', { owner, run_id: there }])
      const { json: list } = await laptop.ok(['runs', 'list', '--status', 'moved', '--json'])
      assert.deepEqual(
        list.runs.map((one: { run_id: string; moved_to: object }) => [one.run_id, one.moved_to]),
        [[run, { owner, run_id: there }]],
      )
      assert.match(
        (await laptop.ok(['runs', 'show', run])).out,
        new RegExp(`moved.*\n.*to ${owner}, run ${there}`),
      )
      assert.match((await laptop.ok(['runs', 'list'])).out, new RegExp(`moved.* to ${owner}, run ${there}`))
    })

    await t.test('the old home refuses everything that would change it', async () => {
      assert.equal((await laptop.ok(['approvals', 'list', '--json'])).json.approvals.length, 0)
      for (const argv of [
        ['approvals', 'approve', run],
        ['approvals', 'show', run],
        ['resume', run],
        ['pause', run],
        ['migrate', run, '--to', a.url],
        ['migrate', run, '--to', b.url],
      ]) {
        const refused = await laptop.command(argv, a)
        assert.equal(refused.code, 1, `${argv.join(' ')}: ${refused.out}${refused.err}`)
        assert.match(refused.err, new RegExp(`RUN_MOVED.*${owner}.*${there}`, 's'))
      }
    })

    await t.test('the answer there counts, and the write is made once', async () => {
      await decide(a, there)
      assert.deepEqual(effects(), ['send ada'])
    })

    await t.test('a run under way is paused for the move as a stream, and continues by itself', async () => {
      const input = JSON.stringify({ tool: 'look', n: 2000 })
      const driven = laptop.start(['run', 'agent.json', '--input', input, '--tools', 'tools.mjs', '--json'])
      const before = effects().length
      while (effects().length === before) await new Promise((resolve) => setTimeout(resolve, 20))
      const [{ run_id }] = (await laptop.ok(['runs', 'list', '--limit', '1', '--json'])).json.runs
      const { json } = await laptop.ok(['migrate', run_id, '--to', a.url, '--method', 'stream', '--json'], a)
      assert.equal(json.state, 'moved')
      assert.equal((await a.reaches(json.target_run_id, 'completed')).output, 'done')
      await driven.ended
      assert.equal(effects().length, before + 1)
    })

    await t.test('a run that a person has paused stays paused', async () => {
      const first = await laptop.waiting('agent.json', { tool: 'send', to: 'cy' })
      await laptop.withHome(async (home) => {
        const opened = await home.runs.open(first)
        const at = Date.now()
        const seq = opened.state.seq + 1
        const event = { seq, at, fact: { type: 'run.paused', by: 'ada' } as const, decision: {} }
        await opened.append([event], { durable: true, state: { ...opened.state, seq, at, status: 'paused' } })
        await opened.close()
      })
      const { json } = await laptop.ok(['migrate', first, '--to', a.url, '--json'], a)
      assert.equal(await a.status(json.target_run_id), 'paused')
      await a.ok('POST', `/v1/runs/${json.target_run_id}/cancel`)
    })

    await t.test('a decision that the run has not taken in holds the move back', async () => {
      const first = await laptop.waiting('agent.json', { tool: 'send', to: 'gil' })
      await laptop.ok(['approvals', 'approve', first])
      const refused = await laptop.command(['migrate', first, '--to', a.url], a)
      assert.equal(refused.code, 1)
      assert.match(refused.err, /RUN_BUSY/)
      assert.equal((await laptop.ok(['resume', first, '--json'])).json.output, 'done')
    })

    await t.test('a refused token is withdrawn, and the run stays', async () => {
      const first = await laptop.waiting('agent.json', { tool: 'send', to: 'flo' }, ['--user', 'eve'])
      await laptop.meet(a, { users: { ada: 'ada' } })
      const refused = await laptop.command(['migrate', first, '--to', a.url], a)
      assert.equal(refused.code, 1)
      assert.match(refused.err, /STATE_USER_UNKNOWN/)
      assert.equal(await statusHere(first), 'awaiting_approval')
      await laptop.meet(a, { users: { eve: 'eve-there' } })
      const { json } = await laptop.ok(['migrate', first, '--to', a.url, '--json'], a)
      assert.equal((await a.ok('GET', `/v1/runs/${json.target_run_id}`)).user, 'eve-there')
      await decide(a, json.target_run_id)
    })

    await t.test('both audit logs are whole, and say the same', async () => {
      const [here, other] = [await laptop.audit(), await a.audit()]
      assert.deepEqual([here.ok, other.ok], [true, true])
      const moves = here.facts.filter(({ kind }) => kind === 'run.moved')
      assert.equal(moves.length, 4)
      assert.equal(other.kinds.filter((kind) => kind === 'run.received').length, 4)
    })
  })
})
