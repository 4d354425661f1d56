import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { WaybillError } from '../../document/issue.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import { mentionsOf } from './mentions.ts'

/** How long a request that does not renew its claim is believed to be in progress, in milliseconds. */
const CLAIM_MS = 15_000

/** How often a repeated request looks for the answer to the first one, in milliseconds. */
const LOOK_MS = 100

interface ClaimRow {
  readonly body_hash: string
  readonly resource: string
  readonly status: number | null
  readonly response: string | null
  readonly lapsed: boolean
}

/**
 * The requests that clients may send again. A key belongs to one principal and operation, and is claimed before the
 * request is performed: a repeated request waits for the first one, and after a crash performs it again with the id of
 * the same resource, so that nothing is created twice. Bodies are kept as hashes only; a failed request gives its key
 * back.
 */
export function requestsOf(app: pg.Pool, org: string, principal: string): Requests {
  return {
    async once(request, act, signal) {
      const holder = uuidv7()
      for (;;) {
        const claim = await inOrganisation(app, org, (sql) => claimed(sql, org, principal, request, holder))
        if (typeof claim !== 'string') {
          if ((await request.stale?.(claim)) !== true) return claim
          await forget(app, org, principal, request, claim)
          continue
        }
        if (claim !== WAIT) return perform(app, org, principal, request, holder, claim, act)
        await sleep(LOOK_MS, undefined, { signal })
      }
    },
  }
}

const WAIT = ''

/** @returns the answer to the first request, the id of the resource to create, or {@link WAIT} */
async function claimed(
  sql: Sql,
  org: string,
  principal: string,
  { operation, key, bodyHash }: KeyedRequest,
  holder: string,
): Promise<(StoredAnswer & { readonly repeated: true }) | string> {
  const of = [org, principal, operation, key]
  const { rows } = await sql.query<{ resource: string }>(
    `INSERT INTO waybill.idempotency (org, principal, operation, key, body_hash, resource, holder, held_until)
     VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp() + $8 * interval '1 millisecond')
     ON CONFLICT DO NOTHING RETURNING resource`,
    [...of, bodyHash, uuidv7(), holder, CLAIM_MS],
  )
  if (rows[0] !== undefined) return rows[0].resource
  const known = await sql.query<ClaimRow>(
    `SELECT body_hash, resource, status, response, held_until < clock_timestamp() AS lapsed FROM waybill.idempotency
     WHERE org = $1 AND principal = $2 AND operation = $3 AND key = $4 FOR UPDATE`,
    of,
  )
  const [row] = known.rows
  if (row === undefined) return WAIT
  if (row.body_hash !== bodyHash) throw conflict(key)
  if (row.status !== null && row.response !== null)
    return { status: row.status, body: row.response, repeated: true }
  if (!row.lapsed) return WAIT
  await sql.query(
    `UPDATE waybill.idempotency SET holder = $5, held_until = clock_timestamp() + $6 * interval '1 millisecond'
     WHERE org = $1 AND principal = $2 AND operation = $3 AND key = $4`,
    [...of, holder, CLAIM_MS],
  )
  return row.resource
}

/** Frees a key whose answer is stale, unless another request has already done so. */
async function forget(
  app: pg.Pool,
  org: string,
  principal: string,
  { operation, key }: KeyedRequest,
  { body }: StoredAnswer,
): Promise<void> {
  await inOrganisation(app, org, (sql) =>
    sql.query(
      `DELETE FROM waybill.idempotency
       WHERE org = $1 AND principal = $2 AND operation = $3 AND key = $4 AND response = $5`,
      [org, principal, operation, key, body],
    ),
  )
}

async function perform(
  app: pg.Pool,
  org: string,
  principal: string,
  { operation, key }: KeyedRequest,
  holder: string,
  resource: string,
  act: (resourceId: string) => Promise<StoredAnswer>,
): Promise<StoredAnswer & { readonly repeated: boolean }> {
  const mine = 'org = $1 AND principal = $2 AND operation = $3 AND key = $4 AND holder = $5'
  const change = (statement: string, ...more: readonly unknown[]) =>
    inOrganisation(app, org, (sql) => sql.query(statement, [org, principal, operation, key, holder, ...more]))
  const renewal = setInterval(() => {
    change(
      `UPDATE waybill.idempotency SET held_until = clock_timestamp() + $6 * interval '1 millisecond' WHERE ${mine}`,
      CLAIM_MS,
    ).catch(() => {})
  }, CLAIM_MS / 3)
  try {
    const answer = await act(resource)
    await change(
      `UPDATE waybill.idempotency SET status = $6, response = $7, mentions = $8, holder = NULL, held_until = NULL
       WHERE ${mine}`,
      answer.status,
      answer.body,
      mentionsOf(operation, answer.body),
    )
    return { ...answer, repeated: false }
  } catch (error) {
    // If this fails as well, the claim lapses.
    await change(`DELETE FROM waybill.idempotency WHERE ${mine}`).catch(() => {})
    throw error
  } finally {
    clearInterval(renewal)
  }
}

function conflict(key: string): WaybillError {
  return new WaybillError('IDEMPOTENCY_CONFLICT', {
    fault: 'usage',
    message: `the Idempotency-Key ${JSON.stringify(key.slice(0, 80))} was used with another body`,
    hint: 'use a new key for a new request, and repeat a request with exactly the same body',
  })
}

/** A request that a client may send again with the same `Idempotency-Key`. */
export interface KeyedRequest {
  /** Method and path. */
  readonly operation: string
  readonly key: string
  /** SHA-256 of the body: another body with the same key is refused. */
  readonly bodyHash: string
  /** Whether the answer to the first request no longer counts: then the request is performed again. Default: never. */
  readonly stale?: (answer: StoredAnswer) => Promise<boolean>
}

export interface StoredAnswer {
  readonly status: number
  readonly body: string
}

/** Answers a repeated request with the answer to the first one, also after a restart. */
export interface Requests {
  /**
   * @param act answers the request; gets an id for the resource that it creates, the same one each time
   * @throws IDEMPOTENCY_CONFLICT if the key was used with another body
   */
  once(
    request: KeyedRequest,
    act: (resourceId: string) => Promise<StoredAnswer>,
    signal?: AbortSignal,
  ): Promise<StoredAnswer & { readonly repeated: boolean }>
}
