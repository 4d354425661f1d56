import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { able, errorsOf, having, issuesOf } from './agentcard-samples.ts'

const cap = { id: 'data.timetable', description: 'Tells when ferries leave a pier.' }

describe('AgentCard §2.4: capabilities', () => {
  test('CARD-2.4-01: there is at least one capability', () => {
    assert.deepEqual(issuesOf(having({ capabilities: [] })), [
      'error TOO_FEW_ITEMS /capabilities CARD-2.4-01',
    ])
  })
  test('CARD-2.4-03: each has an id of the right form', () => {
    for (const id of ['a.b_c-1', '7', 'a', 'text..x', 'x-', 'a'.repeat(200)]) {
      assert.deepEqual(errorsOf(able({ ...cap, id })), [])
    }
    for (const id of ['Text.x', '.x', '', '_x', '-x', 'a b', 'a/b', 'é', 'a\n']) {
      assert.deepEqual(issuesOf(able({ ...cap, id })), [
        'error PATTERN_MISMATCH /capabilities/0/id CARD-2.4-03',
      ])
    }
    assert.deepEqual(issuesOf(able({ description: 'd' })), [
      'error REQUIRED_MISSING /capabilities/0/id CARD-2.4-03',
    ])
  })
  test('CARD-2.4-04: a prefix that is not conventional is valid, with a hint', () => {
    for (const id of ['text.x', 'tool.x', 'data.x', 'fn.x', 'a2a.x'])
      assert.deepEqual(issuesOf(able({ ...cap, id })), [])
    for (const id of ['code.review', 'sort', 'texts.x', 'text']) {
      assert.deepEqual(issuesOf(able({ ...cap, id })), [
        'info NAMESPACE_UNUSUAL /capabilities/0/id CARD-2.4-04',
      ])
    }
  })
  test('CARD-2.4-05: a reversed domain is accepted like a conventional prefix', () => {
    assert.deepEqual(issuesOf(able({ ...cap, id: 'com.example.x' })), [])
    assert.notDeepEqual(issuesOf(able({ ...cap, id: 'example' })), [])
  })
  test('CARD-2.4-06: a capability without description is valid, with a warning', () => {
    const issue = 'warning DESCRIPTION_MISSING /capabilities/0/description CARD-2.4-06'
    assert.deepEqual(issuesOf(able({ id: 'fn.x' })), [issue])
    assert.deepEqual(issuesOf(able({ id: 'fn.x', description: '  ' })), [issue])
  })
  test('CARD-2.4-07: schemas are objects, and valid JSON Schemas', () => {
    for (const member of ['input_schema', 'output_schema']) {
      for (const schema of [{ type: 'strng' }, { properties: [] }, { required: 'a' }, { minimum: '1' }]) {
        const [first] = errorsOf(able({ ...cap, [member]: schema as object as Record<string, string> }))
        assert.equal(first?.rule, 'CARD-2.4-07', JSON.stringify(schema))
        assert.ok(first?.pointer.startsWith(`/capabilities/0/${member}/`))
      }
      for (const schema of ['{}', 1, [], true]) {
        const card = able({ ...cap, [member]: schema as string })
        assert.deepEqual(issuesOf(card), [`error WRONG_TYPE /capabilities/0/${member} CARD-2.4-07`])
      }
    }
  })
  test('a schema may refer to another by its URL, which is not fetched and gives a warning', () => {
    const schema = { type: 'object', properties: { a: { $ref: 'https://schemas.example/a.json' } } }
    assert.deepEqual(issuesOf(able({ ...cap, input_schema: schema })), [
      'warning SCHEMA_DOUBTFUL /capabilities/0/input_schema/properties/a/$ref CARD-2.4-07',
    ])
  })
  test('CARD-2.4-08: a schema that is not of objects is valid, with a warning', () => {
    for (const schema of [{ type: 'string' }, { type: ['object', 'null'] }, {}]) {
      assert.deepEqual(issuesOf(able({ ...cap, input_schema: schema })), [
        'warning SCHEMA_NOT_OBJECT /capabilities/0/input_schema CARD-2.4-08',
      ])
    }
    assert.deepEqual(issuesOf(able({ ...cap, input_schema: { type: 'object' } })), [])
  })
  test('CARD-2.4-09: tags are free-form strings', () => {
    assert.deepEqual(issuesOf(able({ ...cap, tags: [] })), [])
    assert.deepEqual(issuesOf(able({ ...cap, tags: ['Any Text ✓', ''] })), [])
    assert.deepEqual(issuesOf(able({ ...cap, tags: ['a', 1] })), [
      'error WRONG_TYPE /capabilities/0/tags/1 CARD-2.4-09',
    ])
    assert.deepEqual(issuesOf(able({ ...cap, tags: 'a' })), [
      'error WRONG_TYPE /capabilities/0/tags CARD-2.4-09',
    ])
  })
  test('values longer than the limits of other readers are accepted with a warning', () => {
    const card = able(
      { id: `fn.${'a'.repeat(126)}`, description: '😀'.repeat(513), tags: ['t'.repeat(65), 'a', 'a'] },
      { id: `fn.${'b'.repeat(125)}`, description: '😀'.repeat(512), tags: ['😀'.repeat(64)] },
    )
    assert.deepEqual(issuesOf(card), [
      'warning LONG_FOR_OTHERS /capabilities/0/description WB-CARD-02',
      'warning LONG_FOR_OTHERS /capabilities/0/id WB-CARD-02',
      'warning LONG_FOR_OTHERS /capabilities/0/tags/0 WB-CARD-02',
      'warning TAG_REPEATED /capabilities/0/tags/2 WB-CARD-02',
    ])
    assert.deepEqual(issuesOf(able(cap, { ...cap, description: 'Another.' })), [
      'warning CAPABILITY_REPEATED /capabilities/1/id WB-CARD-01',
    ])
  })
})
