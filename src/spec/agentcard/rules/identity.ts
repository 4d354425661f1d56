import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import { textAt } from '../../loose-members.ts'

const PLACEHOLDERS =
  /^(?:(?:an?|my|new|test|example|sample|demo|untitled|unnamed|the)?[ _-]?(?:agent|bot|assistant|card)?[ _-]?\d*|untitled|unnamed|foo|bar|todo|tbd|name)$/i

/** An id that no clock gives, and a name that tells nothing. */
export function* checkIdentity(card: JsonObject): Iterable<Finding> {
  const id = textAt(card, 'agent_id')
  if (id !== undefined && /^[89A-Z][0-9A-HJKMNP-TV-Z]{25}$/.test(id)) {
    yield {
      severity: 'warning',
      code: 'ULID_OVERFLOW',
      pointer: '/agent_id',
      message: 'this id has the form of a ULID and more than its 128 bits: a ULID begins with 0 to 7',
      hint: 'mint a new one for a new agent; keep it if others know the agent by it',
      rule: 'WB-CARD-03',
    }
  }
  const name = textAt(card, 'name')
  if (name !== undefined && name !== '' && PLACEHOLDERS.test(name.trim())) {
    yield {
      severity: 'info',
      code: 'NAME_TELLS_NOTHING',
      pointer: '/name',
      message: 'this name does not tell what the agent is for',
      hint: 'name its main function or role, such as "Invoice reader"',
      rule: 'CARD-2.2-02',
    }
  }
}
