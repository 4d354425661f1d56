import type pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { assertMovableRecord, notMovable } from '../../session/moves/not-movable.ts'
import { Fidelity, type FidelityReport, joinedReports } from '../../state/fidelity.ts'
import { isCarried } from '../../state/moved-personal-data.ts'
import { ownAgents } from '../agents/own-agents.ts'
import { definitionIn, type StoredVersion } from '../agents/stored-version.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import type { OrganisationParts } from '../people/organisation-parts.ts'
import { assertNotErasing } from '../people/subjects.ts'
import { assertHere } from '../records/moved-runs.ts'
import { Store } from '../records/store.ts'
import type { InstallationKey } from '../secrets/installation-key.ts'
import { assertNotStopped } from '../stops/stops.ts'
import type { MoveView, NewMove } from './move.ts'
import { lockRun, type MoveRow, moveNotFound, moveOfRun, moveRow, pauseForMove } from './move-rows.ts'
import { viewOf } from './move-views.ts'
import { askPeer, type PeerPort } from './peer-client.ts'
import {
  addressOf,
  type PeerAddress,
  type PeerRow,
  peerRow,
  placesOfPeer,
  sealingKeyOf,
} from './peer-rows.ts'
import { ownPlace } from './place.ts'
import { preflight, refusedBy } from './preflight.ts'
import type { ReceiverParts } from './receiver.ts'
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

/**
 * Begins a move of a run, or only examines it, and waits for its end.
 * @throws RUN_NOT_FOUND, RUN_MOVED, RUN_MOVING, RUN_ENDED, MOVE_REFUSED, RUNS_STOPPED, PEER_INVALID, PEER_NOT_FOUND; errors of the other
 *   platform
 */
export async function startMove(parts: MovesParts, runId: string, request: NewMove): Promise<MoveView> {
  const { app, org, sender } = parts
  const {
    dry_run: dryRun = false,
    fail_on_loss: failOnLoss = false,
    method = 'document',
    wss = false,
    to,
  } = request
  await inOrganisation(app, org, async (sql) => {
    await assertMovableRow(sql, org, runId)
    // Else the run would continue where the stop has no effect.
    await assertNotStopped(sql, org, { run_id: runId })
    await assertNotErasing(sql, org, await userOf(sql, org, runId))
  })
  if (request.pull === true) return startPull(parts, runId, request)
  const { peer, row } = await addressFor(parts, to)
  const owner = ownPlace(parts.publicUrl, org)
  const about = {
    source: owner,
    target: targetOf(row),
    by: storedText(parts.principal.user),
    method,
  }
  // Values are sent only if the other platform can use them: at first only their names are.
  const key = row.personal_data ? sealingKeyOf(row) : undefined
  const examined = await sender.captures.examined(org, runId, about, key)
  const { plan, family } = examined.run
  assertMovableRecord(examined.run)
  const captured = await examined.state()
  const waiting = await inOrganisation(app, org, (sql) => waitingMessages(sql, org, runId))
  const agents = ownAgents(new Store(app, org, null))
  const versions = await Promise.all(
    [plan, ...family].map(({ definition_hash }) => agents.ofDefinition(definition_hash)),
  )
  const version = versions[0] ?? null
  const asking = { peers: parts.peers, signal: AbortSignal.timeout(60_000) }
  const checked = await preflight(
    {
      ...asking,
      definition: version === null ? null : definitionIn(version),
      async sendDefinition() {
        // Those that others refer to first.
        for (const one of versions.toReversed()) if (one !== null) await sendVersion(asking, peer, one)
      },
    },
    peer,
    { ...captured, report: joinedReports(captured.report, waiting) },
    { dryRun, failOnLoss, wss: wss && method === 'stream' },
  )
  const { report, negotiation, sendsDefinition: sends_definition } = checked
  if (dryRun)
    return {
      run_id: runId,
      state: 'would_move',
      owner,
      report,
      examined: checked.examined,
      sends_definition,
      ...defined({ negotiation }),
    }
  const jti = await inOrganisation(app, org, (sql) =>
    begin(sql, parts, runId, row, {
      source: owner,
      target: about.target,
      method,
      pull: false,
      socket: wss && method === 'stream',
      personal_data: isCarried(report),
    }),
  )
  return { ...(await pursued(parts, runId, jti)), report, ...defined({ negotiation }) }
}

async function sendVersion(
  { peers, signal }: { readonly peers: PeerPort; readonly signal: AbortSignal },
  peer: PeerAddress,
  { body, media_type: mediaType }: StoredVersion,
): Promise<void> {
  const answer = await askPeer(peers, peer, { method: 'POST', path: '/v1/agents', body, mediaType, signal })
  if ('problem' in answer) throw refusedBy(peer, answer.problem)
}

