import { randomBytes } from 'node:crypto'
import { defined } from '../document/defined.ts'
import { WaybillError } from '../document/issue.ts'
import { type DefinitionUse, usesOf } from '../policy/definition-uses.ts'
import { type HostGrant, parseHostGrant } from '../policy/endpoint-gate.ts'
import { parseSecretGrant, type SecretGrant } from '../policy/secret-grant.ts'
import { type Grant, isInForce } from '../run/record/grant.ts'
import type { GrantRecords } from '../run/record/records.ts'
import type { AuditFact } from '../trust/audit-chain.ts'

/** What a home's grants add to the settings of a run. Its hosts never reach private addresses. */
export interface RememberedGrants {
  readonly hosts: readonly HostGrant[]
  readonly secrets: readonly SecretGrant[]
}

/** The definition that a person starts, as the home knows it. */
export interface KnownDefinition {
  readonly identity: string
  readonly definition: unknown
}

/**
 * The grants of hosts and secrets that are in force for a definition.
 * @param known absent: no definition in particular, for which only the grants to every agent count
 */
export async function rememberedGrants(
  records: Pick<GrantRecords, 'list'>,
  known: KnownDefinition | undefined,
): Promise<RememberedGrants> {
  const now = Date.now()
  const uses = known === undefined ? [] : usesOf(known.definition)
  const grants = (await records.list()).filter(
    (grant) => grant.kind !== 'call' && isInForce(grant, now) && isFor(grant, known?.identity, uses),
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

/** The fingerprints of what a definition does with a host or a secret: what a grant for it is given for. */
export function fingerprintsFor(
  { kind, what }: Pick<Grant, 'kind' | 'what'>,
  uses: readonly DefinitionUse[],
): readonly string[] {
  return [...new Set(uses.filter((use) => concerns(kind, what, use)).map(({ fingerprint }) => fingerprint))]
}

/** A grant for a definition counts as long as each of its uses of the host or secret is one that it was given for. */
function isFor(grant: Grant, identity: string | undefined, uses: readonly DefinitionUse[]): boolean {
  if (grant.agent_id === undefined && grant.definition === undefined) return true
  if (identity === undefined || grant.definition !== identity) return false
  const given = new Set(grant.tools)
  return fingerprintsFor(grant, uses).every((fingerprint) => given.has(fingerprint))
}

function concerns(kind: Grant['kind'], what: string, use: DefinitionUse): boolean {
  if (kind === 'host') return covers(parseHostGrant(what, 'remembered'), use.host)
  const { name, host } = parseSecretGrant(what)
  return use.secret === name && covers(parseHostGrant(host, 'remembered'), use.host)
}

/** @param host as a URL has it, with the port when it is not the scheme's own */
function covers(grant: HostGrant, host: string): boolean {
  const [, name = host, port] = /^(.*?)(?::(\d+))?$/.exec(host) ?? []
  if (grant.port !== undefined && port !== undefined && grant.port !== Number(port)) return false
  return grant.host.startsWith('*.')
    ? name.slice(name.indexOf('.') + 1) === grant.host.slice(2)
    : name === grant.host
}

function boundOf({ definition }: Grant): { readonly bound?: true } {
  return definition === undefined ? {} : { bound: true }
}

export function newGrantId(): string {
  return `g-${randomBytes(4).toString('hex')}`
}

/**
 * Gives a grant; it and its audit entry are stored as one change (AAIF §4.9). It replaces an earlier grant of the same
 * for the same agent, so that a shorter time or fewer uses take effect.
 */
export async function giveGrant(
  records: Pick<GrantRecords, 'give' | 'list' | 'revoke'>,
  grant: Grant,
): Promise<void> {
  const earlier = (await records.list()).filter((other) => isSame(other, grant)).map(({ id }) => id)
  // Revoked first: a crash in between must not leave the wider of the two in force.
  if (earlier.length > 0)
    await records.revoke(new Set(earlier), (revoked) =>
      revoked.map((one) => factOf('grant.revoked', one, { by: grant.by, at: grant.at })),
    )
  await records.give(grant, [factOf('grant.given', grant, grant)])
}

/**
 * Revokes grants; their audit entries are stored in the same change.
 * @returns those that were there
 * @throws AUDIT_DAMAGED when the log could not be continued; the grants are revoked all the same
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
