import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type pg from 'pg'
import {
  type PlatformAgents,
  type PlatformOperator,
  platformAgents,
} from '../../src/compose/platform-agents.ts'
import type { Json } from '../../src/document/json.ts'
import type { PlanRequest } from '../../src/platform/agents/planner.ts'
import type { SpendingBudget } from '../../src/platform/budgets/budget.ts'
import { countRun, uncountedRuns } from '../../src/platform/budgets/spending.ts'
import type { NewRun } from '../../src/run/record/records.ts'
import type { RunResult } from '../../src/run/result.ts'
import { type ScriptedAnswer, scriptedModel } from '../../src/testing/scripted-model.ts'
import { AGENT, definitionOf, json, type Organisation, organisations } from './organisation.ts'

const OTHER = '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a22'
const TYPE = 'application/json'
const KEYS = { OPENAI_API_KEY: 'not-used' }
const code = (wanted: string) => (error: unknown) => (error as { code?: string }).code === wanted

interface World {
  readonly a: Organisation
  readonly b: Organisation
  readonly planner: PlatformAgents
  readonly model: ReturnType<typeof scriptedModel>
  plan(request?: Partial<PlanRequest>, input?: Json): Promise<NewRun>
  /** Stores a planned run, and drives it as a worker. */
  drive(run: NewRun): Promise<RunResult>
  count(run: NewRun): Promise<void>
  readonly pool: pg.Pool
}

/** Two organisations, a planner for requests and one for a worker. */
async function world(
  t: TestContext,
  answers: readonly ScriptedAnswer[] = [],
  operator: Partial<PlatformOperator> = {},
): Promise<World> {
  const { test: base, all, closeFirst } = await organisations(t, ['a', 'b'], KEYS)
  const { database } = base
  const [a, b] = all
  if (a === undefined || b === undefined) throw new Error('two organisations')
  const model = scriptedModel([...answers])
  const options = { operator: { config: {}, env: {}, model, ...operator }, by: 'the platform' }
  const homeOf = (org: string) => (org === 'a' ? a.home : b.home)
  const planner = platformAgents({ ...options, pool: database.app, homeOf })
  await database.engine.query(
    `INSERT INTO waybill.workers (worker, until, queues) VALUES ('w', now() + interval '1 hour', '{}')`,
  )
  const workerHome = a.workerHome('w')
  const worker = platformAgents({ ...options, pool: database.engine, homeOf: () => workerHome })
  closeFirst(async () => {
    await worker.close()
    await planner.close()
    await workerHome.close()
  })
  return {
    a,
    b,
    planner,
    model,
    pool: database.engine,
    async plan(request = {}, input = 'go') {
      const { user, session } = request
      const wanted = { org: 'a', agent_id: AGENT, ...request }
      const origin = {
        on_behalf_of: 'bea',
        ...(user !== undefined && { user }),
        ...(session !== undefined && { session }),
      }
      return (await planner.newRun(wanted, { type: 'run.started', input }, origin)).run
    },
    async drive(run) {
      const held = await workerHome.runs.create(run)
      const session = await (await worker.sessionsOf('a', held)).openHeld(held)
      const { result } = await session.drive()
      await session.close()
      return result
    },
    async count({ header: { run_id, agent_id, user } }) {
      const { state } = await a.home.runs.read(run_id)
      const payer = { org: 'a', agent_id, ...(user !== undefined && { user }) }
      await countRun(database.engine, payer, run_id, state, new Date())
    },
  }
}

const upload = (to: Organisation, agent: object = {}, root: object = {}) =>
  to.agentsFor().upload(json(definitionOf(agent, root)), TYPE)

/** Stores a definition that an upload refuses now, as one that was uploaded before. */
async function storeEarlier({ a, pool }: World, agent: object = {}, root: object = {}): Promise<void> {
  const version = (agent as { readonly version?: string }).version ?? '1.0.0'
  await upload(a, { version }, root)
  const { rowCount } = await pool.query(
    'UPDATE waybill.agent_versions SET body = $1 WHERE org = $2 AND agent_id = $3 AND version = $4',
    [json(definitionOf({ ...agent, version }, root)), 'a', AGENT, version],
  )
  assert.equal(rowCount, 1)
}

