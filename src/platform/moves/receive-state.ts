import { v7 as uuidv7 } from 'uuid'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { JsonObject } from '../../document/json.ts'
import type { RunState } from '../../run/state.ts'
import type { RestoredParts } from '../../session/agent-sessions.ts'
import { tokenMissing, tokenUsed } from '../../session/moves/token-errors.ts'
import type { MovedValues } from '../../session/restore-values.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import { parseAgentState } from '../../spec/aaif/parse-agent-state.ts'
import { assertPaused } from '../../state/assert-paused.ts'
import { originRuns, sentCausers } from '../../state/moved-causers.ts'
import { claimsOf, personalDataIn, readPersonalData } from '../../state/moved-personal-data.ts'
import { readWaybillMember } from '../../state/read-waybill-member.ts'
import { OUTLINE_MEMBER, sentOutline } from '../../state/sent-outline.ts'
import type { AuditFact } from '../../trust/audit-chain.ts'
import { assertStateChecksum, stateDigest } from '../../trust/checksum.ts'
import { readJws } from '../../trust/jws.ts'
import { verifyMigrationToken } from '../../trust/migration-token.ts'
import { sealedFor } from '../../trust/seal-for.ts'
import type { TokenProfile } from '../../trust/token-profile.ts'
import { originalText, storedText, textOrNull } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import { addCausers, causersIn, causersOf } from '../people/causers.ts'
import { addSubjects, assertNotErasing, subjectsOf } from '../people/subjects.ts'
import { appendAudit } from '../records/audit-chain-rows.ts'
import { assertNotStopped } from '../stops/stops.ts'
import { isUsed, requestArrival } from './arrivals.ts'
import { type KeptDocument, keepState, keptFor, removeKept } from './kept-states.ts'
import type { KeptState, ReceivedState, ReceiveOptions } from './move.ts'
import { keysOfPeer, type PeerRow, peerRows, placesOfPeer, usersOf } from './peer-rows.ts'
import { ownPlace } from './place.ts'
import { assertNoLoss } from './preflight.ts'
import type { ReceiverParts, Verified } from './receiver.ts'

/**
 * Continues an Agent State (AAIF §8.2 steps 4 to 7). Nothing is stored before checksum, token and agent are verified; the
 * token is used up in the transaction that stores the run.
 */
export async function receiveState(
  parts: ReceiverParts,
  given: AgentState,
  options: ReceiveOptions = {},
): Promise<ReceivedState | KeptState> {
  const { dryRun = false } = options
  const verified = await verify(parts, given, dryRun)
  const { document, move } = verified
  // The token of a caller proves that its sub-agents have stopped, and their states are used for this caller only. A sender
  // that does not say so may mean a run that moves.
  if (move === undefined && document.status === 'migrating' && options.subagent !== true && !dryRun)
    throw tokenMissing()
  return (await isOfSubagent(parts, verified, options))
    ? keep(parts, verified, dryRun)
    : continueState(parts, verified, options)
}

/** Returns whether the request, or else `x-waybill`, says that a state is that of a sub-agent; undefined: neither does. */
export function saidToBeOfSubagent(
  { document }: Verified,
  { subagent, resumes }: ReceiveOptions,
): boolean | undefined {
  if (subagent !== undefined) return subagent
  // Only a run of its own can be continued at once, or later.
  if (resumes !== undefined) return false
  const { member } = readWaybillMember(document)
  return member && member.run.depth > 0
}

/**
 * Returns whether a state is that of a sub-agent. That of another platform does not say it: it is one if its agent is a
 * sub-agent of an agent here, and it names no sub-agents itself.
 */
export async function isOfSubagent(
  { org, planner }: ReceiverParts,
  verified: Verified,
  options: ReceiveOptions,
): Promise<boolean> {
  const said = saidToBeOfSubagent(verified, options)
  if (said !== undefined) return said
  const { agent_id, subagent_states = [] } = verified.document
  return subagent_states.length === 0 && (await planner.isSubagent(org, agent_id))
}

/** @throws STATE_USER_UNKNOWN; as {@link keepState} */
export async function keep(parts: ReceiverParts, verified: Verified, dryRun: boolean): Promise<KeptState> {
  const { member } = readWaybillMember(verified.document)
  return keepState(parts, verified, userHere(verified, member?.user), dryRun)
}

async function continueState(
  parts: ReceiverParts,
  verified: Verified,
  { dryRun = false, failOnLoss = false, resumes }: ReceiveOptions,
): Promise<ReceivedState> {
  const { document } = verified
  const { request, options } = await continuing(parts, verified, defined({ dryRun, resumes }))
  const outline = dryRun ? sentOutline(document) : undefined
  const kept = await keptFor(parts, verified)
  const restored = await parts.planner.restored(
    request,
    document,
    { ...options, documents: kept.map((one) => one.document) },
    outline,
  )
  if (failOnLoss) assertNoLoss(restored.family.report)
  if (dryRun) return receivedOf(parts, verified, restored, true)
  return storeRestored(parts, verified, restored, kept)
}

