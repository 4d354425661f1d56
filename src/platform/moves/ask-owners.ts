import type { KeyObject } from 'node:crypto'
import type pg from 'pg'
import type { Json, JsonObject } from '../../document/json.ts'
import { isObject } from '../../document/json.ts'
import { messageOf } from '../../document/message-of.ts'
import { issueArrivalsQuestion } from '../../trust/arrivals-question.ts'
import type { EntryMaker } from '../../trust/audit-chain.ts'
import { readKeySet } from '../../trust/key-set.ts'
import { type MigrationClaims, readOwnToken } from '../../trust/migration-token.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import { inOrganisation } from '../database/tenant.ts'
import { appendAudit } from '../records/audit-chain-rows.ts'
import type { InstallationKey } from '../secrets/installation-key.ts'
import { giveAway, lockRunRow, moveRow } from './move-rows.ts'
import { askPeer, type PeerPort } from './peer-client.ts'
import { addressOf, type PeerAddress, peerRow, placesOfPeer } from './peer-rows.ts'
import { ownPlace } from './place.ts'

/** How long one platform may take to answer, in milliseconds: runs wait for it when a worker starts. */
const ANSWER_MS = 10_000
/** A platform without an answer is asked again after 2 s, 4 s and so on, at most this (seconds). */
const LONGEST_PAUSE_S = 300
/** Platforms that are asked at a time. */
const AT_ONCE = 16

interface DuePeer {
  readonly org: string
  readonly name: string
  readonly generation: number
}

export interface OwnerParts {
  /** Connections of the role of requests. */
  readonly app: pg.Pool
  /** Connections that see all organisations. */
  readonly engine: pg.Pool
  readonly peers: PeerPort
  /** Opens the tokens of other platforms. */
  readonly secretKey: InstallationKey
  readonly signingKey: () => KeyObject
  /** The public keys of this platform, those that were replaced included. */
  readonly jwks: () => Json
  readonly nextEntry: EntryMaker
  readonly publicUrl: string | undefined
  /** Something has arrived for a run. */
  readonly notify: (org: string, runId: string) => void
  readonly log: (level: 'warn', message: string) => void
}

/**
 * Asks the platforms that have not been asked since the database was put back which runs they own, and gives those away
 * that they prove with a token of this platform. A platform that cannot be reached is asked again later.
 */
export async function askOwners(parts: OwnerParts, stopping: AbortSignal): Promise<void> {
  if (parts.publicUrl === undefined) return
  for (;;) {
    const { rows } = await parts.engine.query<DuePeer>(
      `UPDATE waybill.peers AS p SET ask_attempts = ask_attempts + 1,
         ask_due_at = clock_timestamp() + least(${LONGEST_PAUSE_S}, 2 ^ least(ask_attempts + 1, 20)) * interval '1 second'
       FROM waybill.installation AS i
       WHERE (p.org, p.name) IN (SELECT q.org, q.name FROM waybill.peers AS q WHERE q.asked_generation < i.generation
           AND q.ask_due_at <= clock_timestamp() AND q.url IS NOT NULL AND q.token IS NOT NULL
         ORDER BY q.ask_due_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
       RETURNING p.org, p.name, i.generation`,
    )
    await Promise.all(
      rows.map(async (due) => {
        try {
          await askOne(parts, due, stopping)
        } catch (error) {
          const peer = `${originalText(due.name)} of the organisation ${due.org}`
          parts.log('warn', `the platform ${peer} has not said which runs it owns: ${messageOf(error)}`)
        }
      }),
    )
    if (rows.length < AT_ONCE) return
  }
}

