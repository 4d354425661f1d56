import type pg from 'pg'
import { type SecretUse, secretGranted } from '../../policy/secret-grant.ts'
import type { Secrets, StoredSecret } from '../../run/ports.ts'
import { inOrganisation } from '../database/tenant.ts'
import type { InstallationKey } from './installation-key.ts'
import { openSealed, readSealed, type SealedSecret } from './secret-rows.ts'

/** How long a secret is not read again, in milliseconds: a process may use an old value for this long. */
const AGE_MS = 1000

/** Number of names that are remembered; definitions may name any number that does not exist. */
const MOST_REMEMBERED = 2000

export interface OrganisationSecretsParts {
  readonly pool: pg.Pool
  readonly key: InstallationKey
  /** The secrets of the process, from its environment. */
  readonly environment: Secrets
  /** Returns whether the runs of an organisation may use this secret of the environment. */
  readonly mayUse: (org: string, name: string) => boolean
  /** Default: {@link AGE_MS}. */
  readonly ageMs?: number
}

/**
 * The secrets of all organisations, for their runs. A secret of the organisation is returned only for a target on one of
 * its hosts. Without one, the environment is asked if the operator permits it. A secret that the operator's own
 * configuration needs, which has no target, is one of the environment.
 */
export class OrganisationSecrets {
  readonly #parts: OrganisationSecretsParts
  readonly #remembered = new Map<string, { readonly value: Promise<unknown>; readonly at: number }>()

  constructor(parts: OrganisationSecretsParts) {
    this.#parts = parts
  }

  of(org: string): Secrets {
    const { environment, mayUse } = this.#parts
    const fallback = (name: string, to: SecretUse | undefined) =>
      to === undefined || (to.stored_only !== true && mayUse(org, name))
    return {
      has: async (name, to) =>
        (await this.#bound(org, name, to)) !== null || (fallback(name, to) && environment.has(name)),
      get: async (name, to) => {
        const bound = await this.#bound(org, name, to)
        if (bound !== null) return this.#use(org, bound)
        return fallback(name, to) ? environment.get(name) : undefined
      },
      values: async (name) => {
        const row = await this.#read(org, name)
        const values = [
          row === null ? undefined : await openSealed(this.#parts.key, org, row),
          await environment.get(name),
        ]
        return values.filter((value) => value !== undefined)
      },
      stored: () => this.#stored(org),
    }
  }

  /** Reads everything again at the next request. */
  forget(): void {
    this.#remembered.clear()
  }

  async #bound(org: string, name: string, to: SecretUse | undefined): Promise<SealedSecret | null> {
    if (to === undefined) return null
    const row = await this.#read(org, name)
    return row !== null && isBound(row, to.url) ? row : null
  }

  async #use(org: string, row: SealedSecret): Promise<string> {
    const value = await openSealed(this.#parts.key, org, row)
    // The time of the last use may be lost with the process.
    this.#once(`used ${JSON.stringify([org, row.name])}`, 60_000, () => this.#noteUse(org, row.name)).catch(
      () => {},
    )
    return value
  }

  #noteUse(org: string, name: string): Promise<unknown> {
    return inOrganisation(this.#parts.pool, org, (sql) =>
      sql.query('UPDATE waybill.secrets SET used_at = clock_timestamp() WHERE org = $1 AND name = $2', [
        org,
        name,
      ]),
    )
  }

  #read(org: string, name: string): Promise<SealedSecret | null> {
    // Other names cannot be stored, and PostgreSQL refuses some of them.
    if (!/^[A-Za-z_]\w*$/.test(name)) return Promise.resolve(null)
    const { pool, ageMs = AGE_MS } = this.#parts
    return this.#once(`secret ${JSON.stringify([org, name])}`, ageMs, () =>
      inOrganisation(pool, org, (sql) => readSealed(sql, org, name)),
    )
  }

  #stored(org: string): Promise<readonly StoredSecret[]> {
    const { pool, ageMs = AGE_MS } = this.#parts
    return this.#once(`all ${JSON.stringify([org])}`, ageMs, async () => {
      const { rows } = await inOrganisation(pool, org, (sql) =>
        sql.query<StoredSecret>(
          'SELECT name, hosts, version FROM waybill.secrets WHERE org = $1 ORDER BY name COLLATE "C"',
          [org],
        ),
      )
      return rows
    })
  }

  #once<T>(key: string, ageMs: number, read: () => Promise<T>): Promise<T> {
    const now = performance.now()
    const known = this.#remembered.get(key)
    if (known !== undefined && now - known.at < ageMs) return known.value as Promise<T>
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear()
    const value = read()
    const kept = { value, at: now }
    this.#remembered.set(key, kept)
    value.catch(() => {
      if (this.#remembered.get(key) === kept) this.#remembered.delete(key)
    })
    return value
  }
}

function isBound({ name, hosts }: SealedSecret, url: URL): boolean {
  return secretGranted(
    name,
    url,
    hosts.map((host) => ({ name, host })),
  )
}
