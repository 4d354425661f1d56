import { storedText } from '../database/stored-text.ts'
import type { Store } from '../records/store.ts'
import { type StoredVersion, VERSION_COLUMNS } from './stored-version.ts'

/** The agents that a definition may refer to: the active versions of its own organisation. */
export interface OwnAgents {
  /** Returns the active version of the agent with this id, else of the only one with this name; or why there is none. */
  find(ref: string): Promise<StoredVersion | { readonly reason: string }>
  /** Returns the active versions of other agents whose bytes contain the id or the name of an agent. */
  mentioning(agentId: string): Promise<readonly StoredVersion[]>
  /** Returns the version whose definition has this hash, whatever its status; null if there is none. */
  ofDefinition(hash: string): Promise<StoredVersion | null>
  /** Returns the digests of the versions that references lead to now; null for one that leads to none. */
  digests(refs: readonly string[]): Promise<ReadonlyMap<string, string | null>>
}

export function ownAgents(store: Pick<Store, 'org' | 'read'>): OwnAgents {
  const active = async <T extends Candidate>(refs: readonly string[], columns: string) => {
    const ids = refs.map((ref) => storedText(idIn(ref)))
    const { rows } = await store.read((sql) =>
      sql.query<T>(
        `SELECT a.name, ${columns} FROM waybill.agents AS a
         JOIN waybill.agent_versions AS v ON v.org = a.org AND v.agent_id = a.agent_id AND v.version = a.active
         WHERE a.org = $1 AND (a.agent_id = ANY($2) OR a.name = ANY($2))`,
        [store.org, ids],
      ),
    )
    return rows
  }
  return {
    async find(ref) {
      const found = pick(ref, await active<StoredVersion & Candidate>([ref], VERSION_COLUMNS))
      return typeof found === 'string' ? { reason: found } : found
    },
    async mentioning(agentId) {
      const { rows } = await store.read((sql) =>
        sql.query<StoredVersion>(
          `SELECT ${VERSION_COLUMNS} FROM waybill.agents AS s
           JOIN waybill.agents AS a ON a.org = s.org AND a.agent_id <> s.agent_id
           JOIN waybill.agent_versions AS v ON v.org = a.org AND v.agent_id = a.agent_id AND v.version = a.active
           WHERE s.org = $1 AND s.agent_id = $2 AND (position(convert_to(s.agent_id, 'UTF8') IN v.body) > 0
             OR position(convert_to(s.name, 'UTF8') IN v.body) > 0)`,
          [store.org, storedText(agentId)],
        ),
      )
      return rows
    },
    async ofDefinition(hash) {
      const { rows } = await store.read((sql) =>
        sql.query<StoredVersion>(
          `SELECT ${VERSION_COLUMNS} FROM waybill.agent_versions AS v WHERE v.org = $1 AND v.definition = $2
           ORDER BY v.n DESC LIMIT 1`,
          [store.org, hash],
        ),
      )
      return rows[0] ?? null
    },
    async digests(refs) {
      const rows = await active<Candidate>(refs, 'v.agent_id, v.digest')
      return new Map(
        refs.map((ref) => {
          const found = pick(ref, rows)
          return [ref, typeof found === 'string' ? null : found.digest]
        }),
      )
    },
  }
}

interface Candidate {
  readonly agent_id: string
  readonly name: string
  readonly digest: string
}

function pick<T extends Candidate>(ref: string, candidates: readonly T[]): T | string {
  const id = storedText(idIn(ref))
  const byId = candidates.find(({ agent_id }) => agent_id === id)
  if (byId !== undefined) return byId
  const [first, ...others] = candidates.filter(({ name }) => name === id)
  if (first === undefined) return 'the organisation has no active agent with this id or name'
  return others.length === 0 ? first : `${others.length + 1} agents of the organisation have this name`
}

/** The id of an agent may be written as a URI (AAIF §4.3 ref). */
function idIn(ref: string): string {
  return ref.replace(/^urn:uuid:/i, '')
}
