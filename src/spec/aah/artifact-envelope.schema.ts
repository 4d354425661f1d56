import { anyObject, flag, integer, list, oneOf, open, ref, type Schema, text } from '../schema-builder.ts'
import {
  APPROVAL_STATUSES,
  LIFECYCLE_STATUSES,
  OUTPUT_TYPES,
  RETENTIONS,
  ROUTING_PRIORITIES,
  SECTION_ID,
  STRUCTURED,
  TASK_STATUSES,
  VISIBILITIES,
} from './vocabulary.ts'

/**
 * The artifact envelope of AAH 0.3 in its three shapes: the one source of the published schema, the validator and
 * the types (`npm run generate`). Every object is open: unknown members are kept and ignored (AAH-1-03).
 */

const time = (description: string) => text(description, { format: 'date-time' })
const texts = (description: string) => list({ type: 'string' }, description)

/** A full envelope also describes the artifact (§2.2); a partial update contains only its id. */
const artifact = open('What the artifact is (§2.2).', ['id'], {
  id: text('Its identifier: any string that is not empty; a UUID with a prefix is recommended.', {
    minLength: 1,
  }),
  type: text('Its type, as category/subtype; types that §3 does not list begin with x-.'),
  title: text('Title for people.'),
  summary: text('Summary of its content, at most 500 characters.', { maxLength: 500 }),
  initiative: text('Initiative that it belongs to; groups related artifacts.'),
  version: integer(1, 'Its version, counted from 1.', { default: 1 }),
  version_id: text('Identifier of this version.'),
  previous_version_id: text('Identifier of the version before this one.'),
  created_at: time('When it was made.'),
  updated_at: time('When it was last changed.'),
})

const source = open('The agent that made it, and the task during which it was made (§2.3).', ['agent_id'], {
  agent_id: text('The agent that made it.'),
  agent_name: text('The name of the agent for people.'),
  agent_role: text('The role of the agent, e.g. researcher.'),
  framework: text('The framework that ran the agent.'),
  framework_version: text('Version of the framework.'),
  session_id: text('The session or run.'),
  task_id: text('The task or ticket.'),
  task_description: text('What the agent was trying to do.'),
  model: text('The model that was used.'),
  organization_id: text('The organization, if several organizations share a system.'),
})

const content = open('The content of a simple artifact (§2.4).', ['media_type'], {
  media_type: text('Media type of the content.'),
  encoding: text('Character encoding of the content, or base64 for inline bytes.', { default: 'utf-8' }),
  body: {
    type: ['string', 'object'],
    description: 'The content itself; an object for structured content only (§5).',
  },
  body_url: text('Where the content can be fetched, when it is not inline.', { format: 'uri' }),
  body_hash: text('SHA-256 of the bytes of the content, in hexadecimal.', {
    pattern: '^(?:[sS][hH][aA]256:)?[0-9a-fA-F]{64}$',
  }),
  size_bytes: integer(0, 'How many bytes the content has.'),
  token_count: integer(0, 'How many tokens the content takes, estimated.'),
})

/** A structured body names the schema of its data; a body that is a JSON string is validated in code. */
const structuredBody: Schema = {
  required: ['schema', 'data'],
  properties: {
    schema: text('Which schema the data follows, e.g. aah:analysis/competitor (§5).', { minLength: 1 }),
    data: { description: 'The data (§5).' },
  },
}
const isStructured: Schema = { required: ['media_type'], properties: { media_type: { const: STRUCTURED } } }

const section = open(
  'One part of a collaborative artifact, owned by one agent (§2.5).',
  ['id', 'heading', 'content', 'agent_id', 'created_at', 'updated_at'],
  {
    id: text('Identifier that stays the same: lower-case letters, digits and hyphens (§4.2).', {
      pattern: SECTION_ID,
    }),
    heading: text('Title shown above it.'),
    content: text('Its content, as Markdown.'),
    agent_id: text('The agent that owns it.'),
    agent_name: text('The name of that agent for people.'),
    position: integer(0, 'Its position in the display order, counted from 0 (§4.3).'),
    created_at: time('When it was made.'),
    updated_at: time('When it was last changed.'),
    version: integer(0, 'Its version.'),
    type: text('Kind of section: overview, research, spec, roadmap, task, decision, or an x- type (§2.5.1).'),
    status: oneOf(APPROVAL_STATUSES, 'Approval status (§2.5.3).'),
    approval_requested_at: time('When approval was requested.'),
    approval_requested_by: text('The agent that requested it.'),
    approval_note: text('What the approver should review.'),
    decided_at: time('When it was decided.'),
    decided_by: text('Who decided: an agent_id, or human.'),
    decision_note: text('The reason, or the changes required.'),
  },
  {
    if: { required: ['type'], properties: { type: { const: 'task' } } },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: ref('TaskFields'),
  },
)

