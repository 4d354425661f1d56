import type pg from 'pg'
import type { EntryMaker } from '../../trust/audit-chain.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import { PLATFORM } from '../engine/leg.ts'
import { appendAudit } from '../records/audit-chain-rows.ts'
import type { WebhookSignature } from './webhook.ts'

/** A delivery that may be sent now. */
export interface DueDelivery {
  readonly org: string
  readonly webhook: string
  readonly id: string
  /** The origin of the URL. */
  readonly receiver: string
}

/** A delivery that this process, and no other, sends now. */
export interface ClaimedDelivery extends DueDelivery {
  readonly type: string
  readonly body: string
  /** With this one. Names the claim: a later claim has another number. */
  readonly attempts: number
  /** The attempts before it was repeated by hand. */
  readonly base: number
  readonly url: string
  readonly signature: WebhookSignature
  readonly salt: string | null
  readonly key: string | null
  /** Null when the old secret is no longer used. */
  readonly old_salt: string | null
  readonly old_key: string | null
}

/** Deliveries of one webhook that one search returns: a long queue must not hide those of others. */
const OF_ONE_WEBHOOK = 8

/** Deliveries that one search returns. */
const MOST = 256

/** Gives up deliveries whose webhook was deactivated or removed while they were stored. */
export async function dropUnwanted(engine: pg.Pool): Promise<void> {
  await engine.query({
    name: 'drop-unwanted-deliveries',
    text: `UPDATE waybill.deliveries SET state = 'failed', error = 'DEACTIVATED', due_at = NULL WHERE ctid = ANY (ARRAY(
        SELECT d.ctid FROM waybill.deliveries AS d
        WHERE d.state = 'pending' AND d.due_at <= clock_timestamp()
          AND NOT EXISTS (SELECT FROM waybill.webhooks AS w WHERE w.org = d.org AND w.id = d.webhook AND w.active)
        FOR UPDATE SKIP LOCKED))`,
  })
}

/**
 * Finds deliveries that are due, without a claim to them.
 * @param full receivers and organisations to which this process sends enough at this moment
 */
export async function dueDeliveries(
  engine: pg.Pool,
  full: { readonly receivers: readonly string[]; readonly organisations: readonly string[] },
): Promise<readonly DueDelivery[]> {
  const { rows } = await engine.query<DueDelivery>({
    name: 'due-deliveries',
    text: `SELECT w.org, w.id AS webhook, d.id, w.receiver FROM waybill.webhooks AS w CROSS JOIN LATERAL (
        SELECT id, due_at FROM waybill.deliveries AS d
        WHERE d.org = w.org AND d.webhook = w.id AND d.state = 'pending' AND d.due_at <= clock_timestamp()
        ORDER BY d.due_at LIMIT ${OF_ONE_WEBHOOK}) AS d
      WHERE w.active AND w.receiver <> ALL ($1) AND w.org <> ALL ($2) ORDER BY d.due_at LIMIT ${MOST}`,
    values: [full.receivers, full.organisations],
  })
  return rows
}

/**
 * Claims deliveries: no other process sends them until the claim ends. One that dies leaves a claim that ends by itself.
 * @param claimMs milliseconds, longer than an attempt
 * @returns those that no other process has claimed meanwhile
 */
export async function claimDeliveries(
  engine: pg.Pool,
  wanted: readonly DueDelivery[],
  claimMs: number,
): Promise<readonly ClaimedDelivery[]> {
  const { rows } = await engine.query<ClaimedDelivery>({
    name: 'claim-deliveries',
    text: `WITH free AS (
        SELECT d.org, d.webhook, d.id FROM waybill.deliveries AS d
        JOIN unnest($1::text[], $2::text[], $3::text[]) AS a(org, webhook, id) USING (org, webhook, id)
        WHERE d.state = 'pending' AND d.due_at <= clock_timestamp() FOR UPDATE OF d SKIP LOCKED)
      UPDATE waybill.deliveries AS d SET attempts = d.attempts + 1, attempted_at = clock_timestamp(),
        due_at = clock_timestamp() + $4 * interval '1 ms', claimed_until = clock_timestamp() + $4 * interval '1 ms'
      FROM free, waybill.webhooks AS w
      WHERE d.org = free.org AND d.webhook = free.webhook AND d.id = free.id AND w.org = d.org AND w.id = d.webhook AND w.active
      RETURNING d.org, d.webhook, d.id, d.type, d.body, d.attempts, d.base, w.receiver, w.url, w.signature, w.salt, w.key,
        CASE WHEN w.old_until > clock_timestamp() THEN w.old_salt END AS old_salt, w.old_key`,
    values: [
      wanted.map(({ org }) => org),
      wanted.map(({ webhook }) => webhook),
      wanted.map(({ id }) => id),
      claimMs,
    ],
  })
  return rows
}

/** What became of one attempt: the status of the answer, or a code that says why there is none. */
export type Outcome = { readonly status: number } | { readonly error: string }

export interface RecordParts {
  readonly engine: pg.Pool
  readonly nextEntry: EntryMaker
  /** Waits before further attempts, in milliseconds. */
  readonly delaysMs: readonly number[]
  /** A webhook without success for this long is deactivated, in milliseconds. */
  readonly deadAfterMs: number
}

/** Attempts that have failed before a webhook is deactivated because of the time that has passed. */
const FAILURES = 10

/** Further milliseconds that each wait may take, as a part of it: deliveries that failed together spread out. */
const JITTER = 0.2

const GONE = 410

