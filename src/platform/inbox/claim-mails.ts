import type pg from 'pg'
import { sql } from '../database/sql.ts'

/** A mail that this process, and no other, sends now. */
export interface ClaimedMail {
  readonly org: string
  /** As they are stored. */
  readonly question: string
  readonly slot: string
  readonly recipient: string
  readonly subject: string
  readonly body: string
  /** With this one. Names the claim: a later claim has another number. */
  readonly attempts: number
}

/** Why a mail was not accepted. */
export interface MailFailure {
  /** A code, such as `ECONNREFUSED` or `SMTP 550`. */
  readonly error: string
  /** The receiver will not accept it later either. */
  readonly final: boolean
}

/** Further milliseconds that each wait may take, as a part of it. */
const JITTER = 0.2

/**
 * Claims mails that are due, a few of each organisation. A process that dies leaves claims that end by themselves. Mails
 * about questions that were closed meanwhile are dropped, except those that say so.
 */
export async function claimMails(
  engine: pg.Pool,
  most: number,
  claimMs: number,
): Promise<readonly ClaimedMail[]> {
  await engine.query({
    name: 'drop-mails',
    text: `UPDATE waybill.mails SET state = 'dropped', due_at = NULL, body = NULL WHERE ctid = ANY (ARRAY(
        SELECT m.ctid FROM waybill.mails AS m JOIN waybill.questions AS q ON q.org = m.org AND q.id = m.question
        WHERE m.state = 'pending' AND m.due_at <= clock_timestamp() AND m.slot <> 'expired' AND q.closed_at IS NOT NULL
        FOR UPDATE OF m SKIP LOCKED))`,
  })
  const { rows } = await engine.query<ClaimedMail>({
    name: 'claim-mails',
    text: `WITH due AS (
        SELECT org, question, slot, recipient, due_at, row_number() OVER (PARTITION BY org ORDER BY due_at) AS place
        FROM waybill.mails WHERE state = 'pending' AND due_at <= clock_timestamp()
      ), free AS (
        SELECT m.org, m.question, m.slot, m.recipient FROM waybill.mails AS m JOIN due USING (org, question, slot, recipient)
        WHERE m.state = 'pending' AND m.due_at <= clock_timestamp() ORDER BY due.place, due.due_at LIMIT $1 FOR UPDATE OF m SKIP LOCKED
      )
      UPDATE waybill.mails AS m SET attempts = m.attempts + 1, attempted_at = clock_timestamp(),
        due_at = clock_timestamp() + $2 * interval '1 ms'
      FROM free WHERE m.org = free.org AND m.question = free.question AND m.slot = free.slot AND m.recipient = free.recipient
      RETURNING m.org, m.question, m.slot, m.recipient, m.subject, m.body, m.attempts`,
    values: [most, claimMs],
  })
  return rows
}

const claimOf = ({ org, question, slot, recipient, attempts }: ClaimedMail) =>
  sql`org = ${org} AND question = ${question} AND slot = ${slot} AND recipient = ${recipient} AND attempts = ${attempts}
    AND state = 'pending'`

/** Its text is removed: it contains arguments of the call. */
export async function mailSent(engine: pg.Pool, mail: ClaimedMail): Promise<void> {
  await engine.query(
    sql`UPDATE waybill.mails SET state = 'sent', error = NULL, due_at = NULL, body = NULL WHERE ${claimOf(mail)}`,
  )
}

/** @param waitMs until the next attempt; undefined: it is given up */
export async function mailFailed(
  engine: pg.Pool,
  mail: ClaimedMail,
  error: string,
  waitMs: number | undefined,
): Promise<void> {
  const again =
    waitMs === undefined
      ? sql`state = 'failed', due_at = NULL, body = NULL`
      : sql`due_at = clock_timestamp() + ${waitMs * (1 + JITTER * Math.random())} * interval '1 ms'`
  await engine.query(sql`UPDATE waybill.mails SET error = ${error}, ${again} WHERE ${claimOf(mail)}`)
}

/** Gives a claim back: the worker stops. The mail may have arrived, and is sent again with the same id. */
export async function mailReleased(engine: pg.Pool, mail: ClaimedMail): Promise<void> {
  await engine.query(sql`UPDATE waybill.mails SET due_at = clock_timestamp() WHERE ${claimOf(mail)}`)
}
