import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Severity } from '../../src/document/issue.ts'
import type { Json, JsonObject } from '../../src/document/json.ts'
import * as entry from '../../src/spec/aah/catalogue/entry.ts'
import { validateArtifactEnvelope } from '../../src/spec/aah/validate-artifact-envelope.ts'
import {
  APPROVAL_STATUSES,
  ARTIFACT_TYPES,
  LIFECYCLE_STATUSES,
  OUTPUT_TYPES,
  RETENTIONS,
  ROUTING_PRIORITIES,
  SECTION_TYPES,
  TASK_STATUSES,
  VISIBILITIES,
} from '../../src/spec/aah/vocabulary.ts'

const { called, having, holding, kept, madeBy, note, routed, sectioned, task, update, without } = entry

const issuesOf = (envelope: Json, authoring = false) =>
  validateArtifactEnvelope(envelope, { authoring }).map(
    ({ severity, code, pointer, rule }) => [severity, code, pointer, rule] as const,
  )
const accepts = (...envelopes: readonly Json[]) => {
  for (const envelope of envelopes) assert.deepEqual(issuesOf(envelope), [], JSON.stringify(envelope))
}
const finds = (envelope: Json, severity: Severity, code: string, pointer: string, rule: string) => {
  assert.deepEqual(issuesOf(envelope), [[severity, code, pointer, rule]], JSON.stringify(envelope))
}
/** Checks that all JSON types except the required one are refused. */
const refusesTypes = (
  build: (value: Json) => Json,
  types: readonly string[],
  pointer: string,
  rule: string,
) => {
  const values: readonly Json[] = [null, true, 7, 'text', [], {}]
  for (const value of values) {
    const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
    if (types.includes(type)) continue
    const found = issuesOf(build(value)).filter(([severity]) => severity === 'error')
    assert.deepEqual(found, [['error', 'WRONG_TYPE', pointer, rule]], `${pointer} ${type}`)
  }
}

describe('envelope', () => {
  test('AAH-1-01: a bare artifact is refused, in an envelope it is accepted', () => {
    accepts(note)
    finds({ id: 'a', type: 'document/text', content: 'x' }, 'error', 'NOT_AN_ENVELOPE', '', 'AAH-1-01')
  })
  test('AAH-1-02: a full envelope has exactly one of content and sections', () => {
    accepts(note, sectioned({}))
    finds(without(note, 'content'), 'error', 'REQUIRED_MISSING', '/content', 'AAH-1-02')
    finds(having({ sections: [] }), 'error', 'CONTENT_AND_SECTIONS', '/sections', 'AAH-1-02')
  })
  test('AAH-2.1-01: aah_version is a required string', () => {
    finds(without(note, 'aah_version'), 'error', 'REQUIRED_MISSING', '/aah_version', 'AAH-2.1-01')
    refusesTypes((aah_version) => having({ aah_version }), ['string'], '/aah_version', 'AAH-2.1-01')
  })
  test('AAH-2.1-02: versions 0.1 to 0.3 and their patches are accepted; another version gives only that issue', () => {
    for (const version of ['0.1', '0.2', '0.3', '0.2.0', '0.3.12']) accepts(having({ aah_version: version }))
    for (const version of ['9.9', '0.4', '1', '0.30', '', 'v0.3']) {
      const broken: JsonObject = { ...without(note, 'source'), aah_version: version }
      finds(broken, 'error', 'AAH_VERSION_UNSUPPORTED', '/aah_version', 'AAH-2.1-02')
    }
  })
  test('an envelope with members newer than its version gives a finding', () => {
    const early = { ...task({}), aah_version: '0.2' }
    finds(early, 'info', 'VERSION_BELOW_FEATURES', '/aah_version', 'AAH-2.1-01')
  })
})

