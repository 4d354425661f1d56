import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../src/platform/database/open-database.ts'
import { inOrganisation, type Sql } from '../../src/platform/database/tenant.ts'
import { approvalsOf, viewOf } from '../../src/platform/inbox/approvals.ts'
import { ballotOf } from '../../src/platform/inbox/ballot.ts'
import { listQuestions } from '../../src/platform/inbox/list-questions.ts'
import { storePolicy } from '../../src/platform/inbox/set-policy.ts'
import { appendAudit } from '../../src/platform/records/audit-chain-rows.ts'
import type { PostgresRecords } from '../../src/platform/records/open-postgres-records.ts'
import { hooksOf } from '../../src/platform/triggers/receive-hook.ts'
import type { TriggerEngine } from '../../src/platform/triggers/trigger-engine.ts'
import { triggersOf } from '../../src/platform/triggers/triggers.ts'
import { webhooksOf } from '../../src/platform/webhooks/webhooks.ts'
import type { Principal } from '../../src/session/principal.ts'
import type { WaitingCall } from '../../src/session/waiting-calls.ts'
import { webhookGrants } from '../../src/settings/webhook-grants.ts'
import { entryMaker } from '../../src/trust/audit-chain.ts'
import { keysBeside } from '../platform/scripted-sessions.ts'
import { standardHeaders } from '../platform/triggers-fixture.ts'
import { isSigned } from '../platform/verify-message.ts'
import type { Receiver } from '../platform/webhooks-fixture.ts'

export interface Around {
  readonly database: Database
  readonly org: string
  readonly records: PostgresRecords
  /** The file whose folder has the keys. */
  readonly log: string
  /** Gets the messages of all rounds. */
  readonly receiver: Receiver
  /** Starts the runs of messages in this process, like a server. */
  readonly engine: TriggerEngine
}

const AGENT = 'agent'

/** The messages that senders give to the hook, each several times. */
const MESSAGES = ['m1', 'm2', 'm3']

/** Slots of the schedule that are due at the beginning of a round. */
const SLOTS = 3

/**
 * What is active around the runs of a round: a schedule with slots that are due, a hook whose messages arrive several
 * times, a policy that wants two votes for each payment, and a webhook whose receiver is slow, fails, or is down.
 */
export class AroundRuns {
  readonly #around: Around
  readonly #secrets: { readonly webhook: string; readonly hook: string }
  readonly #triggers: { readonly schedule: string; readonly hook: string }
  /** By the id of a delivery: how often it was tried. */
  readonly #tried = new Map<string, number>()
  #sending: Promise<unknown> = Promise.resolve()
  #isOver = false

  static async begin(around: Around): Promise<AroundRuns> {
    const { database, org, receiver, log, engine } = around
    const { messages: keys } = keysBeside(log)
    await database.engine.query('INSERT INTO waybill.agents (org, agent_id, name) VALUES ($1, $2, $2)', [
      org,
      AGENT,
    ])
    await database.engine.query(
      `INSERT INTO waybill.members (org, user_id, kind, name, roles, created_by) VALUES
         ($1, 'ops', 'person', 'Ops', '{operator}', 'test'), ($1, 'ann', 'person', 'Ann', '{approver}', 'test'),
         ($1, 'bob', 'person', 'Bob', '{approver}', 'test')`,
      [org],
    )
    const principal = { organisation: org, user: 'ops', roles: ['operator' as const] }
    const parts = { ...partsOf(around), principal, user: 'ops', keys }
    const grants = webhookGrants({ allow_hosts: [receiver.host] })
    const webhook = await webhooksOf({ ...parts, grants }).create({ url: `${receiver.url}/${org}` })
    const policy = { match: { tool: 'send' }, approvals_needed: 2, notify: { webhooks: [webhook.id] } }
    await inOrganisation(database.app, org, (sql) =>
      storePolicy(sql, { org, name: 'two', policy, by: 'ops', mails: false }),
    )
    const triggers = triggersOf({ ...parts, firings: engine })
    const schedule = await triggers.create({
      agent_id: AGENT,
      kind: 'schedule',
      schedule: '* * * * *',
      missed: 'all',
      overlap: 'allow',
    })
    const hook = await triggers.create({ agent_id: AGENT, kind: 'webhook' })
    const { secret: hookSecret } = hook as { readonly secret?: string }
    assert.ok(webhook.secret !== undefined && hookSecret !== undefined)
    return new AroundRuns(
      around,
      { webhook: webhook.secret, hook: hookSecret },
      { schedule: schedule.id, hook: hook.id },
    )
  }

