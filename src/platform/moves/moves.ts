import { WaybillError } from '../../document/issue.ts'
import { runAway } from '../../run/record/record-errors.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import { phaseAfterFetch } from '../../state/migration-protocol.ts'
import { verifyArrivalStatement } from '../../trust/arrival-statement.ts'
import { originalText } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import { arrivalOf, requestArrival } from './arrivals.ts'
import { arrivalsPage } from './arrivals-page.ts'
import type { MigrationView, Moves } from './move.ts'
import { handOut, lockMove, moveNotFound, moveRow } from './move-rows.ts'
import { arrived, sent, viewOf } from './move-views.ts'
import { keysOfPeer, peerRow, placesOfPeer } from './peer-rows.ts'
import { ownPlace } from './place.ts'
import { receiveState } from './receive-state.ts'
import { receiveStream } from './receive-stream.ts'
import { type MovesParts, startMove } from './start-move.ts'

/** The moves of one organisation's runs, for one principal. */
export function movesOf(parts: MovesParts): Moves {
  const { app, org } = parts
  const act = <T>(work: (sql: Sql) => Promise<T>) => inOrganisation(app, org, work)
  return {
    state: (runId) => parts.sender.captures.captured(org, runId, parts.principal.user),

    receipts: (runId) => parts.sender.captures.receipts(org, runId),

    start: (runId, request) => startMove(parts, runId, request),

    takeBack: async (runId) =>
      viewOf(await parts.sender.takeBack(org, runId, parts.principal.user), ownPlace(parts.publicUrl, org)),

    confirm: async (runId, targetRunId) => {
      const reply = { answer: 'owned', targetRunId: targetRunId ?? null } as const
      const move = await parts.sender.decide(org, runId, parts.principal.user, reply)
      return viewOf(move, ownPlace(parts.publicUrl, org))
    },

    read: async (jti) => {
      const [arrival, move] = await act(
        async (sql) => [await arrivalOf(sql, org, jti), await moveRow(sql, org, jti)] as const,
      )
      if (arrival !== undefined) return arrived(parts, arrival)
      if (move === undefined) throw moveNotFound(jti)
      return sent(parts, await parts.sender.lookAtReceiver(org, move))
    },

    withdraw: (jti) =>
      act(async (sql) => {
        // What this organisation has issued is taken back where it was sent to.
        const move = await moveRow(sql, org, jti)
        if (move !== undefined) return sent(parts, move)
        const arrival = await requestArrival(sql, org, jti, 'withdraw', { peer: '' })
        if (arrival.isNew) await parts.audited(sql, 'migration.withdrawn', { jti })
        return arrived(parts, arrival)
      }),

    fetch: (jti) => fetchState(parts, jti),

    report: (jti, statement) => reportArrival(parts, jti, statement),

    arrivals: (question) => arrivalsPage(parts, question),

    receive: (document, options) => receiveState(parts, document, options),

    receiveStream: (input, options) => receiveStream(parts, input, options),
  }
}

async function fetchState(parts: MovesParts, jti: string): Promise<AgentState> {
  const { app, org } = parts
  const document = await inOrganisation(app, org, async (sql) => {
    const move = await lockMove(sql, org, jti)
    if (move?.pull !== true) throw moveNotFound(jti)
    const { phase, document, expires_at, run_id, target } = move
    if (phase === 'moved')
      throw runAway(originalText(run_id), { phase, owner: target, run_id: move.target_run_id })
    if (phase !== 'kept' && (document === null || expires_at === null)) throw notReady(originalText(run_id))
    const next = phaseAfterFetch(phase, expires_at !== null && expires_at.getTime() <= Date.now())
    if (next !== 'sending' || document === null) throw withdrawn(originalText(run_id))
    if (next !== phase) {
      await handOut(sql, org, move)
      await parts.audited(sql, 'run.fetched', { run_id: originalText(run_id), jti, to: target })
    }
    return document
  })
  return JSON.parse(document) as AgentState
}

async function reportArrival(parts: MovesParts, jti: string, statement: string): Promise<MigrationView> {
  const { app, org, sender } = parts
  const [move, peer] = await inOrganisation(app, org, async (sql) => {
    const row = await moveRow(sql, org, jti)
    if (row?.pull !== true) throw moveNotFound(jti)
    return [row, await peerRow(sql, org, originalText(row.peer))] as const
  })
  const { state, run_id } = await verifyArrivalStatement(statement, {
    jti,
    issuers: placesOfPeer(peer),
    audience: move.source,
    keys: keysOfPeer(peer),
  })
  const reply = { answer: state, targetRunId: run_id }
  let after = await sender.settle(org, move, reply)
  // The time of the token may have ended in this moment, which is another phase.
  if (after.phase === 'withdrawing') after = await sender.settle(org, after, reply)
  return sent(parts, after)
}

function notReady(runId: string): WaybillError {
  return new WaybillError('MOVE_NOT_READY', {
    fault: 'refused',
    message: `the state of run ${runId} is not captured yet: calls in flight are awaited`,
    hint: 'try again in a moment',
  })
}

function withdrawn(runId: string): WaybillError {
  return new WaybillError('MOVE_WITHDRAWN', {
    fault: 'refused',
    message: `the state of run ${runId} cannot be fetched any more: its token has expired, or the move has ended`,
    hint: 'report that the token is not used, and begin a new move',
  })
}
