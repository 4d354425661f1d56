import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json } from '../../src/document/json.ts'
import { compileCheck } from '../../src/http/schema-check.ts'
import { newBudgets } from '../../src/platform/budgets/budget.ts'
import { decision, decisions } from '../../src/platform/inbox/decision.ts'
import { newPolicy } from '../../src/platform/policies/policy.ts'
import { newStop } from '../../src/platform/stops/stop.ts'
import { newTrigger, triggerMessage } from '../../src/platform/triggers/trigger.ts'
import { newMove, newPeer } from '../../src/server/schemas/move-schemas.ts'
import type { Schema } from '../../src/spec/schema-builder.ts'

const KEYS = { keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }] }

/** Bodies that are refused, each with the code and the place of all findings. */
const REFUSED: readonly (readonly [name: string, Schema, Json, readonly (readonly [string, string])[]])[] = [
  ['an unknown verdict', decision, { verdict: 'maybe' }, [['NOT_IN_ENUM', '/verdict']]],
  ['no verdict', decision, {}, [['REQUIRED_MISSING', '/verdict']]],
  ['a denial with a rule', decision, { verdict: 'deny', rule: {} }, [['UNKNOWN_MEMBER', '/rule']]],
  ['an approval with a result', decision, { verdict: 'approve', result: 1 }, [['UNKNOWN_MEMBER', '/result']]],
  [
    'an edit without arguments, in a list',
    decisions,
    { items: [{ id: 'a', verdict: 'edit', digest: `sha256:${'0'.repeat(64)}` }] },
    [['REQUIRED_MISSING', '/items/0/arguments']],
  ],
  [
    'a budget of the organisation with a subject',
    newBudgets,
    { budgets: [{ kind: 'organisation', per: 'day', calls: 1, subject: 'ann' }] },
    [['UNKNOWN_MEMBER', '/budgets/0/subject']],
  ],
  [
    'a budget that limits nothing',
    newBudgets,
    { budgets: [{ kind: 'user', per: 'day' }] },
    [['SCHEMA_MISMATCH', '/budgets/0']],
  ],
  [
    'an unpaired surrogate',
    newBudgets,
    { budgets: [{ kind: 'user', per: 'day', calls: 1, subject: '\ud800' }] },
    [['SCHEMA_MISMATCH', '/budgets/0/subject']],
  ],
  ['a stop of two subjects', newStop, { run: 'r', user: 'u' }, [['SCHEMA_MISMATCH', '']]],
  ['a stop of nothing', newStop, {}, [['SCHEMA_MISMATCH', '']]],
  [
    'a message with text and data',
    triggerMessage,
    { from: 'a', text: 'b', data: 1 },
    [['SCHEMA_MISMATCH', '']],
  ],
  [
    'an event with a schedule',
    newTrigger,
    { agent_id: 'a', kind: 'event', schedule: '0 9 * * *' },
    [['UNKNOWN_MEMBER', '/schedule']],
  ],
  [
    'a schedule without one',
    newTrigger,
    { agent_id: 'a', kind: 'schedule' },
    [['REQUIRED_MISSING', '/schedule']],
  ],
  [
    'a reminder without the first',
    newPolicy,
    { remind_every_seconds: 60 },
    [['REQUIRED_MISSING', '/remind_every_seconds']],
  ],
  [
    'a stream that is fetched',
    newMove,
    { to: 'a', pull: true, method: 'stream' },
    [['NOT_IN_ENUM', '/method']],
  ],
  ['a token for no URL', newPeer, { name: 'a', keys: KEYS, token: 't' }, [['REQUIRED_MISSING', '/token']]],
]

/** The nearest bodies that are taken. */
const TAKEN: readonly (readonly [Schema, Json])[] = [
  [decision, { verdict: 'approve', rule: {} }],
  [decision, { verdict: 'assume', result: null }],
  [newBudgets, { budgets: [{ kind: 'user', per: 'day', calls: 1, subject: '🦊' }] }],
  [newStop, { user: 'u', reason: 'why' }],
  [triggerMessage, { from: 'a', data: null }],
  [newTrigger, { agent_id: 'a', kind: 'schedule', schedule: '0 9 * * *' }],
  [newPolicy, { remind_every_seconds: 60, remind_after_seconds: 60 }],
  [newMove, { to: 'a', method: 'stream' }],
  [newPeer, { name: 'a', keys: KEYS, token: 't', url: 'https://b.example' }],
]

describe('the schemas of requests', () => {
  for (const [name, schema, body, findings] of REFUSED)
    test(`refuse ${name}, at its place and with a hint`, () => {
      const found = compileCheck(schema)(body)
      assert.deepEqual(
        found.map(({ code, pointer }) => [code, pointer]),
        findings,
        JSON.stringify(found),
      )
      assert.ok(found.every(({ message }) => message.length > 0))
    })

  test('take the nearest bodies that have a meaning', () => {
    for (const [schema, body] of TAKEN) assert.deepEqual(compileCheck(schema)(body), [], JSON.stringify(body))
  })

  test('name the members that a kind has', () => {
    const [found] = compileCheck(decision)({ verdict: 'deny', rule: {} })
    assert.match(found?.hint ?? '', /it may have verdict, digest, note/)
    const [stop] = compileCheck(newStop)({})
    assert.match(stop?.hint ?? '', /exactly one of run, agent, user and organisation/)
  })
})
