import { v7 as uuidv7 } from 'uuid'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { compileAssertion } from '../../http/schema-check.ts'
import { decodeEvent } from '../../run/record/event-line.ts'
import type { Page } from '../../run/record/records.ts'
import type { Principal } from '../../session/principal.ts'
import type { Database } from '../database/open-database.ts'
import { sql } from '../database/sql.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import { type OnBusy, takesNoTurns } from '../engine/next-facts.ts'
import { addCausers, causersIn } from '../people/causers.ts'
import { assertNotErasing } from '../people/subjects.ts'
import { assertHere } from '../records/moved-runs.ts'
import type { RunStanding, StartInSession, StartRun } from '../runs/run.ts'
import type { TenantRuns } from '../runs/runs.ts'
import {
  type Message,
  message,
  type NewSession,
  newSession,
  type Sessions,
  type SessionView,
} from './session.ts'
import { isBusy, type SessionRow, sessionPage, sessionRow, sessionView } from './session-row.ts'

export interface SessionsParts {
  readonly database: Pick<Database, 'app'>
  readonly principal: Principal
  /** The runs of the same principal. */
  readonly runs: Pick<TenantRuns, 'begin' | 'reached' | 'webhookOf' | 'nameWebhook'>
  /** Notifies the worker of this process, if there is one, that something has arrived for a run. */
  readonly notify: (org: string, runId: string) => void
}

/** A message with what is no member of a request. */
interface SentMessage extends Message {
  /** A trigger has taken it: its text is untrusted. */
  readonly triggered?: true
  /** Members who have caused it, besides the principal. */
  readonly causers?: readonly string[]
  /** Further members of the run that begins with it. */
  readonly run?: Omit<StartRun, 'input' | 'user' | 'session'>
}

const assertNewSession = compileAssertion(newSession)
const assertMessage = compileAssertion(message)

/** Thrown to undo a transaction: another message has begun the run of the session. */
const BEGUN = Symbol('the run of the session has begun')

/** The conversations of one organisation, for one principal: each is one run with a turn for each message. */
export class TenantSessions implements Sessions {
  readonly #parts: SessionsParts

  constructor(parts: SessionsParts) {
    this.#parts = parts
  }

  list(page: Page) {
    return this.#within((on) => sessionPage(on, this.#org, page))
  }

  read(session: string): Promise<SessionView> {
    return this.#within(async (on) => sessionView(await this.#row(on, session)))
  }

  async create(request: NewSession): Promise<SessionView> {
    assertNewSession(request)
    return this.#create(request)
  }

