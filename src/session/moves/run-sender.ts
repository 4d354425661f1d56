import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { messageOf } from '../../document/message-of.ts'
import type { MoveFailure, StoredMove } from '../../run/record/move-records.ts'
import { runAway, runImported, runLocked } from '../../run/record/record-errors.ts'
import type { ListedRecord, StoredRun } from '../../run/record/records.ts'
import { phaseAfter, requestIn } from '../../state/migration-protocol.ts'
import type { AuditFact } from '../../trust/audit-chain.ts'
import { keyIdOf } from '../../trust/ed25519.ts'
import { homePlace } from '../../trust/home-place.ts'
import { type Capture, type CaptureRunOptions, captureRun } from '../capture-run.ts'
import type { Home } from '../home.ts'
import { hasDecisions } from './has-decisions.ts'
import type { HomeMoves } from './home-moves.ts'
import type { MoveReply } from './move-reply.ts'
import { MOVER } from './mover.ts'
import { assertMovableRecord, notMovable } from './not-movable.ts'
import { signState } from './sign-state.ts'

/** The platform that a run is sent to. */
export interface RunReceiver {
  /** Its organisation, as the URI of its place. */
  readonly place: string
  readonly url: string
  /** Sends the state, or withdraws its token, as the phase of the move says. @throws if there is no answer */
  ask(move: StoredMove, document: string): Promise<MoveReply>
}

export interface RunSenderParts {
  readonly home: Home
  readonly moves: HomeMoves
  readonly receiver: RunReceiver
  /** Who moves the run. */
  readonly by: string
  /** How runs are captured; the place of this home and the receiver are added. */
  readonly capture: () => Promise<CaptureRunOptions>
}

/** How long a run may take to pause: calls in flight are awaited. In milliseconds. */
const PAUSE_MS = 120_000
const LOOK_MS = 100
/** The first and the longest pause before a request is repeated, in milliseconds. */
const FIRST_WAIT_MS = 200
const LONGEST_WAIT_MS = 5_000

/**
 * Sends a run of a home without a server, step by step. Each step is stored before the next one begins, so the same
 * command continues a move after a crash; `migration-protocol.ts` says which step it is.
 */
export class RunSender {
  readonly #parts: RunSenderParts

  constructor(parts: RunSenderParts) {
    this.#parts = parts
  }

