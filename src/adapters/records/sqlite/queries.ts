import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

/** Runs statements of one connection, each prepared once. */
export class Queries {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  #writes = 0

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  /** How many statements have changed rows. */
  get writes(): number {
    return this.#writes
  }

  /** @returns how many rows it changed */
  run(sql: string, ...values: SQLInputValue[]): number {
    const changes = Number(this.#statement(sql).run(...values).changes)
    if (changes > 0) this.#writes++
    return changes
  }

  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.#statement(sql).get(...values) as Row | undefined
  }

  /** Only for statements that read: what `all` and `get` change is not counted. */
  all<Row>(sql: string, ...values: SQLInputValue[]): readonly Row[] {
    return this.#statement(sql).all(...values) as unknown as readonly Row[]
  }

  exec(sql: string): void {
    this.#db.exec(sql)
  }

  /** Ends the transaction, if SQLite has not done so by itself, as it does when the disk is full. */
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