const taskFields: Schema = {
  ...open(
    'Additional members of a section of type task; on other sections they have no meaning (§2.5.2).',
    [],
    {
      task_status: oneOf(TASK_STATUSES, 'Work status.'),
      priority: integer(1, '1 is high, 2 medium, 3 low.', { maximum: 3 }),
      assignee_agent_id: text('The agent that is to do the work.'),
      source_section_id: text('The section of this artifact that it comes from.'),
      started_at: time('When the work began.'),
      completed_at: time('When the work was finished.'),
      output_url: text('Where the result is.', { format: 'uri' }),
      output_type: oneOf(OUTPUT_TYPES, 'What the result is.'),
    },
  ),
}

const sectionUpdate = open(
  'New content for one section; makes the envelope a partial update (§2.6).',
  ['id', 'content'],
  {
    id: text('The section to update.', { pattern: SECTION_ID }),
    heading: text('Its new heading, if that changes.'),
    content: text('Its new content.'),
    change_note: text('What changed.'),
  },
)

const lifecycle = open('Retention, visibility and status (§2.7).', [], {
  retention: oneOf(RETENTIONS, 'How long it is kept.', { default: 'permanent' }),
  expires_at: time('When it expires; takes precedence over retention.'),
  visibility: oneOf(VISIBILITIES, 'Who may read it.', { default: 'private' }),
  status: oneOf(LIFECYCLE_STATUSES, 'Lifecycle status.'),
  superseded_by: text('The artifact that replaces it.'),
  tags: texts('Labels.'),
})

const routing = open('Where the artifact goes next (§2.8).', [], {
  target_agent: text('The agent it is for.'),
  target_role: text('The role it is for, when the agent is not known.'),
  expects_response: flag('Whether an artifact is expected in response.'),
  response_deadline: time('When the answer is due.'),
  parent_artifact_ids: texts('The artifacts this one derives from.'),
  context: anyObject('Additional information for the recipient; passed on unchanged.'),
  priority: oneOf(ROUTING_PRIORITIES, 'How urgent it is.'),
})

const unlessHas = (members: readonly string[], then: Schema): Schema => ({
  if: { not: { anyOf: members.map((member) => ({ required: [member] })) } },
  then,
})

export const artifactEnvelopeSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'ArtifactEnvelope',
  ...open(
    'An artifact with its provenance: simple (content), sectioned (sections), or a partial update (section_update).',
    ['aah_version', 'artifact', 'source'],
    {
      aah_version: text('Version of AAH that the envelope follows (§2.1).'),
      artifact: ref('Artifact'),
      source: ref('Source'),
      content: ref('Content'),
      sections: list(ref('Section'), 'The sections of a collaborative artifact (§2.5).'),
      section_update: ref('SectionUpdate'),
      lifecycle: ref('Lifecycle'),
      handoff: ref('Routing'),
      extensions: anyObject('Members that frameworks add, each under the name of the framework (§2.9).'),
    },
    {
      allOf: [
        unlessHas(['sections', 'section_update'], { required: ['content'] }),
        unlessHas(['section_update'], { properties: { artifact: { required: ['type', 'created_at'] } } }),
      ],
      not: { required: ['content', 'sections'] },
    },
  ),
  $defs: {
    Artifact: artifact,
    Source: source,
    Content: {
      ...content,
      allOf: [
        unlessHas(['body_url'], { required: ['body'] }),
        // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
        { if: isStructured, then: { properties: { body: structuredBody } } },
        // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
        { if: { not: isStructured }, then: { properties: { body: { type: 'string' } } } },
      ],
    },
    Section: section,
    TaskFields: taskFields,
    SectionUpdate: sectionUpdate,
    Lifecycle: lifecycle,
    Routing: routing,
  },
} satisfies Schema
