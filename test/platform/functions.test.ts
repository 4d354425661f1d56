import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { boundedLog } from '../../src/compose/bounded-log.ts'
import { openFunctions } from '../../src/compose/organisation-functions.ts'
import { platformAgents } from '../../src/compose/platform-agents.ts'
import type { WaybillError } from '../../src/document/issue.ts'
import { statusOfError } from '../../src/http/status-of-code.ts'
import type { ConfigFunctions } from '../../src/settings/config-schema.ts'
import { scriptedModel } from '../../src/testing/scripted-model.ts'
import { AGENT, definitionOf, json, organisations } from './organisation.ts'

const TYPE = 'application/json'

describe('functions of a platform', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-functions-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const moduleAt = (name: string, text: string) => {
    const file = join(folder, name)
    writeFileSync(file, text)
    return file
  }
  const crm = moduleAt(
    'crm.mjs',
    `export const tools = { look: () => 'found', pay: () => process.exit(1) }
     tools.look.readOnly = true
     export const hooks = { check: () => { console.log('checked for', process.env.CRM_KEY, 'in', process.env.TZ, Object.keys(process.env).sort().join()); return true } }`,
  )
  const log: string[] = []
  const open = (functions: Record<string, ConfigFunctions>, tools?: string) =>
    openFunctions({
      config: { functions },
      tools,
      env: {
        CRM_KEY: 'crm-key-0123456789',
        PATH: process.env.PATH,
        TZ: 'Europe/Berlin',
        LANG: 'C',
        DATABASE_URL: 'postgres://db/waybill',
        OPENAI_API_KEY: 'not-for-functions',
      },
      kept: { home: join(folder, 'home'), closed: [] },
      log: (level, message) => log.push(`${level} ${message}`),
    })
  const tool = (name: string, more: object = {}) => ({
    name,
    description: 'Does it.',
    parameters_schema: { type: 'object' },
    ...more,
  })

  test('are refused at upload and at the start of a run of an organisation that may not use them; a crash leaves the call to a person', async (t) => {
    const keys = { OPENAI_API_KEY: 'not-used' }
    const { test: base, all, closeFirst } = await organisations(t, ['a', 'b'], keys)
    const [a, b] = all
    if (a === undefined || b === undefined) throw new Error('two organisations')
    const functions = await open({ crm: { module: crm, organisations: ['a'], env: ['CRM_KEY'] } })
    const none = await open({ crm: { module: crm, organisations: ['b'] } })
    const { database } = base
    const model = scriptedModel([
      { calls: [{ tool: 'look', args: {} }] },
      {
        expect: ({ role, ...last }) => role === 'tool' && JSON.stringify(last).includes('found'),
        calls: [{ tool: 'pay', args: {} }],
      },
    ])
    const options = { operator: { config: {}, env: {}, model, functions }, by: 'the platform' }
    await database.engine.query(
      `INSERT INTO waybill.workers (worker, until, queues) VALUES ('w', now() + interval '1 hour', '{}')`,
    )
    const home = a.workerHome('w')
    const worker = platformAgents({ ...options, pool: database.engine, homeOf: () => home })
    const planner = platformAgents({ ...options, pool: database.app, homeOf: () => a.home })
    const withdrawn = platformAgents({
      ...options,
      operator: { ...options.operator, functions: none },
      pool: database.app,
      homeOf: () => a.home,
    })
    closeFirst(async () => {
      for (const one of [worker, planner, withdrawn]) await one.close()
      await functions?.close()
      await none?.close()
      await home.close()
    })
    const tools = [tool('look', { protocol: 'function' }), tool('pay'), tool('unknown')]
    const events = { on_tool_call: 'check' }
    const own = json(definitionOf({ tools, events }))
    const refused = async (work: Promise<unknown>, at: string, name: string) => {
      const error = await work.then(
        () => assert.fail('it must be refused'),
        (thrown: WaybillError) => thrown,
      )
      const { code, details } = error
      assert.deepEqual(
        [code, statusOfError(error), details.at, details.rule],
        ['FUNCTION_NOT_ALLOWED', 422, at, 'AAIF-4.4-02'],
      )
      assert.match(
        `${details.message} ${details.hint}`,
        new RegExp(`${name} is not installed .*ask the operator`),
      )
      assert.deepEqual(
        details.issues?.map(({ pointer }) => pointer),
        [at],
      )
    }
    await refused(b.agentsFor('ada', { functions }).upload(own, TYPE), '/agent/tools/0/name', 'look')
    const only = (agent: object) => b.agentsFor('ada', { functions }).upload(json(definitionOf(agent)), TYPE)
    await refused(only({ tools: [tool('unknown'), tool('pay')] }), '/agent/tools/1/name', 'pay')
    await refused(only({ events }), '/agent/events/on_tool_call', 'check')
    await only({
      tools: [tool('pay', { protocol: 'http', endpoint: 'https://pay.example/' }), tool('unknown')],
    })
    await a.agentsFor('ada', { functions }).upload(own, TYPE)

    const wanted = { org: 'a', agent_id: AGENT }
    const first = { type: 'run.started', input: 'go' } as const
    await refused(withdrawn.newRun(wanted, first, {}), '/agent/tools/0/name', 'look')
    const { run } = await planner.newRun(wanted, first, {})
    assert.deepEqual(
      run.plan.tools.map(({ name, effect, gate }) => [name, effect, gate]),
      [
        ['look', 'read', 'allow'],
        ['pay', 'write', 'allow'],
        ['unknown', 'write', 'deny'],
      ],
    )
    const held = await home.runs.create(run)
    const session = await (await worker.sessionsOf('a', held)).openHeld(held)
    const { result } = await session.drive()
    await session.close()
    assert.deepEqual(
      [result.status, result.waiting?.map(({ tool, asks }) => [tool, asks])],
      ['awaiting_approval', [['pay', 'unknown']]],
    )
    assert.deepEqual(
      [...new Set(log)],
      ['info functions crm for a: checked for [secret CRM_KEY] in Europe/Berlin CRM_KEY,LANG,PATH,TZ'],
    )
  })

  test('of --tools are for the organisation default, with all rights to files; two modules must not export one name', async () => {
    const file = join(folder, 'written')
    const given = moduleAt(
      'given.mjs',
      `import { writeFileSync } from 'node:fs'
       export const tools = { look: () => writeFileSync(${JSON.stringify(file)}, Object.keys(process.env).sort().join()) }`,
    )
    const functions = await open({ crm: { module: crm, organisations: ['a'] } }, given)
    try {
      const names = async (org: string) => [...((await functions?.of(org))?.tools.keys() ?? [])]
      assert.deepEqual(
        [await names('default'), await names('a'), await names('b')],
        [['look'], ['look', 'pay'], []],
      )
      const look = (await functions?.of('default'))?.tools.get('look')
      const context = { signal: new AbortController().signal, idempotencyKey: 'k', headers: {} }
      assert.equal(await look?.call({}, context), null)
      assert.equal(readFileSync(file, 'utf8'), 'LANG,PATH,TZ')
    } finally {
      await functions?.close()
    }
    const both = { code: 'FUNCTIONS_AMBIGUOUS', message: /crm and --tools both export the function look/ }
    await assert.rejects(open({ crm: { module: crm, organisations: 'all' } }, given), both)
    assert.equal(await open({}), undefined)
  })

  test('write at most 50 lines a second to the log', () => {
    let now = 0
    const lines: string[] = []
    const write = boundedLog(
      (level, message) => lines.push(`${level} ${message}`),
      () => now,
    )
    for (let n = 1; n <= 53; n++) write('m for a', 'info', String(n))
    write('m for b', 'warn', 'own')
    assert.deepEqual(
      [lines.length, lines.at(-2), lines.at(-1)],
      [51, 'info functions m for a: 50', 'warn functions m for b: own'],
    )
    now = 999
    write('m for a', 'info', 'x')
    assert.equal(lines.length, 51)
    now = 1000
    write('m for a', 'info', 'y')
    assert.deepEqual(lines.slice(51), [
      'warn functions m for a: 4 lines were left out',
      'info functions m for a: y',
    ])
  })
})
