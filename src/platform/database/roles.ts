import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { WaybillError } from '../../document/issue.ts'
import { messageOf } from '../../document/message-of.ts'

/** The role of HTTP requests: row-level security shows it the organisation that its transaction names. */
export const APP_ROLE = 'waybill_app'

/** The role of workers, timers and grouped appends: it sees all organisations, through one policy. */
export const ENGINE_ROLE = 'waybill_engine'

/** The setting that names the organisation of a transaction. */
export const ORGANISATION_SETTING = 'waybill.org'

/** Tables of the installation, without organisation: requests have no access to them. */
const INSTALLATION: ReadonlySet<string> = new Set([
  'migrations',
  'workers',
  'queues',
  'virtual_time',
  'backups',
  'installation',
])

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

const LABEL = 'Waybill, created by '
const PERMISSION_DENIED = '42501'
/** Another process has changed or created the same role at this moment: roles belong to all databases of a server. */
const CONCURRENT = new Set(['XX000', '23505', '42710'])

/**
 * Creates the roles if they do not exist, and sets the passwords of those that are named.
 * @throws DATABASE_ROLE_UNSAFE if the owner may not, or if a role belongs to another installation on this server
 */
export async function ensureRoles(client: pg.Client, passwords: Partial<RolePasswords>): Promise<void> {
  await ensureRole(client, APP_ROLE, passwords.app)
  await ensureRole(client, ENGINE_ROLE, passwords.engine)
}

async function ensureRole(client: pg.Client, role: string, password: string | undefined): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await createRole(client, role, password)
    } catch (cause) {
      const code = cause instanceof pg.DatabaseError ? cause.code : undefined
      if (code !== undefined && CONCURRENT.has(code) && attempt < 20) {
        await sleep(10 * attempt)
        continue
      }
      if (code !== PERMISSION_DENIED) throw cause
      throw new WaybillError('DATABASE_ROLE_UNSAFE', {
        fault: 'usage',
        message: `the owner of the database may not create or change the role ${role}: ${messageOf(cause)}`,
        hint: `as a superuser: ALTER ROLE … CREATEROLE for the owner, and drop ${role} if another role created it; or create both roles and set WAYBILL_APP_DATABASE_URL and WAYBILL_ENGINE_DATABASE_URL`,
        cause,
      })
    }
  }
}

