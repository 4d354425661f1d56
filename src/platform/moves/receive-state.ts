import type pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { JsonObject } from '../../document/json.ts'
import { MOVER } from '../../session/moves/mover.ts'
import type { MovedValues } from '../../session/restore-values.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import { parseAgentState } from '../../spec/aaif/parse-agent-state.ts'
import { assertPaused } from '../../state/assert-paused.ts'
import { claimsOf, personalDataIn, readPersonalData } from '../../state/moved-personal-data.ts'
import { readWaybillMember } from '../../state/read-waybill-member.ts'
import { readHandoff } from '../../state/stream/read-handoff.ts'
import { streamedChecksum } from '../../state/stream/streamed-state.ts'
import type { AuditFact, EntryMaker } from '../../trust/audit-chain.ts'
import { assertStateChecksum, stateDigest } from '../../trust/checksum.ts'
import { readJws } from '../../trust/jws.ts'
import { type MigrationClaims, verifyMigrationToken } from '../../trust/migration-token.ts'
import { type SealedAbout, sealedFor } from '../../trust/seal-for.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import { giveCommand } from '../engine/commands.ts'
import { appendAudit } from '../records/audit-chain-rows.ts'
import type { PostgresRecords } from '../records/open-postgres-records.ts'
import { originalText, storedText, textOrNull } from '../records/stored-text.ts'
import { assertNotErasing } from '../removal/tenant-removal.ts'
import type { Planner } from '../runs/planner.ts'
import { assertNotStopped } from '../stops/stops.ts'
import { isUsed, requestArrival } from './arrivals.ts'
import type { ReceivedState, ReceiveOptions } from './move.ts'
import { keysOfPeer, type PeerRow, peerRows, placesOfPeer, usersOf } from './peer-rows.ts'
import { ownPlace } from './place.ts'
import { assertNoLoss } from './preflight.ts'

export interface ReceiverParts {
  readonly app: pg.Pool
  readonly org: string
  /** Who imports it. */
  readonly by: string
  readonly records: PostgresRecords
  readonly planner: Pick<Planner, 'restored'>
  readonly nextEntry: EntryMaker
  readonly publicUrl: string | undefined
  /**
   * Opens what was sealed for a key of this platform.
   * @throws SEAL_UNREADABLE; AUDIT_KEY_WRONG if the key is not here, or was revoked
   */
  readonly unseal: (text: string, about: SealedAbout) => Promise<Buffer>
  readonly notify: (org: string, runId: string) => void
}

/** A state that was sent, as far as it is verified. */
interface Verified {
  readonly document: AgentState
  /** Absent: nothing proves that the captured run has stopped. */
  readonly move?: {
    readonly claims: MigrationClaims
    readonly peer: string /** Its place. */
    readonly source: string
  }
  /** The platform that has pinned keys and users, if it is known. */
  readonly from: PeerRow | undefined
}

/**
 * Continues an Agent State (AAIF §8.2 steps 4 to 7). Nothing is stored before checksum, token and agent are verified; the
 * token is used up in the transaction that stores the run.
 */
export async function receiveState(
  parts: ReceiverParts,
  given: AgentState,
  options: ReceiveOptions = {},
): Promise<ReceivedState> {
  return continueState(parts, await verify(parts, given, options.dryRun === true), options)
}

/** The same for a streaming handoff (AAIF §8.3). */
export async function receiveStream(
  parts: ReceiverParts,
  input: AsyncIterable<Uint8Array>,
): Promise<ReceivedState> {
  const known: Awaited<ReturnType<typeof verifyToken>>[] = []
  const streamed = await readHandoff(input, {
    async verifyInit({ migration_token, source_platform, ...about }) {
      known.push(await verifyToken(parts, { token: migration_token, platform: source_platform, ...about }))
    },
  })
  const [verified] = known
  if (verified?.move.claims.digest !== streamedChecksum(streamed)) throw otherContent()
  const document = parseAgentState({
    ...(streamed as unknown as JsonObject),
    // The sender may leave it out; a state needs it.
    checkpoint_at: streamed.checkpoint_at ?? new Date().toISOString(),
  })
  return continueState(parts, { document, ...verified }, {})
}

