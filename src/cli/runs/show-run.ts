import { defined } from '../../document/defined.ts'
import { type MovedTo, withoutPhase } from '../../run/record/moved-to.ts'
import type { ListedRecord, StoredRun } from '../../run/record/records.ts'
import { resultOf, warningsOf } from '../../run/result.ts'
import { readTrace } from '../../run/trace/read-trace.ts'
import { ago } from '../../session/ago.ts'
import { findRun } from '../../session/find-run.ts'
import type { Home } from '../../session/home.ts'
import { type ShownStatus, statusOf, stopReason } from '../../session/run-status.ts'
import type { ShortRunId } from '../../session/short-run-id.ts'
import type { Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import type { ServerClient } from '../remote/server-client.ts'
import { shortIds } from '../remote/short-ids.ts'
import { type PlaceOptions, withRecords } from '../remote/with-records.ts'
import { errorText } from '../report-error.ts'
import { paintLine } from '../run-view/story.ts'
import { traceText } from '../run-view/trace-tree.ts'
import { usageLine } from '../terminal/amounts.ts'
import { type Paint, painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { type AgentNode, agentTree } from './agent-tree.ts'
import { STATUS_TONES } from './list-runs.ts'
import { movedText } from './moved-text.ts'
import { storyLines } from './story-lines.ts'

/** Prints the recorded steps of a run as text, or the run as JSON (`waybill runs show`). */
export function showRun(
  wanted: string,
  options: PlaceOptions & { readonly json?: boolean; readonly format?: string; readonly trace?: boolean },
  io: Io,
): Promise<void> {
  return withRecords(options, io, (home, server) => show(home, server, wanted, options, io))
}

async function show(
  home: Home,
  server: ServerClient | undefined,
  wanted: string,
  options: PlaceOptions & { readonly json?: boolean; readonly format?: string; readonly trace?: boolean },
  io: Io,
): Promise<void> {
  const run = await home.runs.read(await findRun(home, wanted))
  if (options.trace === true) return showTrace(home, server, run.header, wantsJson(options), io)
  const { moved } = await home.runs.listed(run.header.run_id)
  const status = await statusOf(home, run)
  if (wantsJson(options)) {
    const { header, plan, state } = run
    const value = {
      ...header,
      ...resultOf(plan, state, header.replay),
      subagents: await agentTree(home, run),
      status,
      stop_reason: stopReason({ status: state.status, stop_reason: state.end?.stop_reason }) ?? null,
      calls: state.calls,
      messages: state.messages.toArray(),
      ...(moved !== undefined && { moved_to: withoutPhase(moved) }),
    }
    io.out(`${jsonText(value)}\n`)
    return
  }
  io.out(await storyText(home, server, run, { status, moved }, io))
}

/** Prints the spans of a run instead of its steps. */
async function showTrace(
  home: Home,
  server: ServerClient | undefined,
  { run_id, replay }: StoredRun['header'],
  json: boolean,
  io: Io,
): Promise<void> {
  const trace = await readTrace(home, run_id)
  if (!json && replay !== undefined) {
    const short = await shortIds(home, server, [replay.run_id])
    io.err(`replay of run ${short(replay.run_id)}\n`)
  }
  if (json) io.out(`${jsonText({ run_id, ...defined({ replay }), spans: trace.spans })}\n`)
  else io.out(traceText(trace, { color: io.color && io.outIsTty, columns: io.columns }))
}

async function storyText(
  home: Home,
  server: ServerClient | undefined,
  run: StoredRun,
  { status, moved }: { readonly status: ShownStatus; readonly moved: ListedRecord['moved'] },
  io: Io,
): Promise<string> {
  const color = io.color && io.outIsTty
  const paint = painter(color)
  const { header, plan, state } = run
  const tree = await agentTree(home, run)
  const others = [header.parent?.root_run_id, header.replay?.run_id].filter((id) => id !== undefined)
  const short = await shortIds(home, server, [header.run_id, ...others, ...idsOf(tree)])
  const lines = [
    `${paint('strong', plainLine(header.agent_name))} ${paint('faint', `run ${short(header.run_id)} · ${ago(Date.now() - Date.parse(header.created_at))}`)}`,
    ...headerFacts(run, short, paint),
    ...warningsOf(plan, header.replay).map(({ code, message }) =>
      paintLine({ kind: 'warning', text: plainLine(`${code} ${message}`, 300) }, paint),
    ),
    '',
    ...(await home.runs.events(header.run_id)).flatMap(storyLines(run, paint)),
    '',
    ...treeLines(tree, short, paint),
    ...(state.end?.error === undefined ? [] : [errorText(state.end.error, color).trimEnd()]),
    `${paint(STATUS_TONES[status], status.replaceAll('_', ' '))} ${paint('faint', `· ${usageLine(state.totals, plan.rehearsal || header.replay !== undefined)}`)}`,
    ...(moved === undefined ? [] : [`  to ${movedText(moved)}`]),
    ...nextStep(run, status, moved, short).map((step) => `  ${paint('accent', 'next')} ${step}`),
  ]
  return `${lines.join('\n')}\n`
}

function headerFacts({ header }: StoredRun, short: ShortRunId, paint: Paint): readonly string[] {
  const { replay } = header
  const after = replay?.at === undefined ? '' : `, after its event ${replay.at}`
  const facts = [
    ...(replay === undefined ? [] : [`replay of run ${short(replay.run_id)}${after}`]),
    ...(header.definition_file === undefined ? [] : [`definition ${header.definition_file}`]),
    ...(header.tools_file === undefined ? [] : [`functions ${header.tools_file}`]),
    ...(header.user === undefined ? [] : [`user ${header.user}`]),
    ...(header.on_behalf_of === undefined ? [] : [`on behalf of ${header.on_behalf_of}`]),
    ...(header.session === undefined ? [] : [`session ${header.session}`]),
  ]
  return facts.map((fact) => paint('faint', `  ${plainLine(fact, 300)}`))
}

/** Returns the tree of sub-agents, each with the id of its run. */
function treeLines(
  nodes: readonly AgentNode[],
  short: ShortRunId,
  paint: Paint,
  indent = '',
): readonly string[] {
  return nodes.flatMap(({ alias, run_id, status, subagents = [] }) => [
    `${indent}${plainLine(alias, 60)} ${status.replaceAll('_', ' ')} ${paint('faint', short(run_id))}`,
    ...treeLines(subagents, short, paint, `${indent}  `),
  ])
}

function idsOf(nodes: readonly AgentNode[]): readonly string[] {
  return nodes.flatMap(({ run_id, subagents = [] }) => [run_id, ...idsOf(subagents)])
}

function nextStep(
  { header }: StoredRun,
  status: ShownStatus,
  moved: MovedTo | undefined,
  short: ShortRunId,
): readonly string[] {
  if (header.parent !== undefined) return [`waybill runs show ${short(header.parent.root_run_id)}`]
  if (header.replay !== undefined)
    return [`waybill runs diff ${short(header.replay.run_id)} ${short(header.run_id)}`]
  const id = short(header.run_id)
  if (moved?.receiver === 'unknown') return [`waybill migrate ${id} --take-back`]
  switch (status) {
    case 'awaiting_approval':
      return [`waybill approvals show ${id}`, `waybill resume ${id}`]
    case 'paused':
    case 'interrupted':
      return [`waybill resume ${id}`]
    default:
      return []
  }
}