describe('artifact and source', () => {
  test('AAH-2.2-01: artifact has id, type and created_at', () => {
    finds(without(note, 'artifact'), 'error', 'REQUIRED_MISSING', '/artifact', 'AAH-2.2-01')
    for (const member of ['id', 'type', 'created_at']) {
      const pointer = `/artifact/${member}`
      finds(without(note, 'artifact', member), 'error', 'REQUIRED_MISSING', pointer, 'AAH-2.2-01')
    }
  })
  test('AAH-2.2-02: the other members of artifact are optional, and of one type', () => {
    for (const member of ['title', 'initiative', 'version_id', 'previous_version_id', 'updated_at']) {
      if (member !== 'updated_at') accepts(called({ [member]: 'x' }))
      refusesTypes((v) => called({ [member]: v }), ['string'], `/artifact/${member}`, 'AAH-2.2-02')
    }
  })
  test('AAH-2.2-03: a summary has at most 500 code points, which may be more UTF-16 units', () => {
    accepts(called({ summary: '✉️'.slice(0, 1).repeat(500) }), called({ summary: '😀'.repeat(500) }))
    const long = called({ summary: 'x'.repeat(501) })
    finds(long, 'error', 'TOO_LONG', '/artifact/summary', 'AAH-2.2-03')
  })
  test('AAH-2.2-06: times are ISO 8601; an invalid time is an error, a time without zone a warning', () => {
    accepts(called({ created_at: '2026-01-31T09:00Z' }), called({ created_at: '2024-02-29T09:00:00,5+0530' }))
    for (const time of ['yesterday', '2026-02-29T09:00:00Z', '2026-01-31T25:00:00Z', '1767600000', '']) {
      const pointer = '/artifact/created_at'
      finds(called({ created_at: time }), 'error', 'TIMESTAMP_UNREADABLE', pointer, 'AAH-2.2-06')
    }
    for (const time of ['2026-01-31', '2026-01-31T09:00:00']) {
      finds(called({ updated_at: time }), 'warning', 'TIMESTAMP_VAGUE', '/artifact/updated_at', 'AAH-2.2-06')
    }
    const all: readonly (readonly [JsonObject, string])[] = [
      [kept({ expires_at: 'never' }), '/lifecycle/expires_at'],
      [routed({ response_deadline: 'soon' }), '/handoff/response_deadline'],
      ...['created_at', 'updated_at', 'approval_requested_at', 'decided_at'].map(
        (member) => [sectioned({ [member]: 'soon' }), `/sections/0/${member}`] as const,
      ),
      [task({ started_at: 'soon' }), '/sections/0/started_at'],
      [task({ completed_at: 'soon' }), '/sections/0/completed_at'],
    ]
    for (const [envelope, pointer] of all) {
      finds(envelope, 'error', 'TIMESTAMP_UNREADABLE', pointer, 'AAH-2.2-06')
    }
  })
  test('AAH-2.3-01: source has a string agent_id', () => {
    finds(without(note, 'source'), 'error', 'REQUIRED_MISSING', '/source', 'AAH-2.3-01')
    finds(having({ source: {} }), 'error', 'REQUIRED_MISSING', '/source/agent_id', 'AAH-2.3-01')
    refusesTypes((agent_id) => madeBy({ agent_id }), ['string'], '/source/agent_id', 'AAH-2.3-01')
  })
  test('AAH-2.3-02: the other members of source are optional strings', () => {
    const members = ['agent_name', 'agent_role', 'framework', 'framework_version', 'session_id', 'task_id']
    for (const member of [...members, 'task_description', 'model', 'organization_id']) {
      accepts(madeBy({ [member]: 'x' }))
      refusesTypes((v) => madeBy({ [member]: v }), ['string'], `/source/${member}`, 'AAH-2.3-02')
    }
  })
  test('AAH-3-01: the types of documents, code, data and images are accepted', () => {
    for (const type of ARTIFACT_TYPES.filter((type) => !type.startsWith('structured')))
      accepts(called({ type }))
  })
  test('AAH-3-02: unlisted types are a warning when reading, an error when authoring', () => {
    const structured = ['spec', 'analysis', 'plan', 'review', 'experiment', 'feature']
    for (const type of structured) accepts(called({ type: `structured/${type}` }))
    const foreign = called({ type: 'foo/bar' })
    finds(foreign, 'warning', 'ARTIFACT_TYPE_UNLISTED', '/artifact/type', 'AAH-3-02')
    assert.deepEqual(issuesOf(foreign, true), [
      ['error', 'ARTIFACT_TYPE_UNLISTED', '/artifact/type', 'AAH-3-02'],
    ])
  })
  test('AAH-3-03: types that begin with x- are accepted, also when authoring', () => {
    for (const type of ['x-custom/mytype', 'x-custom']) assert.deepEqual(issuesOf(called({ type }), true), [])
    finds(called({ type: 'x-' }), 'warning', 'ARTIFACT_TYPE_UNLISTED', '/artifact/type', 'AAH-3-02')
  })
})