  /** Returns the place of this home. */
  get place(): string {
    return homePlace(keyIdOf(this.#parts.moves.signingKey()))
  }

  /** Returns the move of a run to this receiver that is under way. @throws RUN_MOVED; RUN_MOVING to another receiver */
  async underWay(runId: string): Promise<StoredMove | undefined> {
    const move = await this.#parts.moves.records.ofRun(runId)
    if (move === undefined) return undefined
    const { target: owner, target_run_id: run_id, phase, url } = move
    if (phase === 'moved') throw runAway(runId, { phase, owner, run_id })
    if (owner === this.#parts.receiver.place) return move
    throw runAway(
      runId,
      { phase: 'moving', owner, run_id },
      `\`waybill migrate ${runId} --to ${url}\` continues`,
    )
  }

  /** Returns the state of a run as it would be sent. */
  async state(runId: string, source = this.place, jti?: string): Promise<Capture> {
    const { home, receiver, capture } = this.#parts
    const { platform, host, ...options } = await capture()
    return captureRun(home, runId, {
      ...options,
      ...(host !== undefined && {
        host: { ...host, host: source, to: { platform: receiver.place, ...defined({ jti }) } },
      }),
      platform: { ...platform, name: source },
      targetPlatform: receiver.place,
      migrating: true,
    })
  }

  /**
   * Pauses and freezes a run.
   * @returns the move, which is stored
   * @throws RUN_ENDED, RUN_BUSY, MOVE_REFUSED, PAUSE_TIMEOUT; RUN_LOCKED
   */
  async begin(runId: string, method: StoredMove['method']): Promise<StoredMove> {
    const { home, moves, receiver, by } = this.#parts
    const until = performance.now() + PAUSE_MS
    for (;;) {
      const listed = await home.runs.listed(runId)
      const mark = await moves.records.mark(runId)
      const run = await home.runs.read(runId)
      assertMovable(run, listed)
      if (listed.live) {
        await home.runs.askPause?.(runId, MOVER)
        if (performance.now() > until) throw tooLate(runId)
        await sleep(LOOK_MS)
        continue
      }
      if (await hasDecisions(home, runId)) throw busy(runId)
      const move = {
        jti: uuidv7(),
        run_id: runId,
        source: this.place,
        target: receiver.place,
        url: receiver.url,
        method,
        by,
        paused: await this.#isStoppedByMove(run),
      }
      const { jti, target: to } = move
      const started = factOf('run.move_started', by, { run_id: runId, jti, to })
      try {
        if (await moves.records.begin(move, mark, [started])) return await this.#read(jti)
      } catch (error) {
        // A process has opened the run in this moment.
        if (!(error instanceof WaybillError && error.code === runLocked(runId).code)) throw error
      }
    }
  }

  /** Works on a move until it has ended, or the time is over. */
  async pursue({ jti }: StoredMove, withinMs: number): Promise<StoredMove> {
    const until = performance.now() + withinMs
    for (let waitMs = FIRST_WAIT_MS; ; ) {
      const before = await this.#read(jti)
      if (before.phase === 'moved' || before.phase === 'kept') return before
      await this.#step(before)
      const after = await this.#read(jti)
      if (after.phase !== before.phase || after.document !== before.document) continue
      if (performance.now() + waitMs > until) return after
      await sleep(waitMs)
      waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)
    }
  }

  async #step(move: StoredMove): Promise<void> {
    if (move.document === null) return this.#capture(move)
    const { moves } = this.#parts
    const { jti, phase, expires_at } = move
    const reply = await this.#ask(move, move.document)
    const failure = reply.failure ?? LATE
    const next = phaseAfter(phase, reply.answer, expires_at !== null && expires_at <= Date.now())
    if (next === 'moved') {
      const { targetRunId } = reply
      const fact = this.#endFact(move, 'run.moved', { target_run_id: targetRunId })
      await moves.records.giveAway(jti, targetRunId, [fact])
    } else if (next === 'kept') {
      const why = move.code === null ? failure : { code: move.code, why: move.why ?? '' }
      await moves.records.takeBack(jti, why, [this.#endFact(move, 'run.kept', { code: why.code })])
    } else if (next === 'withdrawing' && phase !== next) await moves.records.withdraw(jti, failure)
  }

  async #ask(move: StoredMove, document: string): Promise<MoveReply> {
    // A phase that is not final always asks for something.
    if (requestIn(move.phase) === null) return { answer: 'nothing', targetRunId: null }
    try {
      return await this.#parts.receiver.ask(move, document)
    } catch (error) {
      const code = error instanceof WaybillError ? error.code : 'PEER_UNREACHABLE'
      return { answer: 'nothing', targetRunId: null, failure: { code, why: messageOf(error) } }
    }
  }

  /** Captures the frozen run, and issues the token. */
  async #capture(move: StoredMove): Promise<void> {
    const { moves } = this.#parts
    const { document } = await this.state(move.run_id, move.source, move.jti)
    await moves.records.storeState(move.jti, await signState(document, move, moves.signingKey(), Date.now()))
  }

  /** A run whose process has died would continue as well. */
  async #isStoppedByMove({ header, state }: StoredRun): Promise<boolean> {
    if (state.status === 'running') return true
    const events = await this.#parts.home.runs.events(header.run_id)
    const paused = events.findLast(({ fact }) => fact.type === 'run.paused')?.fact
    return state.status === 'paused' && paused?.type === 'run.paused' && paused.by === MOVER
  }

  async #read(jti: string): Promise<StoredMove> {
    const move = await this.#parts.moves.records.read(jti)
    if (move === undefined) throw new TypeError('a move that was stored is there')
    return move
  }

  #endFact(
    { run_id, target: to, jti, state_id, checksum, by }: StoredMove,
    kind: string,
    facts: Readonly<Record<string, Json>>,
  ): AuditFact {
    const about = {
      run_id,
      to,
      jti,
      ...(state_id !== null && { state_id }),
      ...(checksum !== null && { checksum }),
    }
    return factOf(kind, by, { ...about, ...facts })
  }
}

const LATE: MoveFailure = {
  code: 'STATE_TOKEN_EXPIRED',
  why: 'the other platform did not answer in time',
}

function factOf(kind: string, by: string, facts: Readonly<Record<string, Json>>): AuditFact {
  return { at: new Date().toISOString(), kind, by, ...facts }
}

/** @throws RUN_ENDED, RUN_IMPORTED, MOVE_REFUSED */
export function assertMovable(
  { header, state }: StoredRun,
  { imported }: Pick<ListedRecord, 'imported'>,
): void {
  const { run_id: runId, parent } = header
  if (parent !== undefined)
    throw notMovable(runId, `it belongs to run ${parent.root_run_id}, which can be moved with it`)
  if (imported) throw runImported(runId)
  assertMovableRecord({ header, state })
  if (state.seq === 0) throw notMovable(runId, 'it has not begun')
}

function busy(runId: string): WaybillError {
  return new WaybillError('RUN_BUSY', {
    fault: 'refused',
    message: `run ${runId} has a decision that it has not taken in`,
    hint: `\`waybill resume ${runId}\`, and move it then`,
  })
}

function tooLate(runId: string): WaybillError {
  return new WaybillError('PAUSE_TIMEOUT', {
    fault: 'failed',
    message: `run ${runId} did not pause within ${PAUSE_MS / 1000} s: calls in flight have not finished`,
    hint: 'move it again when they have finished; `waybill runs show` shows them',
  })
}