async function createRole(client: pg.Client, role: string, password: string | undefined): Promise<void> {
  const { rows } = await client.query<{ label: string | null; owner: string }>(
    `SELECT shobj_description(oid, 'pg_authid') AS label, current_user AS owner FROM pg_roles WHERE rolname = $1`,
    [role],
  )
  const [found] = rows
  if (found === undefined) {
    const rights = 'LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION'
    await client.query(`CREATE ROLE ${role} ${rights}`)
    const owner = await client.query<{ owner: string }>('SELECT current_user AS owner')
    await client.query(`COMMENT ON ROLE ${role} IS ${pg.escapeLiteral(`${LABEL}${owner.rows[0]?.owner}`)}`)
  } else if (
    found.label?.startsWith(LABEL) &&
    found.label !== `${LABEL}${found.owner}` &&
    password !== undefined
  )
    throw new WaybillError('DATABASE_ROLE_UNSAFE', {
      fault: 'usage',
      message: `the role ${role} belongs to another installation on this server: ${found.label}`,
      hint: 'use the same owner with the same password for all databases of a server, another server, or set WAYBILL_APP_DATABASE_URL and WAYBILL_ENGINE_DATABASE_URL',
    })
  if (password !== undefined) await client.query(`ALTER ROLE ${role} PASSWORD ${pg.escapeLiteral(password)}`)
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

/** Returns the tables whose row-level security, policies or rights differ from those that {@link roleSql} sets. */
export async function tablesWithOtherRights(sql: Pick<pg.Pool, 'query'>): Promise<readonly string[]> {
  const { rows } = await sql.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class AS c, (SELECT $1::text AS app, $2::text AS engine) AS role
     WHERE c.relnamespace = 'waybill'::regnamespace AND c.relkind IN ('r', 'p') AND NOT CASE
       WHEN c.relname = ANY ($3) THEN
         NOT has_table_privilege(app, c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')
         AND has_table_privilege(engine, c.oid, 'SELECT') = (c.relname <> 'migrations')
       ELSE
         c.relrowsecurity AND c.relforcerowsecurity
         AND has_table_privilege(app, c.oid, 'SELECT') AND has_table_privilege(app, c.oid, 'INSERT')
         AND has_table_privilege(app, c.oid, 'UPDATE') AND has_table_privilege(app, c.oid, 'DELETE')
         AND NOT has_table_privilege(app, c.oid, 'TRUNCATE, REFERENCES, TRIGGER')
         AND has_table_privilege(engine, c.oid, 'SELECT') AND has_table_privilege(engine, c.oid, 'INSERT')
         AND has_table_privilege(engine, c.oid, 'UPDATE') AND has_table_privilege(engine, c.oid, 'DELETE')
         AND (
           SELECT array_agg(concat_ws(' ', polname, polpermissive, polcmd, (
               SELECT string_agg(rolname, ',' ORDER BY oid = c.relowner, rolname) FROM pg_roles WHERE oid = ANY (polroles)
             ), pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) ORDER BY polname)
           FROM pg_policy WHERE polrelid = c.oid
         ) = ARRAY[
           'organisation t * ' || app || ' ' || $4 || ' ' || $4,
           'whole t * ' || engine || ',' || pg_get_userbyid(c.relowner) || ' true true']
     END ORDER BY c.relname`,
    [
      APP_ROLE,
      ENGINE_ROLE,
      [...INSTALLATION],
      `(org = current_setting('${ORGANISATION_SETTING}'::text, true))`,
    ],
  )
  return rows.map(({ name }) => name)
}

/**
 * Checks that row-level security applies to the role of requests, and to all tables of organisations.
 * @throws DATABASE_ROLE_UNSAFE if it is a superuser, has BYPASSRLS, owns a table, is the role of the engine, or is a
 * member of such a role; or if a table has other rights or policies than those that a migration sets
 */
export async function assertSafeAppRole(app: Pick<pg.Pool, 'query'>): Promise<void> {
  const { rows } = await app.query<{ role: string; why: string | null }>(`
    SELECT current_user AS role, (
      SELECT CASE WHEN r.rolsuper THEN 'a superuser' WHEN r.rolbypassrls THEN 'a role with BYPASSRLS'
        WHEN r.rolname = '${ENGINE_ROLE}' THEN 'the role of the engine' ELSE 'the owner of a table' END
      FROM pg_roles AS r
      WHERE pg_has_role(current_user, r.oid, 'MEMBER') AND (r.rolsuper OR r.rolbypassrls OR r.rolname = '${ENGINE_ROLE}'
        OR EXISTS (SELECT 1 FROM pg_class AS c WHERE c.relnamespace = 'waybill'::regnamespace AND c.relowner = r.oid))
      ORDER BY r.rolsuper DESC, r.rolbypassrls DESC, r.rolname = '${ENGINE_ROLE}' LIMIT 1) AS why`)
  const [found] = rows
  if (found === undefined || found.why === null) return assertTableRights(app)
  throw new WaybillError('DATABASE_ROLE_UNSAFE', {
    fault: 'usage',
    message: `the database role ${found.role} is, or may become, ${found.why}: row-level security would not separate organisations`,
    hint: `let requests use a role without these rights: remove WAYBILL_APP_DATABASE_URL, and Waybill uses ${APP_ROLE}`,
  })
}

async function assertTableRights(app: Pick<pg.Pool, 'query'>): Promise<void> {
  const others = await tablesWithOtherRights(app)
  if (others.length === 0) return
  throw new WaybillError('DATABASE_ROLE_UNSAFE', {
    fault: 'usage',
    message: `the rights of these tables are not those of this version of Waybill: ${others.join(', ')}`,
    hint: 'start Waybill once with DATABASE_URL of the owner, which sets them',
  })
}
