import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

/** Runs statements of one connection, each prepared once. */
export class Queries {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  #writes = 0

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  /** Number of statements that changed rows. */
  get writes(): number {
    return this.#writes
  }

  /** @returns the number of changed rows */
  run(sql: string, ...values: SQLInputValue[]): number {
    const changes = Number(this.#statement(sql).run(...values).changes)
    if (changes > 0) this.#writes++
    return changes
  }

  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined
  }

  /** Only for reads: changes by `all` and `get` are not counted. */
  all<Row>(sql: string, ...values: SQLInputValue[]): readonly Row[] {
    return this.#statement(sql).all(...values) as unknown as readonly Row[]
  }

  exec(sql: string): void {
    this.#db.exec(sql)
  }

  /** Rolls the transaction back, unless SQLite already did, as it does when the disk is full. */
  rollBack(): void {
    if (this.#db.isTransaction) this.#db.exec('ROLLBACK')
  }

  close(): void {
    this.#statements.clear()
    this.#db.close()
  }

  #statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.#db.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}
