import { isDeepStrictEqual } from 'node:util'
import { WaybillError } from '../../document/issue.ts'
import type { JsonObject } from '../../document/json.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import { originRuns } from '../../state/moved-causers.ts'
import { nestedStates } from '../../state/nested-states.ts'
import { stateDigest } from '../../trust/checksum.ts'
import { readJws } from '../../trust/jws.ts'
import { originalText, storedText, textOrNull } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import { assertNotErasing, subjectsOf } from '../people/subjects.ts'
import { appendAudit } from '../records/audit-chain-rows.ts'
import type { KeptState } from './move.ts'
import { keysOfPeer } from './peer-rows.ts'
import type { ReceiverParts, Verified } from './receiver.ts'

/** Documents that an organisation keeps, and their characters. */
const MOST = 1000
const MOST_CHARACTERS = 256 * 1024 * 1024

/** The state of a sub-agent that was sent before that of its caller. */
export interface KeptDocument {
  readonly document: AgentState
  /** Users here whose data it may have. */
  readonly mentions: readonly string[]
  /** Of its migration token. */
  readonly move?: {
    readonly jti: string
    readonly peer: string
    readonly source: string
    readonly token: string
  }
}

/**
 * Returns who may have sent the sub-agents of a state: the pinned platform that has signed its token, and who brings it
 * from the platform that it names. A document belongs to the first of them.
 */
function sendersOf({ document, move }: Verified, by: string): readonly string[] {
  const brought = JSON.stringify(['member', by, document.provenance?.source_platform ?? ''])
  return move === undefined ? [brought] : [JSON.stringify(['peer', move.peer]), brought]
}

/**
 * Keeps the state of a sub-agent until the state of its caller arrives from the same sender, which names it by its
 * `state_id` (AAIF §8.1). It is not continued by itself. The same document may be sent again, also with a new token.
 * @param user here, whom its run serves
 * @throws STATE_DOCUMENT_DIFFERS, KEPT_STATES_FULL, USER_BEING_ERASED
 */
