import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import type { AgentState } from '../../src/spec/aaif/generated/state.ts'
import { agent } from '../run/family.ts'
import { FamilyWorld, ROOT } from '../run/family-world.ts'
import { placed, restored, restoredState } from './captured.ts'

const AGENT_ID = '0b0c8f5e-7a55-4f0e-9a6b-6a3f0f0a1b2c'
const CHECKPOINT = '2026-03-01T09:00:00Z'
const AT = Date.parse(CHECKPOINT)

/** An agent with a write, whose model says what became of its calls. */
async function worldOf(t: TestContext, members: JsonObject = {}) {
  const sent: JsonObject[] = []
  const tools = [
    {
      name: 'send',
      description: 'Sends.',
      parameters_schema: { type: 'object', required: ['to'], properties: { to: { type: 'string' } } },
    },
  ]
  const world = await FamilyWorld.open(t, [{ ...agent('a', { tools, ...members }), agent_id: AGENT_ID }], {
    tools: {
      send: ({ args }) => {
        sent.push(args as JsonObject)
        return 'sent'
      },
    },
    says: { a: ({ messages }) => `last: ${JSON.stringify(messages.at(-1))}` },
  })
  return { world, sent }
}

/** The form of the published checkpoint: the action is not among the pending calls. */
function asking(members: Partial<AgentState> = {}, request: JsonObject = {}): AgentState {
  return {
    sc_standard: 'SC-006',
    state_id: '0b9f3f0e-6d52-4d1f-8f5a-5f0c9f6f1a01',
    agent_id: AGENT_ID,
    checkpoint_at: CHECKPOINT,
    status: 'awaiting_approval',
    conversation: [
      { role: 'user', content: 'Remind ada.' },
      { role: 'assistant', content: 'I am ready to send.' },
    ],
    pending_tool_calls: [],
    approval_request: {
      trigger_description: 'A mail cannot be unsent.',
      pending_action: { tool_name: 'send', arguments: { to: 'ada' } },
      approver_hint: 'finance',
      ...request,
    },
    ...members,
  }
}

/** Decides the open question, and continues. */
function decided(world: FamilyWorld, verdict: 'approve' | 'deny') {
  world.decide = ({ id }) => ({ type: 'person.decided', call_id: id, verdict, by: 'bob' })
  return world.resume()
}

function noteOf(report: ReturnType<typeof restored>['report'], part: string) {
  const found = report.entries.find((entry) => entry.part === part)
  return [found?.status, found?.note] as const
}

describe('AAIF §8.1 the open question of a state of another platform', () => {
  for (const [what, members] of [
    ['that is paused', { status: 'paused' }],
    ['that waits for approval', {}],
    ['that is being moved', { status: 'migrating' }],
    [
      'that lists its call as pending',
      { pending_tool_calls: [{ id: 'c1', tool_name: 'send', arguments: { to: 'ada' }, status: 'pending' }] },
    ],
  ] as const)
    test(`AAIF-8.1-18: is asked again for that very call, and nothing is sent before: a state ${what}`, async (t) => {
      const { world, sent } = await worldOf(t)
      const family = restored(asking(members), world.program, { trusted: false })
      const next = placed(world, family)
      await next.resume()
      const state = next.stateOf(ROOT)
      assert.deepEqual([state.status, sent], ['waiting', []])
      const [call, ...others] = state.calls
      assert.deepEqual([call?.tool, call?.args, call?.status, others], ['send', { to: 'ada' }, 'asking', []])
      assert.equal(call?.why, 'A mail cannot be unsent. (for finance)')
      assert.equal(noteOf(family.report, 'approval_request')[0], 'kept')
      const end = await decided(next, 'approve')
      assert.deepEqual([sent, end.status], [[{ to: 'ada' }], 'completed'])
    })

  test('a person who denies it ends it, and the model learns so', async (t) => {
    const { world, sent } = await worldOf(t)
    const next = placed(world, restored(asking(), world.program, { trusted: false }))
    await next.resume()
    const end = await decided(next, 'deny')
    assert.deepEqual(sent, [])
    assert.match(String(end.end?.output), /did not approve this call/)
  })

  test('AAIF-8.1-18: its time limit counts: what has lapsed is denied, and what has not lapses then', async (t) => {
    const { world, sent } = await worldOf(t)
    const late = restored(asking({}, { timeout_at: '2026-03-01T08:59:59Z' }), world.program, { at: AT })
    assert.match(String(noteOf(late.report, 'approval_request')[1]), /time limit has passed/)
    const end = await placed(world, late).resume()
    assert.match(String(end.end?.output), /not approved in time/)
    assert.deepEqual(sent, [])
    const [call] = restoredState(asking({}, { timeout_at: '2026-03-01T09:10:00Z' }), world.program, {
      at: AT,
    }).calls
    assert.deepEqual([call?.status, call?.lapses_at], ['asking', AT + 600_000])
  })

  test('a call that this agent could not send is asked about, and an approval does not send it', async (t) => {
    const { world, sent } = await worldOf(t)
    const wrong = asking({}, { pending_action: { tool_name: 'send', arguments: { _batch: '3 mails' } } })
    const next = placed(world, restored(wrong, world.program, { trusted: false }))
    await next.resume()
    const [call] = next.stateOf(ROOT).calls
    assert.equal(call?.status, 'asking')
    assert.match(call?.why ?? '', /not sent as it is: the arguments do not match the schema of send/)
    const end = await decided(next, 'approve')
    assert.match(String(end.end?.output), /approved this call, and it was not sent/)
    assert.deepEqual(sent, [])
  })

  test('a tool that is not here is reported, and the model learns so', async (t) => {
    const { world } = await worldOf(t)
    const other = asking({}, { pending_action: { tool_name: 'fax', arguments: {} } })
    const { report } = restored(other, world.program)
    assert.deepEqual(noteOf(report, 'approval_request'), ['left_behind', 'fax is not available here'])
  })

  test('a request that names no call is left behind', async (t) => {
    const { world } = await worldOf(t)
    const { report } = restored(asking({}, { pending_action: {} }), world.program)
    assert.equal(noteOf(report, 'approval_request')[0], 'left_behind')
  })
})