/**
 * Records the outcome of an attempt, and deactivates the webhook of a receiver that wants no messages or that has
 * accepted none for long.
 * @returns why the webhook was deactivated, if it was
 */
export function recordAttempt(
  parts: RecordParts,
  delivery: ClaimedDelivery,
  outcome: Outcome,
): Promise<string | undefined> {
  if ('status' in outcome && outcome.status >= 200 && outcome.status < 300)
    return recordSuccess(parts.engine, delivery, outcome.status)
  return inOrganisation(parts.engine, delivery.org, async (sql) => {
    // Always before its deliveries, so that no two transactions wait for each other.
    await sql.query('SELECT FROM waybill.webhooks WHERE org = $1 AND id = $2 FOR NO KEY UPDATE', [
      delivery.org,
      delivery.webhook,
    ])
    const why = await recordFailure(sql, parts, delivery, outcome)
    if (why !== undefined) await deactivate(sql, parts.nextEntry, delivery, why)
    return why
  })
}

/** Gives a claim back: the worker stops. The attempt may have arrived, and is repeated with the same id. */
export async function releaseClaim(
  engine: pg.Pool,
  { org, webhook, id, attempts }: ClaimedDelivery,
): Promise<void> {
  await engine.query(
    `UPDATE waybill.deliveries SET due_at = clock_timestamp(), claimed_until = NULL
     WHERE org = $1 AND webhook = $2 AND id = $3 AND attempts = $4 AND state = 'pending'`,
    [org, webhook, id, attempts],
  )
}

/** One statement without a transaction around it: the row of the webhook is locked for no round trip. */
async function recordSuccess(
  engine: pg.Pool,
  { org, webhook, id, attempts }: ClaimedDelivery,
  status: number,
): Promise<undefined> {
  await engine.query({
    name: 'record-success',
    text: `WITH hook AS (
       SELECT FROM waybill.webhooks WHERE org = $1 AND id = $2 FOR NO KEY UPDATE
     ), done AS (
       UPDATE waybill.deliveries SET state = 'delivered', status = $5, error = NULL, due_at = NULL, claimed_until = NULL
       WHERE org = $1 AND webhook = $2 AND id = $3 AND attempts = $4 AND state = 'pending' AND EXISTS (SELECT FROM hook)
       RETURNING 1)
     UPDATE waybill.webhooks SET delivered = delivered + 1, delivered_at = clock_timestamp(), failures = 0, failing_since = NULL
     WHERE org = $1 AND id = $2 AND EXISTS (SELECT FROM done)`,
    values: [org, webhook, id, attempts, status],
  })
}

/** @returns why the webhook is to be deactivated */
async function recordFailure(
  sql: Sql,
  { delaysMs, deadAfterMs }: RecordParts,
  { org, webhook, id, attempts, base }: ClaimedDelivery,
  outcome: Outcome,
): Promise<string | undefined> {
  const status = 'status' in outcome ? outcome.status : null
  const waitMs = delaysMs[attempts - base - 1]
  const { rowCount } = await sql.query(
    `UPDATE waybill.deliveries SET state = CASE WHEN $5::float8 IS NULL THEN 'failed' ELSE 'pending' END, status = $6, error = $7,
       due_at = clock_timestamp() + $5 * interval '1 ms', claimed_until = NULL
     WHERE org = $1 AND webhook = $2 AND id = $3 AND attempts = $4 AND state = 'pending'`,
    [
      org,
      webhook,
      id,
      attempts,
      waitMs === undefined ? null : waitMs * (1 + JITTER * Math.random()),
      status,
      'error' in outcome ? outcome.error : null,
    ],
  )
  // Another process has claimed it meanwhile.
  if (rowCount === 0) return undefined
  const { rows } = await sql.query<{ dead: boolean }>(
    `UPDATE waybill.webhooks SET failures = failures + 1, failing_since = coalesce(failing_since, clock_timestamp()),
       failed = failed + $3
     WHERE org = $1 AND id = $2 AND active
     RETURNING failures >= ${FAILURES} AND failing_since <= clock_timestamp() - $4 * interval '1 ms' AS dead`,
    [org, webhook, waitMs === undefined ? 1 : 0, deadAfterMs],
  )
  if (status === GONE) return 'the receiver answered 410: it wants no further messages'
  return rows[0]?.dead === true
    ? `no delivery has succeeded for ${Math.round(deadAfterMs / 86_400_000)} days`
    : undefined
}

async function deactivate(
  sql: Sql,
  nextEntry: EntryMaker,
  { org, webhook, receiver }: ClaimedDelivery,
  why: string,
): Promise<void> {
  const { rowCount } = await sql.query(
    `UPDATE waybill.webhooks SET active = false, why = $3, stopped_at = clock_timestamp()
     WHERE org = $1 AND id = $2 AND active`,
    [org, webhook, why],
  )
  if (rowCount === 0) return
  await cancelPending(sql, org, webhook)
  const at = new Date().toISOString()
  await appendAudit(sql, org, nextEntry, [
    { at, kind: 'webhook.deactivated', by: PLATFORM, webhook, receiver, why },
  ])
}

/** Gives up what waits for a webhook that is no longer active. */
export async function cancelPending(sql: Sql, org: string, webhook: string): Promise<void> {
  await sql.query(
    `UPDATE waybill.deliveries SET state = 'failed', error = coalesce(error, 'DEACTIVATED'), due_at = NULL, claimed_until = NULL
     WHERE org = $1 AND webhook = $2 AND state = 'pending'`,
    [org, webhook],
  )
}
