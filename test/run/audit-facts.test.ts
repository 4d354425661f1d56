import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { memoryRecords } from '../../src/adapters/records/memory/memory-records.ts'
import type { Plan, Program } from '../../src/plan/plan.ts'
import { drive } from '../../src/run/drive/drive.ts'
import type { Fact } from '../../src/run/event.ts'
import type { ModelPort, ToolPort } from '../../src/run/ports.ts'
import { isAuditedRun } from '../../src/run/record/audit-facts.ts'
import { auditLeg } from '../../src/run/record/audit-leg.ts'
import { runHeader } from '../../src/run/record/run-header.ts'
import { type Beside, recordSink } from '../../src/session/run-records.ts'
import { parseEntry } from '../../src/trust/audit-chain.ts'
import { calls, modelOf, planOf, portsOf, programOf, SETTINGS, text, toolsOf } from './fixture.ts'

const RUN = '01a1ffb2-5c00-7000-8000-000000000000'
const BEGINS: Fact = { type: 'run.started', input: 'secret input' }

/** Drives a run with a record in memory. @returns the kinds of its audit entries, and the entries as one text */
async function audited(
  program: Program,
  plan: Plan,
  { model, tools = toolsOf({}), audits = true }: { model: ModelPort; tools?: ToolPort; audits?: boolean },
) {
  const records = memoryRecords()
  const first = { type: 'run.started', input: 'secret input' } as const
  const run = records.runs.create({ header: runHeader(program, RUN, {}), plan, family: [], first })
  const beside: Beside = { audits, pii: { takeSealed: () => [] } }
  const ports = portsOf(model, tools)
  const entries = async () => (await records.audit.lines()).map((line) => parseEntry(line)?.fact.kind)
  const drives = (more: Partial<typeof ports> = {}) =>
    drive(program, run.state, first, { ...ports, ...more, sink: recordSink(run, plan, beside) })
  return { drives, entries, text: async () => (await records.audit.lines()).join('\n') }
}

test('AAIF-4.9-08: with audit_log every event of a run is in the log before its effects, with content as digests only', async () => {
  const program = programOf()
  let before: unknown
  const world = await audited(
    program,
    { ...program.plan, audit: true },
    {
      model: modelOf(calls(['a', 'send', { x: 42 }]), text('secret answer')),
      tools: toolsOf({
        send: async () => {
          before = await world.entries()
          return 'secret result'
        },
      }),
    },
  )
  await world.drives()
  assert.deepEqual(before, ['run.started', 'model.answered'])
  assert.deepEqual(await world.entries(), [
    'run.started',
    'model.answered',
    'call.answered',
    'model.answered',
  ])
  const log = await world.text()
  for (const content of ['secret', '42']) assert.equal(log.includes(`"${content}`), false)
  assert.match(log, /"route":"openai\/gpt-4o"/)
})

test('nothing is audited without audit_log, in a rehearsal, or without a store', async () => {
  const { plan, ...program } = programOf()
  const cases: readonly (readonly [Plan, boolean])[] = [
    [plan, true],
    [{ ...plan, audit: true, rehearsal: true }, true],
    [{ ...plan, audit: true }, false],
  ]
  for (const [audit, audits] of cases) {
    const world = await audited({ ...program, plan }, audit, { model: modelOf(text('ok')), audits })
    await world.drives()
    assert.deepEqual(await world.entries(), [])
  }
})

test('AAIF-7-10: at level regulated a refusal is audited even if audit_log is off', async () => {
  const program = programOf({ compliance: { safety_level: 'regulated' }, required_capabilities: ['foo.bar'] })
  assert.ok(program.plan.refusals.length > 0)
  const world = await audited(program, program.plan, { model: modelOf() })
  await world.drives()
  assert.deepEqual(await world.entries(), ['run.refused'])
})

test('an agent that requires an audit log is refused on a host without one', () => {
  assert.ok(planOf({ compliance: { audit_log: true } }).refusals.some(({ rule }) => rule === 'AAIF-4.9-08'))
})

test('AAIF-4.9-08: a first leg begins with the imported definitions and the grants; a later one with the current grants', () => {
  const plan = { ...planOf(), audit: true }
  const other = { ...plan, audit: false, agent_id: 'not audited' }
  const header = { run_id: RUN, user: 'ada', definition_file: '/agents/clerk.yaml' }
  const settings = { ...SETTINGS, secret_grants: [{ name: 'DEPOT_TOKEN', host: 'depot.example' }] }
  const legOf = (fact: Fact, plans: readonly Plan[]) => auditLeg(fact, plans, header, settings)
  const [imported, granted, ...none] = legOf(BEGINS, [plan, other])
  assert.deepEqual(
    [imported?.kind, imported?.source, imported?.definition, imported?.user],
    ['definition.imported', '/agents/clerk.yaml', plan.definition_hash, 'ada'],
  )
  assert.deepEqual([granted?.kind, granted?.secrets], ['grants.in_force', ['DEPOT_TOKEN@depot.example']])
  assert.deepEqual(none, [])
  const later = legOf({ type: 'run.resumed', by: 'ada' }, [plan])
  assert.deepEqual(
    later.map(({ kind }) => kind),
    ['grants.in_force'],
  )
  assert.deepEqual(legOf({ type: 'user.said', input: 'x' }, [plan]), [])
  assert.deepEqual(legOf(BEGINS, [other]), [])
  assert.deepEqual(legOf(BEGINS, [{ ...plan, rehearsal: true }]), [])
})

describe('actions on a whole run are audited', () => {
  const plan = (audit: boolean, rehearsal = false) => ({ audit, rehearsal }) as Plan
  for (const [name, own, family, expected] of [
    ['its agent wants a log', plan(true), [], true],
    ['only an agent that may take part wants one', plan(false), [plan(false), plan(true)], true],
    ['none wants one', plan(false), [plan(false)], false],
    ['it is a rehearsal', plan(true, true), [plan(true, true)], false],
  ] as const)
    test(`${name}: ${expected}`, () => assert.equal(isAuditedRun({ plan: own, family }), expected))
})
