import { createHash } from 'node:crypto'
import { WaybillError } from '../../document/issue.ts'
import { CAPABILITY_ID } from './agent-card.schema.ts'

const ID = new RegExp(CAPABILITY_ID)

/** Where a capability is offered under a name: what each takes differs. */
export type NameTarget = 'openai' | 'mcp'

/** OpenAI takes letters, digits, `_` and `-`; MCP takes dots besides. */
const LIMITS: Readonly<Record<NameTarget, number>> = { openai: 64, mcp: 128 }

/**
 * The name of a capability in a tool list (AgentCard §2.4.1). The draft calls ids fit as they are, and OpenAI takes
 * no dots: there a dot becomes `__`, and `_` becomes `_U` where another would follow, so that each id has one name and
 * each name one id. Ids have no upper case, so `_U` and `_X` stand for nothing else. An id that is too long is cut and
 * ends in `_X` and a part of its hash: which it was is known only to who keeps the id beside the name.
 * @returns for `openai` 1 to 64 characters, for `mcp` 1 to 128.
 */
export function toolNameOf(id: string, target: NameTarget): string {
  const limit = LIMITS[target]
  const name = target === 'mcp' ? id : id.replaceAll(/_(?=[_.])/g, '_U').replaceAll('.', '__')
  if (name.length <= limit) return name
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 16)
  return `${name.slice(0, limit - hash.length - 2)}_X${hash}`
}

/** The id that a name was made of; undefined when it was cut, or was made of none. */
export function capabilityIdOf(name: string, target: NameTarget): string | undefined {
  const id = target === 'mcp' ? name : name.replaceAll(/__|_U/g, (mark) => (mark === '__' ? '.' : '_'))
  return ID.test(id) && toolNameOf(id, target) === name ? id : undefined
}

/**
 * Names all capabilities of a card at once.
 * @throws CAPABILITY_NAME_TAKEN when two would have one name, for the caller's choice would then be lost.
 */
export function toolNamesOf(ids: readonly string[], target: NameTarget): ReadonlyMap<string, string> {
  const idOfName = new Map<string, string>()
  for (const [index, id] of ids.entries()) {
    const name = toolNameOf(id, target)
    if (idOfName.has(name)) {
      throw new WaybillError('CAPABILITY_NAME_TAKEN', {
        at: `/capabilities/${index}/id`,
        message: `two capabilities would be offered as "${name}"`,
        hint: 'give each capability an id of its own',
        rule: 'CARD-2.4-10',
      })
    }
    idOfName.set(name, id)
  }
  return idOfName
}
