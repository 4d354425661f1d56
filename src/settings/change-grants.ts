import type { AuditFact } from '../trust/audit-chain.ts'
import { openAuditLog } from './audit.ts'
import { addGrant, type Grant, removeGrants } from './grants-file.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Gives a grant. First the audit log, then the grant: nothing is allowed that is not on record (AAIF §4.9). */
export function giveGrant(env: Env, grant: Grant): void {
  openAuditLog(env).append([factOf('grant.given', grant, grant)])
  addGrant(env, grant)
}

/** Takes grants back. What is to end ends first, whatever becomes of the log. */
export function revokeGrants(
  env: Env,
  grants: readonly Grant[],
  { by, at }: { readonly by: string; readonly at: string },
): void {
  removeGrants(env, new Set(grants.map(({ id }) => id)))
  openAuditLog(env).append(grants.map((grant) => factOf('grant.revoked', grant, { by, at })))
}

function factOf(
  kind: string,
  grant: Grant,
  { by, at }: { readonly by: string; readonly at: string },
): AuditFact {
  const { id, kind: sort, what, agent_id, definition_hash, until, uses_left, why } = grant
  return {
    at,
    kind,
    grant: id,
    sort,
    what,
    ...(agent_id !== undefined && { agent_id }),
    ...(definition_hash !== undefined && { definition_hash }),
    ...(until !== undefined && { until }),
    ...(uses_left !== undefined && { uses_left }),
    by,
    ...(why !== undefined && { why }),
  }
}
