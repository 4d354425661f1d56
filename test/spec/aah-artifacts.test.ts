import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type ArtifactEnvelope,
  approvalOf,
  asResponseTo,
  decideApproval,
  draftSections,
  findTaskReferences,
  inDisplayOrder,
  newArtifactId,
  parseArtifactEnvelope,
  recipientOf,
  renderingHintsOf,
  renderTaskReferences,
  requestApproval,
  responseStatus,
  tasksOf,
  validateArtifactEnvelope,
  withEnvelopeDefaults,
  writeArtifactEnvelope,
} from 'waybill/spec'
import type { Encoding } from '../../src/document/document.ts'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { readDocument } from '../../src/document/read-document.ts'
import { expiryOf } from '../../src/spec/aah/artifact-expiry.ts'
import {
  called,
  having,
  holding,
  kept,
  note,
  routed,
  sectioned,
  task,
  update,
} from '../../src/spec/aah/catalogue/entry.ts'
import { isSectioned, isSimple, isTask, isUpdate } from '../../src/spec/aah/envelope-shapes.ts'
import { featureLevel, versionToWrite } from '../../src/spec/aah/feature-level.ts'

const parse = (envelope: Json): ArtifactEnvelope => parseArtifactEnvelope(envelope)
const at = '2026-01-31T09:00:00Z'