describe('a run of an uploaded agent', () => {
  test('is planned by a request and driven by a worker, with the version that was active', async (t) => {
    const { a, plan, drive } = await world(t, ['one', 'two'])
    await upload(a, { version: '1.0.0', instructions: 'First.' })
    const early = await plan()
    await upload(a, { version: '2.0.0', instructions: 'Second.' })
    const late = await plan()
    assert.match(early.plan.system_prompt, /First\./)
    assert.match(late.plan.system_prompt, /Second\./)
    assert.match((await plan({ version: '1.0.0' })).plan.system_prompt, /First\./)
    const [first, second] = [await drive(early), await drive(late)]
    assert.deepEqual([first.status, first.output, second.output], ['completed', 'one', 'two'])
    assert.equal(first.agent_id, AGENT)
  })

  test('needs an agent and a version that may be run, and an input that fits', async (t) => {
    const { a, plan } = await world(t)
    await assert.rejects(plan(), code('AGENT_NOT_FOUND'))
    await upload(a, { version: '1.0.0', io: { input_schema: { type: 'object', required: ['x'] } } })
    await assert.rejects(plan(), code('INPUT_INVALID'))
    await plan({}, { x: 1 })
    await assert.rejects(plan({ version: '9.9.9' }), code('VERSION_NOT_FOUND'))
    await a.agentsFor().deprecate(AGENT)
    await assert.rejects(plan({}, { x: 1 }), code('AGENT_NOT_ACTIVE'))
    await assert.rejects(plan({ version: '1.0.0' }, { x: 1 }), code('AGENT_NOT_ACTIVE'))
    await assert.rejects(plan({ org: 'b' }), code('AGENT_NOT_FOUND'))
  })

  test('shares its plan with other runs, and not with another user whose memory it names', async (t) => {
    const { a, plan } = await world(t)
    await upload(a)
    const [one, two] = [await plan({ user: 'ada' }), await plan({ user: 'bob', session: 's' })]
    assert.equal(one.plan, two.plan)
    assert.notEqual((await plan({ rehearse: true })).plan, one.plan)
    assert.notEqual((await plan({ budget: { tokens: 5 } })).plan, one.plan)
    await upload(a, { memory: [{ scope: 'user', content: 'Colours.' }] })
    const [ada, bob] = [await plan({ user: 'ada' }), await plan({ user: 'bob' })]
    assert.notEqual(ada.plan, bob.plan)
    assert.equal((await plan({ user: 'ada' })).plan, ada.plan)
    assert.deepEqual([ada.plan.memory[0]?.user, bob.plan.memory[0]?.user], ['ada', 'bob'])
  })

  test('has the memory of its agent, whatever its version; another organisation has its own', async (t) => {
    const save = { calls: [{ tool: 'memory_save', args: { key: 'k', content: 'blue', scope: 'long_term' } }] }
    const { a, plan, drive, model } = await world(t, [save, 'saved', 'known'])
    const memory = [{ scope: 'long_term', content: 'Colours.' }]
    await upload(a, { version: '1.0.0', memory })
    const first = await plan()
    assert.deepEqual(Object.values(first.header.definitions ?? {}), [`source:agent:${AGENT}`])
    await drive(first)
    await upload(a, { version: '2.0.0', memory, instructions: 'Changed.' })
    await drive(await plan({}, 'blue?'))
    assert.match(JSON.stringify(model.requests.at(-1)?.messages), /content.*blue/)
    const { items } = await a.home.memory.page({}, Date.now(), {})
    assert.deepEqual(
      items
        .filter(({ source }) => source === 'agent')
        .map(({ agent_id, run_id, on_behalf_of }) => ({ agent_id, run_id, on_behalf_of })),
      [{ agent_id: AGENT, run_id: first.header.run_id, on_behalf_of: 'bea' }],
    )
  })
})

