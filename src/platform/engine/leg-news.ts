import type { Fact } from '../../run/event.ts'
import { decisionFact } from '../../run/record/left-decision.ts'
import { asksPerson } from '../../run/unsettled.ts'
import { leftDecision } from '../../session/left-decisions.ts'
import type { Session } from '../../session/session.ts'
import type { Database } from '../database/open-database.ts'
import type { PostgresRecords } from '../records/open-postgres-records.ts'
import { commandsOf, type StoredCommand } from './commands.ts'
import { nextFacts } from './next-facts.ts'

/** What has arrived for a run, and was not taken in. */
export interface News {
  readonly commands: readonly StoredCommand[]
  /** The facts that messages of its session lead to. */
  readonly messages: readonly Fact[]
  /** Decisions of people about calls that still ask. */
  readonly decisions: readonly Fact[]
}

/** Reads what has arrived for the run of a leg. */
export class LegNews {
  readonly #database: Database
  readonly #records: PostgresRecords
  readonly #session: Session
  readonly #org: string

  constructor(database: Database, org: string, records: PostgresRecords, session: Session) {
    this.#database = database
    this.#org = org
    this.#records = records
    this.#session = session
  }

  async read(): Promise<News> {
    const { run_id } = this.#session.run.header
    const commands = await commandsOf(this.#database.engine, this.#org, run_id)
    const messages = await this.messages()
    return { commands, messages, decisions: await this.#decisions() }
  }

  /** Returns the facts that the messages of the run's session lead to now. */
  async messages(): Promise<readonly Fact[]> {
    const { run, state } = this.#session
    const { session, run_id } = run.header
    return session === undefined ? [] : nextFacts(this.#database.engine, this.#org, run_id, state)
  }

  async #decisions(): Promise<readonly Fact[]> {
    const { run, state } = this.#session
    const asking = state.end === null ? state.calls.filter(asksPerson) : []
    const left = await Promise.all(asking.map((call) => leftDecision(this.#records, run.header.run_id, call)))
    return left.flatMap((decision) => (decision === undefined ? [] : [decisionFact(decision)]))
  }
}

export function hasNews({ commands, messages, decisions }: News): boolean {
  return commands.length + messages.length + decisions.length > 0
}

/** Returns whether messages begin a turn, so that the run continues after its end. */
export function beginsTurn(messages: readonly Fact[]): boolean {
  return messages.some(({ type }) => type === 'user.said')
}
