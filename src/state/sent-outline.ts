import { isObject, type Json } from '../document/json.ts'
import type { AgentState } from '../spec/aaif/generated/state.ts'

/**
 * Member of a state that is only examined (`dry_run`) and whose conversation was left out, because the texts are many and
 * only their roles and sizes decide what the other platform keeps.
 */
export const OUTLINE_MEMBER = 'x-waybill-outline'

export interface SentOutline {
  /** One letter for each message: u (user), a (assistant) or t (tool). */
  readonly roles: string
  /** The tokens of each message. */
  readonly tokens: readonly number[]
}

/** Returns the outline of a state; undefined if there is none. */
export function sentOutline(document: AgentState): SentOutline | undefined {
  const member: Json | undefined = document[OUTLINE_MEMBER]
  if (member === undefined || !isObject(member)) return undefined
  const { roles, tokens } = member
  if (typeof roles !== 'string' || !/^[uat]*$/.test(roles) || !Array.isArray(tokens)) return undefined
  return tokens.length === roles.length && tokens.every(isCount) ? { roles, tokens } : undefined
}

function isCount(value: Json): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