describe('lifecycle, routing and extensions', () => {
  const enums = [
    ['AAH-2.7-01', 'lifecycle', 'retention', RETENTIONS],
    ['AAH-2.7-02', 'lifecycle', 'visibility', VISIBILITIES],
    ['AAH-2.8-01', 'handoff', 'priority', ROUTING_PRIORITIES],
  ] as const
  const closed = ([rule, owner, member, values]: (typeof enums)[number], wrong: readonly Json[]) => {
    for (const value of values) accepts(having({ [owner]: { [member]: value } }))
    for (const value of wrong) {
      const found = issuesOf(having({ [owner]: { [member]: value } }))
      assert.deepEqual(found[0]?.slice(2), [`/${owner}/${member}`, rule], JSON.stringify(value))
      assert.equal(found[0]?.[0], 'error')
    }
  }
  test('AAH-2.7-01: retention is one of five', () => closed(enums[0], ['1y', '7D', 7]))
  test('AAH-2.7-02: visibility is one of four', () => closed(enums[1], ['everyone', null]))
  test('AAH-2.8-01: the priority of routing is one of four', () => closed(enums[2], [1, 'medium']))
  test('AAH-2.7-03: lifecycle.status is one of six', () => {
    for (const status of LIFECYCLE_STATUSES) accepts(kept({ status, superseded_by: 'aah_2' }))
    finds(kept({ status: 'done' }), 'error', 'NOT_IN_ENUM', '/lifecycle/status', 'AAH-2.7-03')
  })
  test('AAH-2.7-05: superseded requires superseded_by; tags are strings', () => {
    accepts(kept({ status: 'superseded', superseded_by: 'aah_2', tags: ['a'] }))
    const lost = kept({ status: 'superseded' })
    finds(lost, 'warning', 'SUPERSEDED_BY_MISSING', '/lifecycle/superseded_by', 'AAH-2.7-05')
    finds(kept({ tags: ['a', 7] }), 'error', 'WRONG_TYPE', '/lifecycle/tags/1', 'AAH-2.7-05')
    refusesTypes((tags) => kept({ tags }), ['array'], '/lifecycle/tags', 'AAH-2.7-05')
  })
  test('AAH-2.9-01: an extension without the name of a vendor gives a warning', () => {
    accepts(having({ extensions: { acme: { desk: 7 }, linear: {} } }))
    for (const scalar of ['slack', 7, null, []]) {
      const envelope = having({ extensions: { channel: scalar } })
      finds(envelope, 'warning', 'EXTENSION_NOT_NAMESPACED', '/extensions/channel', 'AAH-2.9-01')
    }
  })
})

