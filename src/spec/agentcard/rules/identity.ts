import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import { textAt } from '../../loose-members.ts'

const PLACEHOLDERS =
  /^(?:(?:an?|my|new|test|example|sample|demo|untitled|unnamed|the)?[ _-]?(?:agent|bot|assistant|card)?[ _-]?\d*|untitled|unnamed|foo|bar|todo|tbd|name)$/i

/** Warns about an agent_id that is too large for a ULID, and about a name without meaning. */
export function* checkIdentity(card: JsonObject): Iterable<Finding> {
  const id = textAt(card, 'agent_id')
  if (id !== undefined && /^[89A-Z][0-9A-HJKMNP-TV-Z]{25}$/.test(id)) {
    yield {
      severity: 'warning',
      code: 'ULID_OVERFLOW',
      pointer: '/agent_id',
      message: 'this id is larger than the 128 bits of a ULID: a ULID begins with 0 to 7',
      hint: 'create a new id for a new agent; keep this id if others already use it',
      rule: 'WB-CARD-03',
    }
  }
  const name = textAt(card, 'name')
  if (name !== undefined && name !== '' && PLACEHOLDERS.test(name.trim())) {
    yield {
      severity: 'info',
      code: 'NAME_TELLS_NOTHING',
      pointer: '/name',
      message: 'this name does not describe what the agent does',
      hint: 'name its main function or role, such as "Invoice reader"',
      rule: 'CARD-2.2-02',
    }
  }
}
