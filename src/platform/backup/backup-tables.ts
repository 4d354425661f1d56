import { ownMember } from '../../document/own-member.ts'
import type { TableFacts } from '../database/tables.ts'
import type { Sql } from '../database/tenant.ts'
import { ownerOf } from './table-owners.ts'

/** A table, and how its rows are read for a backup. */
export interface BackupTable {
  readonly name: string
  readonly columns: readonly string[]
  /** Selects the rows, in blocks of one user each: first their user as `org:user` in hexadecimal, or null; then the columns. */
  readonly select: string
}

interface Row {
  readonly name: string
  readonly columns: readonly string[]
  readonly key: readonly string[]
  readonly refers: readonly string[]
}

/** Returns the tables of a backup, each after the tables that its rows refer to. @param facts of all tables */
export async function backupTables(
  sql: Sql,
  facts: Readonly<Record<string, TableFacts>>,
): Promise<readonly BackupTable[]> {
  const { rows } = await sql.query<Row>(`
    SELECT c.relname::text AS name,
      ARRAY(SELECT attname::text FROM pg_attribute AS a WHERE a.attrelid = c.oid AND attnum > 0 AND NOT attisdropped
        AND attgenerated = '' ORDER BY attnum) AS columns,
      ARRAY(SELECT a.attname::text FROM pg_index AS i, unnest(i.indkey) WITH ORDINALITY AS k(n, place)
        JOIN pg_attribute AS a ON a.attnum = k.n WHERE i.indrelid = c.oid AND i.indisprimary AND a.attrelid = c.oid
        ORDER BY k.place) AS key,
      ARRAY(SELECT DISTINCT f.relname::text FROM pg_constraint AS r JOIN pg_class AS f ON f.oid = r.confrelid
        WHERE r.conrelid = c.oid AND r.contype = 'f' AND f.oid <> c.oid) AS refers
    FROM pg_class AS c WHERE c.relnamespace = 'waybill'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY c.relname`)
  const tables = rows.filter(({ name }) => ownMember(facts, name)?.left_out === undefined)
  const known = new Set(rows.map(({ name }) => name))
  return inOrder(tables).map((row) => ({
    name: row.name,
    columns: row.columns,
    select: selectOf(row, known, facts),
  }))
}

function selectOf(
  { name, columns, key }: Row,
  known: ReadonlySet<string>,
  facts: Readonly<Record<string, TableFacts>>,
): string {
  const { user, join } = userOf({ name, columns }, known, facts)
  const subject = `CASE WHEN ${user} <> '' THEN encode(convert_to(t.org, 'UTF8'), 'hex') || ':' ||
    encode(convert_to(${user}, 'UTF8'), 'hex') END`
  const order = key.map((column) => `t.${quoted(column)}`)
  return `SELECT ${user === 'NULL' ? 'NULL' : subject} AS subject, ${columns.map((column) => `t.${quoted(column)}`).join(', ')}
    FROM waybill.${quoted(name)} AS t ${join} ORDER BY ${[...(user === 'NULL' ? [] : ['1 NULLS FIRST']), ...order].join(', ') || '1'}`
}

/** Returns SQL for the user of a row. @param known the tables of this database, which may be older */
function userOf(
  { name, columns }: Pick<Row, 'name' | 'columns'>,
  known: ReadonlySet<string>,
  facts: Readonly<Record<string, TableFacts>>,
): { readonly user: string; readonly join: string } {
  const owner = ownerOf({ name, columns }, facts)
  if (owner === undefined || typeof owner === 'string') return { user: 'NULL', join: '' }
  switch (owner.kind) {
    case 'session':
      return {
        user: 'u.user_id',
        join: 'LEFT JOIN waybill.conversations AS u ON u.org = t.org AND u.session = t.session',
      }
    case 'mentions':
      return { user: columns.includes('mentions') ? MENTIONED : ANSWERED, join: '' }
    case 'plan':
      return { user: PLANNED, join: '' }
    case 'run':
      return ofRun(owner.column, [], known)
    case 'user':
      // Without a user of its own, a row may still come from the run of one.
      return columns.includes('run_id')
        ? ofRun('run_id', [`nullif(${owner.user}, '')`], known)
        : { user: owner.user, join: '' }
  }
}

function ofRun(column: string, before: readonly string[], known: ReadonlySet<string>) {
  const runs = `LEFT JOIN waybill.runs AS u ON u.org = t.org AND u.run_id = t.${column}`
  if (!known.has('subjects')) return { user: `coalesce(${[...before, 'u.user_id'].join(', ')})`, join: runs }
  return {
    user: `coalesce(${[...before, 'u.user_id', 'd.user_id'].join(', ')})`,
    join: `${runs} LEFT JOIN (SELECT org, run_id, min(user_id) AS user_id FROM waybill.subjects GROUP BY org, run_id) AS d
      ON d.org = u.org AND d.run_id = coalesce(u.root, u.run_id)`,
  }
}

const PLANNED = `(SELECT CASE WHEN count(DISTINCT coalesce(r.user_id, '')) = 1 THEN min(r.user_id) END FROM waybill.runs AS r
    WHERE r.org = t.org AND r.plans @> ARRAY[t.hash])`

const ANSWERED = '(SELECT r.user_id FROM waybill.runs AS r WHERE r.org = t.org AND r.run_id = t.resource)'

/** A stored answer is about runs and sessions. */
const MENTIONED = `coalesce((SELECT min(r.user_id) FROM waybill.runs AS r WHERE r.org = t.org AND r.run_id = ANY (t.mentions || t.resource)),
    (SELECT min(c.user_id) FROM waybill.conversations AS c WHERE c.org = t.org AND c.session = ANY (t.mentions || t.resource)))`

function inOrder(rows: readonly Row[]): readonly Row[] {
  const placed = new Map<string, Row>()
  const names = new Set(rows.map(({ name }) => name))
  while (placed.size < rows.length) {
    const next = rows.filter(
      ({ name, refers }) =>
        !placed.has(name) && refers.every((other) => placed.has(other) || !names.has(other)),
    )
    if (next.length === 0) throw new Error('the tables of the schema refer to one another in a circle')
    for (const row of next) placed.set(row.name, row)
  }
  return [...placed.values()]
}

/** Quotes the name of a column or table, which comes from the catalogue or a manifest. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