describe('AAIF §8.2 the report of a restore', () => {
  test('AAIF-8.2-06: speaks of every member of the document; what no step has taken is left behind', async (t) => {
    const { world } = await worldOf(t)
    const document = asking({
      status: 'paused',
      approval_request: {},
      error: { code: 'X', message: 'x' },
      subagent_states: [
        { alias: 'w', agent_id: AGENT_ID, status: 'completed', output: 'found' },
        { alias: 'v', agent_id: AGENT_ID, status: 'running', state_id: 's' },
      ],
      pipeline_position: { current_step: 'node_7' },
      variables: { a: 1 },
      _comment: 'note',
      'x-other': { a: 1 },
      provenance: { source_platform: 'LangGraph' },
    })
    const { report } = restored(document, world.program)
    for (const name of Object.keys(document))
      assert.ok(
        report.entries.some(
          ({ part }) => part === name || part.startsWith(`${name}[`) || part.startsWith(`${name} `),
        ),
        name,
      )
    const lost = report.entries.flatMap(({ part, status }) => (status === 'left_behind' ? [part] : [])).sort()
    assert.deepEqual(lost, [
      '_comment',
      'error',
      'pipeline_position',
      'subagent_states v',
      'subagent_states w',
      'x-other',
    ])
  })

  test('AAIF-8.1-20: a position that no declared pipeline has is left behind; in a pipeline without it, refused', async (t) => {
    const { world } = await worldOf(t)
    const at = asking({ approval_request: {}, status: 'paused', pipeline_position: { current_step: 'plan' } })
    const state = restoredState(at, world.program)
    assert.equal(state.stage, null)
    assert.equal((await placed(world, restored(at, world.program)).resume()).status, 'completed')
  })
})

const fixtures = `${process.env.WAYBILL_TEST_DATA ?? '../shared'}/reference/aaif/fixtures/examples`

test('AAIF-8.1-18, AAIF-8.1-20: the published checkpoint continues with its own published definition, and its question is asked', async (t) => {
  if (!existsSync(fixtures)) return t.skip(`needs the published examples at ${fixtures}`)
  const read = (name: string) => JSON.parse(readFileSync(join(fixtures, name), 'utf8'))
  const { agent: members, ...root } = read('invoice-chaser.json')
  const document: AgentState = read('invoice-chaser-checkpoint.json')
  // Of the tools, those that need nothing outside: the address of the published one does not exist.
  const tools = members.tools.map(({ name, description, parameters_schema }: JsonObject) => ({
    name,
    description,
    parameters_schema,
  }))
  const world = await FamilyWorld.open(t, [{ ...root, agent: { ...members, tools, constraints: [] } }], {
    tools: { send_email: () => 'sent', list_overdue_invoices: () => [], log_reminder_sent: () => 'logged' },
    says: { [String(members.name)]: () => 'done' },
  })
  const options = { trusted: false, user: 'ada' }
  for (const [at, status, says] of [
    [document.checkpoint_at, 'waiting', /a person is asked, and the call is not sent as it is/],
    ['2026-11-28T00:00:00Z', 'running', /its time limit has passed, so it was denied/],
  ] as const) {
    const { report } = restored(document, world.program, { ...options, at: Date.parse(at) })
    const state = restoredState(document, world.program, { ...options, at: Date.parse(at) })
    assert.deepEqual([state.calls.map(({ tool }) => tool), state.status], [['send_email'], status])
    assert.equal(noteOf(report, 'pipeline_position')[0], 'left_behind')
    assert.match(String(noteOf(report, 'approval_request')[1]), says)
  }
})