async function continueState(
  parts: ReceiverParts,
  verified: Verified,
  { dryRun = false, failOnLoss = false }: ReceiveOptions,
): Promise<ReceivedState> {
  const { app, org, by, planner, publicUrl, notify } = parts
  const { document, move } = verified
  const { agent_id, agent_version } = document
  const { member } = readWaybillMember(document)
  const user = userHere(verified, member?.user)
  await inOrganisation(app, org, (sql) => assertNotStopped(sql, org, { agent_id, user }))
  const run_id = uuidv7()
  const request = {
    org,
    agent_id,
    by,
    ...defined({
      user,
      session: member?.session,
      definition: member?.definition_hash,
      budget: member?.budget,
    }),
  }
  const moved = await movedValues(parts, verified, dryRun)
  const { family, records, storeMemory, version, values } = await planner.restored(
    { ...request, ...(await versionHere(parts, agent_id, agent_version)) },
    document,
    {
      run_id,
      fork: move === undefined && !dryRun,
      trusted: false,
      dry: dryRun,
      on_behalf_of: by,
      ...defined({ user, session: member?.session, moved }),
    },
  )
  const { report } = family
  if (failOnLoss) assertNoLoss(report)
  const owner =
    dryRun && move === undefined
      ? (document.provenance?.source_platform ?? '')
      : publicUrl === undefined
        ? org
        : ownPlace(publicUrl, org)
  const [root] = family.runs
  const status = root?.facts.findLast(({ type }) => type === 'run.restored')
  const restored = status?.type === 'run.restored' ? status.state.status : 'paused'
  const received = { run_id, status: restored === 'waiting' ? 'awaiting_approval' : restored, owner, report }
  if (dryRun) return received
  await parts.records.runs.restore(records.runs, records.audit, {
    version,
    also: async (sql) => {
      await assertNotErasing(sql, org, user)
      if (move !== undefined) await useUp(sql, parts, verified, { runId: run_id, values })
      // With the run or not at all: a refused state leaves no item of its user behind.
      await storeMemory(parts.records.memory.within(sql))
      if (member?.session !== undefined)
        await takeSession(sql, org, { agent_id, user, run_id, session: member.session })
      if (move?.claims.continues === true && restored === 'paused')
        await giveCommand(sql, org, run_id, { type: 'resume' }, MOVER)
      else if (restored !== 'paused') await sql.query('SELECT waybill.enqueue_leg($1, $2)', [org, run_id])
    },
  })
  notify(org, run_id)
  return received
}

/** Opens the values of personal data that have come with a state. A problem is reported, and the state is not refused. */
async function movedValues(
  { org, publicUrl, unseal }: ReceiverParts,
  { document, move, from }: Verified,
  dryRun: boolean,
): Promise<MovedValues | undefined> {
  const sealed = personalDataIn(document)
  if (sealed === undefined) return undefined
  if (from === undefined || (move === undefined && !dryRun))
    return { problem: 'only a move from a pinned platform brings them' }
  if (sealedFor(sealed) === undefined) return { problem: UNREADABLE }
  const about = claimsOf({
    source: move?.source ?? placesOfPeer(from)[0] ?? '',
    stateId: document.state_id,
    target: ownPlace(publicUrl, org),
  })
  try {
    const values = readPersonalData(await unseal(sealed, about))
    // A dry run moves only the names.
    if (!dryRun && values.some(({ value }) => value === undefined)) return { problem: UNREADABLE }
    return { values }
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error
    return { problem: error.code === 'AUDIT_KEY_WRONG' ? OTHER_KEY : UNREADABLE }
  }
}

