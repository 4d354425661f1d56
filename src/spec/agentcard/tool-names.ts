import { createHash } from 'node:crypto'
import { WaybillError } from '../../document/issue.ts'
import { CAPABILITY_ID } from './agent-card.schema.ts'

const ID = new RegExp(CAPABILITY_ID)

/** The API for which a name is made; the allowed characters differ. */
export type NameTarget = 'openai' | 'mcp'

/** OpenAI allows letters, digits, `_` and `-`; MCP also allows dots. */
const LIMITS: Readonly<Record<NameTarget, number>> = { openai: 64, mcp: 128 }

/**
 * Returns the name of a capability in a tool list (AgentCard §2.4.1). The draft uses ids as names, but OpenAI does not
 * allow dots: a dot becomes `__`, and `_` becomes `_U` before another `_`, so that each id has one name and each name
 * one id. Ids have no upper case, so `_U` and `_X` are unambiguous. An id that is too long is shortened and ends in
 * `_X` and a part of its hash; it cannot be computed from the name.
 * @returns for `openai` 1 to 64 characters, for `mcp` 1 to 128.
 */
export function toolNameOf(id: string, target: NameTarget): string {
  const limit = LIMITS[target]
  const name = target === 'mcp' ? id : id.replaceAll(/_(?=[_.])/g, '_U').replaceAll('.', '__')
  if (name.length <= limit) return name
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 16)
  return `${name.slice(0, limit - hash.length - 2)}_X${hash}`
}

/** Returns the id from which a name was made; undefined if the name was shortened or was not made from an id. */
export function capabilityIdOf(name: string, target: NameTarget): string | undefined {
  const id = target === 'mcp' ? name : name.replaceAll(/__|_U/g, (mark) => (mark === '__' ? '.' : '_'))
  return ID.test(id) && toolNameOf(id, target) === name ? id : undefined
}

/**
 * Names all capabilities of a card at once.
 * @throws CAPABILITY_NAME_TAKEN if two capabilities would have the same name, because a call could not be assigned to
 * one of them.
 */
export function toolNamesOf(ids: readonly string[], target: NameTarget): ReadonlyMap<string, string> {
  const idOfName = new Map<string, string>()
  for (const [index, id] of ids.entries()) {
    const name = toolNameOf(id, target)
    if (idOfName.has(name)) {
      throw new WaybillError('CAPABILITY_NAME_TAKEN', {
        at: `/capabilities/${index}/id`,
        message: `two capabilities would be offered as "${name}"`,
        hint: 'give each capability a unique id',
        rule: 'CARD-2.4-10',
      })
    }
    idOfName.set(name, id)
  }
  return idOfName
}
