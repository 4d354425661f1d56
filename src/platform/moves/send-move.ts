import type { KeyObject } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import { messageOf } from '../../document/message-of.ts'
import type { StoredRun } from '../../run/record/records.ts'
import { captureRun } from '../../session/capture-run.ts'
import { waitingCallsOf } from '../../session/waiting-calls.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import { type MoveAnswer, type MovePhase, phaseAfter, requestIn } from '../../state/migration-protocol.ts'
import { OUTLINE_MEMBER } from '../../state/sent-outline.ts'
import { StreamedHash } from '../../state/stream/streamed-hash.ts'
import { HANDOFF_TYPE, streamedState } from '../../state/stream/streamed-state.ts'
import { sendHandoff } from '../../state/stream/write-handoff.ts'
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
  isReady,
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
import { type RunOutline, RunOutlines } from './run-outlines.ts'

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
const PAUSE_LOOK_MS = 10
/** Without news, a step is repeated after this time (milliseconds). */
const STEP_LOOK_MS = 250
const LONGEST_PAUSE_MS = 15_000
/** Steps at a time of one process. */
const MOST = 8
/** Above so many tokens, the other platform examines a conversation that is streamed by its outline. */
const LARGE_TOKENS = 100_000

/** Where a run is sent to, and by whom. */
type Destination = Pick<MoveRow, 'source' | 'url' | 'organisation' | 'by'>

const NO_MESSAGES = { conversation: [], carried: [] } as const

type Step = 'again' | 'later' | 'done'

/**
 * Sends runs to other platforms, step by step. Each step is stored before the next begins, so any process can continue
 * with the next one after a crash; `migration-protocol.ts` says which one it is.
 */
export class MoveSender {
  readonly #parts: SenderParts
  readonly #stopping = new AbortController()
  readonly #working = new Set<Promise<unknown>>()
  readonly #outlines: RunOutlines

  constructor(parts: SenderParts) {
    this.#parts = parts
    this.#outlines = new RunOutlines(parts.recordsOf)
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

  async #release(org: string, { jti, attempts, phase }: MoveRow, step: Step): Promise<void> {
    const waitMs =
      step !== 'later'
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
    return this.#send(org, move, move.document)
  }

