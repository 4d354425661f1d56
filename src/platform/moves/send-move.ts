import type { KeyObject } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import { messageOf } from '../../document/message-of.ts'
import { type Capture, captureRun } from '../../session/capture-run.ts'
import { waitingCallsOf } from '../../session/waiting-calls.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import { type MoveAnswer, type MovePhase, phaseAfter, requestIn } from '../../state/migration-protocol.ts'
import { HANDOFF_TYPE, streamedChecksum, streamedState } from '../../state/stream/streamed-state.ts'
import { writeHandoff } from '../../state/stream/write-handoff.ts'
import type { AuditFact, EntryMaker } from '../../trust/audit-chain.ts'
import { stateDigest, withStateChecksum } from '../../trust/checksum.ts'
import { issueMigrationToken, MAX_LIFETIME_SECONDS } from '../../trust/migration-token.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import { appendAudit } from '../records/audit-chain-rows.ts'
import type { PostgresRecords } from '../records/open-postgres-records.ts'
import { originalText } from '../records/stored-text.ts'
import type { InstallationKey } from '../secrets/installation-key.ts'
import {
  freezeRun,
  giveAway,
  lockRun,
  MOVER,
  type MoveFailure,
  type MoveRow,
  moveRow,
  pauseForMove,
  storeState,
  takeBack,
  withdrawMove,
} from './move-rows.ts'
import { askPeer, isFinal, type PeerAnswer, type PeerPort } from './peer-client.ts'
import { addressOf, type PeerAddress, peerRow } from './peer-rows.ts'
import { ownPlace, placeOf } from './place.ts'

export interface SenderParts {
  /** Connections of the role of requests. */
  readonly app: pg.Pool
  /** Connections that see all organisations. */
  readonly engine: pg.Pool
  readonly recordsOf: (org: string) => PostgresRecords
  readonly peers: PeerPort
  /** Opens the tokens of other platforms. */
  readonly secretKey: InstallationKey
  /** Signs migration tokens, with a key that the platform publishes. @throws AUDIT_KEY_WRONG */
  readonly signingKey: () => KeyObject
  readonly nextEntry: EntryMaker
  readonly publicUrl: string | undefined
  /** Of the product. */
  readonly version: string
  /** Something has arrived for a run. */
  readonly notify: (org: string, runId: string) => void
  readonly log: (level: 'warn', message: string) => void
}

/** After this time without renewal, another process repeats the step of one that has died, in milliseconds. */
const CLAIM_MS = 5_000
/** How long a worker stays with one move, in milliseconds. */
const PURSUE_MS = 30_000
/** How long a run may take to pause: calls in flight are awaited (milliseconds). */
const PAUSE_MS = 120_000
const PAUSE_LOOK_MS = 50
const LONGEST_PAUSE_MS = 15_000
/** Steps at a time of one process. */
const MOST = 8

const STOPPED: MoveFailure = { code: 'RUNS_STOPPED', why: 'a stop covers the run' }
const ERASING: MoveFailure = { code: 'USER_BEING_ERASED', why: 'the data of its user is being erased' }

type Step = 'again' | 'later' | 'done'

/**
 * Sends runs to other platforms, step by step. Each step is stored before the next begins, so any process can continue
 * with the next one after a crash; `migration-protocol.ts` says which one it is.
 */
export class MoveSender {
  readonly #parts: SenderParts
  readonly #stopping = new AbortController()
  readonly #working = new Set<Promise<unknown>>()

  constructor(parts: SenderParts) {
    this.#parts = parts
  }