  #create({ agent_id, session = uuidv7(), user }: NewSession): Promise<SessionView> {
    return this.#within(async (on) => {
      const agent = await on.query('SELECT 1 FROM waybill.agents WHERE org = $1 AND agent_id = $2', [
        this.#org,
        storedText(agent_id),
      ])
      if (agent.rowCount === 0) throw agentNotFound(agent_id)
      const userId = user === undefined ? null : storedText(user)
      await on.query(sql`
        INSERT INTO waybill.conversations (org, session, agent_id, user_id)
        VALUES (${this.#org}, ${storedText(session)}, ${storedText(agent_id)}, ${userId}) ON CONFLICT DO NOTHING`)
      const view = sessionView(await this.#row(on, session))
      await assertNotErasing(on, this.#org, view.user)
      if (view.agent_id !== agent_id || (user !== undefined && view.user !== user)) throw exists(session)
      return view
    })
  }

  async start(
    agentId: string,
    { session, input = '', user, on_busy, ...run }: StartInSession,
    messageId = uuidv7(),
  ): Promise<RunStanding> {
    const { runs } = this.#parts
    const webhook = await runs.webhookOf(run.webhook)
    await this.#create({ agent_id: agentId, session, ...defined({ user }) })
    // A run that begins with this message is named with it. One that has begun is named before it can end.
    if (webhook !== undefined) {
      const { run_id } = await this.read(session)
      if (run_id !== null) await runs.nameWebhook(run_id, webhook)
    }
    const runId = await this.#runAfter(session, { input, run, ...defined({ on_busy }) }, messageId)
    if (webhook !== undefined) await runs.nameWebhook(runId, webhook)
    return runs.reached(runId)
  }

  /**
   * Gives a message that a trigger has taken to the session of its sender.
   * @param message `id`: the same for a repeated message; `causers`: members who have caused it, besides the principal
   * @returns the run of the session
   */
  async deliver(
    agentId: string,
    {
      session,
      from,
      id,
      input,
      causers,
    }: {
      readonly session: string
      readonly from: string
      readonly id: string
      readonly input: Json
      readonly causers: readonly string[]
    },
  ): Promise<string> {
    await this.#create({ agent_id: agentId, session, user: from })
    return this.#runAfter(session, { input, triggered: true, causers }, id)
  }

  async send(session: string, sent: Message, messageId = uuidv7()): Promise<SessionView> {
    assertMessage(sent)
    return this.#send(session, sent, messageId)
  }

  /** Sends a message. @returns the run of its session */
  async #runAfter(session: string, message: SentMessage, messageId: string): Promise<string> {
    const { run_id } = await this.#send(session, message, messageId)
    if (run_id === null) throw new Error(`the session ${session} has no run after a message`)
    return run_id
  }

  async #send(session: string, message: SentMessage, messageId: string): Promise<SessionView> {
    for (;;) {
      const { run_id, before } = await this.#within((on) => this.#store(on, session, message, messageId))
      if (run_id !== null) {
        this.#parts.notify(this.#org, run_id)
        return this.read(session)
      }
      try {
        const runId = await this.#begin(before, message, messageId)
        this.#parts.notify(this.#org, runId)
        return await this.read(session)
      } catch (error) {
        // The message is one for the run that another message has begun.
        if (error !== BEGUN) throw error
      }
    }
  }

  /**
   * Stores a message for the run of its session, and wakes the run, in one transaction.
   * @returns the run; null if the session has no run that takes turns: then nothing is changed
   */
  async #store(
    on: Sql,
    session: string,
    { input, on_busy = 'enqueue', triggered, causers = [] }: SentMessage,
    id: string,
  ): Promise<{ readonly run_id: string | null; readonly before: SessionRow }> {
    // One message at a time, so that two do not both find the session idle.
    await on.query('SELECT 1 FROM waybill.conversations WHERE org = $1 AND session = $2 FOR UPDATE', [
      this.#org,
      storedText(session),
    ])
    // Its run neither ends nor begins a turn until the message is stored: what is decided here stays true.
    await on.query(
      `SELECT FROM waybill.progress AS p JOIN waybill.conversations AS c ON c.org = p.org AND c.run_id = p.run_id
       WHERE c.org = $1 AND c.session = $2 FOR UPDATE OF p`,
      [this.#org, storedText(session)],
    )
    const row = await this.#row(on, session)
    const { run_id, status } = row
    const reached = { run_id: run_id === null ? null : originalText(run_id), before: row }
    const none = { run_id: null, before: row }
    if (await this.#isStored(on, session, id)) return reached
    if (run_id === null || status === null) return none
    await assertHere(on, this.#org, originalText(run_id))
    if (status === 'refused' && (await this.#isRefused(on, run_id))) return none
    if (on_busy === 'reject' && isBusy(row)) throw busy(session)
    await this.#insert(on, session, id, { input, on_busy, triggered: triggered === true, state: 'queued' })
    await assertNotErasing(on, this.#org, sessionView(row).user)
    await addCausers(on, this.#org, originalText(run_id), [...causersIn(this.#parts.principal), ...causers])
    await this.#wake(on, row, on_busy)
    return reached
  }

  /** Begins the run of a session with its first message. @throws BEGUN */
  async #begin(
    before: SessionRow,
    { input, on_busy = 'enqueue', triggered, causers, run = {} }: SentMessage,
    id: string,
  ): Promise<string> {
    const { session, agent_id, user } = sessionView(before)
    const runId = uuidv7()
    await this.#parts.runs.begin(
      agent_id,
      { ...run, input, session, ...defined({ user }) },
      runId,
      async (on) => {
        const { rowCount } = await on.query(sql`
          UPDATE waybill.conversations SET run_id = ${storedText(runId)}
          WHERE org = ${this.#org} AND session = ${storedText(session)}
            AND run_id IS NOT DISTINCT FROM ${before.run_id}`)
        if (rowCount !== 1) throw BEGUN
        await this.#insert(on, session, id, { input: null, on_busy, triggered: false, state: 'delivered' })
      },
      defined({ triggered, causers }),
    )
    return runId
  }

  async #insert(
    on: Sql,
    session: string,
    id: string,
    {
      input,
      on_busy,
      triggered,
      state,
    }: { input: Message['input']; on_busy: OnBusy; triggered: boolean; state: 'queued' | 'delivered' },
  ): Promise<void> {
    const content = state === 'delivered' ? null : JSON.stringify(input)
    const by = storedText(this.#parts.principal.user)
    await on.query(sql`
      INSERT INTO waybill.messages (org, session, id, input, on_busy, state, by, triggered)
      VALUES (${this.#org}, ${storedText(session)}, ${id}, ${content}, ${on_busy}, ${state}, ${by}, ${triggered})`)
  }

  /**
   * Counts a message and queues the next leg of its run if the run waits. A run whose turn has ended is opened again. A
   * worker that still holds it finds the message when it is about to release the run; if it dies, its leg is queued again.
   */
  async #wake(on: Sql, { run_id, phase }: SessionRow, on_busy: OnBusy): Promise<void> {
    const reopens = phase === 'set_aside' && (on_busy === 'interrupt' || on_busy === 'rollback')
    await on.query(
      `UPDATE waybill.progress SET phase = CASE WHEN waybill.is_live(holder) THEN 'queued' ELSE 'parked' END,
         died = CASE WHEN $3 THEN '{}' ELSE died END, failures = CASE WHEN $3 THEN 0 ELSE failures END,
         why = CASE WHEN $3 THEN NULL ELSE why END
       WHERE org = $1 AND run_id = $2 AND (phase = 'over' OR $3)`,
      [this.#org, run_id, reopens],
    )
    await on.query('SELECT waybill.wake($1, $2)', [this.#org, run_id])
  }

  /** Returns true if the run was refused as a whole, so that only a new run can answer. */
  async #isRefused(on: Sql, runId: string): Promise<boolean> {
    // The hooks of an end are recorded after it.
    const { rows } = await on.query<{ line: string }>(
      'SELECT line FROM waybill.events WHERE org = $1 AND run_id = $2 ORDER BY seq DESC LIMIT 4',
      [this.#org, runId],
    )
    const end = rows.map(({ line }) => decodeEvent(line).decision.end).find((one) => one !== undefined)
    return takesNoTurns({ end: end ?? null })
  }

  async #isStored(on: Sql, session: string, id: string): Promise<boolean> {
    const { rowCount } = await on.query(
      'SELECT 1 FROM waybill.messages WHERE org = $1 AND session = $2 AND id = $3',
      [this.#org, storedText(session), id],
    )
    return rowCount === 1
  }

  async #row(on: Sql, session: string): Promise<SessionRow> {
    const row = await sessionRow(on, this.#org, session)
    if (row === undefined) throw notFound(session)
    return row
  }

  #within<T>(act: (on: Sql) => Promise<T>): Promise<T> {
    return inOrganisation(this.#parts.database.app, this.#org, act)
  }

  get #org(): string {
    return this.#parts.principal.organisation
  }
}

function notFound(session: string): WaybillError {
  return new WaybillError('SESSION_NOT_FOUND', {
    fault: 'usage',
    message: `there is no session ${JSON.stringify(session.slice(0, 200))}`,
    hint: 'create it with POST /v1/sessions, or list the sessions with GET /v1/sessions',
  })
}

function exists(session: string): WaybillError {
  return new WaybillError('SESSION_EXISTS', {
    fault: 'usage',
    message: `the session ${JSON.stringify(session.slice(0, 200))} belongs to another agent or user`,
    hint: 'use another name, or leave it out to get a new one',
  })
}

function busy(session: string): WaybillError {
  return new WaybillError('SESSION_BUSY', {
    fault: 'usage',
    message: `the session ${JSON.stringify(session.slice(0, 200))} has an active turn, or messages that wait for theirs`,
    hint: 'wait for its end, or send the message with on_busy enqueue, steer, interrupt or rollback',
  })
}

function agentNotFound(agentId: string): WaybillError {
  return new WaybillError('AGENT_NOT_FOUND', {
    fault: 'usage',
    message: `there is no agent ${JSON.stringify(agentId.slice(0, 200))}`,
    hint: 'upload its definition with POST /v1/agents, or list the agents with GET /v1/agents',
  })
}
