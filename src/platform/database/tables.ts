/** A step of the schema. */
export interface Step {
  /** Its place among all steps of the installation: 1, 2 and so on. A new step has the next number. */
  readonly n: number
  readonly name: string
  /** Never changed after a release; see `waybill.migrations`. */
  readonly sql: string
}

/**
 * To whom the rows of a table belong, so that a backup encrypts them for their user and an erasure removes them. A text:
 * to the organisation or the installation, and what the rows are; if they have something of a user, it is not data from
 * the user's runs.
 */
export type TableOwner =
  | string
  /** SQL for the user of a row `t`. */
  | { readonly kind: 'user'; readonly user: string }
  /** The column that names the run of a row. */
  | { readonly kind: 'run'; readonly column: string }
  /** The user of its conversation. */
  | { readonly kind: 'session' }
  /** The user of a run or session that it mentions. */
  | { readonly kind: 'mentions' }
  /** The only user whose runs name it: a plan names the owner of its memory. */
  | { readonly kind: 'plan' }

/** What the rows of a table are, for those that read or remove the rows of all tables. */
export interface TableFacts {
  /** Absent: the user in the column `user_id`, or that of the run in the column `run_id`. */
  readonly owner?: TableOwner
  /** Why a backup does not have its rows. Absent: it has them. */
  readonly left_out?: string
  /** Why its rows stay although no sweep removes them and they are not removed with other rows. */
  readonly kept?: string
}

/** The tables of a part of the platform. */
export interface Tables {
  readonly steps: readonly Step[]
  readonly tables: Readonly<Record<string, TableFacts>>
  /** Statements that remove rows which are no longer needed, each at most {@link SWEPT_ROWS}. */
  readonly sweeps?: readonly string[]
  /**
   * Statements that remove the rows of a user which belong to no run. $1 is the organisation and $2 the user as stored;
   * $3, if it is used, the user as JSON.
   */
  readonly erase?: readonly string[]
}

/** Rows that one statement of a sweep removes, so that no transaction is long. */
export const SWEPT_ROWS = 5000

/** The table of the steps themselves. */
const DATABASE_TABLES: Tables = {
  steps: [],
  tables: {
    migrations: {
      owner: 'steps',
      left_out: 'the manifest names the steps',
      kept: 'one for each step of the schema',
    },
  },
}

/** Joins the tables of all parts. @throws TypeError if a number of a step is missing or occurs twice, or a table does */
export function joinTables(parts: readonly (Tables | undefined)[]): Required<Tables> {
  const all = [DATABASE_TABLES, ...parts].filter((part) => part !== undefined)
  const steps = all.flatMap((part) => part.steps).sort((a, b) => a.n - b.n)
  const misplaced = steps.find(({ n }, index) => n !== index + 1)
  if (misplaced !== undefined)
    throw new TypeError(`step ${misplaced.n} (${misplaced.name}) of the schema is not the next one`)
  const facts = all.flatMap((part) => Object.entries(part.tables))
  const tables = Object.fromEntries(facts)
  if (Object.keys(tables).length < facts.length) throw new TypeError('a table belongs to two parts')
  return {
    steps,
    tables,
    sweeps: all.flatMap(({ sweeps = [] }) => sweeps),
    erase: all.flatMap(({ erase = [] }) => erase),
  }
}