describe('sub-agents on the platform', () => {
  const parent = (ref: string) => ({
    orchestration: { role: 'orchestrator', subagents: [{ ref, alias: 'helper' }] },
  })
  const child = { agent_id: OTHER }

  test('are the active versions of the own organisation, by id, URI or name', async (t) => {
    const { a, plan, drive } = await world(t, [
      { calls: [{ tool: 'ask_helper', args: { task: 'x' } }] },
      'helped',
      'done',
    ])
    await upload(a, { name: 'Helper', version: '1.0.0' }, child)
    for (const [index, ref] of [OTHER, `urn:uuid:${OTHER}`, 'Helper'].entries()) {
      await upload(a, { ...parent(ref), version: `1.0.${index}` })
      const { family, plan: root } = await plan()
      assert.deepEqual([family.map(({ agent_name }) => agent_name), root.refusals], [['Helper'], []], ref)
    }
    const run = await plan()
    assert.ok(
      Object.values(run.header.definitions ?? {}).includes(`source:agent:${AGENT} > source:agent:${OTHER}`),
    )
    assert.equal((await drive(run)).output, 'done')
    const { items } = await a.home.runs.list({ root: run.header.run_id }, {})
    const acting = items.map(({ header }) => [header?.agent_id, header?.on_behalf_of])
    assert.deepEqual(acting.sort(), [AGENT, OTHER].map((agent) => [agent, 'bea']).sort())
  })

  test('are those of the moment at which the run starts, also if the plan of the parent is kept', async (t) => {
    const { a, plan } = await world(t)
    await upload(a, { name: 'Helper', version: '1.0.0', instructions: 'Old.' }, child)
    await upload(a, parent(OTHER))
    const prompts = async () =>
      (await plan()).family.map(({ system_prompt }) => /Old|New/.exec(system_prompt)?.[0])
    assert.deepEqual(await prompts(), ['Old'])
    await upload(a, { name: 'Helper', version: '2.0.0', instructions: 'New.' }, child)
    assert.deepEqual(await prompts(), ['New'])
    await a.agentsFor().activate(OTHER, '1.0.0')
    assert.deepEqual(await prompts(), ['Old'])
    await a.agentsFor().deprecate(OTHER)
    assert.deepEqual(await prompts(), [])
  })

  test('are never agents of another organisation, files of the server, or URLs that are not granted', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'waybill-platform-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'helper.json')
    writeFileSync(file, json(definitionOf({ name: 'Helper' }, child)))
    let fetched = 0
    const server = createServer((_, response) => {
      fetched++
      response.end(json(definitionOf({ name: 'Helper' }, child)))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/helper.json`
    const earlier = await world(t)
    const { b, plan } = earlier
    await upload(b, { name: 'Helper' }, child)
    const refs = [
      OTHER,
      'Helper',
      file,
      `file://${file}`,
      `../../../..${file}`,
      'helper.json',
      './helper',
      url,
    ]
    for (const [index, ref] of refs.entries()) {
      await storeEarlier(earlier, { ...parent(ref), version: `1.0.${index}` })
      const { family } = await plan()
      assert.deepEqual(family, [], ref)
    }
    assert.equal(fetched, 0)
  })
})

describe('what a definition cannot reach on the platform', () => {
  test('files, processes and functions of the server, unless the operator names them', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'waybill-platform-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const secret = join(folder, 'secret.txt')
    writeFileSync(secret, 'TOP-SECRET')
    const earlier = await world(t)
    const { plan } = earlier
    const tool = (name: string, protocol: string, endpoint?: string) => ({
      name,
      description: 'Does it.',
      protocol,
      parameters_schema: { type: 'object' },
      ...(endpoint !== undefined && { endpoint }),
    })
    const contexts = [secret, `file://${secret}`, `../../../../../..${secret}`, 'package.json']
    await storeEarlier(earlier, {
      context: contexts.map((value) => ({ type: 'file', label: 'x', value })),
      tools: [
        tool('run', 'function'),
        tool('shell', 'mcp', `stdio:///bin/sh?args=-c&args=touch%20${folder}/ran`),
        tool('named', 'mcp', 'mcp://local/x'),
        tool('api', 'openapi', `file://${secret}`),
        tool('api2', 'openapi', './package.json'),
      ],
    })
    const run = await plan()
    assert.doesNotMatch(JSON.stringify(run), /TOP-SECRET|"private": ?true/)
    for (const { name, gate } of run.plan.tools) assert.equal(gate, 'deny', name)
  })
})