describe('reading and writing', () => {
  const rich: JsonObject = {
    ...having({ extensions: { acme: { deep: [null, { a: 1 }] } }, 'x-shelf': 7 }),
    handoff: { context: { next: ['a', { b: null }], n: 1.5 }, parent_artifact_ids: ['aah_0'] },
  }
  const roundTrip = (encoding: Encoding) => {
    const bytes = writeArtifactEnvelope(parse(rich), encoding)
    const { document } = readDocument(bytes, { encoding })
    return parseArtifactEnvelope(document ?? null)
  }
  test('AAH-6-02: an envelope written as JSON reads back the same', () => {
    assert.deepEqual(roundTrip('json'), rich)
    assert.equal(JSON.parse(Buffer.from(writeArtifactEnvelope(parse(rich))).toString()).aah_version, '0.2')
  })
  test('AAH-6-03: written as YAML or MessagePack it reads back as from JSON', () => {
    assert.deepEqual(roundTrip('yaml'), roundTrip('json'))
    assert.deepEqual(roundTrip('msgpack'), roundTrip('json'))
  })
  test('AAH-2.8-04: the context of routing is passed on unchanged, and parents are a list of strings', () => {
    assert.deepEqual(roundTrip('json').handoff?.context, { next: ['a', { b: null }], n: 1.5 })
    const broken = [routed({ parent_artifact_ids: 'aah_0' }), routed({ parent_artifact_ids: [7] })]
    for (const envelope of [...broken, routed({ context: [] })]) {
      assert.throws(() => parse(envelope), { code: 'WRONG_TYPE' })
      assert.deepEqual(
        validateArtifactEnvelope(envelope).map(({ rule }) => rule),
        ['AAH-2.8-04'],
      )
    }
  })
  test('types that only readers accept are not written', () => {
    const wrong = [called({ type: 'foo/bar' }), sectioned({ type: 'chapter' }), sectioned({ id: 'A' })]
    for (const envelope of wrong) assert.throws(() => writeArtifactEnvelope(envelope as never), Error)
    assert.doesNotThrow(() => parse(called({ type: 'foo/bar' })))
  })
  test('AAH-2.2-04: the version of an artifact counts from 1, which is also its default', () => {
    assert.equal(withEnvelopeDefaults(parse(note)).artifact.version, 1)
    assert.equal(withEnvelopeDefaults(parse(called({ version: 4 }))).artifact.version, 4)
    for (const version of [0, -1, 1.5, '2']) assert.throws(() => parse(called({ version })), Error)
    assert.equal(withEnvelopeDefaults(parse(update({}))).artifact.version, undefined)
  })
  test('AAH-2.2-05: generated ids are prefixed UUIDs; any id that is not empty is accepted', () => {
    assert.match(newArtifactId(), /^aah_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.notEqual(newArtifactId(), newArtifactId())
    for (const id of ['1', 'a:b c', '✉']) parse(called({ id }))
    assert.throws(() => parse(called({ id: '' })), { code: 'TOO_SHORT' })
  })
  test('the three shapes are distinguished', () => {
    const shapes = [note, sectioned({}), update({})].map(parse)
    assert.deepEqual(
      shapes.map((envelope) => [isSimple(envelope), isSectioned(envelope), isUpdate(envelope)]),
      [
        [true, false, false],
        [false, true, false],
        [false, false, true],
      ],
    )
  })
})

describe('feature levels', () => {
  test('AAH-compat-05: the highest feature found is the level', () => {
    const table: readonly (readonly [JsonObject, string])[] = [
      [note, '0.1'],
      [sectioned({}), '0.2'],
      [sectioned(), '0.2'],
      [update({}), '0.2'],
      [sectioned({ status: 'draft' }), '0.2'],
      [sectioned({ type: 'overview' }), '0.2'],
      [sectioned({}, { type: 'task' }), '0.3'],
      ...['needs_approval', 'approved', 'needs_changes'].map(
        (status) => [sectioned({}, { status }), '0.3'] as const,
      ),
    ]
    for (const [envelope, level] of table) assert.equal(featureLevel(envelope), level)
  })
  test('"0.3" is written only for members of 0.3, else "0.2"', () => {
    const versions = [note, sectioned({}), update({}), sectioned({ status: 'draft' }), task({})].map(
      versionToWrite,
    )
    assert.deepEqual(versions, ['0.2', '0.2', '0.2', '0.3', '0.3'])
    const written = writeArtifactEnvelope({ ...parse(sectioned({})), aah_version: '0.1' })
    assert.equal(parseArtifactEnvelope(written).aah_version, '0.2')
  })
  test('AAH-compat-01: artifacts of 0.1 and 0.2 are valid with every declared version', () => {
    const { sections, ...rest } = sectioned({}, { id: 'day-1', position: 0 })
    for (const aah_version of ['0.1', '0.2', '0.3']) {
      for (const old of [note, { ...rest, sections: sections ?? [] }, update({})]) {
        const errors = validateArtifactEnvelope({ ...old, aah_version }).filter((i) => i.severity === 'error')
        assert.deepEqual(errors, [])
      }
    }
  })
  test('AAH-2.5.1-03: a section without type is not a task, is a draft, and needs no reader of 0.3', () => {
    const envelope = parse(sectioned({ task_status: 'done' }))
    const [section] = envelope.sections ?? []
    assert.ok(section)
    assert.deepEqual([isTask(section), approvalOf(section), featureLevel(envelope)], [false, 'draft', '0.2'])
    assert.deepEqual(
      renderTaskReferences('{{task:overview}}', tasksOf(envelope)),
      '[task not found: overview]',
    )
  })
})

describe('task references', () => {
  test('AAH-2.5.4-01: both forms are found, and ids of artifacts may contain any characters', () => {
    const text = 'a {{task:a-1}} b {{task:aah_infra_001:b-2}}{{task:x:y:z:c}} {{task:a b:c}}'
    const found = findTaskReferences(text).map(({ start, end, artifactId, sectionId, text: written }) => {
      assert.equal(text.slice(start, end), written)
      return [artifactId, sectionId]
    })
    assert.deepEqual(found, [
      [undefined, 'a-1'],
      ['aah_infra_001', 'b-2'],
      ['x:y:z', 'c'],
      ['a b', 'c'],
    ])
    for (const no of [
      '{{task:}}',
      '{{task:A}}',
      '{{task:a_b}}',
      '{{task::a}}',
      '{{ task:a }}',
      '{{task:a',
      '{{t:a}}',
    ]) {
      assert.deepEqual(findTaskReferences(no), [], no)
    }
  })
  const plan = parse(
    sectioned(
      { id: 'roadmap', heading: 'Roadmap' },
      { id: 'send', type: 'task', heading: 'Send\nletters', task_status: 'in_progress' },
      { id: 'wait', type: 'task', heading: '{{task:send}}' },
    ),
  )
  test('AAH-2.5.4-02: a reference shows the heading and the status of its task', () => {
    const render = (text: string) => renderTaskReferences(text, tasksOf(plan))
    assert.equal(render('Do {{task:send}}, then.'), 'Do Send letters (in_progress), then.')
    assert.equal(render('{{task:aah_1:send}}'), 'Send letters (in_progress)')
    assert.equal(render('{{task:wait}}'), '{{task:send}} (no status)')
  })
  test('AAH-2.5.4-03: an invalid reference is a marker or plain text, never an error', () => {
    const render = (text: string) => renderTaskReferences(text, tasksOf(plan))
    assert.equal(render('{{task:gone}}'), '[task not found: gone]')
    assert.equal(render('{{task:roadmap}}'), '[task not found: roadmap]')
    assert.equal(render('{{task:other:send}}'), '[task not found: other:send]')
    assert.equal(render('{{task:No Such}} {{task:'), '{{task:No Such}} {{task:')
    const envelope = sectioned({ content: '{{task:gone}} {{task:No}}' })
    assert.deepEqual(
      validateArtifactEnvelope(envelope)
        .map(({ severity, code }) => `${severity} ${code}`)
        .sort(),
      ['warning TASK_REFERENCE_DANGLING', 'warning TASK_REFERENCE_MALFORMED'],
    )
  })
  test('AAH-compat-04: reading and writing leaves references unchanged', () => {
    const body = 'see {{task:send}} and {{task:aah_x:y}}'
    const written = writeArtifactEnvelope(parse(holding({ body })))
    assert.equal(parseArtifactEnvelope(written).content?.body, body)
  })
  test('a text of unclosed references is read in linear time', () => {
    assert.deepEqual(findTaskReferences('{{task:'.repeat(200_000)), [])
  })
})

describe('sections', () => {
  test('AAH-4.3-01: sections are sorted by position; equal and missing positions keep the order of the document', () => {
    const order = [
      { id: 'a' },
      { id: 'b', position: 2 },
      { id: 'c', position: 0 },
      { id: 'd' },
      { id: 'e', position: 2 },
    ]
    assert.deepEqual(
      inDisplayOrder(order).map(({ id }) => id),
      ['c', 'b', 'e', 'a', 'd'],
    )
    assert.deepEqual(
      order.map(({ id }) => id),
      ['a', 'b', 'c', 'd', 'e'],
    )
  })
  test('AAH-4.2-04: templates return valid sections with the recommended ids', () => {
    const ids = (template: 'experiment' | 'feature' | 'research', days?: number) => {
      const sections = draftSections(template, { agentId: 'clerk', at, ...(days !== undefined && { days }) })
      const { sections: _, ...rest } = sectioned({})
      assert.deepEqual(validateArtifactEnvelope({ ...rest, sections } as unknown as Json), [])
      assert.deepEqual(inDisplayOrder(sections), sections)
      return sections.map(({ id }) => id).join(' ')
    }
    assert.equal(ids('experiment', 2), 'overview hypothesis measurement-plan baseline rollback day-1 day-2')
    assert.equal(ids('feature'), 'overview requirements design implementation qa launch')
    assert.equal(ids('research'), 'summary methodology findings recommendations appendix')
  })
  const [section] = parse(sectioned({})).sections ?? []
  assert.ok(section)
  test('AAH-2.5.3-04: a request for approval records the note, the time and the requesting agent', () => {
    const asked = requestApproval(section, 'clerk', 'Is it right?', at)
    assert.deepEqual(asked, {
      ...section,
      status: 'needs_approval',
      approval_note: 'Is it right?',
      approval_requested_at: at,
      approval_requested_by: 'clerk',
    })
    const again = requestApproval(
      decideApproval(asked, 'needs_changes', 'human', 'No.', at),
      'clerk',
      'Now?',
      at,
    )
    assert.deepEqual(
      [again.status, again.decided_by, again.decision_note],
      ['needs_approval', undefined, undefined],
    )
  })
  test('the approval status changes only from draft to request to decision', () => {
    const asked = requestApproval(section, 'clerk', 'x', at)
    const approved = decideApproval(asked, 'approved', 'human', 'Yes.', at)
    assert.deepEqual([approved.status, approved.decided_by, approved.decided_at], ['approved', 'human', at])
    const refused = { code: 'APPROVAL_MOVE_REFUSED' }
    assert.throws(() => decideApproval(section, 'approved', 'human', '', at), refused)
    assert.throws(() => decideApproval(approved, 'needs_changes', 'human', '', at), refused)
    assert.throws(() => requestApproval(asked, 'clerk', '', at), refused)
    assert.throws(() => requestApproval(approved, 'clerk', '', at), refused)
    assert.throws(() => decideApproval(asked, 'approved', 'clerk', '', at), { code: 'APPROVAL_BY_REQUESTER' })
  })
})

describe('what an envelope requires from its readers', () => {
  test('AAH-2.8-02: the agent is the recipient; the role only if no agent is named', () => {
    const both = parse(routed({ target_agent: 'printer', target_role: 'printing' }))
    assert.deepEqual(recipientOf(both), { kind: 'agent', agentId: 'printer' })
    assert.deepEqual(recipientOf(parse(routed({ target_role: 'printing' }))), {
      kind: 'role',
      role: 'printing',
    })
    assert.equal(recipientOf(parse(note)), undefined)
  })
  test('AAH-2.8-03: an answer is linked by parent_artifact_ids; without one by the deadline it is overdue', () => {
    const request = parse(routed({ expects_response: true, response_deadline: at }))
    const due = Date.parse(at)
    assert.equal(responseStatus(request, [parse(called({ id: 'aah_2' }))], due), 'waiting')
    assert.equal(responseStatus(request, [], due + 1), 'overdue')
    const answer = asResponseTo(
      request,
      parse({ ...called({ id: 'aah_2' }), handoff: { parent_artifact_ids: ['p'] } }),
    )
    assert.deepEqual(answer.handoff?.parent_artifact_ids, ['p', 'aah_1'])
    assert.deepEqual(asResponseTo(request, answer), answer)
    assert.equal(responseStatus(request, [answer], due + 1), 'answered')
    assert.equal(responseStatus(parse(note), [], due), 'none-expected')
    assert.equal(responseStatus(parse(routed({ expects_response: true })), [], 9e15), 'waiting')
  })
  test('AAH-8-01: rendering hints are read and kept; unknown hints are ignored', () => {
    const rendering = {
      preferred_view: 'split',
      syntax_highlight: 'python',
      collapse_sections: ['appendix', 7],
      table_of_contents: true,
      glitter: 'much',
    }
    const envelope = parse(having({ extensions: { rendering } }))
    assert.deepEqual(renderingHintsOf(envelope), {
      preferredView: 'split',
      syntaxHighlight: 'python',
      collapseSections: ['appendix'],
      tableOfContents: true,
    })
    const again = parseArtifactEnvelope(writeArtifactEnvelope(envelope))
    assert.deepEqual(again.extensions, { rendering })
    assert.deepEqual(renderingHintsOf(parse(note)), { collapseSections: [], tableOfContents: false })
  })
  test('expires_at takes precedence over retention, which counts from created_at; permanent never ends', () => {
    const created = Date.parse(at)
    const expiry = (lifecycle: JsonObject) => expiryOf(parse(kept(lifecycle)))
    assert.deepEqual(expiry({ retention: '7d' }), { kind: 'at', ms: created + 7 * 86_400_000 })
    assert.deepEqual(expiry({ retention: 'permanent', expires_at: at }), { kind: 'at', ms: created })
    assert.deepEqual(expiry({ retention: 'ephemeral' }), { kind: 'with-session' })
    assert.deepEqual([expiry({}), expiry({ retention: 'permanent' })], [{ kind: 'never' }, { kind: 'never' }])
  })
})
