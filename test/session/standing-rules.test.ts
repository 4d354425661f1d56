import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RuledAgent } from '../../src/policy/approval/standing-rules.ts'
import { placeOf } from '../../src/policy/approval/standing-rules.ts'
import type { Grant } from '../../src/run/record/grant.ts'
import { standingRules } from '../../src/session/standing-rules.ts'

const TOOL = {
  name: 'send',
  endpoint: 'https://a.example/send',
  method: 'POST',
  auth: { type: 'bearer', secret: 'KEY' },
}
const ADA: RuledAgent = { agent_id: 'ada', definition_hash: 'hash-1', tools: [TOOL] }
const DEFINITIONS = { 'hash-1': 'file:/one.json', 'hash-2': 'file:/two.json' }
const RULE: Grant = {
  id: 'g-1',
  kind: 'call',
  what: 'send to=*@ours.example',
  agent_id: 'ada',
  definition: 'file:/one.json',
  ...placeOf(TOOL),
  by: 'a person',
  at: '2026-11-22T10:00:00Z',
}

async function holds(agent: RuledAgent, rule: Partial<Grant> = {}): Promise<boolean> {
  const grants = { list: () => [{ ...RULE, ...rule }], spend: () => true }
  return (await standingRules(grants, DEFINITIONS).of(agent)).length === 1
}

describe('a standing rule is bound to', () => {
  test('its own agent: it holds there', async () => {
    assert.equal(await holds(ADA), true)
    assert.equal(await holds(ADA, { definition_hash: 'hash-1' }), true)
  })

  test('the agent_id: another agent in the same file does not have it', async () => {
    const bob = { ...ADA, agent_id: 'bob' }
    assert.equal(await holds(bob), false)
    assert.equal(await holds(bob, { agent_id: 'bob' }), true)
  })

  test('the definition: an agent of another file with the same agent_id does not have it', async () => {
    const copy = { ...ADA, definition_hash: 'hash-2' }
    assert.equal(await holds(copy), false)
    assert.equal(await holds(copy, { definition: 'file:/two.json' }), true)
    assert.equal(await holds({ ...ADA, definition_hash: 'unknown' }), false)
  })

  test('the version, unless it is given for any', async () => {
    const edited = { ...ADA, definition_hash: 'hash-1' }
    assert.equal(await holds(edited, { definition_hash: 'hash-0' }), false)
  })

  const calls: readonly (readonly [other: string, tool: RuledAgent['tools'][number]])[] = [
    ['address', { ...TOOL, endpoint: 'https://a.example/wipe' }],
    ['method', { ...TOOL, method: 'DELETE' }],
    ['secret', { ...TOOL, auth: { ...TOOL.auth, secret: 'ADMIN_KEY' } }],
    ['header of the key', { ...TOOL, auth: { ...TOOL.auth, header: 'X-Admin' } }],
    ['operation', { ...TOOL, binding: { path: '/wipe' } }],
    ['name', { ...TOOL, name: 'send_all' }],
  ]
  for (const [other, tool] of calls)
    test(`the call: a tool with another ${other} does not have it, in any version`, async () => {
      assert.equal(await holds({ ...ADA, tools: [tool] }), false)
      const what = tool.name === 'send' ? RULE.what : 'send_all to=*@ours.example'
      assert.equal(await holds({ ...ADA, tools: [tool] }, { ...placeOf(tool), what }), true)
    })

  test('its time and its uses', async () => {
    assert.equal(await holds(ADA, { until: '2000-01-01T00:00:00Z' }), false)
    assert.equal(await holds(ADA, { uses_left: 0 }), false)
    assert.equal(await holds(ADA, { uses_left: 1 }), true)
  })
})
