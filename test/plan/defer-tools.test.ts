import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fixedOptions, withTools } from '../../src/adapters/models/call-options.ts'
import type { JsonObject } from '../../src/document/json.ts'
import { compileProgram } from '../../src/plan/compile-program.ts'
import { deferTools, shownTools } from '../../src/plan/defer-tools.ts'
import { findTools, foundIn, rankTools } from '../../src/plan/find-tools.ts'
import type { PlannedTool, Program } from '../../src/plan/plan.ts'
import { requestTokens } from '../../src/plan/request-tokens.ts'
import { drive } from '../../src/run/drive/drive.ts'
import { initialState } from '../../src/run/initial-state.ts'
import { toolNamed } from '../adapters/model-fixture.ts'
import { calls, modelOf, planOf, portsOf, text, toolsOf } from '../run/fixture.ts'

const start = (program: Program) => initialState('run-1', program.plan.agent_id, program.hash)
const go = () => ({ type: 'run.started' as const, input: 'hello' })

const THINGS =
  `invoice parcel driver depot customer route payment refund label address warehouse shift vehicle contract
  ticket comment attachment report user team project folder file message calendar`.split(/\s+/)
const ACTS = ['create', 'list', 'get', 'update', 'delete', 'export'] as const

/** 150 tools of one server: what each act does to each thing. */
const SERVED: readonly PlannedTool[] = THINGS.flatMap((thing) =>
  ACTS.map((act) =>
    toolNamed(`${act}_${thing}${act === 'list' ? 's' : ''}`, {
      protocol: 'mcp',
      declared: 'desk',
      effect: act === 'list' || act === 'get' ? 'read' : 'write',
      description: `${act[0]?.toUpperCase()}${act.slice(1)}s ${act === 'list' ? `all ${thing}s` : `a ${thing}`} of the company.`,
      parameters_schema: { type: 'object', properties: { id: { type: 'string' } } },
      binding: { server: 'desk', tool: `${act}_${thing}` },
    }),
  ),
)
const OWN = toolNamed('look', { protocol: 'function' })

