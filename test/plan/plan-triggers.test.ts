import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { heldBack, planTriggers } from '../../src/plan/plan-triggers.ts'
import { definition } from '../run/fixture.ts'

describe('what starts an agent', () => {
  const only = (trigger: JsonObject) => {
    const [planned, second] = planTriggers(definition({ events: { triggers: [trigger] } }))
    assert.ok(planned !== undefined && second === undefined)
    return planned
  }
  const server = (type: string) => `a trigger of type ${type} needs the server, which receives events`
  const cases: readonly (readonly [JsonObject, JsonObject])[] = [
    [{ type: 'schedule' }, { type: 'schedule', reason: 'it has no schedule' }],
    [
      { type: 'schedule', schedule: '0 9 * * *' },
      { type: 'schedule', schedule: '0 9 * * *' },
    ],
    [{ type: 'file_change' }, { type: 'file_change', path: '.' }],
    [
      { type: 'file_change', event_name: 'inbox' },
      { type: 'file_change', path: 'inbox' },
    ],
    [
      { type: 'manual', event_name: 'inbox' },
      { type: 'manual', reason: 'it is started by a person: use `waybill run`' },
    ],
    ...['webhook', 'message', 'event', 'agent_handoff'].map((type): readonly [JsonObject, JsonObject] => [
      { type },
      { type, reason: server(type) },
    ]),
  ]
  for (const [trigger, planned] of cases) {
    test(`SPEC-D-29: ${JSON.stringify(trigger)} is ${JSON.stringify(planned)}`, () => {
      assert.deepEqual(only(trigger), { pointer: '/agent/events/triggers/0', ...planned })
    })
  }

  test('a definition without triggers or events has none', () => {
    assert.deepEqual(planTriggers(definition()), [])
    assert.deepEqual(planTriggers(definition({ events: {} })), [])
  })

  test('a filter in plain text starts no run, whatever the type; the reason quotes 80 characters', () => {
    const { reason } = only({ type: 'file_change', filter: 'x'.repeat(81) })
    assert.equal(
      reason,
      `its filter "${'x'.repeat(80)}" is plain text and cannot be evaluated; write it as { lang, expr }`,
    )
  })

  test('a filter holds a run back unless it is true', () => {
    const filtered = only({ type: 'file_change', filter: { lang: 'cel', expr: 'size > 1.0' } })
    assert.equal(heldBack(filtered, { size: 2 }), null)
    assert.equal(heldBack(filtered, { size: 1 }), 'its filter does not match')
    assert.match(heldBack(filtered, {}) ?? '', /^its filter cannot be evaluated: the payload has no size/)
    assert.equal(heldBack(only({ type: 'file_change' }), {}), null)
  })
})