  /** Continues the moves that are due. Returns at once. */
  look(): void {
    if (this.#stopping.signal.aborted || this.#working.size >= MOST) return
    const work = this.#dueMoves()
      .catch((error) => this.#parts.log('warn', `moves to other platforms are delayed: ${messageOf(error)}`))
      .finally(() => this.#working.delete(work))
    this.#working.add(work)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#working)
  }

  /** Works on one move until it has ended, it must wait, or the time is over. */
  async pursue(org: string, jti: string, withinMs: number): Promise<void> {
    const until = performance.now() + withinMs
    while (!this.#stopping.signal.aborted && performance.now() < until) {
      const step = await this.step(org, jti)
      if (step === 'done') return
      if (step === 'later')
        await sleep(PAUSE_LOOK_MS, undefined, { signal: this.#stopping.signal }).catch(() => {})
    }
  }

  /** Performs the next step of a move, unless another process does. */
  async step(org: string, jti: string): Promise<Step> {
    const { app } = this.#parts
    const move = await inOrganisation(app, org, async (sql) => {
      const { rowCount } = await sql.query(
        `UPDATE waybill.moves SET claimed_until = clock_timestamp() + ${CLAIM_MS} * interval '1 millisecond'
         WHERE org = $1 AND jti = $2 AND ended_at IS NULL AND (claimed_until IS NULL OR claimed_until < clock_timestamp())`,
        [org, jti],
      )
      const row = await moveRow(sql, org, jti)
      return row === undefined || isOver(row.phase) ? 'done' : rowCount === 1 ? row : 'later'
    })
    if (typeof move === 'string') return move
    let step: Step = 'later'
    const renewal = setInterval(() => this.#renew(org, move), CLAIM_MS / 3)
    try {
      step = await this.#perform(org, move)
    } finally {
      clearInterval(renewal)
      await this.#release(org, move, step).catch(() => {})
    }
    return step
  }

  /** A claim that cannot be renewed lapses: then another process repeats the step, which is harmless. */
  #renew(org: string, { jti }: MoveRow): void {
    inOrganisation(this.#parts.app, org, (sql) =>
      sql.query(
        `UPDATE waybill.moves SET claimed_until = clock_timestamp() + ${CLAIM_MS} * interval '1 millisecond'
         WHERE org = $1 AND jti = $2 AND claimed_until IS NOT NULL`,
        [org, jti],
      ),
    ).catch(() => {})
  }

  async #release(org: string, { jti, attempts, phase }: MoveRow, step: Step): Promise<void> {
    const waitMs =
      step !== 'later'
        ? 0
        : phase === 'pausing'
          ? PAUSE_LOOK_MS
          : Math.min(LONGEST_PAUSE_MS, 200 * 2 ** attempts)
    await inOrganisation(this.#parts.app, org, (sql) =>
      sql.query(
        `UPDATE waybill.moves SET claimed_until = NULL, attempts = attempts + $4,
           due_at = clock_timestamp() + $3 * interval '1 millisecond' WHERE org = $1 AND jti = $2`,
        [org, jti, waitMs, step === 'later' && phase !== 'pausing' ? 1 : 0],
      ),
    )
  }

  #perform(org: string, move: MoveRow): Promise<Step> {
    if (move.phase === 'pausing') return this.#freeze(org, move)
    if (move.document === null) return this.#capture(org, move)
    return this.#send(org, move, move.document)
  }

  /** Waits until the run is paused, or waits itself, and takes it out of the hands of the workers. */
  async #freeze(org: string, move: MoveRow): Promise<Step> {
    const { app, recordsOf } = this.#parts
    const runId = originalText(move.run_id)
    const records = recordsOf(org)
    if (!(await records.runs.has(runId)))
      return this.#keep(org, move, { code: 'RUN_NOT_FOUND', why: `run ${runId} was removed` })
    const run = await records.runs.read(runId)
    if (run.state.end !== null)
      return this.#keep(org, move, { code: 'RUN_ENDED', why: `run ${runId} has ended: ${run.state.status}` })
    const heldBack = await this.#heldBack(org, move)
    if (heldBack !== null) return this.#keep(org, move, heldBack)
    if (move.age_ms > PAUSE_MS)
      return this.#keep(org, move, {
        code: 'PAUSE_TIMEOUT',
        why: `run ${runId} did not pause within ${PAUSE_MS / 1000} s: calls in flight have not finished`,
      })
    const decided = await this.#hasDecisions(org, runId)
    if (decided && run.state.status === 'paused')
      return this.#keep(org, move, {
        code: 'RUN_BUSY',
        why: `run ${runId} is paused, and has a decision that it has not taken in: resume it first`,
      })
    const paused = (await records.runs.events(runId)).findLast(({ fact }) => fact.type === 'run.paused')?.fact
    const byMove = run.state.status === 'paused' && paused?.type === 'run.paused' && paused.by === MOVER
    const frozen = await inOrganisation(app, org, async (sql) => {
      const { status, phase, seq } = await lockRun(sql, org, runId)
      if (phase === 'set_aside') return 'set_aside' as const
      if (status === 'running') {
        await pauseForMove(sql, org, runId)
        return false
      }
      // A decision that the run has not taken in would be lost with it. One that arrives now queues a leg.
      if (seq !== run.state.seq || decided) return false
      return freezeRun(sql, org, move, byMove)
    })
    if (frozen === 'set_aside')
      return this.#keep(org, move, { code: 'RUN_SET_ASIDE', why: `run ${runId} was set aside` })
    if (frozen) return 'again'
    this.#parts.notify(org, runId)
    return 'later'
  }

  async #hasDecisions(org: string, runId: string): Promise<boolean> {
    const records = this.#parts.recordsOf(org)
    const { items } = await records.runs.list({ root: runId, questions: true }, { limit: 1000 })
    for (const { run_id } of items) {
      const waiting = await waitingCallsOf(records, await records.runs.read(run_id))
      if (waiting.some(({ decided }) => decided !== undefined)) return true
    }
    return false
  }

  /** Captures the frozen run, and issues the token. */
  async #capture(org: string, move: MoveRow): Promise<Step> {
    const { app } = this.#parts
    const { document } = await this.state(org, originalText(move.run_id), move)
    const iat = Math.floor(Date.now() / 1000)
    const exp = iat + MAX_LIFETIME_SECONDS
    const digest =
      move.method === 'stream'
        ? streamedChecksum(streamedState(document))
        : stateDigest(document as unknown as JsonObject)
    const token = await issueMigrationToken(
      {
        iss: move.source,
        aud: placeOf(move.url, originalText(move.organisation)),
        iat,
        exp,
        jti: move.jti,
        state_id: document.state_id,
        agent_id: document.agent_id,
        ...defined({ run_id: document.run_id }),
        digest,
        ...(move.paused && { continues: true }),
      },
      this.#parts.signingKey(),
    )
    const signed = withStateChecksum({
      ...(document as unknown as JsonObject),
      provenance: { ...document.provenance, migration_token: token },
    } as JsonObject)
    // The one that the receiver sees: a stream has its own, in its last line.
    const checksum =
      move.method === 'stream' ? digest : (signed.provenance as { readonly checksum: string }).checksum
    await inOrganisation(app, org, (sql) =>
      storeState(sql, org, move, {
        document: JSON.stringify(signed),
        state_id: document.state_id,
        checksum,
        expiresAt: new Date(exp * 1000),
      }),
    )
    return 'again'
  }

  /** Captures a run as it is sent. */
  async state(
    org: string,
    runId: string,
    to: Pick<MoveRow, 'source' | 'url' | 'organisation' | 'by'>,
  ): Promise<Capture> {
    const { recordsOf, version } = this.#parts
    return captureRun(recordsOf(org), runId, {
      at: Date.now(),
      by: originalText(to.by),
      platform: { name: to.source, version },
      targetPlatform: placeOf(to.url, originalText(to.organisation)),
      migrating: true,
    })
  }

  /** Returns the state of a run that stays here. */
  async captured(org: string, runId: string, by: string): Promise<AgentState> {
    const { recordsOf, publicUrl, version } = this.#parts
    const name = publicUrl === undefined ? 'waybill' : ownPlace(publicUrl, org)
    const options = { at: Date.now(), by, platform: { name, version } }
    return (await captureRun(recordsOf(org), runId, options)).document
  }

  async #send(org: string, move: MoveRow, document: string): Promise<Step> {
    const { app, log } = this.#parts
    const runId = originalText(move.run_id)
    const heldBack = move.phase === 'sending' ? await this.#heldBack(org, move) : null
    if (heldBack !== null) {
      await inOrganisation(app, org, (sql) => withdrawMove(sql, org, move, heldBack))
      return 'again'
    }
    const expired = move.expires_at !== null && move.expires_at.getTime() <= Date.now()
    let answer: MoveAnswer = 'nothing'
    let failure: MoveFailure = {
      code: 'STATE_TOKEN_EXPIRED',
      why: 'the other platform did not answer in time',
    }
    let targetRunId: string | null = null
    try {
      const peer = await this.#address(org, move)
      const said = await this.#request(peer, move, document)
      ;({ answer, targetRunId } = read(said, placeOf(move.url, originalText(move.organisation))))
      if ('problem' in said) failure = { code: said.problem.code, why: said.problem.message }
    } catch (error) {
      log('warn', `the move of run ${runId} to ${originalText(move.peer)} is delayed: ${messageOf(error)}`)
      if (error instanceof WaybillError) failure = { code: error.code, why: error.details.message }
    }
    const next = phaseAfter(move.phase, answer, expired)
    if (next === 'moved') return this.#giveAway(org, move, targetRunId)
    if (next === 'kept')
      return this.#keep(org, move, {
        code: move.code ?? failure.code,
        why: originalText(move.why ?? failure.why),
      })
    if (next === move.phase) return 'later'
    await inOrganisation(app, org, (sql) => withdrawMove(sql, org, move, failure))
    return 'again'
  }

  /** Returns why a run must not leave: a stop must stop it, and an erasure must remove it. */
  async #heldBack(org: string, { run_id }: MoveRow): Promise<MoveFailure | null> {
    const { rows } = await inOrganisation(this.#parts.app, org, (sql) =>
      sql.query<{ is_stopped: boolean; is_erased: boolean }>(
        `SELECT waybill.stop_of($1, $2) IS NOT NULL AS is_stopped, EXISTS (
           SELECT FROM waybill.runs AS r JOIN waybill.erasures AS e ON e.org = $1 AND e.user_id = r.user_id
           WHERE r.org = $1 AND r.run_id = $2 AND e.removed_at IS NULL) AS is_erased`,
        [org, run_id],
      ),
    )
    const [row] = rows
    return row?.is_erased === true ? ERASING : row?.is_stopped === true ? STOPPED : null
  }

  #request(peer: PeerAddress, move: MoveRow, document: string): Promise<PeerAnswer> {
    const { peers } = this.#parts
    const { signal } = this.#stopping
    return requestIn(move.phase) === 'withdraw'
      ? askPeer(peers, peer, { method: 'DELETE', path: `/v1/migrations/${move.jti}`, signal })
      : askPeer(peers, peer, {
          method: 'POST',
          signal,
          ...(move.method === 'stream'
            ? { path: '/v1/handoff', body: streamOf(document), mediaType: HANDOFF_TYPE }
            : { path: '/v1/states', body: document }),
        })
  }

  /** @throws PEER_NOT_FOUND; PEER_INVALID if the name is that of another platform by now */
  async #address(org: string, move: MoveRow): Promise<PeerAddress> {
    const { app, secretKey } = this.#parts
    return inOrganisation(app, org, async (sql) => {
      const row = await peerRow(sql, org, originalText(move.peer))
      if (row.url !== move.url || row.organisation !== move.organisation) throw otherPlatform(move)
      return addressOf(sql, secretKey, org, row)
    })
  }

  async #giveAway(org: string, move: MoveRow, targetRunId: string | null): Promise<Step> {
    await this.#end(org, move, 'run.moved', { target_run_id: targetRunId }, (sql) =>
      giveAway(sql, org, move, targetRunId),
    )
    return 'done'
  }

  async #keep(org: string, move: MoveRow, failure: MoveFailure): Promise<Step> {
    await this.#end(org, move, 'run.kept', { code: failure.code }, (sql) => takeBack(sql, org, move, failure))
    return 'done'
  }

  async #end(
    org: string,
    move: MoveRow,
    kind: string,
    facts: Readonly<Record<string, Json>>,
    change: (sql: Sql) => Promise<boolean>,
  ): Promise<void> {
    const { app, nextEntry, notify } = this.#parts
    const runId = originalText(move.run_id)
    await inOrganisation(app, org, async (sql) => {
      if (!(await change(sql))) return
      const fact: AuditFact = {
        at: new Date().toISOString(),
        kind,
        by: originalText(move.by),
        run_id: runId,
        to: placeOf(move.url, originalText(move.organisation)),
        jti: move.jti,
        ...(move.state_id !== null && { state_id: move.state_id }),
        ...(move.checksum !== null && { checksum: move.checksum }),
        ...facts,
      }
      await appendAudit(sql, org, nextEntry, [fact])
    })
    notify(org, runId)
  }

  async #dueMoves(): Promise<void> {
    const { rows } = await this.#parts.engine.query<{ org: string; jti: string }>({
      name: 'due-moves',
      text: `SELECT org, jti FROM waybill.moves WHERE ended_at IS NULL AND due_at <= clock_timestamp()
        AND (claimed_until IS NULL OR claimed_until < clock_timestamp()) ORDER BY due_at LIMIT ${MOST}`,
    })
    for (const { org, jti } of rows)
      await this.pursue(org, jti, PURSUE_MS).catch((error) =>
        this.#parts.log('warn', `the move ${jti} is delayed: ${messageOf(error)}`),
      )
  }
}

