import type pg from 'pg'
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