/** Returns how an agent is planned for a run that continues a state. @throws STATE_USER_UNKNOWN; errors of emergency stops */
export async function continuing(
  parts: ReceiverParts,
  verified: Verified,
  { dryRun = false, resumes: wanted }: Pick<ReceiveOptions, 'dryRun' | 'resumes'> = {},
): Promise<{
  readonly request: Parameters<ReceiverParts['planner']['restored']>[0]
  readonly options: Parameters<ReceiverParts['planner']['restored']>[2] & { readonly run_id: string }
}> {
  const { app, org, by } = parts
  const { agent_id, agent_version } = verified.document
  const { member } = readWaybillMember(verified.document)
  const user = userHere(verified, member?.user)
  await inOrganisation(app, org, (sql) => assertNotStopped(sql, org, { agent_id, user }))
  const whose = defined({ user, session: member?.session })
  const planned = defined({ definition: member?.definition_hash, budget: member?.budget })
  const version = await versionHere(parts, agent_id, agent_version)
  const moved = await movedValues(parts, verified, dryRun)
  // Only the move has paused the run.
  const resumes = wanted ?? (verified.move?.claims.continues === true ? true : undefined)
  return {
    request: { org, agent_id, by, ...whose, ...planned, ...version },
    options: {
      run_id: uuidv7(),
      fork: verified.move === undefined && !dryRun,
      trusted: false,
      dry: dryRun,
      on_behalf_of: by,
      ...whose,
      ...defined({ moved, resumes }),
    },
  }
}

/**
 * Stores the runs that continue a state; its token, and the documents of its sub-agents, are used up in the same
 * transaction.
 * @param kept the documents that were sent before
 * @param first stores the first events of the root, if they are not among the restored ones
 */
export async function storeRestored(
  parts: ReceiverParts,
  verified: Verified,
  restored: RestoredParts & { readonly version: string },
  kept: readonly KeptDocument[] = [],
  first: (sql: Sql) => Promise<void> = async () => {},
): Promise<ReceivedState> {
  const { org, notify } = parts
  const { records, storeMemory, version, run_id, values } = restored
  const { document, move } = verified
  const { agent_id } = document
  const { session } = readWaybillMember(document).member ?? {}
  const user = records.runs[0]?.header.user
  const status = statusOf(restored)
  await parts.records.runs.restore(records.runs, records.audit, {
    version,
    also: async (sql) => {
      await assertNotErasing(sql, org, user)
      await addCausers(sql, org, run_id, await causersOfState(sql, parts, verified))
      const origins = [document, ...kept.map((one) => one.document)].flatMap(originRuns)
      const mentions = kept.flatMap((one) => one.mentions)
      const subjects = [...new Set([...(await subjectsOf(sql, org, origins)), ...mentions])]
      for (const subject of subjects) await assertNotErasing(sql, org, subject)
      await addSubjects(sql, org, run_id, subjects)
      if (move !== undefined) await useUp(sql, parts, verified, { runId: run_id, values })
      await useKept(sql, parts, verified, restored, kept)
      // With the run or not at all: a refused state leaves no item of its user behind.
      await storeMemory(parts.records.memory.within(sql))
      await first(sql)
      if (session !== undefined) await takeSession(sql, org, { agent_id, user, run_id, session })
    },
    last: async (sql) => {
      if (status !== 'paused') await sql.query('SELECT waybill.enqueue_leg($1, $2)', [org, run_id])
    },
  })
  notify(org, run_id)
  return receivedOf(parts, verified, restored)
}

/**
 * Returns who has caused the run of a state: who brings it, who has caused the runs here that it comes from, and, of a
 * move, those whom the sender names and the operator has mapped to users here.
 */
async function causersOfState(
  sql: Sql,
  { org, by, principal }: ReceiverParts,
  { document, move, from }: Verified,
): Promise<readonly string[]> {
  const before = await causersOf(sql, org, originRuns(document))
  // The token of a peer is that of a platform, and its maker has not asked for this run.
  if (move === undefined || from === undefined) return [...causersIn(principal), ...before]
  const users = usersOf(from)
  const sent = sentCausers(document).flatMap((name) => {
    if (users === null) return [name]
    const here = Object.hasOwn(users, name) ? users[name] : undefined
    return here === undefined ? [] : [here]
  })
  return [by, ...before, ...sent]
}

/** Uses up the documents of sub-agents, with their tokens. @throws STATE_DOCUMENT_GONE, STATE_TOKEN_USED */
async function useKept(
  sql: Sql,
  parts: ReceiverParts,
  verified: Verified,
  { run_id, family }: RestoredParts,
  kept: readonly KeptDocument[],
): Promise<void> {
  const { org, by, nextEntry } = parts
  await removeKept(sql, parts, verified, kept)
  for (const { document, move } of kept) {
    const { state_id, run_id: source } = document
    const runId = family.runs.find((run) => restoredFrom(run) === state_id)?.runId ?? run_id
    if (move !== undefined) {
      const { jti, peer, token, source: issuer } = move
      const about = { peer, runId, state_id, token, issuer, ...defined({ source }) }
      if (!(await requestArrival(sql, org, jti, 'import', about)).isNew) throw tokenUsed(ASK)
    }
    const fact = { at: new Date().toISOString(), kind: 'state.used', by, state_id, run_id: runId }
    await appendAudit(sql, org, nextEntry, [{ ...fact, caller: run_id, ...defined({ jti: move?.jti }) }])
  }
}

