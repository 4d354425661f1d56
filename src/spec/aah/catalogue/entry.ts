import type { Json, JsonObject } from '../../../document/json.ts'
import type { RuleEntry } from '../../rule-entry.ts'

/** The smallest valid simple artifact. */
export const note: JsonObject = {
  aah_version: '0.2',
  artifact: { id: 'aah_1', type: 'document/text', created_at: '2026-01-31T09:00:00Z' },
  source: { agent_id: 'clerk' },
  content: { media_type: 'text/plain', body: 'Stamp first.' },
}

const { content: _content, ...unfilled } = note
const section: JsonObject = {
  id: 'overview',
  heading: 'Overview',
  content: 'All is well.',
  agent_id: 'clerk',
  created_at: '2026-01-31T09:00:00Z',
  updated_at: '2026-01-31T09:00:00Z',
}

export const having = (members: JsonObject): JsonObject => ({ ...note, ...members })
export const called = (members: JsonObject): JsonObject => having({ artifact: merged('artifact', members) })
export const madeBy = (members: JsonObject): JsonObject => having({ source: merged('source', members) })
export const holding = (members: JsonObject): JsonObject => having({ content: merged('content', members) })
export const kept = (lifecycle: JsonObject): JsonObject => having({ lifecycle })
export const routed = (handoff: JsonObject): JsonObject => having({ handoff })
export const sectioned = (...sections: readonly JsonObject[]): JsonObject => ({
  ...unfilled,
  aah_version: '0.3',
  sections: sections.map((members) => ({ ...section, ...members })),
})
export const task = (members: JsonObject): JsonObject => sectioned({ type: 'task', ...members })
export const update = (members: JsonObject, root: JsonObject = {}): JsonObject => ({
  aah_version: '0.2',
  artifact: { id: 'aah_1' },
  source: { agent_id: 'clerk' },
  section_update: { id: 'overview', content: 'All is better.', ...members },
  ...root,
})

export function without(owner: JsonObject, ...path: readonly string[]): JsonObject {
  const [member = '', ...rest] = path
  const { [member]: inner, ...others } = owner
  if (rest.length === 0) return others
  return { ...others, [member]: without(inner as JsonObject, ...rest) }
}

function merged(member: string, members: JsonObject): JsonObject {
  return { ...(note[member] as JsonObject), ...members }
}

type Parts = Omit<RuleEntry, 'id' | 'kind' | 'source' | 'right' | 'severity' | 'enforced'> &
  Partial<Pick<RuleEntry, 'severity' | 'enforced'>> & { readonly right?: Json }

export function rule(id: string, where: string, parts: Parts): RuleEntry {
  return {
    severity: 'error',
    enforced: 'validation',
    right: note,
    ...parts,
    id,
    kind: 'aah',
    source: `AAH ${where}`,
  }
}
