import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { planChanges } from '../../src/plan/plan-changes.ts'

/** Returns the changes between two agents with these members. */
const changes = (before: JsonObject, after: JsonObject) =>
  planChanges({ agents: { '': before }, operator: {} }, { agents: { '': after }, operator: {} })

const long = (text: string) => text.repeat(81)
const tool = (gate: Json | undefined) => ({ name: 't', ...(gate !== undefined && { gate }) })

describe('the words of a change of a plan', () => {
  const table: readonly (readonly [what: string, JsonObject, JsonObject, readonly string[]])[] = [
    ['a member that appears', {}, { audit: true }, ['audit: was absent, is true']],
    ['a member that disappears', { audit: true }, {}, ['audit: was true, is absent']],
    ['a member that is null', { a: null }, {}, ['a: was null, is absent']],
    ['false and absent differ', {}, { audit: false }, ['audit: was absent, is false']],
    ['a member with another word', { agent_name: 'A' }, { agent_name: 'B' }, ['name: was A, is B']],
    ['names of members without underscores', { a_b_c: 1 }, { a_b_c: 2 }, ['a b c: was 1, is 2']],
    [
      'members of members',
      { limits: { a: 1, b: 2 } },
      { limits: { a: 1, b: 3 } },
      ['limits: b: was 2, is 3'],
    ],
    ['members of members that appear', { limits: {} }, { limits: { a: 1 } }, ['limits: a: was absent, is 1']],
    ['an object for a value', { a: 1 }, { a: { b: 1 } }, ['a: was 1, is {"b":1}']],
    ['a value for an object', { a: { b: 1 } }, { a: 1 }, ['a: was {"b":1}, is 1']],
    ['the order of members is no change', { a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }, []],
    ['the order of a list is a change', { a: [1, 2] }, { a: [2, 1] }, ['a: was [1,2], is [2,1]']],
    ['a value that is too long to quote', { a: [] }, { a: [long('x')] }, ['a changed']],
    ['a value that was too long to quote', { a: [long('x')] }, { a: [] }, ['a changed']],
    [
      'a text of 80 characters is quoted',
      { a: '' },
      { a: 'x'.repeat(80) },
      [`a: was , is ${'x'.repeat(80)}`],
    ],
    ['short texts with a line break are not quoted', { a: 'x\ny' }, { a: 'z' }, ['a changed']],
    [
      'two texts of more than 80 characters together, by lines',
      { a: 'x'.repeat(40) },
      { a: 'y'.repeat(41) },
      [`a changed\n- ${'x'.repeat(40)}\n+ ${'y'.repeat(41)}`],
    ],
    [
      'the equal lines at both ends are left out',
      { a: `${long('a')}\nb\nc\nd` },
      { a: `${long('a')}\nB\nd` },
      ['a changed\n- b\n- c\n+ B'],
    ],
    [
      'a repeated line is not counted at both ends',
      { a: `${long('a')}\nb` },
      { a: `${long('a')}\nb\nb` },
      ['a changed\n+ b'],
    ],
    [
      'a repeated line that is removed',
      { a: `${long('a')}\nb\nb` },
      { a: `${long('a')}\nb` },
      ['a changed\n- b'],
    ],
    [
      'six lines are shown, of a longer part six and a count',
      { a: `${long('a')}\n` },
      { a: `${long('a')}\n1\n2\n3\n4\n5\n6\n` },
      ['a changed\n+ 1\n+ 2\n+ 3\n+ 4\n+ 5\n+ 6'],
    ],
    [
      'seven lines',
      { a: `${long('a')}\n` },
      { a: `${long('a')}\n1\n2\n3\n4\n5\n6\n7\n` },
      ['a changed\n+ 1\n+ 2\n+ 3\n+ 4\n+ 5\n+ 6\n+ … 1 more lines'],
    ],
    [
      'a gate that changes',
      { tools: [tool('ask')] },
      { tools: [tool('allow')] },
      ['tool t: was `needs approval`, is `allowed`'],
    ],
    [
      'a gate that disappears',
      { tools: [tool('deny')] },
      { tools: [tool(undefined)] },
      ['tool t: was `denied`, is undefined'],
    ],
    [
      'a gate without a word',
      { tools: [tool('ask')] },
      { tools: [tool('later')] },
      ['tool t: was `needs approval`, is later'],
    ],
    [
      'an equal gate, and another part',
      { tools: [{ ...tool('ask'), read_only: true }] },
      { tools: [tool('ask')] },
      ['tool t: reads only: was true, is absent'],
    ],
    [
      'a tool that is added with its gate',
      { tools: [] },
      { tools: [tool('allow')] },
      ['tool t added (`allowed`)'],
    ],
    [
      'a tool that is added with a gate without a word',
      {},
      { tools: [tool('later')] },
      ['tool t added (later)'],
    ],
    ['a tool that is added without a gate', {}, { tools: [tool(undefined)] }, ['tool t added']],
    ['a tool that is added with a gate that is no text', {}, { tools: [tool(1)] }, ['tool t added']],
    ['a list of items that disappears', { tools: [tool('ask')] }, {}, ['tool t removed']],
    [
      'an item that was an object and is a text',
      { constraints: [{ name: 'x', rule: 'r' }] },
      { constraints: ['x'] },
      ['constraint x: was {"name":"x","rule":"r"}, is x'],
    ],
    [
      'an item that was a text and is an object',
      { constraints: ['x'] },
      { constraints: [{ name: 'x', rule: 'r' }] },
      ['constraint x: was x, is {"name":"x","rule":"r"}'],
    ],
    [
      'an entry of a table that was a list',
      { key_bindings: { a: ['x'] } },
      { key_bindings: { a: { b: 1 } } },
      ['key of a: was ["x"], is {"b":1}'],
    ],
    ['the order of a table is no change', { functions: { a: 1, b: 2 } }, { functions: { b: 2, a: 1 } }, []],
    [
      'the order of a list',
      { hosts: ['a', 'b', 'c'] },
      { hosts: ['b', 'a', 'd'] },
      ['host c removed', 'host d added', 'host: the order was a, b, is b, a'],
    ],
    [
      'a repeated item',
      { secrets: ['a'] },
      { secrets: ['a', 'a', 'a'] },
      ['secret a #2 added', 'secret a #3 added'],
    ],
    [
      'models by provider_id',
      { models: [] },
      { models: [{ provider: 'custom', provider_id: 'own', model: 'm' }] },
      ['model own/m added'],
    ],
    [
      'models by provider',
      { models: [{ provider: 'openai', model: 'm' }] },
      { models: [] },
      ['model openai/m removed'],
    ],
    [
      'memory by scope and key',
      {},
      { memory: [{ scope: 'user', key: 'k', content: 'c' }] },
      ['memory user k added'],
    ],
    ['a member named like one of every object', {}, { constructor: 'x' }, ['constructor: was absent, is x']],
    [
      'a member of a member with such a name',
      { input: { properties: {} } },
      { input: { properties: { constructor: true, toString: 1 } } },
      [
        'input: properties: constructor: was absent, is true',
        'input: properties: toString: was absent, is 1',
      ],
    ],
    ['a gate with such a name', {}, { tools: [tool('valueOf')] }, ['tool t added (valueOf)']],
  ]
  for (const [what, before, after, expected] of table)
    test(what, () => assert.deepEqual(changes(before, after), expected))

  for (const [member, expected] of [
    ['alias', 'trigger 1'],
    ['hook', 'trigger 2'],
    ['pointer', 'trigger 3'],
    ['name', 'trigger 4'],
    ['text', 'trigger 5'],
    ['url', 'trigger 6'],
  ] as const)
    test(`an item without a stronger name is named by its ${member}`, () => {
      const names = ['alias', 'hook', 'pointer', 'name', 'text', 'url']
      const weaker = names.slice(names.indexOf(member))
      const item = Object.fromEntries(weaker.map((name) => [name, String(names.indexOf(name) + 1)]))
      assert.deepEqual(changes({ triggers: [] }, { triggers: [item] }), [`${expected} added`])
    })

  test('agents are compared in the order of their names, then the operator', () => {
    const before = { agents: { '': { a: 1 }, x: { a: 1 }, y: {} }, operator: { hosts: ['h'] } }
    const after = { agents: { '': { a: 2 }, w: {}, x: { a: 2 } }, operator: { hosts: [] } }
    assert.deepEqual(planChanges(before, after), [
      'a: was 1, is 2',
      'sub-agent w: added',
      'sub-agent x: a: was 1, is 2',
      'sub-agent y: removed',
      'host h removed',
    ])
  })
})
