import type pg from 'pg'

/** Returns the text of all rows of all tables of the platform and of its queue; bytes are written as text, not in hexadecimal. */
export async function allRows(engine: pg.Pool): Promise<string> {
  const { rows } = await engine.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE n.nspname LIKE 'waybill%' AND c.relkind = 'r' AND has_table_privilege(c.oid, 'SELECT')`,
  )
  const texts: string[] = []
  for (const { name } of rows) {
    const table = await engine.query(`SELECT * FROM ${name}`)
    for (const row of table.rows)
      texts.push(
        ...Object.values(row).map((value) =>
          Buffer.isBuffer(value) ? value.toString('latin1') : (JSON.stringify(value) ?? ''),
        ),
      )
  }
  return texts.join('\n')
}