const UNREADABLE = 'they were changed, or sealed for another state, sender or receiver'
const OTHER_KEY =
  'they are sealed for a key that this platform does not use: the sender must pin its keys again'

/** @throws STATE_CHECKSUM_MISSING, STATE_CHECKSUM_MISMATCH; errors of tokens; the first error of the document */
async function verify(parts: ReceiverParts, given: AgentState, dryRun: boolean): Promise<Verified> {
  const { app, org } = parts
  const document = parseAgentState(given as unknown as JsonObject)
  assertStateChecksum(document as unknown as JsonObject)
  const peers = await inOrganisation(app, org, (sql) => peerRows(sql, org))
  const token = document.provenance?.migration_token
  const platform = document.provenance?.source_platform
  if (token === undefined || token === null) {
    // A run that is being moved is not a fork: without a token, its source would continue as well.
    if (document.status === 'migrating' && !dryRun) throw tokenMissing()
    return { document, from: peers.find((peer) => isAt(peer, platform)) }
  }
  assertPaused(document)
  const digest = stateDigest(document as unknown as JsonObject)
  return { document, ...(await verifyToken(parts, { ...document, token, platform, digest })) }
}

/** @throws errors of tokens; STATE_TOKEN_USED */
async function verifyToken(
  { app, org, publicUrl }: ReceiverParts,
  about: {
    readonly token: string
    /** The sender, as its own document says; the token must say the same. */
    readonly platform: string | undefined
    readonly state_id: string
    readonly agent_id: string
    readonly run_id?: string
    readonly digest?: string
  },
): Promise<{ readonly move: NonNullable<Verified['move']>; readonly from: PeerRow }> {
  const { token, platform, state_id: stateId, agent_id: agentId, run_id: runId, digest } = about
  const peers = await inOrganisation(app, org, (sql) => peerRows(sql, org))
  const kid = readJws(token)?.header.kid
  const known = peers.find(
    (peer) => isAt(peer, platform) && keysOfPeer(peer).some(({ keyId }) => keyId === kid),
  )
  const claims = await verifyMigrationToken(token, {
    nowSeconds: Math.floor(Date.now() / 1000),
    stateId,
    agentId,
    keys: known === undefined ? [] : keysOfPeer(known),
    bound: {
      issuer: known === undefined ? '' : (platform ?? ''),
      audience: ownPlace(publicUrl, org),
      runId,
      ...defined({ digest }),
    },
  })
  // Proved by the verification: without a known peer there is no key.
  const from = known as PeerRow
  if (await inOrganisation(app, org, (sql) => isUsed(sql, org, claims.jti))) throw tokenUsed()
  return { move: { claims, peer: originalText(from.name), source: claims.iss ?? '' }, from }
}

function isAt(peer: PeerRow, place: string | undefined): boolean {
  return place !== undefined && placesOfPeer(peer).includes(place)
}

/** @throws STATE_USER_UNKNOWN for a user that the operator has not mapped */
function userHere({ from }: Verified, user: string | undefined): string | undefined {
  if (user === undefined) return undefined
  // A state that an operator brings has the users of this platform.
  const users = from === undefined ? null : usersOf(from)
  const here = users === null ? user : users[user]
  if (here !== undefined) return here
  throw new WaybillError('STATE_USER_UNKNOWN', {
    fault: 'refused',
    message: `the run serves the user ${JSON.stringify(user.slice(0, 200))} of the other platform, who is not mapped to a user here`,
    at: '/x-waybill/user',
    hint: `an admin adds the user to the peer ${from === undefined ? '' : originalText(from.name)}`,
  })
}