describe('budgets of an organisation', () => {
  const budgets = (list: readonly SpendingBudget[]) => JSON.stringify({ budgets: list })
  const set = (pool: World['pool'], list: readonly SpendingBudget[]) =>
    pool.query(`UPDATE waybill.organisations SET limits = $1 WHERE org = 'a'`, [budgets(list)])
  const spent = async (pool: World['pool']) =>
    (
      await pool.query<{ kind: string; calls: number }>(
        `SELECT kind, calls FROM waybill.spending WHERE org = 'a' AND length(period) = 7 ORDER BY kind, subject`,
      )
    ).rows

  test('limit each run to what is left, and refuse a run when nothing is left', async (t) => {
    const { a, plan, drive, count, pool } = await world(t, ['one', 'two', 'three'])
    await upload(a)
    await set(pool, [
      { kind: 'organisation', per: 'month', calls: 2 },
      { kind: 'user', per: 'day', calls: 1 },
    ])
    const first = await plan({ user: 'ada' })
    assert.deepEqual(first.first.limits, { calls: 1 })
    await drive(first)
    await count(first)
    await assert.rejects(plan({ user: 'ada' }), (error) => {
      assert.match(
        (error as Error).message,
        /user ada for this day .*calls=1.*renews at \d{4}-\d\d-\d\dT00:00/,
      )
      return code('BUDGET_EXHAUSTED')(error)
    })
    const second = await plan({ user: 'bob' })
    assert.deepEqual(second.first.limits, { calls: 1 })
    await drive(second)
    await count(second)
    await assert.rejects(plan({}), /the organisation for this month/)
    await plan({ rehearse: true })
  })

  test('stop a run that would spend more than is left', async (t) => {
    const look = { calls: [{ tool: 'memory_search', args: { query: 'x' } }] }
    const { a, plan, drive, pool } = await world(t, [look, look, look, 'never'])
    await upload(a, { memory: [{ scope: 'long_term', content: 'Colours.' }] })
    await set(pool, [{ kind: 'agent', per: 'day', calls: 3 }])
    const result = await drive(await plan())
    assert.deepEqual([result.status, result.error?.code], ['failed', 'BUDGET_EXCEEDED'])
  })

  test('money: a route of unknown price is not used', async (t) => {
    const { a, plan, pool } = await world(t)
    await upload(a, { model: { provider: 'openai', preferred: 'no-such-model' } })
    await set(pool, [{ kind: 'organisation', per: 'month', usd: 5 }])
    assert.deepEqual(
      (await plan()).plan.models.map(({ eligible }) => eligible),
      [false],
    )
  })

  test('count each run once, however often and by however many processes it is counted', async (t) => {
    const { a, plan, drive, count, pool } = await world(t, ['one', 'two'])
    await upload(a)
    const run = await plan({ user: 'ada' })
    await drive(run)
    assert.deepEqual(
      (await uncountedRuns(pool)).map(({ run_id }) => run_id),
      [run.header.run_id],
    )
    await Promise.all(Array.from({ length: 8 }, () => count(run)))
    await count(run)
    assert.deepEqual(await uncountedRuns(pool), [])
    assert.deepEqual(await spent(pool), [
      { kind: 'agent', calls: 1 },
      { kind: 'organisation', calls: 1 },
      { kind: 'user', calls: 1 },
    ])
    const other = await plan({ user: 'ada' })
    await drive(other)
    await count(other)
    assert.deepEqual(
      (await spent(pool)).map(({ calls }) => calls),
      [2, 2, 2],
    )
  })

  test('a rehearsal and a sub-agent are not counted', async (t) => {
    const { a, plan, drive, pool } = await world(t, [
      { calls: [{ tool: 'ask_helper', args: { task: 'x' } }] },
      'helped',
      'done',
    ])
    await upload(a, { name: 'Helper' }, { agent_id: OTHER })
    await upload(a, {
      orchestration: { role: 'orchestrator', subagents: [{ ref: OTHER, alias: 'helper' }] },
    })
    await drive(await plan({ rehearse: true }))
    assert.deepEqual(await uncountedRuns(pool), [])
    const run = await plan()
    await drive(run)
    assert.deepEqual(
      (await uncountedRuns(pool)).map(({ run_id }) => run_id),
      [run.header.run_id],
    )
  })
})
