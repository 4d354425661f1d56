import type { Issue } from '../../src/document/issue.ts'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { validateAgentCard } from '../../src/spec/agentcard/validate-agent-card.ts'
import type { JudgeOptions } from '../../src/spec/kinds.ts'

/** A card without findings. */
export const plain: JsonObject = {
  agent_id: '01KA3F7Q2M8XZT5R9VNC4WB6HD',
  name: 'Ferry clerk',
  version: '1.2.3',
  capabilities: [{ id: 'data.timetable', description: 'Tells when ferries leave a pier.' }],
  endpoint: { protocol: 'https', url: 'https://ferry.example/agent' },
}

/** Every member once, in an unsorted order. */
export const full: JsonObject = {
  ...plain,
  capabilities: [
    {
      id: 'tool.book_seat',
      description: 'Books a seat and returns its number.',
      input_schema: { type: 'object', properties: { pier: { type: 'string' } }, required: ['pier'] },
      output_schema: { type: 'object', properties: { seat: { type: 'integer' } } },
      tags: ['ferry', 'booking'],
    },
    { id: 'data.timetable', description: 'Tells when ferries leave a pier.' },
    { id: 'a2a.delegate', description: 'Asks another clerk.' },
  ],
  endpoint: { protocol: 'https', url: 'https://ferry.example/agent', auth: { scheme: 'bearer' } },
  pricing: { base_cost_joules: 3.5, per_token_joules: 0.25 },
  metadata: { 'pacr:trust_tier': 'basic', 'pacr:substrate_scope': 'lakes', framework: 'autogen' },
  goal_subscriptions: [{ goal_id: 'on-time', description: 'All ferries on time', priority: 0.5 }],
}

export const having = (members: JsonObject): JsonObject => ({ ...plain, ...members })
export const able = (...capabilities: Json[]): JsonObject => having({ capabilities })
export const reached = (members: JsonObject): JsonObject =>
  having({ endpoint: { protocol: 'https', url: 'https://ferry.example/agent', ...members } })

export function without(member: string): JsonObject {
  const { [member]: _left, ...rest } = plain
  return rest
}

/** Returns the issues of a card: severity, code, pointer and rule. */
export function issuesOf(card: Json, options: JudgeOptions = {}): string[] {
  return validateAgentCard(card, options)
    .map(({ severity, code, pointer, rule }) => `${severity} ${code} ${pointer} ${rule}`)
    .sort()
}

export function errorsOf(card: Json, options: JudgeOptions = {}): Issue[] {
  return validateAgentCard(card, options).filter(({ severity }) => severity === 'error')
}

export const isValid = (card: Json, options: JudgeOptions = {}): boolean =>
  errorsOf(card, options).length === 0
