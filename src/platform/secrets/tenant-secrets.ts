import { WaybillError } from '../../document/issue.ts'
import { compileAssertion } from '../../http/schema-check.ts'
import { PAGE_LIMIT, pageOfRows, readKeyCursor } from '../../run/record/page-cursor.ts'
import { storedText } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import type { OrganisationParts } from '../people/organisation-parts.ts'
import { adminNeeded, isToken } from '../people/tokens.ts'
import type { InstallationKey } from './installation-key.ts'
import { assertSecretName, newSecret, type SecretView, type TenantSecrets } from './secret.ts'
import { writeSealed } from './secret-rows.ts'

/** Number of secrets of an organisation. */
const MOST = 500

export interface TenantSecretsParts extends OrganisationParts {
  readonly key: InstallationKey
  /** A secret has changed, in this process. */
  readonly changed: () => void
}

interface SecretViewRow {
  readonly name: string
  readonly hosts: readonly string[]
  readonly set_at: Date
  readonly set_by: string
  readonly used_at: Date | null
}

const assertNewSecret = compileAssertion(newSecret)

const VIEW = 'name, hosts, set_at, set_by, used_at'

/** The secrets of an organisation as its members see them: without values. */
export function tenantSecrets({
  app,
  org,
  principal,
  audited,
  key,
  changed,
}: TenantSecretsParts): TenantSecrets {
  const act = <T>(work: (sql: Sql) => Promise<T>) => inOrganisation(app, org, work)
  const change = async <T>(work: (sql: Sql) => Promise<T>): Promise<T> => {
    if (!principal.roles.includes('admin')) throw adminNeeded('changes secrets')
    try {
      // One after another, so that the number is exact and an organisation gets one key.
      return await act(async (sql) => {
        await sql.query('SELECT FROM waybill.organisations WHERE org = $1 FOR UPDATE', [org])
        return work(sql)
      })
    } finally {
      changed()
    }
  }
  return {
    list: ({ limit = PAGE_LIMIT, cursor }) =>
      act(async (sql) => {
        const [after = ''] = cursor === undefined ? [] : readKeyCursor(cursor, 1)
        const { rows } = await sql.query<SecretViewRow>(
          `SELECT ${VIEW} FROM waybill.secrets WHERE org = $1 AND name COLLATE "C" > $2 ORDER BY name COLLATE "C" LIMIT $3`,
          [org, storedText(after), limit + 1],
        )
        return pageOfRows(rows, limit, viewOf, ({ name }) => [name])
      }),

    read: (name) => act((sql) => readView(sql, org, name)),

    set: (name, secret) =>
      change(async (sql) => {
        assertSecretName(name)
        assertNewSecret(secret)
        const { value, hosts: given } = secret
        if (isToken(value)) throw secretIsToken(name)
        const hosts = boundHosts(given)
        const { rows } = await sql.query<{ others: string }>(
          'SELECT count(*) AS others FROM waybill.secrets WHERE org = $1 AND name <> $2',
          [org, name],
        )
        if (Number(rows[0]?.others) >= MOST) throw tooMany()
        await writeSealed(sql, key, org, { name, value, hosts, by: principal.user })
        await audited(sql, 'secret.set', { secret: name, hosts })
        return readView(sql, org, name)
      }),

    remove: (name) =>
      change(async (sql) => {
        const { rowCount } = await sql.query('DELETE FROM waybill.secrets WHERE org = $1 AND name = $2', [
          org,
          storedText(name),
        ])
        if (rowCount === 0) throw notFound(name)
        await audited(sql, 'secret.removed', { secret: name })
      }),
  }
}

async function readView(sql: Sql, org: string, name: string): Promise<SecretView> {
  const { rows } = await sql.query<SecretViewRow>(
    `SELECT ${VIEW} FROM waybill.secrets WHERE org = $1 AND name = $2`,
    [org, storedText(name)],
  )
  const [row] = rows
  if (row === undefined) throw notFound(name)
  return viewOf(row)
}

function viewOf({ set_at, used_at, ...row }: SecretViewRow): SecretView {
  return { ...row, set_at: set_at.toISOString(), used_at: used_at?.toISOString() ?? null }
}

/**
 * Returns the hosts of a secret in the form in which URLs name them, sorted and each once.
 * @throws REQUEST_INVALID for one that is not `HOST` or `HOST:PORT`
 */
function boundHosts(given: readonly string[]): readonly string[] {
  return [...new Set(given.map(boundHost))].sort()
}

function boundHost(given: string, index: number): string {
  const text = given.toLowerCase()
  const [, name, port] = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\*]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  const url = name === undefined ? null : URL.parse(`https://${name}`)
  if (url === null || url.hostname === '' || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535)
    throw new WaybillError('REQUEST_INVALID', {
      at: `/hosts/${index}`,
      message: `host ${index + 1} is not the name of a host`,
      hint: 'write HOST or HOST:PORT as in a URL, such as api.crm.example, without scheme, path and wildcards',
    })
  const host = url.hostname.replace(/\.$/, '')
  return port === undefined ? host : `${host}:${Number(port)}`
}

function notFound(name: string): WaybillError {
  return new WaybillError('SECRET_NOT_FOUND', {
    fault: 'usage',
    message: `the organisation has no secret ${JSON.stringify(name.slice(0, 200))}`,
    hint: 'list the secrets with GET /v1/secrets',
  })
}

function tooMany(): WaybillError {
  return new WaybillError('REQUEST_INVALID', {
    message: `an organisation can have ${MOST} secrets`,
    hint: 'remove a secret that is not used; `used_at` in the list shows it',
  })
}

/** The holder of a token acts as its member: an agent with the token of an approver could approve its own calls. */
function secretIsToken(name: string): WaybillError {
  return new WaybillError('SECRET_IS_TOKEN', {
    fault: 'refused',
    message: `the value of ${name} contains a token of this platform, which agents must not hold`,
    at: '/value',
    hint: 'store the key of the provider or tool; a program that calls the platform keeps its token itself',
  })
}
