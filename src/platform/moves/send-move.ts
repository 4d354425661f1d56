import { setTimeout as sleep } from 'node:timers/promises'
import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { messageOf } from '../../document/message-of.ts'
import type { MoveFailure, MovePhase } from '../../run/record/move-records.ts'
import { runAway } from '../../run/record/record-errors.ts'
import { hasDecisions } from '../../session/moves/has-decisions.ts'
import type { MoveReply } from '../../session/moves/move-reply.ts'
import { MOVER } from '../../session/moves/mover.ts'
import { signState } from '../../session/moves/sign-state.ts'
import type { StateMessage } from '../../spec/aaif/generated/state.ts'
import { type MoveAnswer, phaseAfter, requestIn } from '../../state/migration-protocol.ts'
import type { AuditFact } from '../../trust/audit-chain.ts'
import { isHomePlace } from '../../trust/home-place.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import { type Work, workOf } from '../engine/work.ts'
import { appendAudit } from '../records/audit-chain-rows.ts'
import { askOwners, type OwnerParts } from './ask-owners.ts'
import { askReceiver } from './ask-receiver.ts'
import { type CaptureParts, Captures } from './captures.ts'
import { lookAtReceiver } from './look-at-receiver.ts'
import {
  freezeRun,
  giveAway,
  isReady,
  lastMove,
  lockRun,
  type MoveRow,
  moveOfRun,
  moveRow,
  pauseForMove,
  regain,
  storeState,
  takeBack,
  withdrawMove,
} from './move-rows.ts'
import { addressOf, type PeerAddress, peerRow, placesOfPeer } from './peer-rows.ts'
import { RunOutlines } from './run-outlines.ts'

export interface SenderParts extends CaptureParts, OwnerParts {}

/** After this time without renewal, another process repeats the step of one that has died, in milliseconds. */
const CLAIM_MS = 5_000
/** How long a worker stays with one move, in milliseconds. */
const PURSUE_MS = 30_000
/** How long a run may take to pause: calls in flight are awaited (milliseconds). */
const PAUSE_MS = 120_000
const PAUSE_LOOK_MS = 10
/** Without news, a step is repeated after this time (milliseconds). */
const STEP_LOOK_MS = 250
const LONGEST_PAUSE_MS = 15_000
/** Steps at a time of one process. */
const MOST = 8
/** `parked`: the receiver must act first. */
type Step = 'again' | 'later' | 'parked' | 'done'

const STOPPED: MoveFailure = { code: 'RUNS_STOPPED', why: 'a stop covers the run' }
const ERASING: MoveFailure = { code: 'USER_BEING_ERASED', why: 'the data of its user is being erased' }

/**
 * Sends runs to other platforms, step by step. Each step is stored before the next begins, so any process can continue
 * with the next one after a crash; `migration-protocol.ts` says which one it is.
 */
export class MoveSender {
  readonly #parts: SenderParts
  readonly #stopping = new AbortController()
  readonly #working = new Set<Promise<unknown>>()
  readonly #outlines: RunOutlines
  readonly captures: Captures

