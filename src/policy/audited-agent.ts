import { sha256OfCanonical } from '../document/canonical.ts'
import { defined } from '../document/defined.ts'
import { isObject, type Json } from '../document/json.ts'

/** What an audit entry says about an agent whose definition was refused. */
export type AuditedAgent = {
  readonly agent_id?: string
  /** SHA-256 of the canonical form of its definition. */
  readonly definition: string
  readonly safety_level?: string
}

/**
 * Returns what must be audited if this definition is refused (AAIF §4.9 audit_log, §7): that of an agent which declares
 * `audit_log: true` or safety level regulated. The definition may be invalid, but these members must be recognisable.
 */
export function auditedAgent(definition: unknown): AuditedAgent | undefined {
  const value = definition as Json | undefined
  if (value === undefined || !isObject(value)) return undefined
  const { agent_id, agent } = value
  const compliance = agent !== undefined && isObject(agent) ? agent.compliance : undefined
  if (compliance === undefined || !isObject(compliance)) return undefined
  const { audit_log, safety_level } = compliance
  if (audit_log !== true && safety_level !== 'regulated') return undefined
  return {
    definition: sha256OfCanonical(value),
    ...defined({
      agent_id: typeof agent_id === 'string' ? agent_id : undefined,
      safety_level: typeof safety_level === 'string' ? safety_level : undefined,
    }),
  }
}
