import type { Prepared } from './site.ts'

/**
 * Copies a run of organisation `a` many times, with its events, in one statement each: storing them one by one would
 * take minutes. The copies are held by no worker, and are not queued.
 */
export async function copyRun({ admin }: Prepared, runId: string, copies: number): Promise<void> {
  const columns = await admin<{ table: string; names: string }>(
    `SELECT table_name AS table, string_agg(quote_ident(column_name), ', ') AS names
     FROM information_schema.columns
     WHERE table_schema = 'waybill' AND table_name IN ('runs', 'progress', 'events') AND is_identity = 'NO' AND is_generated = 'NEVER'
       AND column_name NOT IN ('run_id', 'header') GROUP BY 1`,
  )
  const namesOf = (table: string) => columns.find((one) => one.table === table)?.names
  const copy = "$1::text || '-' || to_char(n, 'FM0000000')"
  const values = [runId, copies]
  await admin(
    `INSERT INTO waybill.runs (run_id, header, ${namesOf('runs')})
     SELECT ${copy}, replace(header, $1::text, ${copy}), ${namesOf('runs')}
     FROM waybill.runs, generate_series(1, $2::int) AS n WHERE org = 'a' AND run_id = $1`,
    values,
  )
  for (const table of ['progress', 'events'])
    await admin(
      `INSERT INTO waybill.${table} (run_id, ${namesOf(table)}) SELECT ${copy}, ${namesOf(table)}
       FROM waybill.${table}, generate_series(1, $2::int) AS n WHERE org = 'a' AND run_id = $1`,
      values,
    )
}