  /** Waits until the run is paused, or waits itself, and takes it out of the hands of the workers. */
  async #freeze(org: string, move: MoveRow): Promise<Step> {
    const { app } = this.#parts
    const runId = originalText(move.run_id)
    const { run, pausedBy } = await this.#outlines.of(org, runId)
    if (run.state.end !== null)
      return this.#keep(org, move, { code: 'RUN_ENDED', why: `run ${runId} has ended: ${run.state.status}` })
    if (Date.now() - move.created_at.getTime() > PAUSE_MS)
      return this.#keep(org, move, {
        code: 'PAUSE_TIMEOUT',
        why: `run ${runId} did not pause within ${PAUSE_MS / 1000} s: calls in flight have not finished`,
      })
    const decided = await this.#hasDecisions(org, run)
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

  async #hasDecisions(org: string, run: StoredRun): Promise<boolean> {
    const records = this.#parts.recordsOf(org)
    const runId = run.header.run_id
    const { items } = await records.runs.list({ root: runId, questions: true }, { limit: 1000 })
    for (const { run_id } of items) {
      const one = run_id === runId ? run : await records.runs.read(run_id)
      const waiting = await waitingCallsOf(records, one)
      if (waiting.some(({ decided }) => decided !== undefined)) return true
    }
    return false
  }

  /** Captures the frozen run, and issues the token. */
  async #capture(org: string, move: MoveRow): Promise<Step> {
    const { app } = this.#parts
    const { document, digest } = await this.#capturedFor(org, move)
    const iat = Math.floor(Date.now() / 1000)
    const exp = iat + MAX_LIFETIME_SECONDS
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
    const apart = move.method === 'stream'
    const checksum = apart ? digest : (signed.provenance as { readonly checksum: string }).checksum
    await inOrganisation(app, org, (sql) =>
      storeState(sql, org, move, {
        document: JSON.stringify(signed),
        apart,
        state_id: document.state_id,
        checksum,
        expiresAt: new Date(exp * 1000),
      }),
    )
    return 'again'
  }

  /** Returns the state of a run as it is sent, and what its token is bound to. */
  async #capturedFor(
    org: string,
    move: MoveRow,
  ): Promise<{ readonly document: AgentState; readonly digest: string }> {
    const runId = originalText(move.run_id)
    if (move.method === 'document') {
      const document = await this.#state(org, runId, move)
      return { document, digest: stateDigest(document as unknown as JsonObject) }
    }
    const outline = await this.#outlines.of(org, runId)
    const document = await this.#state(org, runId, move, outline)
    const state = streamedState(document)
    const hash = new StreamedHash(state)
    for await (const messages of this.#outlines.conversation(org, outline)) hash.add(messages)
    return { document, digest: hash.digest(state) }
  }

  /**
   * Returns a run, and its state as the other platform examines it before a move: as it is sent, or, if it is long and is
   * streamed, with an outline instead of its conversation.
   */
  async examined(
    org: string,
    runId: string,
    to: Destination & Pick<MoveRow, 'method'>,
  ): Promise<{ readonly run: StoredRun; state(): Promise<AgentState> }> {
    const outline = await this.#outlines.of(org, runId)
    const { run, sent } = outline
    return {
      run,
      state: async () => {
        const tokens = sent.tokens.reduce((sum, each) => sum + each, 0)
        if (to.method === 'document' || tokens <= LARGE_TOKENS) return this.#state(org, runId, to)
        const document = await this.#state(org, runId, to, { ...outline, messages: NO_MESSAGES })
        return withStateChecksum({
          ...(document as unknown as JsonObject),
          [OUTLINE_MEMBER]: sent as unknown as Json,
        }) as unknown as AgentState
      },
    }
  }

  /** @param outlined absent: the state with its conversation */
  async #state(
    org: string,
    runId: string,
    to: Destination,
    outlined?: Pick<RunOutline, 'run' | 'messages'>,
  ): Promise<AgentState> {
    const { recordsOf, version } = this.#parts
    const { document } = await captureRun(recordsOf(org), runId, {
      at: Date.now(),
      by: originalText(to.by),
      platform: { name: to.source, version },
      targetPlatform: placeOf(to.url, originalText(to.organisation)),
      migrating: true,
      ...defined({ outlined }),
    })
    return document
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
    const expired = move.expires_at !== null && move.expires_at.getTime() <= Date.now()
    let answer: MoveAnswer = 'nothing'
    let failure: MoveFailure = {
      code: 'STATE_TOKEN_EXPIRED',
      why: 'the other platform did not answer in time',
    }
    let targetRunId: string | null = null
    try {
      const peer = await this.#address(org, originalText(move.peer))
      const said = await this.#request(org, peer, move, document)
      ;({ answer, targetRunId } = read(said))
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

  async #request(org: string, peer: PeerAddress, move: MoveRow, document: string): Promise<PeerAnswer> {
    const { peers } = this.#parts
    const { signal } = this.#stopping
    if (requestIn(move.phase) === 'withdraw')
      return askPeer(peers, peer, { method: 'DELETE', path: `/v1/migrations/${move.jti}`, signal })
    if (!move.apart)
      return askPeer(peers, peer, { method: 'POST', path: '/v1/states', body: document, signal })
    const body = await this.#streamOf(org, move, document)
    return askPeer(peers, peer, {
      method: 'POST',
      path: '/v1/handoff',
      body,
      mediaType: HANDOFF_TYPE,
      socket: move.socket,
      signal,
    })
  }

  /** Returns the lines of a streaming handoff. The conversation is read as the receiver takes it. */
  async #streamOf(org: string, move: MoveRow, document: string): Promise<AsyncIterable<string>> {
    const state = JSON.parse(document) as AgentState
    const outline = await this.#outlines.of(org, originalText(move.run_id))
    return sendHandoff(streamedState(state), this.#outlines.conversation(org, outline), {
      token: state.provenance?.migration_token ?? '',
      checksum: move.checksum ?? '',
    })
  }

  async #address(org: string, name: string): Promise<PeerAddress> {
    const { app, secretKey } = this.#parts
    return inOrganisation(app, org, async (sql) =>
      addressOf(sql, secretKey, org, await peerRow(sql, org, name)),
    )
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
    this.#outlines.forget(org, runId)
    notify(org, runId)
  }

  async #dueMoves(): Promise<void> {
    const { rows } = await this.#parts.engine.query<{ org: string; jti: string }>({
      name: 'due-moves',
      text: `SELECT org, jti FROM waybill.moves WHERE ended_at IS NULL AND due_at <= clock_timestamp()
        AND (claimed_until IS NULL OR claimed_until < clock_timestamp()) ORDER BY due_at LIMIT ${MOST}`,
    })
    for (const { org, jti } of rows) await this.pursue(org, jti, PURSUE_MS)
  }
}

function isOver(phase: MovePhase): boolean {
  return phase === 'moved' || phase === 'kept'
}

/** Returns what an answer says of the receiver's row. */
function read(said: PeerAnswer): { readonly answer: MoveAnswer; readonly targetRunId: string | null } {
  if ('problem' in said) return { answer: isFinal(said) ? 'rejected' : 'nothing', targetRunId: null }
  const { json, status } = said
  const targetRunId = typeof json.run_id === 'string' ? json.run_id : null
  if (status === 201 || json.state === 'owned_here') return { answer: 'owned', targetRunId }
  return { answer: json.state === 'refused' ? 'refused' : 'nothing', targetRunId: null }
}