/** Begins a move whose state the receiver fetches. */
async function startPull(
  parts: MovesParts,
  runId: string,
  { to, dry_run: dryRun = false, method = 'document' }: NewMove,
): Promise<MoveView> {
  const { app, org, records } = parts
  if (method !== 'document') throw pullInvalid('a state that is fetched is one document')
  const row = await inOrganisation(app, org, (sql) => peerRow(sql, org, to))
  // A platform that is not Waybill gets the state from a person.
  if (row.url !== null && row.profile === 'full')
    throw pullInvalid(`${originalText(row.name)} is a platform, which runs are sent to`)
  const source = ownPlace(parts.publicUrl, org)
  assertMovableRecord(await records.runs.read(runId))
  if (dryRun) return { run_id: runId, state: 'would_move', owner: source }
  const about = {
    source,
    target: targetOf(row),
    method,
    pull: true,
    socket: false,
    personal_data: false,
  } as const
  const jti = await inOrganisation(app, org, (sql) => begin(sql, parts, runId, row, about))
  return pursued(parts, runId, jti)
}

/** Waits for the end of a move, or for as long as a request may take. */
async function pursued(
  { app, org, sender, notify, publicUrl }: MovesParts,
  runId: string,
  jti: string,
): Promise<MoveView> {
  notify(org, runId)
  await sender.pursue(org, jti, WAIT_MS)
  const move = await inOrganisation(app, org, (sql) => moveRow(sql, org, jti))
  if (move === undefined) throw moveNotFound(jti)
  return viewOf(move, ownPlace(publicUrl, org))
}

/** @returns the id of the move: a move that is under way to the same platform is continued */
async function begin(
  sql: Sql,
  parts: MovesParts,
  runId: string,
  peer: PeerRow,
  about: Pick<MoveRow, 'source' | 'target' | 'method' | 'pull' | 'socket' | 'personal_data'>,
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
  await assertMovableRow(sql, org, runId)
  const jti = uuidv7()
  await sql.query(
    `INSERT INTO waybill.moves (org, jti, run_id, peer, source, target, phase, method, by, pull, personal_data, socket)
     VALUES ($1, $2, $3, $4, $5, $6, 'pausing', $7, $8, $9, $10, $11)`,
    [
      org,
      jti,
      storedText(runId),
      peer.name,
      about.source,
      about.target,
      about.method,
      storedText(principal.user),
      about.pull,
      about.personal_data,
      about.socket,
    ],
  )
  const { status } = await lockRun(sql, org, runId)
  if (status === 'running') await pauseForMove(sql, org, runId)
  await parts.audited(sql, 'run.move_started', {
    run_id: runId,
    jti,
    to: about.target,
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
async function assertMovableRow(sql: Sql, org: string, runId: string): Promise<void> {
  const { root, imported, phase, isScheduled } = await lockRun(sql, org, runId)
  if (root !== null)
    throw notMovable(runId, `it belongs to run ${originalText(root)}, which can be moved with it`)
  if (imported) throw notMovable(runId, 'it was imported as a record')
  if (phase === 'set_aside') throw notMovable(runId, 'it was set aside: retry or cancel it first')
  // A state says nothing of the moment at which a run is to begin.
  if (isScheduled) throw notMovable(runId, 'it has not begun, because its time has not come')
  // A move that is under way may be continued.
  if (phase !== 'moving') await assertHere(sql, org, runId)
}

function targetOf(peer: PeerRow): string {
  const [place = ''] = placesOfPeer(peer)
  return place
}

/** Reports the messages of the run's session that wait for their turn: they stay here. */
async function waitingMessages(sql: Sql, org: string, runId: string): Promise<FidelityReport> {
  const { rows } = await sql.query<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM waybill.conversations AS c
     JOIN waybill.messages AS m ON m.org = $1 AND m.session = c.session AND m.state = 'queued'
     WHERE c.org = $1 AND c.run_id = $2`,
    [org, storedText(runId)],
  )
  const report = new Fidelity()
  const waiting = rows[0]?.waiting ?? 0
  if (waiting > 0) report.leftBehind('session', `messages that wait for their turn: ${waiting}`)
  return report.report()
}

async function userOf(sql: Sql, org: string, runId: string): Promise<string | null> {
  const { rows } = await sql.query<{ user_id: string | null }>(
    'SELECT user_id FROM waybill.runs WHERE org = $1 AND run_id = $2',
    [org, storedText(runId)],
  )
  const user = rows[0]?.user_id ?? null
  return user === null ? null : originalText(user)
}

function underWay(runId: string, peer: string): WaybillError {
  return new WaybillError('RUN_MOVING', {
    fault: 'refused',
    message: `run ${runId} is being moved to ${peer} already`,
    hint: 'wait for the end of that move',
  })
}

function pullInvalid(why: string): WaybillError {
  return new WaybillError('PEER_INVALID', {
    fault: 'usage',
    message: `this run cannot be fetched: ${why}`,
    hint: 'leave `pull` out (`waybill migrate RUN --to NAME`), or name a peer without a URL',
  })
}