describe('tools of servers that are too many for every request', () => {
  const planned = deferTools([OWN, ...SERVED], false)

  test('are found by a search, and keep their gates; the others are in every request', () => {
    const [search, own, ...rest] = planned
    assert.deepEqual(
      [search?.name, search?.protocol, search?.effect, search?.gate],
      ['find_tools', 'search', 'read', 'allow'],
    )
    assert.match(search?.reason ?? '', /tools of desk are 150 with \d+ KB/)
    assert.equal(own, OWN)
    assert.deepEqual(
      rest,
      SERVED.map((tool) => ({ ...tool, found_by: 'find_tools' })),
    )
    assert.ok(shownTools(planned, []).length <= 128)
  })

  test('up to 100 small tools are all in every request; fewer large ones are searched', () => {
    const few = SERVED.slice(0, 99)
    assert.equal(deferTools([OWN, ...few], false).length, 100)
    const large = SERVED.slice(0, 30).map((tool) => ({ ...tool, description: 'd'.repeat(4000) }))
    assert.equal(deferTools(large, false)[0]?.name, 'find_tools')
    assert.equal(deferTools(large.slice(0, 9), false).length, 9)
    assert.equal(
      deferTools(
        Array.from({ length: 200 }, () => OWN),
        false,
      ).length,
      200,
      'own functions are never searched',
    )
  })

  test('own functions are searched too if a provider refuses so many tools', () => {
    const own = Array.from({ length: 130 }, (_, n) => toolNamed(`own_${n}`, { protocol: 'function' }))
    const agent = toolNamed('writer', { protocol: 'agent', agent: 'writer' })
    const limited = deferTools([...own, agent], false, 128)
    assert.equal(limited[0]?.name, 'find_tools')
    assert.deepEqual(
      shownTools(limited, []).map(({ name }) => name),
      ['find_tools', 'writer'],
    )
    assert.equal(deferTools([...own, agent], false).length, 131)
    assert.equal(deferTools(own.slice(0, 120), false, 128).length, 120)
    const tools = Array.from({ length: 130 }, (_, n) => ({ name: `own_${n}`, description: 'Does it.' }))
    const model = { provider: 'openai', preferred: 'gpt-4o' }
    assert.ok(planOf({ tools, model }, { rehearsal: true }).tools.some(({ name }) => name === 'find_tools'))
    const other = { provider: 'anthropic', preferred: 'claude-sonnet-4-5' }
    assert.ok(
      !planOf({ tools, model: other }, { rehearsal: true }).tools.some(({ name }) => name === 'find_tools'),
    )
  })

  test('a denied tool is neither offered nor found, and a name that is taken is not used', () => {
    const tools = [toolNamed('find_tools', { protocol: 'function' }), ...SERVED]
    const denied = tools.map((tool) =>
      tool.name === 'create_invoice' ? { ...tool, gate: 'deny' as const } : tool,
    )
    const [search, ...others] = deferTools(denied, true)
    assert.deepEqual([search?.name, search?.doubled], ['find_tools_2', true])
    const found = foundIn(findTools(others, 'create an invoice'))
    assert.ok(!found.includes('create_invoice') && found.length > 0)
  })

  test('a plan counts the tokens that every request contains', () => {
    const all = requestTokens({ system_prompt: 'x', tools: SERVED })
    const some = requestTokens({ system_prompt: 'x', tools: planned })
    assert.ok(all.tools > 3000, String(all.tools))
    assert.ok(some.tools > 0 && some.tools < all.tools / 10, String(some.tools))
    assert.equal(requestTokens({ system_prompt: '', tools: [{ ...OWN, gate: 'deny' }] }).tools, 0)
  })

  test('the search finds the right tool among five for at least 9 of 10 sentences', () => {
    const sentences: readonly (readonly [string, string])[] = [
      ['create an invoice', 'create_invoice'],
      ['show me all drivers', 'list_drivers'],
      ['remove a customer', 'delete_customer'],
      ['change the address', 'update_address'],
      ['get a contract', 'get_contract'],
      ['export the report', 'export_report'],
      ['list open tickets', 'list_tickets'],
      ['add a comment', 'create_comment'],
      ['delete an attachment', 'delete_attachment'],
      ['which vehicles are there', 'list_vehicles'],
      ['update_shift', 'update_shift'],
      ['edit the project', 'update_project'],
      ['read a message', 'get_message'],
      ['new user', 'create_user'],
      ['download payment', 'export_payment'],
      ['fetch the parcel', 'get_parcel'],
      ['make a refund', 'create_refund'],
      ['print a label', 'get_label'],
      ['list files in a folder', 'list_files'],
      ['modify a route', 'update_route'],
    ]
    const searched = planned.filter(({ found_by }) => found_by !== undefined)
    const missed = sentences.filter(
      ([sentence, name]) =>
        !rankTools(searched, sentence)
          .slice(0, 5)
          .some((tool) => tool.name === name),
    )
    assert.ok(missed.length * 10 <= sentences.length, missed.map(([sentence]) => sentence).join('; '))
  })

  test('a model finds a tool, then its request contains it, and the call passes the gates of that tool', async () => {
    const served = SERVED.map((tool) =>
      tool.name === 'create_invoice' ? { ...tool, gate: 'ask' as const } : tool,
    )
    const program = compileProgram({ ...planOf(), tools: deferTools([OWN, ...served], false) })
    const model = modelOf(
      calls(['a', 'find_tools', { query: 'get an invoice', limit: 3 }]),
      calls(['b', 'get_invoice', { id: '7' }], ['c', 'fly', {}]),
      text('done'),
    )
    const tools = toolsOf({ get_invoice: () => 'invoice 7' })
    const state = await drive(program, start(program), go(), portsOf(model, tools))
    assert.deepEqual(
      model.requests.map(({ shown }) => shown?.includes('get_invoice')),
      [false, true, true],
    )
    assert.ok(model.requests.every(({ shown }) => shown !== undefined && shown.length <= 10))
    assert.deepEqual(
      tools.made.map(({ tool, args }) => [tool.name, args]),
      [['get_invoice', { id: '7' }]],
    )
    const results = state.messages
      .toArray()
      .flatMap((message) => (message.role === 'tool' ? [message.result] : []))
    assert.equal(results[1], 'invoice 7')
    assert.match(String(results[2]), /the tools are: find_tools, look; find_tools finds others/)
    const asked = modelOf(calls(['a', 'create_invoice', {}]))
    const waiting = await drive(program, start(program), go(), portsOf(asked, tools))
    assert.equal(waiting.calls[0]?.status, 'asking')
  })

  test('results of other tools do not add tools, and neither do names that are not in the plan', async () => {
    const program = compileProgram({ ...planOf(), tools: deferTools([OWN, ...SERVED], false) })
    const named = { found: [{ tool: 'delete_invoice' }, { tool: 'none' }] }
    const model = modelOf(calls(['a', 'look', {}]), text('done'))
    await drive(program, start(program), go(), portsOf(model, toolsOf({ look: () => named })))
    assert.deepEqual(model.requests[1]?.shown, ['find_tools', 'look'])
    assert.deepEqual(
      shownTools(program.plan.tools, ['none']).map(({ name }) => name),
      ['find_tools', 'look'],
    )
  })

  test('the latest found tools stay within the limit', () => {
    const names = SERVED.map(({ name }) => name)
    const shown = shownTools(planned, names)
    assert.equal(shown.length, 100)
    assert.ok(shown.some(({ name }) => name === names.at(-1)))
    assert.ok(!shown.some(({ name }) => name === names[0]))
  })

  test('a request of an adapter contains the shown tools only', () => {
    const plan = { ...planOf(), tools: planned }
    const fixed = fixedOptions(plan)
    assert.equal(fixed.tools?.length, 152)
    assert.deepEqual(
      withTools(fixed, ['find_tools', 'get_invoice']).tools?.map(({ name }) => name),
      ['find_tools', 'get_invoice'],
    )
    assert.equal(withTools(fixed, undefined), fixed)
  })
})

test('a search for nothing that exists says so', () => {
  const answer = findTools(deferTools(SERVED, false), 'zebra') as JsonObject
  assert.deepEqual(answer.found, [])
  assert.match(String(answer.hint), /other words/)
})
