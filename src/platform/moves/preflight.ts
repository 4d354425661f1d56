import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { negotiate } from '../../plan/negotiation/negotiate.ts'
import type { Capture } from '../../session/capture-run.ts'
import type { AgentDefinition } from '../../spec/aaif/generated/agent.ts'
import type { PlatformManifest } from '../../spec/aaif/generated/manifest.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import { parsePlatformManifest } from '../../spec/aaif/parse-platform-manifest.ts'
import { type FidelityReport, joinedReports } from '../../state/fidelity.ts'
import { askPeer, type PeerAnswer, type PeerPort } from './peer-client.ts'
import type { PeerAddress } from './peer-rows.ts'

export interface PreflightParts {
  readonly peers: PeerPort
  readonly signal: AbortSignal
  /** Of the agent; null: it is not known here any more, and cannot be compared or sent. */
  readonly definition: AgentDefinition | null
  /** Sends it to the other platform, those of its sub-agents first. */
  readonly sendDefinition: () => Promise<void>
}

/** Member of a platform manifest: over what the platform accepts streaming handoffs. */
export const HANDOFF_MEMBER = 'x-waybill-handoff'

export interface Preflight {
  /** What is kept and lost, here and there; of what is lost there only if it was examined. */
  readonly report: FidelityReport
  /** False: the other platform has not read the state, so nothing is known of what would be lost there. */
  readonly examined: boolean
  readonly negotiation?: Json
  /** The other platform does not know the definition yet. */
  readonly sendsDefinition: boolean
}

const EMPTY: FidelityReport = {
  entries: [],
  summary: { kept: 0, carried: 0, approximated: 0, left_behind: 0 },
}

/**
 * Asks another platform what it would make of a run (AAIF §7, §8.2 step 1): whether it offers what the agent needs, and
 * what of the state it keeps. Sends the definition first if the other platform does not know it, unless `dryRun`.
 * @throws MOVE_REFUSED, PEER_UNREACHABLE; STATE_LOSS, MOVE_NOT_EXAMINED
 */
export async function preflight(
  parts: PreflightParts,
  peer: PeerAddress,
  { document: state, report: lostHere }: Capture,
  {
    dryRun,
    failOnLoss,
    wss = false,
  }: { readonly dryRun: boolean; readonly failOnLoss: boolean; readonly wss?: boolean },
): Promise<Preflight> {
  const { definition } = parts
  const manifest = definition === null && !wss ? undefined : await manifestOf(parts, peer)
  if (wss) assertOffersWss(peer, manifest)
  const negotiation =
    definition === null || manifest === undefined ? undefined : negotiated(peer, manifest, definition)
  const ask = () => asked(parts, peer, state)
  let answer = await ask()
  const isUnknown = 'problem' in answer && answer.problem.code === 'AGENT_NOT_FOUND' && definition !== null
  if (isUnknown) {
    if (dryRun) {
      if (failOnLoss)
        throw notExamined(peer, 'it does not know the definition, which the move would send first')
      const report = lostHere
      return { report, examined: false, sendsDefinition: true, ...defined({ negotiation }) }
    }
    await parts.sendDefinition()
    answer = await ask()
  }
  if ('problem' in answer) throw refusedBy(peer, answer.problem)
  const { report: seen } = answer.json as { readonly report?: FidelityReport }
  const examined = seen !== undefined
  const report = joinedReports(lostHere, seen ?? EMPTY)
  if (failOnLoss) {
    if (!examined) throw notExamined(peer, 'its answer has no report')
    assertNoLoss(report)
  }
  return { report, examined, sendsDefinition: isUnknown, ...defined({ negotiation }) }
}

function asked({ peers, signal }: PreflightParts, peer: PeerAddress, state: AgentState): Promise<PeerAnswer> {
  const path = '/v1/states?dry_run=true'
  return askPeer(peers, peer, { method: 'POST', path, body: JSON.stringify(state), signal })
}

async function manifestOf({ peers, signal }: PreflightParts, peer: PeerAddress): Promise<PlatformManifest> {
  const answer = await askPeer(peers, peer, {
    method: 'GET',
    path: '/.well-known/aaif-manifest.json',
    signal,
  })
  if ('problem' in answer) throw refusedBy(peer, answer.problem)
  return parsePlatformManifest(answer.json)
}

/** @throws MOVE_REFUSED */
function assertOffersWss(peer: PeerAddress, manifest: PlatformManifest | undefined): void {
  const offered = manifest?.[HANDOFF_MEMBER]
  if (Array.isArray(offered) && offered.includes('wss')) return
  throw refusedBy(peer, {
    code: 'HANDOFF_OVER_WSS',
    message: 'its manifest does not offer streams over a WebSocket',
  })
}

function negotiated(peer: PeerAddress, manifest: PlatformManifest, definition: AgentDefinition): Json {
  const negotiation = negotiate(definition, manifest)
  if (negotiation.verdict === 'reject')
    throw refusedBy(peer, {
      code: 'CAPABILITY_UNMET',
      message: `it does not offer ${negotiation.unmet.join(', ')}, which the agent needs`,
    })
  const { verdict, unmet, issues } = negotiation
  return { verdict, unmet, issues } as unknown as Json
}

/** Nothing examined is not nothing lost. */
function notExamined({ name }: Pick<PeerAddress, 'name'>, why: string): WaybillError {
  return new WaybillError('MOVE_NOT_EXAMINED', {
    fault: 'refused',
    message: `the platform ${name} has not examined what would be lost: ${why}`,
    hint: 'upload the definition there first, or leave out fail_on_loss',
  })
}

/** @throws STATE_LOSS */
export function assertNoLoss({ entries }: FidelityReport): void {
  const lost = entries.filter(({ status }) => status === 'left_behind')
  if (lost.length === 0) return
  const parts = lost.map(({ part, note }) => (note === undefined ? part : `${part} (${note})`))
  throw new WaybillError('STATE_LOSS', {
    fault: 'refused',
    message: `the run would lose ${parts.join('; ')}`,
    hint: 'move it without fail_on_loss if these parts are not needed',
  })
}

export function refusedBy(
  { name }: Pick<PeerAddress, 'name'>,
  { code, message }: { readonly code: string; readonly message: string },
): WaybillError {
  return new WaybillError('MOVE_REFUSED', {
    fault: 'refused',
    message: `the platform ${name} does not take the run: ${code}: ${message}`,
    hint: 'the run continues here; correct what the other platform says, and move it again',
  })
}
