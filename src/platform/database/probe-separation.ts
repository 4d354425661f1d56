import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { WaybillError } from '../../document/issue.ts'
import { ORGANISATION_SETTING } from './roles.ts'

/** What the probe of one table has shown. */
interface Probe {
  readonly table: string
  /** Whether a row could be made, so that it was tried to read and change one. */
  readonly written: boolean
  /** What was possible although it must not be; null if nothing was. */
  readonly breach: string | null
}

/**
 * Acts in the role of requests as two organisations that exist only in this transaction, and tries to reach one from the
 * other: reads, changes, removes and adds rows of every table. The catalogue of the database says which rights a role
 * has; this shows their effect.
 * @returns the number of tables, and of those in which a row was made
 * @throws ORGANISATIONS_NOT_SEPARATED
 */
export async function probeSeparation(
  app: Pick<pg.Pool, 'connect'>,
): Promise<{ readonly tables: number; readonly written: number }> {
  const client = await app.connect()
  try {
    await client.query('BEGIN')
    await client.query(probeSql(randomUUID()))
    const { rows } = await client.query<{ probes: readonly Probe[] }>(
      `SELECT current_setting('waybill.probes')::json AS probes`,
    )
    const probes = rows[0]?.probes ?? []
    const broken = probes.find(({ breach }) => breach !== null)
    if (broken !== undefined) throw notSeparated(broken)
    return { tables: probes.length, written: probes.filter(({ written }) => written).length }
  } finally {
    const lost = await client.query('ROLLBACK').then(
      () => false,
      () => true,
    )
    client.release(lost)
  }
}

function notSeparated({ table, breach }: Probe): WaybillError {
  return new WaybillError('ORGANISATIONS_NOT_SEPARATED', {
    fault: 'refused',
    message: `the database does not separate organisations: one of them could ${breach} of another one in the table waybill.${table}`,
    hint: 'start `waybill server` with DATABASE_URL of the owner, which sets the rights again; then look for policies, rules and functions that others have added',
  })
}

/**
 * The names are new each time, so that several processes do not wait for one another, and each column without a default
 * gets the same simple value, so that foreign keys hold. A table that refuses such a row is probed without one.
 */
function probeSql(id: string): string {
  const one = pg.escapeLiteral(`probe-1-${id}`)
  const other = pg.escapeLiteral(`probe-2-${id}`)
  const actAs = (org: string) => `PERFORM set_config('${ORGANISATION_SETTING}', ${org}, true)`
  return `DO $probe$
DECLARE
  t record; made text[] := '{}'; before int := -1; seen bool; n int; breach text; probes jsonb := '[]';
BEGIN
  ${actAs(one)};
  -- A row that others refer to may come later in the order of names.
  WHILE cardinality(made) > before LOOP
    before := cardinality(made);
    FOR t IN ${TABLES} LOOP
      CONTINUE WHEN t.name = ANY (made);
      BEGIN
        EXECUTE format('INSERT INTO waybill.%I (%s) VALUES (%s)', t.name, t.columns, t.values) USING ${one};
        made := made || t.name;
      EXCEPTION WHEN OTHERS THEN NULL;
      END;
    END LOOP;
  END LOOP;
  FOR t IN ${TABLES} LOOP
    breach := NULL;
    ${actAs(`''`)};
    EXECUTE format('SELECT EXISTS (SELECT FROM waybill.%I)', t.name) INTO seen;
    IF seen THEN breach := 'read rows without naming itself'; END IF;
    ${actAs(other)};
    EXECUTE format('SELECT EXISTS (SELECT FROM waybill.%I)', t.name) INTO seen;
    IF seen THEN breach := 'read rows'; END IF;
    BEGIN
      EXECUTE format('UPDATE waybill.%I SET org = org WHERE org = $1', t.name) USING ${one};
      GET DIAGNOSTICS n = ROW_COUNT;
      IF n > 0 THEN breach := 'change rows'; END IF;
    EXCEPTION WHEN insufficient_privilege THEN NULL;
    END;
    BEGIN
      EXECUTE format('INSERT INTO waybill.%I (%s) VALUES (%s)', t.name, t.columns, t.values) USING ${one};
      breach := 'add rows';
    -- The policies are checked before all constraints.
    EXCEPTION WHEN insufficient_privilege THEN NULL; WHEN OTHERS THEN breach := 'add rows';
    END;
    IF breach IS NULL AND t.name = ANY (made) THEN
      ${actAs(one)};
      BEGIN
        -- Without a condition, which would need the right to read the changed row.
        EXECUTE format('UPDATE waybill.%I SET org = $1', t.name) USING ${other};
        breach := 'give rows to the name';
      EXCEPTION WHEN insufficient_privilege THEN NULL; WHEN OTHERS THEN breach := 'give rows to the name';
      END;
    END IF;
    probes := probes || jsonb_build_object('table', t.name, 'written', t.name = ANY (made), 'breach', breach);
  END LOOP;
  FOR t IN ${TABLES} LOOP
    ${actAs(other)};
    EXECUTE format('DELETE FROM waybill.%I WHERE org = $1', t.name) USING ${one};
    GET DIAGNOSTICS n = ROW_COUNT;
    IF n > 0 THEN probes := probes || jsonb_build_object('table', t.name, 'written', true, 'breach', 'remove rows'); END IF;
  END LOOP;
  PERFORM set_config('waybill.probes', probes::text, true);
END $probe$`
}

/** The tables of organisations, with the columns and values of a row. $1 is the organisation. */
const TABLES = `
    SELECT c.relname::text AS name, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns,
      string_agg(CASE
        WHEN a.attname = 'org' THEN '$1'
        WHEN y.typname IN ('text', 'bytea') THEN quote_literal('')
        WHEN y.typcategory = 'N' THEN '0'
        WHEN y.typcategory = 'B' THEN 'false'
        WHEN y.typcategory = 'D' THEN 'now()'
        ELSE quote_literal('{}') END, ', ' ORDER BY a.attnum) AS values
    FROM pg_class AS c
    JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    JOIN pg_type AS y ON y.oid = a.atttypid
    WHERE c.relnamespace = 'waybill'::regnamespace AND c.relkind IN ('r', 'p')
      AND (a.attname = 'org' OR (a.attnotnull AND NOT a.atthasdef AND a.attidentity = '' AND a.attgenerated = ''))
      AND EXISTS (SELECT FROM pg_attribute AS o WHERE o.attrelid = c.oid AND o.attname = 'org')
    GROUP BY c.relname ORDER BY c.relname`
