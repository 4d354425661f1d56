import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { noCertificates } from '../adapters/tls-front.ts'
import { clerk, decide, laptopAt } from './laptop.ts'
import { until } from './leg-place.ts'
import { type MovingPlatform, movingSite } from './moving-site.ts'
import { AGENT, definitionOf } from './organisation.ts'

describe('runs that move from a machine without a server', { skip: noCertificates }, () => {
  test('a question moves to a platform, and is answered there', { timeout: 600_000 }, async (t) => {
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
        place: owner,
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
      const gate = join(laptop.folder, 'gate')
      const input = JSON.stringify({ tool: 'look', gate })
      const before = effects().length
      const driven = laptop.start(['run', 'agent.json', '--input', input, '--tools', 'tools.mjs', '--json'])
      await until(async () => effects().length > before, 30_000)
      const [{ run_id }] = (await laptop.ok(['runs', 'list', '--limit', '1', '--json'])).json.runs
      // The call ends after the process has taken the request to pause.
      const db = new DatabaseSync(join(laptop.home, 'waybill.db'), { timeout: 5_000 })
      db.exec(`CREATE TABLE taken (run);
        CREATE TRIGGER note AFTER DELETE ON pauses BEGIN INSERT INTO taken VALUES (OLD.run); END`)
      const moving = laptop.ok(['migrate', run_id, '--to', a.url, '--method', 'stream', '--json'], a)
      await until(async () => db.prepare('SELECT 1 FROM taken').get() !== undefined, 30_000)
      db.exec('DROP TRIGGER note; DROP TABLE taken')
      db.close()
      writeFileSync(gate, '')
      const { json } = await moving
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

  test('a run of a platform is fetched, continued here, and moves on', { timeout: 600_000 }, async (t) => {
    const site = await movingSite(t)
    const { a, b, effects, baseUrl } = site
    const laptop = laptopAt(t, site)
    laptop.write('agent.json', clerk(baseUrl))
    await a.upload(clerk(baseUrl))
    const waitingAt = async (platform: MovingPlatform, to: string, members: object = {}): Promise<string> => {
      const input = JSON.stringify({ tool: 'send', to })
      const { run_id } = await platform.ok('POST', `/v1/agents/${AGENT}/runs`, { input, ...members })
      await platform.reaches(run_id, 'awaiting_approval')
      return run_id
    }
    const pull = (run: string, platform: MovingPlatform, ...options: readonly string[]) =>
      laptop.command(
        ['migrate', run, '--from', platform.url, '--tools', 'tools.mjs', '--json', ...options],
        platform,
      )
    const run = await waitingAt(a, 'ada')

    await t.test('an unpinned platform, and one that has not pinned this machine, are refused', async () => {
      const unpinned = await pull(run, a, '--agent', 'agent.json')
      assert.equal(unpinned.code, 2)
      assert.match(unpinned.err, /PEER_NOT_FOUND.*keys trust/s)
      await laptop.trust(a)
      const unknown = await pull(run, a, '--agent', 'agent.json')
      assert.equal(unknown.code, 1)
      assert.match(unknown.err, /MOVE_REFUSED.*has not pinned the key/s)
      await laptop.meet(a)
    })

    await t.test('the definition must be known here', async () => {
      const missing = await pull(run, a)
      assert.equal(missing.code, 2)
      assert.match(missing.err, /STATE_AGENT_MISSING/)
      laptop.write(
        'other.json',
        definitionOf({ name: 'Other' }, { agent_id: '0198c0de-0000-7000-8000-000000000099' }),
      )
      const other = await pull(run, a, '--agent', 'other.json')
      assert.match(other.err, /STATE_OTHER_AGENT/)
      assert.equal(await a.status(run), 'awaiting_approval')
      assert.deepEqual(await a.sql('SELECT * FROM waybill.moves'), [])
    })

    await t.test('a dry run changes nothing', async () => {
      const { json } = await pull(run, a, '--agent', 'agent.json', '--dry-run')
      assert.deepEqual([json.state, json.owner], ['would_move', `${a.url}/organisations/default`])
      assert.ok(json.report.summary.kept > 0)
      assert.deepEqual(await a.sql('SELECT * FROM waybill.moves'), [])
      assert.deepEqual((await laptop.ok(['runs', 'list', '--json'])).json.runs, [])
    })

    const moved = await pull(run, a, '--agent', 'agent.json')
    assert.equal(moved.code, 0, moved.err)
    const here: string = moved.json.target_run_id
    const place: string = moved.json.owner

    await t.test('AAIF-8.2-04: the platform has given it away, and says to whom', async () => {
      assert.match(place, /^urn:waybill:home:/)
      const old = await a.ok('GET', `/v1/runs/${run}`)
      assert.deepEqual([old.status, old.moved_to], ['moved', { owner: place, run_id: here }])
      assert.equal((await a.ok('GET', `/v1/migrations/${moved.json.jti}`)).state, 'moved')
      assert.deepEqual((await a.ok('GET', '/v1/approvals')).items, [])
      const refused = await a.send('POST', `/v1/runs/${run}/resume`)
      assert.deepEqual([refused.status, refused.json.code], [409, 'RUN_MOVED'])
      assert.match(refused.json.detail, new RegExp(`${place}.*${here}`))
    })

    await t.test('a repeated command says the same, and stores nothing', async () => {
      const again = await pull(run, a)
      assert.deepEqual([again.code, again.json.target_run_id], [0, here], again.err)
      assert.equal((await laptop.ok(['runs', 'list', '--json'])).json.runs.length, 1)
    })

    await t.test('it ends here, and the write is made once', async () => {
      const { json } = await laptop.ok(['approvals', 'approve', here, '--resume', '--json'])
      assert.deepEqual([json.status, json.output], ['completed', 'done'])
      assert.deepEqual(effects(), ['send ada'])
    })

    await t.test('a run under way is paused for the move', async () => {
      const gate = join(laptop.folder, 'gate')
      const before = effects().length
      const { run_id } = await a.ok('POST', `/v1/agents/${AGENT}/runs`, {
        input: JSON.stringify({ tool: 'look', gate }),
      })
      await until(async () => effects().length > before, 30_000)
      const pulling = pull(run_id, a, '--agent', 'agent.json')
      await until(
        async () => (await a.sql(`SELECT FROM waybill.moves WHERE phase = 'pausing'`)).length > 0,
        30_000,
      )
      writeFileSync(gate, '')
      const { json, err } = await pulling
      assert.equal(json?.state, 'moved', err)
      assert.equal((await laptop.ok(['resume', json.target_run_id, '--json'])).json.output, 'done')
      assert.equal(effects().length, before + 1)
    })

    await t.test('there and back again, and on to another platform', async () => {
      await laptop.meet(b)
      const first = await laptop.waiting('agent.json', { tool: 'send', to: 'bob' }, ['--user', 'eve'])
      const second = (await laptop.ok(['migrate', first, '--to', a.url, '--json'], a)).json.target_run_id
      await a.reaches(second, 'awaiting_approval')
      // The definition, its functions and the user are those of the run that was sent.
      const third = (await laptop.ok(['migrate', second, '--from', a.url, '--json'], a)).json.target_run_id
      assert.equal((await laptop.ok(['runs', 'show', third, '--json'])).json.user, 'eve')
      const fourth = (await laptop.ok(['migrate', third, '--to', b.url, '--json'], b)).json.target_run_id
      await decide(b, fourth)
      assert.equal(effects().filter((one) => one === 'send bob').length, 1)
      for (const id of [first, third])
        assert.equal((await laptop.ok(['runs', 'show', id, '--json'])).json.status, 'moved')
      assert.equal(await a.status(second), 'moved')
    })

    await t.test('a run of a user needs one here', async () => {
      const served = await waitingAt(a, 'flo', { user: 'grace' })
      const refused = await pull(served, a, '--agent', 'agent.json')
      assert.match(refused.err, /STATE_USER_UNKNOWN/)
      const { json, err } = await pull(served, a, '--agent', 'agent.json', '--user', 'grace-here')
      assert.equal(json?.state, 'moved', err)
      const shown = (await laptop.ok(['runs', 'show', json.target_run_id, '--json'])).json
      assert.equal(shown.user, 'grace-here')
    })

    let won = 0
    await t.test('two machines at once: one of them gets it', async () => {
      const other = laptopAt(t, site)
      other.write('agent.json', clerk(baseUrl))
      await other.meet(a, { name: 'other-laptop' })
      const wanted = await waitingAt(a, 'gil')
      const argv = [
        'migrate',
        wanted,
        '--from',
        a.url,
        '--tools',
        'tools.mjs',
        '--agent',
        'agent.json',
        '--json',
      ]
      const ended = await Promise.all([laptop.command(argv, a), other.command(argv, a)])
      won = ended[0]?.code === 0 ? 1 : 0
      const [first, ...others] = ended.filter(({ code }) => code === 0)
      assert.deepEqual(others, [], JSON.stringify(ended))
      const loser = ended.find(({ code }) => code !== 0)
      assert.match(loser?.err ?? '', /RUN_MOVING|RUN_MOVED/)
      assert.equal((await a.ok('GET', `/v1/runs/${wanted}`)).moved_to.owner, first?.json.owner)
    })

    await t.test('two commands at once fetch it once', async () => {
      const wanted = await waitingAt(a, 'hal')
      const ended = await Promise.all([1, 2].map(() => pull(wanted, a, '--agent', 'agent.json')))
      assert.deepEqual(
        ended.map(({ code }) => code),
        [0, 0],
        ended.map(({ err }) => err).join('\n'),
      )
      assert.equal(new Set(ended.map(({ json }) => json.target_run_id)).size, 1)
    })

    await t.test('both audit logs are whole, and say the same', async () => {
      const [local, there] = [await laptop.audit(), await a.audit()]
      assert.deepEqual([local.ok, there.ok], [true, true])
      const of = (kinds: readonly unknown[], wanted: string) => kinds.filter((kind) => kind === wanted).length
      const kinds = local.facts.map(({ kind }) => kind)
      // A run may have gone to the other machine, and one went to the other platform.
      assert.equal(of(kinds, 'run.received') + 1 - won, of(there.kinds, 'run.moved'))
      assert.equal(of(kinds, 'run.moved'), of(there.kinds, 'run.received') + 1)
      assert.equal(of(there.kinds, 'run.fetched'), of(there.kinds, 'run.moved'))
    })
  })
})