describe('sections', () => {
  test('AAH-2.5-01: a section has six members', () => {
    const whole = sectioned({})
    const [section = {}] = whole.sections as readonly JsonObject[]
    for (const member of ['id', 'heading', 'content', 'agent_id', 'created_at', 'updated_at']) {
      const envelope = { ...whole, sections: [without(section, member)] }
      finds(envelope, 'error', 'REQUIRED_MISSING', `/sections/0/${member}`, 'AAH-2.5-01')
    }
  })
  test('AAH-2.5-02: the other members of a section are optional; position counts from 0', () => {
    accepts(sectioned({ position: 0, version: 3, agent_name: 'Clerk' }))
    finds(sectioned({ position: -1 }), 'error', 'OUT_OF_RANGE', '/sections/0/position', 'AAH-2.5-02')
    finds(sectioned({ position: 0.5 }), 'error', 'WRONG_TYPE', '/sections/0/position', 'AAH-2.5-02')
  })
  test('AAH-2.5.1-01: the six section types are accepted; another is flagged, and refused when authoring', () => {
    for (const type of SECTION_TYPES) accepts(sectioned({ type }))
    const foreign = sectioned({ type: 'chapter' })
    finds(foreign, 'warning', 'SECTION_TYPE_UNLISTED', '/sections/0/type', 'AAH-2.5.1-01')
    assert.equal(issuesOf(foreign, true)[0]?.[0], 'error')
  })
  test('AAH-2.5.1-02: section types that begin with x- are accepted without a flag', () => {
    for (const type of ['x-foo/bar', 'x-foo']) assert.deepEqual(issuesOf(sectioned({ type }), true), [])
  })
  test('AAH-2.5.2-01: task_status is one of four', () => {
    for (const task_status of TASK_STATUSES) accepts(task({ task_status }))
    finds(task({ task_status: 'todo' }), 'error', 'NOT_IN_ENUM', '/sections/0/task_status', 'AAH-2.5.2-01')
  })
  test('AAH-2.5.2-02: the priority of a task is 1, 2 or 3', () => {
    for (const priority of [1, 2, 3]) accepts(task({ priority }))
    for (const priority of [0, 4]) {
      finds(task({ priority }), 'error', 'OUT_OF_RANGE', '/sections/0/priority', 'AAH-2.5.2-02')
    }
    finds(task({ priority: 'high' }), 'error', 'WRONG_TYPE', '/sections/0/priority', 'AAH-2.5.2-02')
  })
  test('AAH-2.5.2-03: output_type is one of four, and output_url a URL', () => {
    for (const output_type of OUTPUT_TYPES)
      accepts(task({ output_type, output_url: 'https://post.example/7' }))
    finds(task({ output_type: 'x' }), 'error', 'NOT_IN_ENUM', '/sections/0/output_type', 'AAH-2.5.2-03')
    finds(task({ output_url: '#7' }), 'warning', 'FORMAT_MISMATCH', '/sections/0/output_url', 'AAH-2.5.2-03')
  })
  test('AAH-2.5.2-04: a task is not completed before it was started, in any time zone', () => {
    const [early, late] = ['2026-01-31T10:00:00+02:00', '2026-01-31T09:00:00Z']
    accepts(task({ started_at: early, completed_at: late }))
    const reversed = task({ started_at: late, completed_at: early })
    finds(reversed, 'warning', 'COMPLETED_BEFORE_STARTED', '/sections/0/completed_at', 'AAH-2.5.2-04')
  })
  test('AAH-2.5.2-05: source_section_id names a section of the artifact', () => {
    accepts(sectioned({ id: 'plan' }, { id: 't', type: 'task', source_section_id: 'plan' }))
    const dangling = task({ source_section_id: 'gone' })
    finds(dangling, 'warning', 'SOURCE_SECTION_UNKNOWN', '/sections/0/source_section_id', 'AAH-2.5.2-05')
    for (const member of ['source_section_id', 'assignee_agent_id']) {
      refusesTypes((v) => task({ [member]: v }), ['string'], `/sections/0/${member}`, 'AAH-2.5.2-05')
    }
  })
  test('AAH-2.5.2-06: on a section that is not a task, task members are ignored, even invalid ones', () => {
    const research = sectioned({ type: 'research', task_status: 'todo', priority: 99, completed_at: 7 })
    assert.deepEqual(
      issuesOf(research).map(([severity, code]) => [severity, code]),
      [['info', 'TASK_FIELDS_IGNORED']],
    )
  })
  test('AAH-2.5.3-01: the status of a section is one of four, and may be absent', () => {
    const asked = {
      approval_note: 'x',
      approval_requested_by: 'a',
      approval_requested_at: '2026-01-31T09:00:00Z',
    }
    for (const status of APPROVAL_STATUSES) accepts(sectioned({ status, ...asked }))
    accepts(sectioned({}))
    finds(sectioned({ status: 'final' }), 'error', 'NOT_IN_ENUM', '/sections/0/status', 'AAH-2.5.3-01')
  })
  test('AAH-2.5.3-02: the approval members are optional strings', () => {
    const members = ['approval_requested_by', 'approval_note', 'decided_by', 'decision_note']
    for (const member of [...members, 'approval_requested_at', 'decided_at']) {
      accepts(sectioned({ [member]: member.endsWith('_at') ? '2026-01-31T09:00:00Z' : 'x' }))
      refusesTypes((v) => sectioned({ [member]: v }), ['string'], `/sections/0/${member}`, 'AAH-2.5.3-02')
    }
  })
  test('AAH-2.6-01: section_update has id and content, and may have heading and change_note', () => {
    accepts(update({}), update({ heading: 'New', change_note: 'Why' }))
    for (const member of ['id', 'content']) {
      const pointer = `/section_update/${member}`
      finds(without(update({}), 'section_update', member), 'error', 'REQUIRED_MISSING', pointer, 'AAH-2.6-01')
    }
  })
  test('AAH-2.6-02: a partial update needs no content, and only the id of its artifact', () => {
    accepts(update({}))
    const nameless = update({}, { artifact: { title: 'x' } })
    finds(nameless, 'error', 'REQUIRED_MISSING', '/artifact/id', 'AAH-2.2-01')
    const loaded = update({}, { sections: [] })
    finds(loaded, 'warning', 'UPDATE_CARRIES_MORE', '/sections', 'AAH-2.6-02')
  })
  test('AAH-4.2-01: section ids have lower-case letters, digits and hyphens only', () => {
    for (const id of ['day-1', '1', 'a']) accepts(sectioned({ id }), update({ id }))
    for (const id of ['Day 1', 'a_b', 'ä', '', 'a\n']) {
      finds(sectioned({ id }), 'error', 'PATTERN_MISMATCH', '/sections/0/id', 'AAH-4.2-01')
      finds(update({ id }), 'error', 'PATTERN_MISMATCH', '/section_update/id', 'AAH-4.2-01')
    }
  })
  test('AAH-4.2-03: a second section with the same id is refused', () => {
    const twice = sectioned({ id: 'a' }, { id: 'b' }, { id: 'a' })
    finds(twice, 'error', 'SECTION_ID_TWICE', '/sections/2/id', 'AAH-4.2-03')
  })
})

