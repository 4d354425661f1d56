import { html, jsonBlock, type Markup, raw } from '../../../document/markup.ts'
import type { Records, StoredRun } from '../../../run/record/records.ts'
import { resultOf, warningsOf } from '../../../run/result.ts'
import { type RecordedTrace, readTrace } from '../../../run/trace/read-trace.ts'
import { type ShownStatus, statusOf } from '../../../session/run-status.ts'
import { waitingCallsOf } from '../../../session/waiting-calls.ts'
import { usageLine } from '../../terminal/amounts.ts'
import { PAGE_STYLE } from './page-style.ts'
import { stepList } from './step-list.ts'
import { timeBars } from './time-bars.ts'

type Runs = Pick<Records, 'runs'>

/** The page loads nothing and runs nothing, also if a text of the run should ever become markup. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/**
 * Returns a run and the runs of its sub-agents as one HTML page without scripts and without references to other files.
 * Texts of models, tools and people are escaped. Personal data is shown as it is on record: by its placeholders.
 * @throws RUN_NOT_FOUND, RECORD_DAMAGED
 */
export async function runPage(records: Runs, runId: string): Promise<string> {
  const run = await records.runs.read(runId)
  const trace = await readTrace(records, runId)
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${run.header.agent_name}, run ${runId}</title>
<style>${raw(PAGE_STYLE)}</style>
</head>
<body>
${await agentPart(records, run, trace)}
<p class="faint">Written by Waybill. Times are UTC.</p>
</body>
</html>
`
  return markup
}

const TONES: Readonly<Record<ShownStatus, string>> = {
  running: 'accent',
  awaiting_approval: 'warn',
  paused: 'warn',
  interrupted: 'warn',
  completed: 'good',
  failed: 'bad',
  refused: 'bad',
  cancelled: 'faint',
  damaged: 'bad',
  moving: 'warn',
  moved: 'faint',
}

/** @param trace of the whole family; absent for a sub-agent, whose spans are in the trace of its root */
async function agentPart(records: Runs, run: StoredRun, trace?: RecordedTrace): Promise<Markup> {
  const { header, plan, state } = run
  const result = resultOf(plan, state)
  const status = await statusOf(records, run)
  const { model } = result
  const facts: readonly (readonly [name: string, value: string | undefined])[] = [
    ['Started', utc(Date.parse(header.created_at))],
    ['Model', model === null ? undefined : `${model.provider}/${model.model}`],
    ['Used', usageLine(state.totals, plan.rehearsal)],
    ['Definition', header.definition_file],
    ['User', header.user],
    ['On behalf of', header.on_behalf_of],
    ['Session', header.session],
    ['Plan', header.plan_hash],
  ]
  return html`
<h1>${header.agent_name}</h1>
<p><span class="badge ${TONES[status]}">${status.replaceAll('_', ' ')}</span> <span class="id">${header.run_id}</span></p>
${plan.rehearsal ? html`<p class="banner">Rehearsal: test doubles replaced the models and the tools. This proves nothing about real behaviour.</p>` : []}
<dl>${facts.flatMap(([name, value]) => (value === undefined ? [] : [html`<dt>${name}</dt><dd>${value}</dd>`]))}</dl>
${result.error === undefined ? [] : html`<h2 class="bad">${result.error.code}</h2><p>${result.error.message}</p>`}
${await openQuestions(records, run)}
${state.end === null || state.end.status !== 'completed' ? [] : html`<h2>Answer</h2>${typeof result.output === 'string' ? html`<pre>${result.output}</pre>` : jsonBlock(result.output)}`}
${limitsOf(run)}
<h2>Steps</h2>
${stepList(run, await records.runs.events(header.run_id))}
${trace === undefined ? [] : timeBars(trace)}
${toolTable(run)}
${await below(records, run)}`
}

async function openQuestions(records: Runs, run: StoredRun): Promise<Markup | readonly Markup[]> {
  const waiting = await waitingCallsOf(records, run)
  if (waiting.length === 0) return []
  return html`<h2 class="warn">Waits for a person</h2>${waiting.map(
    ({ call }) =>
      html`<p>${call.tool}${call.why === undefined ? '' : `: ${call.why}`}</p>${jsonBlock(call.args)}`,
  )}`
}

/** What this host could not enforce, and warnings. */
function limitsOf({ plan, state }: StoredRun): Markup | readonly Markup[] {
  const notes = [...warningsOf(plan).filter(({ code }) => code !== 'REHEARSAL'), ...state.warnings.toArray()]
  if (notes.length === 0) return []
  return html`<h2>Warnings</h2><ul>${notes.map(({ code, message }) => html`<li><code>${code}</code> ${message}</li>`)}</ul>`
}

function toolTable({ plan }: StoredRun): Markup | readonly Markup[] {
  if (plan.tools.length === 0 && plan.constraints.length === 0) return []
  return html`<h2>Plan</h2>
<table><tr><th>Tool</th><th>Effect</th><th>Gate</th><th></th></tr>${plan.tools.map(
    ({ name, effect, gate, reason }) =>
      html`<tr><td>${name}</td><td>${effect}</td><td class="${{ allow: 'good', ask: 'warn', deny: 'bad' }[gate]}">${gate}</td><td>${reason ?? ''}</td></tr>`,
  )}</table>
${plan.constraints.length === 0 ? [] : html`<ul>${plan.constraints.map(({ text, enforcement }) => html`<li>${text} <span class="faint">(${enforcement})</span></li>`)}</ul>`}`
}

/** The runs of sub-agents, each in a part of its own. One that never started, or is damaged, is left out. */
async function below(records: Runs, { plan, state }: StoredRun): Promise<readonly Markup[]> {
  const parts: Markup[] = []
  for (const { alias, run_id } of resultOf(plan, state).subagents) {
    const run = await readable(records, run_id)
    if (run === undefined) continue
    parts.push(
      html`<section class="agent"><p class="faint">Sub-agent ${alias}</p>${await agentPart(records, run)}</section>`,
    )
  }
  return parts
}

async function readable({ runs }: Runs, runId: string): Promise<StoredRun | undefined> {
  try {
    return await runs.read(runId)
  } catch {
    return undefined
  }
}

function utc(ms: number): string {
  return new Date(ms)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC')
}
