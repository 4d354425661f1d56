import type pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { ownAgents } from '../agents/own-agents.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import type { OrganisationParts } from '../people/organisation-parts.ts'
import { Store } from '../records/store.ts'
import { originalText, storedText } from '../records/stored-text.ts'
import type { InstallationKey } from '../secrets/installation-key.ts'
import { arrivalOf, requestArrival } from './arrivals.ts'
import type { MigrationView, MoveMethod, Moves, MoveView, NewMove } from './move.ts'
import { assertHere, lockRun, type MoveRow, moveOfRun, moveRow, pauseForMove } from './move-rows.ts'
import type { PeerPort } from './peer-client.ts'
import { addressOf, type PeerAddress, type PeerRow, peerRow } from './peer-rows.ts'
import { ownPlace, placeOf } from './place.ts'
import { preflight } from './preflight.ts'
import { type ReceiverParts, receiveState } from './receive-state.ts'
import { receiveStream } from './receive-stream.ts'
import type { MoveSender } from './send-move.ts'

export interface MovesParts extends OrganisationParts, ReceiverParts {
  readonly app: pg.Pool
  readonly org: string
  readonly sender: MoveSender
  readonly peers: PeerPort
  readonly secretKey: InstallationKey
}

/** How long a request waits for the end of its move, in milliseconds. A worker continues it afterwards. */
const WAIT_MS = 20_000

/** The moves of one organisation's runs, for one principal. */
export function movesOf(parts: MovesParts): Moves {
  const { app, org } = parts
  const act = <T>(work: (sql: Sql) => Promise<T>) => inOrganisation(app, org, work)
  return {
    state: (runId) => parts.sender.captured(org, runId, parts.principal.user),

    start: (runId, request) => start(parts, runId, request),

    read: (jti) =>
      act(async (sql) => {
        const arrival = await arrivalOf(sql, org, jti)
        if (arrival !== undefined) return arrived(parts, arrival)
        const move = await moveRow(sql, org, jti)
        if (move === undefined) throw moveNotFound(jti)
        return sent(parts, move)
      }),

    withdraw: (jti) =>
      act(async (sql) => {
        // What this organisation has issued is taken back where it was sent to.
        const move = await moveRow(sql, org, jti)
        if (move !== undefined) return sent(parts, move)
        const arrival = await requestArrival(sql, org, jti, 'withdraw', { peer: '' })
        if (arrival.isNew) await parts.audited(sql, 'migration.withdrawn', { jti })
        return arrived(parts, arrival)
      }),

    receive: (document, options) => receiveState(parts, document, options),

    receiveStream: (input) => receiveStream(parts, input),
  }
}

async function start(parts: MovesParts, runId: string, request: NewMove): Promise<MoveView> {
  const { app, org, sender, notify } = parts
  const {
    dry_run: dryRun = false,
    fail_on_loss: failOnLoss = false,
    method = 'document',
    wss = false,
    to,
  } = request
  await inOrganisation(app, org, (sql) => assertMovable(sql, org, runId))
  const { peer, row } = await addressFor(parts, to)
  const owner = ownPlace(parts.publicUrl, org)
  const about = {
    source: owner,
    url: row.url,
    organisation: row.organisation,
    by: storedText(parts.principal.user),
    method,
  }
  const examined = await sender.examined(org, runId, about)
  const { header, plan, family, state: run } = examined.run
  if (header.rehearsal) throw notMovable(runId, 'it is a rehearsal')
  if (run.end !== null) throw ended(runId, run.status)
  const checked = await preflight(
    { peers: parts.peers, agents: ownAgents(new Store(app, org, null)), signal: AbortSignal.timeout(60_000) },
    peer,
    await examined.state(),
    [plan, ...family].map(({ definition_hash }) => definition_hash),
    { dryRun, failOnLoss, wss: wss && method === 'stream' },
  )
  const { report, negotiation } = checked
  if (dryRun) return { run_id: runId, state: 'would_move', owner, report, ...defined({ negotiation }) }
  const jti = await inOrganisation(app, org, (sql) =>
    begin(sql, parts, runId, row, { source: owner, method, wss }),
  )
  notify(org, runId)
  await sender.pursue(org, jti, WAIT_MS)
  const move = await inOrganisation(app, org, (sql) => moveRow(sql, org, jti))
  if (move === undefined) throw moveNotFound(jti)
  return { ...viewOf(move, owner), report, ...defined({ negotiation }) }
}

