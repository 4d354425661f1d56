import type { Json, JsonObject } from '../../../document/json.ts'
import { entriesOf } from './entry.ts'

/** The smallest valid definition (§4). */
export const minimal: JsonObject = { sc_standard: 'SC-006', agent: { name: 'Clerk', goal: 'File letters.' } }

export const rule = entriesOf('aaif.agent', minimal)

/** The smallest definition with additional members in its agent block… */
export function agent(members: JsonObject): JsonObject {
  return { sc_standard: 'SC-006', agent: { name: 'Clerk', goal: 'File letters.', ...members } }
}
/** …or at its root, … */
export const root = (members: JsonObject): JsonObject => ({ ...minimal, ...members })
export const model = (members: JsonObject): JsonObject => agent({ model: members })
export const orchestration = (members: JsonObject): JsonObject => agent({ orchestration: members })
export const tool = (members: JsonObject): JsonObject =>
  agent({ tools: [{ name: 'weigh', description: 'Weighs a letter.', ...members }] })
export const auth = (members: JsonObject): JsonObject => tool({ auth: members })
export const memory = (members: JsonObject): JsonObject =>
  agent({ memory: [{ scope: 'task', content: 'Stamps.', ...members }] })
/** …or with a Condition. */
export const when = (condition: Json): JsonObject =>
  orchestration({ subagents: [{ ref: 'urn:agent:sorter', when: condition }] })