function restoredFrom({ facts }: RestoredParts['family']['runs'][number]): string | undefined {
  const fact = facts.findLast(({ type }) => type === 'run.restored')
  return fact?.type === 'run.restored' ? fact.from.state_id : undefined
}

function receivedOf(
  { publicUrl, org }: ReceiverParts,
  { document, move }: Verified,
  restored: RestoredParts,
  dryRun = false,
): ReceivedState {
  const { run_id, family } = restored
  const owner =
    dryRun && move === undefined
      ? (document.provenance?.source_platform ?? '')
      : publicUrl === undefined
        ? org
        : ownPlace(publicUrl, org)
  const status = statusOf(restored)
  return {
    run_id,
    status: status === 'waiting' ? 'awaiting_approval' : status,
    owner,
    report: family.report,
  }
}

function statusOf({ family: { runs } }: RestoredParts): RunState['status'] {
  const fact = runs[0]?.facts.findLast(({ type }) => type === 'run.restored')
  return fact?.type === 'run.restored' ? fact.state.status : 'paused'
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
  if (document[OUTLINE_MEMBER] !== undefined && !dryRun) throw outlineOnly()
  const peers = await inOrganisation(app, org, (sql) => peerRows(sql, org))
  const token = document.provenance?.migration_token
  const platform = document.provenance?.source_platform
  if (token === undefined || token === null)
    return { document, from: peers.find((peer) => isAt(peer, platform)) }
  assertPaused(document)
  const digest = stateDigest(document as unknown as JsonObject)
  return { document, ...(await verifyToken(parts, { ...document, token, platform, digest })) }
}

/** @throws errors of tokens; STATE_TOKEN_USED */
export async function verifyToken(
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
  const profile = known?.profile ?? 'full'
  const claims = await verifyMigrationToken(token, {
    nowSeconds: Math.floor(Date.now() / 1000),
    stateId,
    agentId,
    keys: known === undefined ? [] : keysOfPeer(known),
    bound: {
      profile,
      issuers: known === undefined ? [] : profile === 'full' ? [platform ?? ''] : placesOfPeer(known),
      audiences: audiencesHere(publicUrl, org, profile),
      runId,
      ...defined({ digest }),
    },
  })
  // Proved by the verification: without a known peer there is no key.
  const from = known as PeerRow
  if (await inOrganisation(app, org, (sql) => isUsed(sql, org, claims.jti))) throw tokenUsed(ASK)
  const source = claims.iss ?? platform ?? ''
  return { move: { claims, peer: originalText(from.name), source, token }, from }
}

/** Returns the names of the own organisation. A platform that is not Waybill may know the URL of this one only. */
function audiencesHere(publicUrl: string | undefined, org: string, profile: TokenProfile): readonly string[] {
  const place = ownPlace(publicUrl, org)
  return profile === 'full' ? [place] : [place, new URL(place).origin]
}

function isAt(peer: PeerRow, place: string | undefined): boolean {
  return place !== undefined && placesOfPeer(peer).includes(place)
}

/** @throws STATE_USER_UNKNOWN for a user that the operator has not mapped */
function userHere({ from }: Verified, user: string | undefined): string | undefined {
  if (user === undefined) return undefined
  // A state that an operator brings has the users of this platform.
  const users = from === undefined ? null : usersOf(from)
  const here = users === null ? user : Object.hasOwn(users, user) ? users[user] : undefined
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
  { document, move, checksum }: Verified,
  { runId, values }: { readonly runId: string; readonly values: number },
): Promise<void> {
  if (move === undefined) return
  const { claims, peer, source: from, token } = move
  const { run_id: source, state_id } = document
  const arrival = await requestArrival(sql, org, claims.jti, 'import', {
    peer,
    runId,
    state_id,
    token,
    issuer: from,
    ...defined({ source }),
  })
  if (!arrival.isNew) throw tokenUsed(ASK)
  const fact: AuditFact = {
    at: new Date().toISOString(),
    kind: 'run.received',
    by,
    run_id: runId,
    from,
    source_run_id: document.run_id ?? '',
    jti: claims.jti,
    state_id: document.state_id,
    checksum: checksum ?? document.provenance?.checksum ?? '',
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

const ASK = 'GET /v1/migrations/JTI says who owns the run'

export function otherContent(): WaybillError {
  return new WaybillError('STATE_TOKEN_INVALID', {
    fault: 'refused',
    message: 'the migration token is refused: it is for another content of this state',
    at: '/0/migration_token',
    hint: 'request a new token for this state from the sender',
    rule: 'AAIF-8.2-04',
  })
}

function outlineOnly(): WaybillError {
  return new WaybillError('STATE_NOT_RESUMABLE', {
    at: `/${OUTLINE_MEMBER}`,
    message: 'the state has no conversation, only an outline of it, so it can be examined and not continued',
    hint: 'send it with ?dry_run=true, or send the whole state',
  })
}