/** @returns the id of the move: a move that is under way to the same platform is continued */
async function begin(
  sql: Sql,
  parts: MovesParts,
  runId: string,
  peer: PeerRow,
  { source, method, wss }: { readonly source: string; readonly method: MoveMethod; readonly wss: boolean },
): Promise<string> {
  const { org, principal } = parts
  await sql.query('SELECT FROM waybill.progress WHERE org = $1 AND run_id = $2 FOR UPDATE', [
    org,
    storedText(runId),
  ])
  const known = await moveOfRun(sql, org, runId)
  if (known !== undefined) {
    if (known.peer === peer.name) return known.jti
    throw underWay(runId, originalText(known.peer))
  }
  await assertMovable(sql, org, runId)
  const jti = uuidv7()
  await sql.query(
    `INSERT INTO waybill.moves (org, jti, run_id, peer, source, url, organisation, phase, method, by, socket)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'pausing', $8, $9, $10)`,
    [
      org,
      jti,
      storedText(runId),
      peer.name,
      source,
      peer.url,
      peer.organisation,
      method,
      storedText(principal.user),
      wss,
    ],
  )
  const { status } = await lockRun(sql, org, runId)
  if (status === 'running') await pauseForMove(sql, org, runId)
  await parts.audited(sql, 'run.move_started', {
    run_id: runId,
    jti,
    to: placeOf(peer.url, originalText(peer.organisation)),
  })
  return jti
}

async function addressFor(
  { app, org, secretKey }: MovesParts,
  name: string,
): Promise<{ readonly peer: PeerAddress; readonly row: PeerRow }> {
  return inOrganisation(app, org, async (sql) => {
    const row = await peerRow(sql, org, name)
    return { peer: await addressOf(sql, secretKey, org, row), row }
  })
}

/** @throws RUN_NOT_FOUND, RUN_MOVED, RUN_SET_ASIDE, RUN_IMPORTED, MOVE_REFUSED for the run of a sub-agent */
async function assertMovable(sql: Sql, org: string, runId: string): Promise<void> {
  const { root, imported, phase } = await lockRun(sql, org, runId)
  if (root !== null)
    throw notMovable(runId, `it belongs to run ${originalText(root)}, which can be moved with it`)
  if (imported) throw notMovable(runId, 'it was imported as a record')
  if (phase === 'set_aside') throw notMovable(runId, 'it was set aside: retry or cancel it first')
  // A move that is under way may be continued.
  if (phase !== 'moving') await assertHere(sql, org, runId)
}

function viewOf(move: MoveRow, here: string): MoveView {
  const { phase, state_id, checksum, target_run_id, why, code, jti } = move
  const owner = phase === 'moved' ? placeOf(move.url, originalText(move.organisation)) : here
  return {
    run_id: originalText(move.run_id),
    state: phase === 'moved' || phase === 'kept' ? phase : 'moving',
    owner,
    jti,
    ...(target_run_id !== null && { target_run_id: originalText(target_run_id) }),
    ...(state_id !== null && { state_id }),
    ...(checksum !== null && { checksum }),
    ...(why !== null && { why: originalText(why) }),
    ...(code !== null && { code }),
  }
}

function arrived(
  { publicUrl, org }: MovesParts,
  { state, run_id }: { readonly state: 'owned' | 'refused'; readonly run_id: string | null },
): MigrationView {
  return state === 'owned'
    ? {
        state: 'owned_here',
        owner: ownPlace(publicUrl, org),
        run_id: run_id === null ? null : originalText(run_id),
      }
    : { state: 'refused', owner: null, run_id: null }
}

function sent({ publicUrl, org }: MovesParts, move: MoveRow): MigrationView {
  const { phase, target_run_id } = move
  if (phase === 'moved')
    return {
      state: 'moved',
      owner: placeOf(move.url, originalText(move.organisation)),
      run_id: target_run_id === null ? null : originalText(target_run_id),
    }
  return {
    state: phase === 'kept' ? 'refused' : 'pending',
    owner: phase === 'kept' ? ownPlace(publicUrl, org) : null,
    run_id: originalText(move.run_id),
  }
}

function underWay(runId: string, peer: string): WaybillError {
  return new WaybillError('RUN_MOVING', {
    fault: 'refused',
    message: `run ${runId} is being moved to ${peer} already`,
    hint: 'wait for the end of that move',
  })
}

function notMovable(runId: string, why: string): WaybillError {
  return new WaybillError('MOVE_REFUSED', {
    fault: 'refused',
    message: `run ${runId} cannot be moved: ${why}`,
    hint: 'start the agent on the other platform',
  })
}

function ended(runId: string, status: string): WaybillError {
  return new WaybillError('RUN_ENDED', {
    fault: 'usage',
    message: `run ${runId} has ended: ${status}`,
    hint: 'start a new run on the other platform',
  })
}

function moveNotFound(jti: string): WaybillError {
  return new WaybillError('MOVE_NOT_FOUND', {
    fault: 'usage',
    message: `this organisation knows no migration token ${JSON.stringify(jti.slice(0, 200))}`,
    hint: 'use the `jti` of a token that was issued here, or that a state was imported with',
  })
}
