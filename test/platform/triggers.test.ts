import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { lookForWork } from '../../src/platform/engine/reconcile.ts'
import { openPostgresRecords } from '../../src/platform/records/open-postgres-records.ts'
import { firingWork } from '../../src/platform/triggers/trigger-engine.ts'
import { newRun } from '../../src/testing/contracts/records-fixture.ts'
import { AGENT } from './organisation.ts'
import { type FiringRow, type TriggerSite, triggerSite } from './triggers-fixture.ts'
import { until } from './webhooks-fixture.ts'

const MINUTE = 60_000
const OTHER = '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a22'
const ago = (minutes: number) => new Date(Math.floor(Date.now() / MINUTE) * MINUTE - minutes * MINUTE)
const statesOf = (firings: readonly FiringRow[]) => firings.map(({ state }) => state)

/** Tests that share one platform: each has triggers of its own, and removes them. */
async function suite(
  t: TestContext,
  name: string,
  act: (site: TriggerSite) => Promise<void>,
  site: TriggerSite,
) {
  await t.test(name, async () => {
    await act(site)
    await site.engine.query('DELETE FROM waybill.triggers')
    await site.engine.query('DELETE FROM waybill.firings')
  })
}

test('triggers of the platform', async (t) => {
  const site = await triggerSite(t)
  const { engine, create, firings, request, since } = site
  const it = (name: string, act: () => Promise<void>) => suite(t, name, act, site)
  /** Occurs once a year, in the minute that has begun last: no other slot passes during a test. */
  const schedule = (more: object = {}): Promise<{ id: string; schedule: string }> => {
    const at = ago(0)
    const yearly = `${at.getUTCMinutes()} ${at.getUTCHours()} ${at.getUTCDate()} ${at.getUTCMonth() + 1} *`
    return create({ kind: 'schedule', schedule: yearly, overlap: 'allow', ...more })
  }
  const isDue = async () =>
    (await lookForWork(engine, [firingWork(site.worker())])).works.includes('triggers')
  /** Lets a worker look until no firing is pending. */
  const settled = async (id: string, worker = site.worker()): Promise<readonly FiringRow[]> => {
    await until(
      async () => {
        worker.fire()
        return !(await isDue()) && !statesOf(await firings(id)).includes('pending')
      },
      `all firings are settled: ${site.logged.at(-1)}`,
    )
    return firings(id)
  }
  /** Makes the slot of a yearly schedule due. */
  const tick = (id: string) => since(id, ago(1))

  await it('two workers fire 50 slots, each once, with a run of its own', async () => {
    const { id } = await schedule({ schedule: '* * * * *', missed: 'all' })
    await since(id, ago(49))
    assert.equal(await isDue(), true)
    const other = site.worker()
    const timer = setInterval(() => other.fire(), 2)
    const done = await settled(id).finally(() => clearInterval(timer))
    // A minute may begin meanwhile.
    const slots = done.map(({ slot }) => slot).toSorted()
    const expected = slots.map((_, n) => new Date(Date.parse(slots[0] ?? '') + n * MINUTE).toISOString())
    assert.deepEqual(slots, expected)
    assert.ok(slots.length === 50 || slots.length === 51)
    assert.deepEqual(new Set(statesOf(done)), new Set(['started']))
    const { rows } = await engine.query('SELECT count(*)::int AS n FROM waybill.runs')
    assert.equal(rows[0].n, slots.length)
    assert.equal(new Set(done.map(({ run_id }) => run_id)).size, slots.length)
    assert.equal(await isDue(), false)
  })

  await it('its runs are untrusted, name the version and the member, and are audited', async () => {
    const { id, schedule: expression } = await schedule()
    await tick(id)
    const [fired] = await settled(id)
    const { slot } = fired ?? {}
    assert.match(slot ?? '', /^2.+:00\.000Z$/)
    assert.deepEqual(site.inputs.get(fired?.run_id ?? ''), {
      input: { type: 'schedule', schedule: expression, at: slot },
      triggered: true,
    })
    assert.deepEqual([fired?.version, fired?.on_behalf_of], ['1.0.0', 'admin'])
    const { items } = await request('GET', '/v1/audit?limit=1000')
    const entry = items.findLast((one: { fact: { kind: string } }) => one.fact.kind === 'trigger.fired')
    assert.deepEqual([entry.fact.on_behalf_of, entry.fact.run_id], ['admin', fired?.run_id])
  })

  await it('a worker that dies between claim and start is followed by another, with the same run', async () => {
    const { id } = await schedule()
    await tick(id)
    let begun = 0
    const died = site.worker({
      claimMs: 50,
      runsOf: (principal) =>
        Object.assign(site.runsOf(principal), {
          begin: async () => {
            begun++
            throw new Error('the process has died')
          },
        }),
    })
    died.fire()
    await until(() => begun === 1, 'the claim')
    await died.stop()
    assert.deepEqual(statesOf(await firings(id)), ['pending'])
    const [fired, ...more] = await settled(id)
    assert.deepEqual([fired?.state, more], ['started', []])
  })

  await it('one that dies after the run is stored leaves the firing settled: both are one transaction', async () => {
    const { id } = await schedule()
    await tick(id)
    const [fired] = await settled(id)
    // As if the claim were read before: the run is not stored again.
    await engine.query(`UPDATE waybill.firings SET state = 'pending', due_at = now() WHERE trigger = $1`, [
      id,
    ])
    const before = await engine.query('SELECT count(*)::int AS n FROM waybill.runs')
    const [again] = await settled(id)
    assert.equal(again?.run_id, fired?.run_id)
    assert.deepEqual((await engine.query('SELECT count(*)::int AS n FROM waybill.runs')).rows, before.rows)
  })

  await it('each slot uses the version that is active when it fires', async () => {
    const { id } = await schedule({ schedule: '* * * * *', missed: 'all' })
    const [earlier, later] = [ago(1), ago(0)]
    await since(id, later)
    await settled(id)
    await site.upload('1.1.0')
    await since(id, earlier)
    const versions = new Map((await settled(id)).map(({ slot, version }) => [slot, version]))
    assert.equal(versions.get(later.toISOString()), '1.0.0')
    assert.equal(versions.get(earlier.toISOString()), '1.1.0')
    await request('POST', `/v1/agents/${AGENT}/activate`, { version: '1.0.0' })
  })

  await it('missed slots: the latest, all of them or none', async () => {
    const table = { latest: ['missed', 'started'], all: Array(9).fill('started'), skip: ['missed'] }
    for (const missed of ['latest', 'all', 'skip'] as const) {
      // The last slot must not be on time: it was half an hour ago.
      const last = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 30 * 60_000)
      const { id } = await schedule({ missed, schedule: `${last.getUTCMinutes()} * * * *` })
      await since(id, new Date(last.getTime() - 8 * 3_600_000))
      const done = await settled(id)
      const count = table[missed].length
      assert.deepEqual(statesOf(done).slice(0, count), table[missed], missed)
      const { next_at } = await request('GET', `/v1/triggers/${id}`)
      assert.ok(Date.parse(next_at) > Date.now())
      if (missed === 'latest') assert.match(done[0]?.why ?? '', /^8 of its times passed while no worker ran/)
    }
  })

  await it('a schedule that cannot be read holds up no other, and one of a lost time zone is disabled', async () => {
    const [broken, lost, healthy] = [await schedule(), await schedule(), await schedule()]
    for (const { id } of [broken, lost, healthy]) await tick(id)
    await engine.query(`UPDATE waybill.triggers SET settings = '{' WHERE id = $1`, [broken.id])
    await engine.query(`UPDATE waybill.triggers SET settings = $2 WHERE id = $1`, [
      lost.id,
      JSON.stringify({ schedule: '@daily', timezone: 'Mars/Base' }),
    ])
    const worker = site.worker()
    await until(async () => {
      worker.fire()
      return statesOf(await firings(healthy.id)).includes('started')
    }, 'the schedule that can be read')
    await worker.stop()
    assert.ok(
      site.logged.some((line) => line.startsWith(`the schedule of trigger ${broken.id} does not fire`)),
    )
    const { state, why } = await request('GET', `/v1/triggers/${lost.id}`)
    assert.deepEqual(
      [state, /its schedule has the unknown time zone Mars/.test(why)],
      ['disabled', true],
      why,
    )
  })

  await it('overlaps: a later firing waits for the run, is skipped, replaces it, or does not care', async () => {
    for (const overlap of ['queue', 'skip', 'cancel_previous', 'allow']) {
      const { id } = await schedule({ overlap })
      const fire = () => request('POST', `/v1/triggers/${id}/fire`)
      const first = await fire()
      assert.equal(first.state, 'started', JSON.stringify(first))
      const [second, third] = [await fire(), await fire()]
      const states = statesOf(await firings(id))
      if (overlap === 'allow') assert.deepEqual(states, ['started', 'started', 'started'])
      if (overlap === 'skip') assert.deepEqual(states, ['started', 'skipped', 'skipped'])
      if (overlap === 'queue') assert.deepEqual(states, ['started', 'queued', 'queued'])
      if (overlap === 'cancel_previous') assert.deepEqual(states, ['started', 'skipped', 'queued'])
      const { rows } = await engine.query(
        `SELECT body->>'type' AS type FROM waybill.commands WHERE run_id = $1`,
        [first.run_id],
      )
      assert.equal(rows.length > 0, overlap === 'cancel_previous')
      if (overlap === 'allow' || overlap === 'skip') continue
      await site.end(first.run_id)
      const next = overlap === 'queue' ? second.slot : third.slot
      const worker = site.worker()
      const isStarted = async () => (await firings(id)).find(({ slot }) => slot === next)?.state === 'started'
      await until(async () => {
        worker.fire()
        return isStarted()
      }, 'the start of the firing that has waited')
      const after = statesOf(await firings(id))
      assert.deepEqual(
        after.toSorted(),
        overlap === 'queue' ? ['queued', 'started', 'started'] : ['skipped', 'started', 'started'],
      )
    }
  })

  await it('a trigger is disabled when its member is removed or loses the role operator', async () => {
    for (const change of ['removed', 'viewer']) {
      await request('POST', '/v1/organisations/default/members', { user: 'olga', roles: ['operator'] })
      const { id } = await schedule()
      await engine.query(`UPDATE waybill.triggers SET acts_for = 'olga' WHERE id = $1`, [id])
      await tick(id)
      assert.deepEqual(
        (await settled(id)).map(({ on_behalf_of }) => on_behalf_of),
        ['olga'],
      )
      if (change === 'removed') await request('DELETE', '/v1/organisations/default/members/olga')
      else await request('POST', '/v1/organisations/default/members', { user: 'olga', roles: ['viewer'] })
      await engine.query('DELETE FROM waybill.firings WHERE trigger = $1', [id])
      await tick(id)
      const [fired] = await settled(id)
      assert.equal(fired?.state, 'refused')
      const view = await request('GET', `/v1/triggers/${id}`)
      assert.equal(view.state, 'disabled')
      assert.match(
        view.why,
        change === 'removed' ? /olga, who is not a member/ : /does not have the role operator/,
      )
      // Who enables it answers for its runs.
      const { state, on_behalf_of } = await request('PUT', `/v1/triggers/${id}`, { schedule: '@daily' })
      assert.deepEqual([state, on_behalf_of], ['enabled', 'admin'])
    }
  })

  await it('a filter that is false or cannot be evaluated starts no run, visibly', async () => {
    const table: readonly (readonly [string, string, RegExp | null])[] = [
      ['cel', 'input.n == 1', null],
      ['cel', 'input.n == 2', /does not match/],
      ['cel', 'input.none.deep == 2', /cannot be evaluated/],
    ]
    for (const [lang, expr, why] of table) {
      const { id } = await schedule({ filter: { lang, expr } })
      const fired = await request('POST', `/v1/triggers/${id}/fire`, { payload: { n: 1 } })
      assert.equal(fired.state, why === null ? 'started' : 'skipped', expr)
      if (why !== null) assert.match(fired.why, why)
    }
  })

  await it('the end of a run of another agent fires an event, in a chain of at most eight', async () => {
    await site.upload('1.0.0', {}, OTHER)
    const { id } = await create({ kind: 'event', of_agent: OTHER, statuses: ['completed'] })
    const chain = await create({ kind: 'event', statuses: ['failed'] })
    const begin = async () => (await request('POST', `/v1/agents/${OTHER}/runs`, { input: 'x' })).run_id
    const [completed, cancelled] = [await begin(), await begin()]
    await site.end(cancelled, 'cancelled')
    await site.end(completed)
    const [fired, ...more] = await settled(id)
    assert.deepEqual([fired?.state, fired?.depth, more], ['started', 1, []])
    const { input } = site.inputs.get(fired?.run_id ?? '') ?? {}
    const { at, ...payload } = input as Record<string, unknown>
    assert.ok(at)
    assert.deepEqual(payload, {
      type: 'event',
      event: 'run.ended',
      run_id: completed,
      agent_id: OTHER,
      status: 'completed',
      stop_reason: 'completed',
      output: null,
    })
    // Its own runs are not those of another agent.
    await site.end((await request('POST', `/v1/agents/${AGENT}/runs`, { input: 'x' })).run_id, 'failed')
    assert.deepEqual(await firings(chain.id), [])
    let last = await begin()
    for (let n = 1; n <= 8; n++) {
      await site.end(last, 'failed')
      last = (await settled(chain.id)).at(-1)?.run_id ?? ''
      assert.notEqual(last, '', `event ${n}`)
    }
    await site.end(last, 'failed')
    const all = await settled(chain.id)
    assert.deepEqual(
      all.map(({ state, depth }) => `${depth} ${state}`),
      [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `${n} started`).concat('9 refused'),
    )
    assert.match(all.at(-1)?.why ?? '', /a chain of events ends after 8/)
  })

  await it('a handoff to an agent by a declared rule is recorded with the run that it begins', async () => {
    const { id } = await create({ kind: 'agent_handoff' })
    const { runs } = openPostgresRecords(site.database, 'default', {
      worker: null,
      signAudit: site.signAudit,
    })
    const begin = async (runId: string, callId: string, agent_id: string) => {
      const run = newRun(runId, { agent_id, parent: { run_id: 'above', root_run_id: 'above' } })
      const parent = { run_id: 'above', root_run_id: 'above', call_id: callId, alias: 'helper' }
      await runs.enqueue({ ...run, header: { ...run.header, parent } }, {})
    }
    await begin('handed', 'handoff0', AGENT)
    await begin('asked', 'c1', AGENT)
    await begin('elsewhere', 'handoff0', OTHER)
    assert.deepEqual(
      (await firings(id)).map(({ state, run_id }) => [state, run_id]),
      [['started', 'handed']],
    )
    const byHand = await site.send('POST', `/v1/triggers/${id}/fire`, { token: site.token })
    assert.equal(byHand.json.code, 'TRIGGER_INVALID')
  })

  await it('messages of one sender are one session, and are taken once', async () => {
    const { id } = await create({ kind: 'message' })
    const send = (json: object) => request('POST', `/v1/triggers/${id}/messages`, json)
    const first = await send({ from: 'ann', text: 'hello', id: 'm1' })
    assert.equal(first.state, 'started', JSON.stringify(first))
    assert.deepEqual(await send({ from: 'ann', text: 'hello', id: 'm1' }), first)
    const next = await send({ from: 'ann', data: { n: 1 } })
    const other = await send({ from: 'bob', text: 'hello' })
    assert.equal(next.run_id, first.run_id)
    assert.notEqual(other.run_id, first.run_id)
    const { rows } = await engine.query(
      `SELECT input, state, triggered FROM waybill.messages WHERE state = 'queued'`,
    )
    assert.deepEqual(rows, [{ input: '{"n":1}', state: 'queued', triggered: true }])
    const { items } = await request('GET', '/v1/sessions')
    assert.deepEqual(items.map(({ user }: { user: string }) => user).sort(), ['ann', 'bob'])
    const both = await site.send('POST', `/v1/triggers/${id}/messages`, {
      token: site.token,
      json: { from: 'ann', text: 'a', data: 1 },
    })
    assert.equal(both.json.code, 'REQUEST_INVALID')
  })

  await it('declared triggers follow the active version; those of the API stay', async () => {
    const own = await schedule()
    const events = (...triggers: object[]) => ({ events: { triggers } })
    await site.upload(
      '2.0.0',
      events(
        { type: 'schedule', schedule: '0 9 * * *' },
        { type: 'webhook', webhook_path: '/orders' },
        { type: 'manual' },
        { type: 'event', filter: 'only on weekends' },
      ),
    )
    const list = async () =>
      (await request('GET', `/v1/triggers?agent_id=${AGENT}`)).items.filter(
        ({ id }: { id: string }) => id !== own.id,
      )
    const first = await list()
    assert.deepEqual(first.map((one: { kind: string; state: string }) => `${one.kind} ${one.state}`).sort(), [
      'event disabled',
      'schedule enabled',
      'webhook enabled',
    ])
    const find = (items: { kind: string; id: string; path?: string }[], kind: string) =>
      items.find((one) => one.kind === kind)
    const hook = find(first, 'webhook')
    const refusedRemoval = await site.send('DELETE', `/v1/triggers/${hook?.id}`, { token: site.token })
    assert.equal(refusedRemoval.json.code, 'TRIGGER_DECLARED')
    await request('PUT', `/v1/triggers/${find(first, 'schedule')?.id}`, { enabled: false })
    await site.upload(
      '2.1.0',
      events(
        { type: 'schedule', schedule: '0 10 * * *' },
        { type: 'webhook', webhook_path: '/orders', filter: { lang: 'always' } },
      ),
    )
    const second = await list()
    assert.equal(second.length, 2)
    assert.equal(find(second, 'webhook')?.path, hook?.path)
    const changed = await request('GET', `/v1/triggers/${find(first, 'schedule')?.id}`)
    // A person has disabled it.
    assert.deepEqual([changed.schedule, changed.state, changed.next_at], ['0 10 * * *', 'disabled', null])
    await request('POST', `/v1/agents/${AGENT}/activate`, { version: '1.0.0' })
    assert.deepEqual(await list(), [])
    assert.equal((await request('GET', `/v1/triggers/${own.id}`)).state, 'enabled')
  })

  await it('wrong settings are refused with their place', async () => {
    const table: readonly (readonly [object, string])[] = [
      [{ kind: 'schedule' }, '/schedule'],
      [{ kind: 'schedule', schedule: '0 0 31 2 *' }, '/schedule'],
      [{ kind: 'schedule', schedule: '@daily', timezone: 'Mars/Base' }, '/timezone'],
      [{ kind: 'schedule', schedule: '@daily', timezone: '+02:00' }, '/timezone'],
      [{ kind: 'webhook', schedule: '@daily' }, '/schedule'],
      [{ kind: 'webhook', headers: ['authorization'] }, '/headers'],
      [{ kind: 'message', overlap: 'skip' }, '/overlap'],
      [{ kind: 'event', event: 'order.paid' }, '/event'],
      [{ kind: 'event', filter: { lang: 'cel', expr: '((' } }, '/filter'],
      [{ kind: 'agent_handoff', statuses: ['failed'] }, '/statuses'],
    ]
    for (const [json, at] of table) {
      const answer = await site.send('POST', '/v1/triggers', {
        token: site.token,
        json: { agent_id: AGENT, ...json },
      })
      assert.deepEqual(
        [answer.status, answer.json.code, answer.json.pointer],
        [422, 'TRIGGER_INVALID', at],
        answer.text,
      )
    }
    const nowhere = { agent_id: OTHER.replace('22', '33'), kind: 'message' }
    const answer = await site.send('POST', '/v1/triggers', { token: site.token, json: nowhere })
    assert.equal(answer.json.code, 'AGENT_NOT_FOUND')
  })
})