  constructor(parts: SenderParts) {
    this.#parts = parts
    this.#outlines = new RunOutlines(parts.recordsOf)
    this.captures = new Captures(parts, this.#outlines)
  }

  /** Continues the moves that are due. Returns at once. */
  look(): void {
    if (this.#stopping.signal.aborted || this.#working.size >= MOST) return
    const work = this.askOwners()
      .then(() => this.#dueMoves())
      .catch((error) => this.#parts.log('warn', `moves to other platforms are delayed: ${messageOf(error)}`))
      .finally(() => this.#working.delete(work))
    this.#working.add(work)
  }

  /** Asks the platforms that are due which runs they own, after the database was put back. */
  askOwners(): Promise<void> {
    return askOwners(this.#parts, this.#stopping.signal)
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
      if (step === 'done' || step === 'parked') return
      if (step === 'later') await this.#untilPaused(org, jti)
    }
  }

  /** Waits a moment, and less if the run is paused before. One small question each time: the run has no driver meanwhile. */
  async #untilPaused(org: string, jti: string): Promise<void> {
    const { signal } = this.#stopping
    for (const until = performance.now() + STEP_LOOK_MS; performance.now() < until && !signal.aborted; ) {
      await sleep(PAUSE_LOOK_MS, undefined, { signal }).catch(() => {})
      if (await inOrganisation(this.#parts.app, org, (sql) => isReady(sql, org, jti))) return
    }
  }

  /** Performs the next steps of a move, until it must wait, unless another process does. */
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
    let [current, step]: [MoveRow, Step] = [move, 'later']
    const renewal = setInterval(() => this.#renew(org, move), CLAIM_MS / 3)
    try {
      for (;;) {
        step = await this.#perform(org, current)
        const row =
          step === 'again' ? await inOrganisation(app, org, (sql) => moveRow(sql, org, jti)) : undefined
        if (row === undefined || isOver(row.phase)) break
        ;[current, step] = [row, 'later']
      }
    } finally {
      clearInterval(renewal)
      await this.#release(org, current, step).catch(() => {})
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

  async #release(org: string, { jti, attempts, phase, expires_at }: MoveRow, step: Step): Promise<void> {
    // Only its report moves a receiver on after its token has expired, so the move is not due any more.
    const waitMs =
      step === 'parked'
        ? phase === 'withdrawing' || expires_at === null
          ? null
          : Math.max(0, expires_at.getTime() - Date.now())
        : step !== 'later'
          ? 0
          : phase === 'pausing'
            ? STEP_LOOK_MS
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
    return move.pull ? this.#await(org, move) : this.#send(org, move, move.document)
  }

  /** Waits until the run is paused, or waits itself, and takes it out of the hands of the workers. */
  async #freeze(org: string, move: MoveRow): Promise<Step> {
    const { app, recordsOf } = this.#parts
    const runId = originalText(move.run_id)
    const records = recordsOf(org)
    if (!(await records.runs.has(runId)))
      return this.#keep(org, move, { code: 'RUN_NOT_FOUND', why: `run ${runId} was removed` })
    const { run, pausedBy } = await this.#outlines.of(org, runId)
    if (run.state.end !== null)
      return this.#keep(org, move, { code: 'RUN_ENDED', why: `run ${runId} has ended: ${run.state.status}` })
    const heldBack = await this.#heldBack(org, move)
    if (heldBack !== null) return this.#keep(org, move, heldBack)
    if (move.age_ms > PAUSE_MS)
      return this.#keep(org, move, {
        code: 'PAUSE_TIMEOUT',
        why: `run ${runId} did not pause within ${PAUSE_MS / 1000} s: calls in flight have not finished`,
      })
    const decided = await hasDecisions(records, runId, run)
    if (decided && run.state.status === 'paused')
      return this.#keep(org, move, {
        code: 'RUN_BUSY',
        why: `run ${runId} is paused, and has a decision that it has not taken in: resume it first`,
      })
    const byMove = run.state.status === 'paused' && pausedBy === MOVER
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

  /** Captures the frozen run, and issues the token. */
  async #capture(org: string, move: MoveRow): Promise<Step> {
    const { app } = this.#parts
    const { document, values, outline } = await this.captures.ofMove(org, move)
    const conversation = outline === undefined ? undefined : this.#outlines.conversation(org, outline)
    const state = await signState(document, move, this.#parts.signingKey(), Date.now(), conversation)
    const stored = { ...state, apart: outline !== undefined }
    await inOrganisation(app, org, (sql) => storeState(sql, org, move, stored, values))
    return 'again'
  }

  async #send(org: string, move: MoveRow, document: string): Promise<Step> {
    const { app, log, peers } = this.#parts
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
      const conversation = await this.#conversation(org, move)
      const reply = await askReceiver(peers, peer, move, document, this.#stopping.signal, conversation)
      ;({ answer, targetRunId } = reply)
      failure = reply.failure ?? failure
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

  /** Returns the conversation that a stream needs beside its document. It is read as the receiver takes it. */
  async #conversation(
    org: string,
    { apart, phase, run_id }: MoveRow,
  ): Promise<AsyncIterable<readonly StateMessage[]> | undefined> {
    if (!apart || requestIn(phase) === 'withdraw') return undefined
    return this.#outlines.conversation(org, await this.#outlines.of(org, originalText(run_id)))
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

  /** A receiver without a URL fetches the state, and reports what it has decided. Only time passes here. */
  async #await(org: string, move: MoveRow): Promise<Step> {
    const { phase, expires_at } = move
    const next = phaseAfter(phase, 'nothing', expires_at !== null && expires_at.getTime() <= Date.now())
    if (next === phase) return 'parked'
    if (next === 'kept') return this.#keep(org, move, NOT_FETCHED)
    await inOrganisation(this.#parts.app, org, (sql) => withdrawMove(sql, org, move, NOT_REPORTED))
    return 'again'
  }

  /** Takes what a receiver without a URL has decided. @returns the move as it is afterwards */
  async settle(org: string, move: MoveRow, { answer, targetRunId }: MoveReply): Promise<MoveRow> {
    const next = phaseAfter(move.phase, answer, false)
    if (next !== move.phase && next === 'moved') await this.#giveAway(org, move, targetRunId)
    if (next !== move.phase && next === 'kept') await this.#keep(org, move, REFUSED)
    return (await inOrganisation(this.#parts.app, org, (sql) => moveRow(sql, org, move.jti))) ?? move
  }

  /** @throws PEER_NOT_FOUND; PEER_INVALID if the name is that of another platform by now */
  async #address(org: string, move: MoveRow): Promise<PeerAddress> {
    const { app, secretKey } = this.#parts
    return inOrganisation(app, org, async (sql) => {
      const row = await peerRow(sql, org, originalText(move.peer))
      if (!placesOfPeer(row).includes(move.target)) throw otherPlatform(move)
      return addressOf(sql, secretKey, org, row)
    })
  }

  /**
   * Takes what a person knows of a run whose state was written for a platform that reports nothing by itself.
   * @throws RUN_NOT_FOUND; MOVE_REFUSED if there is no such move, MOVE_NOT_READY before its state was written
   */
  async decide(
    org: string,
    runId: string,
    by: string,
    reply: { readonly answer: 'owned' | 'refused'; readonly targetRunId: string | null },
  ): Promise<MoveRow> {
    const move = await inOrganisation(this.#parts.app, org, async (sql) => {
      const found = (await moveOfRun(sql, org, runId)) ?? (await lastMove(sql, org, runId))
      if (found === undefined) await lockRun(sql, org, runId)
      return found
    })
    if (move === undefined || !isByHand(move)) throw notByHand(runId)
    const { phase, target } = move
    if (phase === 'pausing' || (phase === 'offered' && reply.answer === 'owned')) throw notWritten(runId)
    if (phase === 'moved' && reply.answer === 'refused')
      throw runAway(runId, { phase, owner: target, run_id: move.target_run_id })
    return this.settle(org, { ...move, by: storedText(by) }, reply)
  }

  /**
   * Takes back a run whose receiver does not know it any more, for example because its database was put back. The receiver
   * withdraws the token first, so that no copy of the state is imported afterwards.
   * @throws RUN_NOT_FOUND, MOVE_REFUSED if the run has not moved away, RUN_MOVED while the receiver owns it, PEER_UNREACHABLE
   */
  async takeBack(org: string, runId: string, by: string): Promise<MoveRow> {
    const { app, engine, peers } = this.#parts
    const open = await inOrganisation(app, org, (sql) => moveOfRun(sql, org, runId))
    if (open !== undefined && open.phase !== 'moved' && isByHand(open))
      return this.decide(org, runId, by, { answer: 'refused', targetRunId: null })
    const move = await inOrganisation(app, org, async (sql) => {
      const last = await lastMove(sql, org, runId)
      if (last === undefined) await lockRun(sql, org, runId)
      return last
    })
    if (move === undefined) throw notAway(runId)
    if (isByHand(move))
      throw runAway(runId, { phase: 'moved', owner: move.target, run_id: move.target_run_id })
    if (move.pull) throw asksOnly(move)
    const peer = await this.#address(org, move)
    const asked = { ...move, phase: 'withdrawing' as const }
    const { answer, targetRunId, failure } = await askReceiver(peers, peer, asked, '', this.#stopping.signal)
    if (answer === 'owned')
      throw runAway(runId, { phase: 'moved', owner: move.target, run_id: targetRunId ?? move.target_run_id })
    if (answer !== 'refused') throw unanswered(move, failure)
    await this.#end(org, { ...move, by: storedText(by) }, 'run.taken_back', {}, async () =>
      inOrganisation(engine, org, (sql) => regain(sql, org, move)),
    )
    return (await inOrganisation(app, org, (sql) => moveRow(sql, org, move.jti))) ?? move
  }

  /** Asks the receiver of a run that was given away whether it still knows the run. @returns the move afterwards */
  lookAtReceiver(org: string, move: MoveRow): Promise<MoveRow> {
    return lookAtReceiver(this.#parts, org, move, () => this.#address(org, move), this.#stopping.signal)
  }

  /** As `lookAtReceiver`, by the run. */
  async lookAfter(org: string, runId: string): Promise<void> {
    const move = await inOrganisation(this.#parts.app, org, (sql) => lastMove(sql, org, runId))
    if (move !== undefined) await this.lookAtReceiver(org, move)
  }

  async #giveAway(org: string, move: MoveRow, targetRunId: string | null): Promise<Step> {
    const facts = {
      target_run_id: targetRunId,
      ...(move.values_sent > 0 && { personal_data: move.values_sent }),
    }
    await this.#end(org, move, 'run.moved', facts, (sql) => giveAway(sql, org, move, targetRunId))
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
        to: move.target,
        jti: move.jti,
        ...(move.state_id !== null && { state_id: move.state_id }),
        ...(move.checksum !== null && { checksum: move.checksum }),
        ...facts,
      }
      await appendAudit(sql, org, nextEntry, [fact])
    })
    this.#outlines.forget(org, runId)
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

const NOT_FETCHED: MoveFailure = { code: 'STATE_TOKEN_EXPIRED', why: 'the state was not fetched in time' }
const NOT_REPORTED: MoveFailure = {
  code: 'STATE_TOKEN_EXPIRED',
  why: 'the receiver has fetched the state, and has not reported whether it owns the run',
}
const REFUSED: MoveFailure = { code: 'MOVE_REFUSED', why: 'the receiver has not taken the run' }

function isOver(phase: MovePhase): boolean {
  return phase === 'moved' || phase === 'kept'
}

/** A state that a person carries: a home fetches its own, and signs what it has decided. */
function isByHand({ pull, target }: MoveRow): boolean {
  return pull && !isHomePlace(target)
}

function notByHand(runId: string): WaybillError {
  return new WaybillError('MOVE_REFUSED', {
    fault: 'refused',
    message: `the state of run ${runId} was not written for another platform, so nothing can be confirmed`,
    hint: '`waybill state export RUN --to PEER` writes it; other moves are decided by their receivers',
  })
}

function notWritten(runId: string): WaybillError {
  return new WaybillError('MOVE_NOT_READY', {
    fault: 'refused',
    message: `the state of run ${runId} has not been handed out yet`,
    hint: 'try again in a moment; `waybill state export RUN --to PEER` writes it',
  })
}

function notAway(runId: string): WaybillError {
  return new WaybillError('MOVE_REFUSED', {
    fault: 'refused',
    message: `run ${runId} has not moved away, so it cannot be taken back`,
    hint: 'GET /v1/runs/RUN says where it is',
  })
}

function asksOnly({ peer }: MoveRow): WaybillError {
  return new WaybillError('MOVE_REFUSED', {
    fault: 'refused',
    message: `${originalText(peer)} is a machine without a server, so it cannot be asked whether it still has the run`,
    hint: 'if that machine is lost: `waybill state export RUN`, and `waybill resume STATE` continues it as a fork',
  })
}

function unanswered({ peer }: MoveRow, failure: MoveFailure | undefined): WaybillError {
  return new WaybillError('PEER_UNREACHABLE', {
    fault: 'failed',
    message: `${originalText(peer)} did not say whether it has the run: ${failure?.why ?? 'no answer about this token'}`,
    hint: 'only its answer decides who owns the run: try again when it can be reached',
  })
}

function otherPlatform({ peer, target }: MoveRow): WaybillError {
  return new WaybillError('PEER_INVALID', {
    fault: 'usage',
    message: `${originalText(peer)} is not the platform that the run is being moved to, which is ${target}`,
    hint: 'pin that platform under this name again: only it can say who owns the run',
  })
}

/** Returns the work of a worker that continues moves. The sender is stopped by its owner: requests use it too. */
export function moveWork(moves: Pick<MoveSender, 'look'>): Work {
  const due = `(coalesce((SELECT due_at FROM waybill.moves WHERE ended_at IS NULL ORDER BY due_at LIMIT 1) <= clock_timestamp(), false)
    OR EXISTS (SELECT FROM waybill.peers, waybill.installation WHERE asked_generation < generation
      AND ask_due_at <= clock_timestamp() AND url IS NOT NULL AND token IS NOT NULL))`
  return workOf('moves', due, () => moves.look())
}