/** The version that the state was captured with, if it is here; else the active one. */
async function versionHere(
  { app, org }: ReceiverParts,
  agentId: string,
  version: string | undefined,
): Promise<{ readonly version?: string }> {
  if (version === undefined) return {}
  const { rowCount } = await inOrganisation(app, org, (sql) =>
    sql.query(
      `SELECT 1 FROM waybill.agent_versions WHERE org = $1 AND agent_id = $2 AND version = $3 AND status IN ('active', 'inactive')`,
      [org, storedText(agentId), storedText(version)],
    ),
  )
  return rowCount === 0 ? {} : { version }
}

/** Uses a token up, in the transaction of the import. @throws STATE_TOKEN_USED, STATE_TOKEN_EXPIRED */
async function useUp(
  sql: Sql,
  { org, by, nextEntry }: ReceiverParts,
  { document, move }: Verified,
  { runId, values }: { readonly runId: string; readonly values: number },
): Promise<void> {
  if (move === undefined) return
  const { claims, peer, source: from } = move
  const { run_id: source, state_id } = document
  const arrival = await requestArrival(sql, org, claims.jti, 'import', {
    peer,
    runId,
    state_id,
    ...defined({ source }),
  })
  if (!arrival.isNew) throw tokenUsed()
  const fact: AuditFact = {
    at: new Date().toISOString(),
    kind: 'run.received',
    by,
    run_id: runId,
    from,
    source_run_id: document.run_id ?? '',
    jti: claims.jti,
    state_id: document.state_id,
    // The state of a stream has no checksum of its own: that of the last line, which the token names, covers it.
    checksum: document.provenance?.checksum ?? claims.digest ?? '',
    ...(values > 0 && { personal_data: values }),
  }
  await appendAudit(sql, org, nextEntry, [fact])
}

/** A session continues with the run. @throws SESSION_EXISTS if the name is taken by another conversation */
async function takeSession(
  sql: Sql,
  org: string,
  run: {
    readonly agent_id: string
    readonly user: string | undefined
    readonly run_id: string
    readonly session: string
  },
): Promise<void> {
  const { agent_id, user, run_id, session } = run
  const { rowCount } = await sql.query(
    `INSERT INTO waybill.conversations AS c (org, session, agent_id, user_id, run_id) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (org, session) DO UPDATE SET run_id = $5
       WHERE c.agent_id = $3 AND c.user_id IS NOT DISTINCT FROM $4 AND (c.run_id IS NULL OR EXISTS (
         SELECT FROM waybill.progress AS p WHERE p.org = $1 AND p.run_id = c.run_id AND p.phase = 'moved'))`,
    [org, storedText(session), storedText(agent_id), textOrNull(user), storedText(run_id)],
  )
  if (rowCount === 1) return
  throw new WaybillError('SESSION_EXISTS', {
    fault: 'usage',
    message: `the run belongs to the session ${JSON.stringify(session.slice(0, 200))}, and a session of this name is here already`,
    hint: 'end that session, or move the run to another organisation',
  })
}

function otherContent(): WaybillError {
  return new WaybillError('STATE_TOKEN_INVALID', {
    fault: 'refused',
    message: 'the migration token is refused: it is for another content of this state',
    at: '/0/migration_token',
    hint: 'request a new token for this state from the sender',
    rule: 'AAIF-8.2-04',
  })
}

function tokenUsed(): WaybillError {
  return new WaybillError('STATE_TOKEN_USED', {
    fault: 'refused',
    message: 'a state was imported with this migration token before, or the token was withdrawn',
    at: '/provenance/migration_token',
    hint: 'GET /v1/migrations/JTI says who owns the run; request a new token from the sender',
    rule: 'AAIF-12-10',
  })
}

function tokenMissing(): WaybillError {
  return new WaybillError('STATE_TOKEN_MISSING', {
    fault: 'refused',
    message: 'the state is of a run that is being moved, and has no migration token',
    at: '/provenance/migration_token',
    hint: 'move the run with `waybill migrate`, or export a state of it with `waybill state export`, which is a fork',
    rule: 'AAIF-8.2-04',
  })
}