function isOver(phase: MovePhase): boolean {
  return phase === 'moved' || phase === 'kept'
}

function streamOf(document: string): Iterable<string> {
  const state = JSON.parse(document) as AgentState
  return writeHandoff(state, { token: state.provenance?.migration_token ?? '' })
}

/**
 * Returns what an answer says of the receiver's row. An organisation that the token does not name knows nothing of it: its
 * answer would give the run a second owner.
 */
function read(
  said: PeerAnswer,
  receiver: string,
): { readonly answer: MoveAnswer; readonly targetRunId: string | null } {
  if ('problem' in said) return { answer: isFinal(said) ? 'rejected' : 'nothing', targetRunId: null }
  const { json, status } = said
  const targetRunId = typeof json.run_id === 'string' ? json.run_id : null
  if (status === 201 || json.state === 'owned_here')
    return json.owner === receiver
      ? { answer: 'owned', targetRunId }
      : { answer: 'nothing', targetRunId: null }
  const isRefused = json.state === 'refused' && json.place === receiver
  return { answer: isRefused ? 'refused' : 'nothing', targetRunId: null }
}

function otherPlatform({ peer, url, organisation }: MoveRow): WaybillError {
  const place = placeOf(url, originalText(organisation))
  return new WaybillError('PEER_INVALID', {
    fault: 'usage',
    message: `${originalText(peer)} is not the platform that the run is being moved to, which is ${place}`,
    hint: 'pin that platform under this name again: only it can say who owns the run',
  })
}
