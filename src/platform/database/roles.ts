import { createHmac } from 'node:crypto'
import pg from 'pg'
import { WaybillError } from '../../document/issue.ts'

/** The role of HTTP requests: row-level security shows it the organisation that its transaction names. */
export const APP_ROLE = 'waybill_app'

/** The role of workers, timers and grouped appends: it sees all organisations, through one policy. */
export const ENGINE_ROLE = 'waybill_engine'

/** The setting that names the organisation of a transaction. */
export const ORGANISATION_SETTING = 'waybill.org'

/** Tables of the installation, without organisation: requests have no access to them. */
const INSTALLATION: ReadonlySet<string> = new Set(['migrations', 'workers', 'virtual_time'])

export interface RolePasswords {
  readonly app: string
  readonly engine: string
}

/**
 * Derives the passwords of the roles from that of the owner, so that every process with the owner's URL has the same
 * ones, and none is stored.
 */
export function rolePasswords(ownerPassword: string): RolePasswords {
  const derive = (role: string) => createHmac('sha256', ownerPassword).update(role).digest('base64url')
  return { app: derive(APP_ROLE), engine: derive(ENGINE_ROLE) }
}

/** Creates the roles if they do not exist, and sets their passwords. Roles belong to all databases of a server. */
export async function ensureRoles(client: pg.Client, passwords: RolePasswords): Promise<void> {
  for (const [role, password] of [
    [APP_ROLE, passwords.app],
    [ENGINE_ROLE, passwords.engine],
  ] as const) {
    const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role])
    const rights = 'LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION'
    if (rowCount === 0) await client.query(`CREATE ROLE ${role} ${rights}`)
    await client.query(`ALTER ROLE ${role} PASSWORD ${pg.escapeLiteral(password)}`)
  }
}

/**
 * Returns the statements that give the roles their rights, for the tables that exist: two policies for each table of
 * an organisation, and access to nothing else.
 */
export async function roleSql(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'waybill'::regnamespace AND relkind IN ('r', 'p')
     ORDER BY relname`,
  )
  const statements = [
    `REVOKE ALL ON SCHEMA waybill FROM PUBLIC`,
    `GRANT USAGE ON SCHEMA waybill TO ${APP_ROLE}, ${ENGINE_ROLE}`,
    ...rows.flatMap(({ name }) => tableSql(name)),
  ]
  return statements.join(';\n')
}

function tableSql(name: string): readonly string[] {
  const table = `waybill.${pg.escapeIdentifier(name)}`
  if (name === 'migrations') return [`REVOKE ALL ON ${table} FROM PUBLIC, ${APP_ROLE}, ${ENGINE_ROLE}`]
  if (INSTALLATION.has(name))
    return [
      `REVOKE ALL ON ${table} FROM PUBLIC, ${APP_ROLE}`,
      `GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO ${ENGINE_ROLE}`,
    ]
  const own = `org = current_setting('${ORGANISATION_SETTING}', true)`
  return [
    `REVOKE ALL ON ${table} FROM PUBLIC`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO ${APP_ROLE}, ${ENGINE_ROLE}`,
    `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`,
    `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`,
    `DROP POLICY IF EXISTS organisation ON ${table}`,
    `CREATE POLICY organisation ON ${table} TO ${APP_ROLE} USING (${own}) WITH CHECK (${own})`,
    `DROP POLICY IF EXISTS whole ON ${table}`,
    `CREATE POLICY whole ON ${table} TO ${ENGINE_ROLE}, CURRENT_USER USING (true) WITH CHECK (true)`,
  ]
}

/**
 * Checks that row-level security applies to the role of requests.
 * @throws DATABASE_ROLE_UNSAFE if it is a superuser, has BYPASSRLS, owns a table, or is a member of such a role
 */
export async function assertSafeAppRole(app: pg.Pool): Promise<void> {
  const { rows } = await app.query<{ role: string; why: string | null }>(`
    SELECT current_user AS role, (
      SELECT CASE WHEN r.rolsuper THEN 'a superuser' WHEN r.rolbypassrls THEN 'a role with BYPASSRLS'
        ELSE 'the owner of a table' END
      FROM pg_roles AS r
      WHERE pg_has_role(current_user, r.oid, 'MEMBER') AND (r.rolsuper OR r.rolbypassrls OR EXISTS (
        SELECT 1 FROM pg_class AS c WHERE c.relnamespace = 'waybill'::regnamespace AND c.relowner = r.oid))
      LIMIT 1) AS why`)
  const [found] = rows
  if (found === undefined || found.why === null) return
  throw new WaybillError('DATABASE_ROLE_UNSAFE', {
    fault: 'usage',
    message: `the database role ${found.role} is, or may become, ${found.why}: row-level security would not separate organisations`,
    hint: `let requests use a role without these rights: remove WAYBILL_APP_DATABASE_URL, and Waybill uses ${APP_ROLE}`,
  })
}