export async function keepState(
  parts: ReceiverParts,
  verified: Verified,
  user: string | undefined,
  dryRun: boolean,
): Promise<KeptState> {
  const { app, org, by, nextEntry, keptMinutes } = parts
  const { document, move } = verified
  const { state_id, agent_id } = document
  const until = new Date(Date.now() + keptMinutes * 60_000)
  const answer = { state_id, status: 'kept', kept_until: until.toISOString() } as const
  if (dryRun) return answer
  const [sender = ''] = sendersOf(verified, by)
  const text = JSON.stringify(document)
  const digest = stateDigest(document as unknown as JsonObject)
  await inOrganisation(app, org, async (sql) => {
    // Two that are kept at once must count one another.
    await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('waybill.kept_states ' || $1, 0))`, [org])
    await assertRoom(sql, org, { sender, state_id, digest, size: text.length })
    const mentions = await subjectsOf(sql, org, originRuns(document))
    const { rows } = await sql.query<{ is_new: boolean }>(
      `INSERT INTO waybill.kept_states AS k
         (org, sender, state_id, agent_id, checksum, document, by, peer, source, kid, jti, token, user_id, mentions, until)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
       ON CONFLICT (org, sender, state_id) DO UPDATE SET document = excluded.document, peer = excluded.peer,
         source = excluded.source, kid = excluded.kid, jti = excluded.jti, token = excluded.token,
         until = greatest(k.until, excluded.until)
       RETURNING xmax = 0 AS is_new`,
      [
        ...[org, sender, storedText(state_id), storedText(agent_id), digest, text, storedText(by)],
        ...[textOrNull(move?.peer), textOrNull(move?.source), textOrNull(kidOf(move?.token))],
        ...[textOrNull(move?.claims.jti), move?.token ?? null],
        ...[textOrNull(user), mentions.map(storedText), until],
      ],
    )
    for (const one of [user, ...mentions]) await assertNotErasing(sql, org, one)
    if (rows[0]?.is_new !== true) return
    const fact = { at: new Date().toISOString(), kind: 'state.kept', by, state_id, agent_id }
    const from = move?.source ?? document.provenance?.source_platform ?? ''
    await appendAudit(sql, org, nextEntry, [{ ...fact, from, kept_until: answer.kept_until }])
  })
  return answer
}

function kidOf(token: string | undefined): string | undefined {
  const kid = token === undefined ? undefined : readJws(token)?.header.kid
  return typeof kid === 'string' ? kid : undefined
}

/** @throws STATE_DOCUMENT_DIFFERS, KEPT_STATES_FULL */
async function assertRoom(
  sql: Sql,
  org: string,
  {
    sender,
    state_id,
    digest,
    size,
  }: { readonly sender: string; readonly state_id: string; readonly digest: string; readonly size: number },
): Promise<void> {
  const { rows } = await sql.query<{ n: number; size: string | null; checksum: string | null }>(
    `SELECT count(*)::int AS n, sum(length(document)) AS size,
       max(checksum) FILTER (WHERE sender = $2 AND state_id = $3) AS checksum
     FROM waybill.kept_states WHERE org = $1`,
    [org, sender, storedText(state_id)],
  )
  const { n = 0, size: kept = null, checksum = null } = rows[0] ?? {}
  if (checksum !== null) {
    if (checksum === digest) return
    throw differs(state_id, 'this sender has sent another document of this state_id before')
  }
  if (n < MOST && Number(kept ?? 0) + size <= MOST_CHARACTERS) return
  throw new WaybillError('KEPT_STATES_FULL', {
    fault: 'refused',
    message: `the organisation keeps ${n} states of sub-agents already, which wait for the states of their callers`,
    hint: 'send the states of the callers, or wait until the first ones are removed (`states.kept_minutes`)',
  })
}

interface Row {
  readonly state_id: string
  readonly document: string
  readonly mentions: readonly string[]
  readonly user_id: string | null
  readonly jti: string | null
  readonly peer: string | null
  readonly source: string | null
  readonly token: string | null
}

/**
 * Returns the documents of the sub-agents that a state and they themselves name, as far as its sender has sent them: those
 * that a pinned platform has signed, only for a state that it has signed as well, with a key that is still pinned.
 * @throws STATE_DOCUMENT_DIFFERS if the state contains another document of the same id
 */
export async function keptFor(
  { app, org, by }: ReceiverParts,
  verified: Verified,
): Promise<readonly KeptDocument[]> {
  const { document, from } = verified
  const senders = sendersOf(verified, by)
  const keys = from === undefined ? [] : keysOfPeer(from).map(({ keyId }) => keyId)
  const nested = new Map(nestedStates(document).map((state) => [state.state_id, state]))
  const found = new Map<string, KeptDocument>()
  const looked = new Set([document.state_id])
  let wanted = namedIn([document, ...nested.values()], looked)
  while (wanted.length > 0) {
    const { rows } = await inOrganisation(app, org, (sql) =>
      sql.query<Row>(
        `SELECT DISTINCT ON (state_id) state_id, document, mentions, user_id, jti, peer, source, token
         FROM waybill.kept_states AS k
         WHERE org = $1 AND sender = ANY ($2) AND state_id = ANY ($3) AND until > clock_timestamp()
           AND (kid IS NULL OR kid = ANY ($4))
           AND NOT EXISTS (SELECT FROM waybill.arrivals AS a WHERE a.org = k.org AND a.jti = k.jti)
         ORDER BY state_id, array_position($2, sender)`,
        [org, senders, wanted.map(storedText), keys],
      ),
    )
    const read = rows.map(keptIn)
    for (const one of read) {
      const { state_id } = one.document
      const own = nested.get(state_id)
      if (own !== undefined && !isDeepStrictEqual(own, one.document))
        throw differs(state_id, 'x-waybill.documents has another document of this state_id')
      found.set(state_id, one)
    }
    wanted = namedIn(
      read.map(({ document: one }) => one),
      looked,
    )
  }
  return [...found.values()]
}

/** Returns the sub-agents that states name and that were not looked for yet. */
function namedIn(states: readonly AgentState[], looked: Set<string>): readonly string[] {
  const named = states.flatMap(({ subagent_states = [] }) => subagent_states.map(({ state_id }) => state_id))
  return named.filter((id): id is string => {
    if (id === undefined || looked.has(id) || looked.size > MOST) return false
    looked.add(id)
    return true
  })
}

function keptIn({ document, mentions, user_id, jti, peer, source, token }: Row): KeptDocument {
  return {
    document: JSON.parse(document) as AgentState,
    mentions: [...mentions, ...(user_id === null ? [] : [user_id])].map(originalText),
    ...(jti !== null &&
      peer !== null && {
        move: {
          jti: originalText(jti),
          peer: originalText(peer),
          source: originalText(source ?? ''),
          token: token ?? '',
        },
      }),
  }
}

/**
 * Removes the documents that the state of a caller has used, in the transaction of its import.
 * @throws STATE_DOCUMENT_GONE if one was used or removed since it was read
 */
export async function removeKept(
  sql: Sql,
  { org, by }: ReceiverParts,
  verified: Verified,
  kept: readonly KeptDocument[],
): Promise<void> {
  if (kept.length === 0) return
  const ids = kept.map(({ document }) => document.state_id)
  const { rows } = await sql.query<{ state_id: string }>(
    'DELETE FROM waybill.kept_states WHERE org = $1 AND sender = ANY ($2) AND state_id = ANY ($3) RETURNING state_id',
    [org, sendersOf(verified, by), ids.map(storedText)],
  )
  const removed = new Set(rows.map(({ state_id }) => originalText(state_id)))
  const gone = ids.find((id) => !removed.has(id))
  if (gone === undefined) return
  throw new WaybillError('STATE_DOCUMENT_GONE', {
    fault: 'refused',
    message: `the state ${gone} of a sub-agent was used or removed while the state of its caller arrived`,
    hint: 'send the states of the sub-agents again, and then that of their caller',
  })
}

function differs(id: string, why: string): WaybillError {
  return new WaybillError('STATE_DOCUMENT_DIFFERS', {
    fault: 'refused',
    message: `the state ${id} that was sent before is not the state of the sub-agent that the caller names: ${why}`,
    hint: 'send the documents of one capture together',
    rule: 'AAIF-8.1-21',
  })
}
