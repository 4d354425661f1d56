import { randomBytes } from 'node:crypto'
import { defined } from '../document/defined.ts'
import { WaybillError } from '../document/issue.ts'
import type { GrantedUse } from '../plan/granted-uses.ts'
import { type HostGrant, parseHostGrant } from '../policy/endpoint-gate.ts'
import { parseSecretGrant, type SecretGrant } from '../policy/secret-grant.ts'
import { type Grant, isInForce } from '../run/record/grant.ts'
import type { GrantRecords } from '../run/record/records.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import type { AuditFact } from '../trust/audit-chain.ts'

/** The standing grants of a home that apply to a run. Their hosts never permit private addresses. */
export interface RememberedGrants {
  readonly hosts: readonly HostGrant[]
  readonly secrets: readonly SecretGrant[]
}

/** A definition that a person starts, for new grants. */
export interface KnownDefinition {
  readonly identity: string
  /** Absent if its source cannot be read any more. */
  readonly definition?: AgentDefinition
}

/**
 * Returns the grants of hosts and secrets that are in force for a definition. A grant for one definition names the uses
 * that it is for; the use is compared where a call is planned.
 * @param identity of the definition that a person starts; absent: only grants to every agent apply
 */
export async function rememberedGrants(
  records: Pick<GrantRecords, 'list'>,
  identity: string | undefined,
): Promise<RememberedGrants> {
  const now = Date.now()
  const grants = (await records.list()).filter(
    (grant) => grant.kind !== 'call' && isInForce(grant, now) && isFor(grant, identity),
  )
  return {
    hosts: grants
      .filter(({ kind }) => kind === 'host')
      .map((grant) => ({ ...parseHostGrant(grant.what, 'remembered'), ...boundOf(grant) })),
    secrets: grants
      .filter(({ kind }) => kind === 'secret')
      .map((grant) => ({ ...parseSecretGrant(grant.what), ...boundOf(grant) })),
  }
}

/** Returns the fingerprints of the uses of a host or a secret: the grant applies only to these uses. */
export function fingerprintsFor(
  { kind, what }: Pick<Grant, 'kind' | 'what'>,
  uses: readonly GrantedUse[],
): readonly string[] {
  return [...new Set(uses.filter((use) => concerns(kind, what, use)).map(({ fingerprint }) => fingerprint))]
}

/** Returns whether a grant is for every agent, or for this definition. */
function isFor({ agent_id, definition }: Grant, identity: string | undefined): boolean {
  if (agent_id === undefined && definition === undefined) return true
  return identity !== undefined && definition === identity
}

function concerns(kind: Grant['kind'], what: string, use: GrantedUse): boolean {
  if (kind === 'host') return covers(parseHostGrant(what, 'remembered'), use.host)
  const { name, host } = parseSecretGrant(what)
  return use.secret === name && covers(parseHostGrant(host, 'remembered'), use.host)
}

/** @param host as in a URL, with the port if it is not the default port of the scheme */
function covers(grant: HostGrant, host: string): boolean {
  const [, name = host, port] = /^(.*?)(?::(\d+))?$/.exec(host) ?? []
  if (grant.port !== undefined && port !== undefined && grant.port !== Number(port)) return false
  return grant.host.startsWith('*.')
    ? name.slice(name.indexOf('.') + 1) === grant.host.slice(2)
    : name === grant.host
}

function boundOf({ definition, tools = [] }: Grant): Pick<HostGrant, 'bound' | 'uses'> {
  return definition === undefined ? {} : { bound: true, uses: tools }
}

export function newGrantId(): string {
  return `g-${randomBytes(4).toString('hex')}`
}

/**
 * Stores a grant and its audit entry in one change (AAIF §4.9). It replaces an earlier grant of the same kind and target
 * for the same agent, so that a shorter time or fewer uses take effect.
 */
export async function giveGrant(
  records: Pick<GrantRecords, 'give' | 'list' | 'revoke'>,
  grant: Grant,
): Promise<void> {
  const earlier = (await records.list()).filter((other) => isSame(other, grant)).map(({ id }) => id)
  // Revoke first, so that a crash in between cannot leave the wider grant in force.
  if (earlier.length > 0)
    await records.revoke(new Set(earlier), (revoked) =>
      revoked.map((one) => factOf('grant.revoked', one, { by: grant.by, at: grant.at })),
    )
  await records.give(grant, [factOf('grant.given', grant, grant)])
}

/**
 * Revokes grants; stores their audit entries in the same change.
 * @returns the grants that existed
 * @throws AUDIT_DAMAGED if the log cannot be continued; the grants are revoked anyway
 */
export async function revokeGrants(
  records: Pick<GrantRecords, 'revoke'>,
  ids: ReadonlySet<string>,
  { by, at }: { readonly by: string; readonly at: string },
): Promise<readonly Grant[]> {
  try {
    return await records.revoke(ids, (revoked) =>
      revoked.map((grant) => factOf('grant.revoked', grant, { by, at })),
    )
  } catch (error) {
    if (!(error instanceof WaybillError) || error.code !== 'AUDIT_DAMAGED') throw error
    // A damaged log must not keep a grant in force.
    await records.revoke(ids, () => [])
    throw error
  }
}

function isSame(a: Grant, b: Grant): boolean {
  return (
    a.kind === b.kind &&
    a.what === b.what &&
    a.agent_id === b.agent_id &&
    a.definition === b.definition &&
    a.definition_hash === b.definition_hash
  )
}

function factOf(
  kind: string,
  grant: Grant,
  { by, at }: { readonly by: string; readonly at: string },
): AuditFact {
  const { id, kind: sort, what, agent_id, definition, definition_hash, until, uses_left, why } = grant
  return {
    at,
    kind,
    grant: id,
    sort,
    what,
    ...defined({ agent_id, definition, definition_hash, until, uses_left }),
    by,
    ...defined({ why }),
  }
}