  private constructor(
    around: Around,
    secrets: { readonly webhook: string; readonly hook: string },
    triggers: { readonly schedule: string; readonly hook: string },
  ) {
    this.#around = around
    this.#secrets = secrets
    this.#triggers = triggers
    around.receiver.behaves.set(`/${around.org}`, (request, response) => this.#receive(request, response))
  }

  /** Makes slots due, and begins to send messages; both continue during the fault. */
  async start(): Promise<void> {
    await this.makeDue(SLOTS)
    this.#sending = Promise.all(MESSAGES.flatMap((id) => [this.#send(id), this.#send(id)]))
    this.#sending.catch(() => {})
  }

  /** Makes slots of the schedule due, of which some may have fired already. */
  async makeDue(slots: number): Promise<void> {
    await this.#around.database.engine.query(
      `UPDATE waybill.triggers SET next_at = date_trunc('minute', clock_timestamp()) - $3 * interval '1 minute'
       WHERE org = $1 AND id = $2`,
      [this.#around.org, this.#triggers.schedule, slots - 1],
    )
  }

  /**
   * Lets two people decide a question, each as often as given.
   * @returns how many of these decisions were accepted
   */
  async decide(waiting: WaitingCall, times: number): Promise<number> {
    const { records } = this.#around
    const { id } = await viewOf(records, waiting)
    const given = await Promise.allSettled(
      ['ann', 'bob'].flatMap((user) =>
        Array.from({ length: times }, () => {
          const principal: Principal = { organisation: this.#around.org, user, roles: ['approver'] }
          const { app, org, audited } = partsOf(this.#around)
          const sync = { pool: app, org, records }
          const ballot = ballotOf({ app, org, principal, audited, sync, records })
          return approvalsOf(records, principal, ballot, (query) =>
            listQuestions({ app, org, records, sync }, query),
          ).decide(id, { verdict: 'approve' })
        }),
      ),
    )
    return given.filter((one) => one.status === 'fulfilled' && one.value.votes === undefined).length
  }

  /** An hour passes for what waits to be repeated: receivers are tried again, and claims of dead processes end. */
  async anHourLater(): Promise<void> {
    await this.#around.database.engine
      .query(
        `UPDATE waybill.deliveries SET due_at = clock_timestamp()
         WHERE org = $1 AND state = 'pending' AND (claimed_until IS NULL OR claimed_until < clock_timestamp())`,
        [this.#around.org],
      )
      .catch(() => {})
  }

  /** Returns the runs that the triggers have started; null until all have ended, and all messages were delivered. */
  async settled(): Promise<readonly string[] | null> {
    const { engine } = this.#around.database
    const { rows } = await engine.query<{ run_id: string | null; state: string; phase: string | null }>(
      `SELECT f.run_id, f.state, p.phase FROM waybill.firings AS f
       LEFT JOIN waybill.progress AS p ON p.org = f.org AND p.run_id = f.run_id WHERE f.org = $1`,
      [this.#around.org],
    )
    const isDone = rows.every(({ state, phase }) => state === 'started' && phase === 'over')
    if (!isDone || rows.length < SLOTS + MESSAGES.length) return null
    await this.#sending
    const left = await engine.query(
      `SELECT FROM waybill.deliveries WHERE org = $1 AND state = 'pending' LIMIT 1`,
      [this.#around.org],
    )
    if (left.rowCount !== 0) return null
    // No slot fires between the checks and the end of the round.
    if (!this.#isOver) {
      this.#isOver = true
      await engine.query('UPDATE waybill.triggers SET enabled = false WHERE org = $1', [this.#around.org])
      return null
    }
    return rows.flatMap(({ run_id }) => run_id ?? [])
  }

  /** Proves that each slot and message has fired once, each question was accepted once, and each change was delivered. */
  async verify(): Promise<void> {
    const { org, database, receiver, records } = this.#around
    const { rows: firings } = await database.engine.query<{ trigger: string; slot: string; run_id: string }>(
      'SELECT trigger, slot, run_id FROM waybill.firings WHERE org = $1 ORDER BY slot',
      [org],
    )
    const slots = firings.filter(({ trigger }) => trigger === this.#triggers.schedule)
    const times = slots.map(({ slot }) => Date.parse(slot))
    for (const [n, at] of times.slice(1).entries())
      assert.equal(at - (times[n] ?? 0), 60_000, 'a slot is missing')
    assert.ok(times.length >= SLOTS)
    const taken = firings.filter(({ trigger }) => trigger === this.#triggers.hook)
    assert.deepEqual(
      taken.map(({ slot }) => slot),
      MESSAGES,
    )
    assert.equal(new Set(firings.map(({ run_id }) => run_id)).size, firings.length)
    const { rows: deliveries } = await database.engine.query<{
      id: string
      type: string
      run_id: string
      state: string
    }>('SELECT id, type, run_id, state FROM waybill.deliveries WHERE org = $1', [org])
    assert.deepEqual(new Set(deliveries.map(({ state }) => state)), new Set(['delivered']))
    const messages = receiver.messages.filter(({ path }) => path === `/${org}`)
    for (const message of messages) assert.ok(isSigned(message, this.#secrets.webhook), message.body)
    const received = new Map(messages.map(({ id, body }) => [id, body]))
    for (const { id, body } of messages) assert.equal(body, received.get(id), 'two messages have one id')
    assert.deepEqual(new Set(received.keys()), new Set(deliveries.map(({ id }) => id)))
    const ends = deliveries.filter(({ type }) => type === 'run.ended').map(({ run_id }) => run_id)
    const { items } = await records.runs.list({ roots: true }, { limit: 1000 })
    assert.deepEqual(ends.sort(), items.map(({ run_id }) => run_id).sort(), 'each end is announced once')
    for (const { run_id } of items) await this.#verifyDecisions(run_id)
  }

  async #verifyDecisions(runId: string): Promise<void> {
    const approved = (await this.#around.records.runs.events(runId)).flatMap(({ fact }) =>
      fact.type === 'person.decided' && fact.verdict === 'approve' ? [fact.call_id] : [],
    )
    assert.equal(new Set(approved).size, approved.length, `${runId}: a question was accepted twice`)
  }

  /** Sends a message until it is taken, as senders do, and then once more. */
  async #send(id: string): Promise<void> {
    const { database, log, engine } = this.#around
    const hooks = hooksOf({ engine: database.engine, keys: keysBeside(log).messages, firings: engine })
    const body = JSON.stringify({ id })
    for (let taken = 0; taken < 2; ) {
      const message = {
        hook: this.#triggers.hook,
        headers: standardHeaders(this.#secrets.hook, body, { id }),
        bytes: Buffer.from(body),
      }
      const isTaken = await hooks.receive(message).then(
        () => true,
        () => false,
      )
      if (isTaken) taken++
      else await sleep(100)
    }
  }

  /** Of three messages, one is accepted, one at first answered with 500, and one at first slowly. */
  #receive(request: IncomingMessage, response: ServerResponse): void {
    const id = String(request.headers['webhook-id'])
    const tried = (this.#tried.get(id) ?? 0) + 1
    this.#tried.set(id, tried)
    const kind = [...id].reduce((sum, char) => sum + char.charCodeAt(0), 0) % 3
    if (tried === 1 && kind === 1) response.writeHead(500).end()
    else if (tried === 1 && kind === 2) setTimeout(() => response.writeHead(204).end(), 300)
    else response.writeHead(204).end()
  }
}

function partsOf({ database, org, log }: Around) {
  const nextEntry = entryMaker(keysBeside(log).signAudit)
  const audited = (sql: Sql, kind: string, fact: Record<string, never> | object) =>
    appendAudit(sql, org, nextEntry, [{ ...fact, at: new Date().toISOString(), kind, by: 'ops' }])
  return { app: database.app, org, audited }
}