describe('the whole envelope', () => {
  test('errors of the schema and of the rules are reported together', () => {
    const broken = { ...sectioned({ id: 'a', position: -1 }, { id: 'a', created_at: 'soon' }), source: {} }
    assert.deepEqual(
      issuesOf(broken)
        .map(([, code]) => code)
        .sort(),
      ['OUT_OF_RANGE', 'REQUIRED_MISSING', 'SECTION_ID_TWICE', 'TIMESTAMP_UNREADABLE'],
    )
  })
  test('a likely typing error in a member name gives a finding; other unknown members do not', () => {
    accepts(having({ note: 1, _x: {} }), holding({ language: 'en' }))
    const pairs = [
      [called({ titel: 'x' }), '/artifact/titel'],
      [sectioned({ postion: 1 }), '/sections/0/postion'],
      [task({ taskStatus: 'done' }), '/sections/0/taskStatus'],
      [kept({ retension: '7d' }), '/lifecycle/retension'],
    ] as const
    for (const [envelope, pointer] of pairs) {
      finds(envelope, 'info', 'MEMBER_LIKELY_MISTYPED', pointer, 'AAH-1-03')
    }
  })
  test('AAH-sec-05: an access key is refused in every member, and never repeated', () => {
    const key = `gh${'p'}_9fK2mQ7xW4vB8nR3tY6uI1oP5aS0dF`
    const places = [
      [holding({ body: `use ${key}` }), '/content/body'],
      [sectioned({ content: `use ${key}` }), '/sections/0/content'],
      [update({ content: key }), '/section_update/content'],
      [routed({ context: { token: key } }), '/handoff/context/token'],
      [having({ extensions: { acme: { note: key } } }), '/extensions/acme/note'],
    ] as const
    for (const [envelope, pointer] of places) {
      finds(envelope, 'error', 'SECRET_INLINE', pointer, 'AAH-sec-05')
      assert.ok(!JSON.stringify(validateArtifactEnvelope(envelope)).includes(key))
    }
    accepts(madeBy({ session_id: 'ses_7Qm2Lx9Rk4Zt8Wb3' }))
  })
})

test('the envelopes in the specification are valid and give no findings', (t) => {
  const text = `${process.env.WAYBILL_TEST_DATA ?? '../shared'}/specs/aah-0.3.md`
  if (!existsSync(text)) return t.skip(`needs the text at ${text}`)
  const blocks = [...readFileSync(text, 'utf8').matchAll(/```json\n(\{\s*"aah_version"[\s\S]*?)```/g)]
  const envelopes = blocks.map(([, json = '']) => json).filter((json) => !json.includes('{ ... }'))
  assert.equal(envelopes.length, 5)
  accepts(...envelopes.map((json) => JSON.parse(json) as Json))
})