async function askOne(
  parts: OwnerParts,
  { org, name, generation }: DuePeer,
  stopping: AbortSignal,
): Promise<void> {
  const { app, engine, secretKey, publicUrl, signingKey } = parts
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(ANSWER_MS)])
  const own = ownPlace(publicUrl, org)
  const [peer, place = ''] = await inOrganisation(app, org, async (sql) => {
    const row = await peerRow(sql, org, originalText(name))
    return [await addressOf(sql, secretKey, org, row), placesOfPeer(row)[0]] as const
  })
  for (let after: string | null = ''; after !== null; ) {
    const claims = { iat: Math.floor(Date.now() / 1000), iss: own, aud: place }
    const question = await issueArrivalsQuestion(claims, signingKey())
    const page = await pageOf(parts, peer, { question, ...(after !== '' && { after }) }, signal)
    for (const item of page.items) await take(parts, { org, own, name, place }, item)
    // Only forward: a platform must not be able to keep this one asking.
    after = page.next !== null && page.next > after ? page.next : null
  }
  await engine.query(
    `UPDATE waybill.peers SET asked_generation = greatest(asked_generation, $3), ask_attempts = 0, ask_due_at = clock_timestamp()
     WHERE org = $1 AND name = $2`,
    [org, name, generation],
  )
}

async function pageOf(
  { peers }: OwnerParts,
  peer: PeerAddress,
  asked: JsonObject,
  signal: AbortSignal,
): Promise<{ readonly items: readonly Json[]; readonly next: string | null }> {
  const body = JSON.stringify(asked)
  const answer = await askPeer(peers, peer, { method: 'POST', path: '/v1/arrivals', body, signal })
  if ('problem' in answer) throw new Error(`${answer.problem.code}: ${answer.problem.message}`)
  const { items, next } = answer.json
  return { items: Array.isArray(items) ? items : [], next: typeof next === 'string' ? next : null }
}

/** Gives a run away to the platform that it has moved to. What the platform does not prove is ignored. */
async function take(
  { app, jwks, nextEntry, notify, log }: OwnerParts,
  asked: { readonly org: string; readonly own: string; readonly name: string; readonly place: string },
  item: Json,
): Promise<void> {
  const { org, own, name, place } = asked
  const { run_id: there, migration_token: token } = isObject(item) ? item : {}
  if (typeof there !== 'string' || there === '' || typeof token !== 'string') return
  const claims = await readOwnToken(token, readKeySet(jwks() as JsonObject) ?? [], own)
  if (claims === undefined || claims.aud !== place || claims.run_id === undefined) {
    log('warn', `the platform ${originalText(name)} names a run that this organisation has not sent there`)
    return
  }
  const runId = claims.run_id
  const isAway = await inOrganisation(app, org, async (sql) => {
    const row = await lockRunRow(sql, org, runId)
    if (row === undefined || row.root !== null || row.imported || row.phase === 'moved') return false
    // A move that is known here has an outcome, or finds it.
    if ((await moveRow(sql, org, claims.jti)) !== undefined) return false
    await insertFound(sql, asked, runId, claims)
    const move = await moveRow(sql, org, claims.jti)
    if (move === undefined || !(await giveAway(sql, org, move, there))) return false
    const fact = {
      at: new Date().toISOString(),
      kind: 'run.found_moved',
      by: 'the platform',
      run_id: runId,
      to: place,
      target_run_id: there,
      jti: claims.jti,
      state_id: claims.state_id,
    }
    await appendAudit(sql, org, nextEntry, [fact])
    return true
  })
  if (isAway) notify(org, runId)
}

/** Stores the move that the database has forgotten. One that it remembers as under way was over before. */
async function insertFound(
  sql: Parameters<typeof giveAway>[0],
  {
    org,
    own,
    name,
    place,
  }: { readonly org: string; readonly own: string; readonly name: string; readonly place: string },
  runId: string,
  { jti, state_id, iat, exp }: MigrationClaims,
): Promise<void> {
  await sql.query(
    `UPDATE waybill.moves SET phase = 'kept', ended_at = clock_timestamp(), document = NULL, code = 'RUN_MOVED',
       why = 'the run had moved to another platform' WHERE org = $1 AND run_id = $2 AND ended_at IS NULL`,
    [org, storedText(runId)],
  )
  await sql.query(
    `INSERT INTO waybill.moves (org, jti, run_id, peer, source, target, phase, method, by, pull, state_id, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, 'sending', 'document', 'the platform', false, $7, to_timestamp($8), to_timestamp($9))`,
    [org, storedText(jti), storedText(runId), name, own, place, state_id, iat, exp],
  )
}
