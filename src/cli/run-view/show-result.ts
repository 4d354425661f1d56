import { defined } from '../../document/defined.ts'
import type { ErrorObject } from '../../document/issue.ts'
import type { RunResult } from '../../run/result.ts'
import type { ShortRunId } from '../../session/short-run-id.ts'
import type { FidelityReport } from '../../state/fidelity.ts'
import type { Io } from '../io.ts'
import { errorText } from '../report-error.ts'
import { count, usageLine } from '../terminal/amounts.ts'
import { painter, type Tone } from '../terminal/paint.ts'
import { jsonText, plainLine, plainText } from '../terminal/plain-text.ts'
import { formattedText } from '../terminal/text-format.ts'
import { withEnvFile } from './env-file-hint.ts'

export interface ShowOptions {
  readonly json: boolean
  /** Returns the short form of the run's id, and of the id of the run whose record answered. */
  readonly short: ShortRunId
  /** The text that was already shown while it was generated. */
  readonly shown?: string | null
  /** Print only the output, for turns of a conversation. */
  readonly brief?: boolean
  /** With `json`: what was kept and lost of the state that the run continues. */
  readonly report?: FidelityReport
}

/** Prints the result of a run: one JSON value, or the output and a summary. */
export async function showResult(
  given: RunResult,
  io: Io,
  { json, short, shown = null, brief = false, report }: ShowOptions,
): Promise<void> {
  const result = withLocalHint(given, io)
  if (json) io.out(`${jsonText({ ...result, ...defined({ report }) })}\n`)
  else await showOutput(result, io, shown)
  if (brief && result.status === 'completed') return
  if (!json || io.errIsTty) io.err(summary(result, short, io, brief))
}

function withLocalHint(result: RunResult, io: Io): RunResult {
  const { error } = result
  return error?.hint === undefined
    ? result
    : { ...result, error: { ...error, hint: withEnvFile(error.hint, io) } }
}

async function showOutput({ output }: RunResult, io: Io, shown: string | null): Promise<void> {
  if (output === null) return
  if (typeof output !== 'string') {
    const text = jsonText(output, 2)
    // A number was shown like a text.
    if (text !== shown?.trim()) io.out(`${text}\n`)
    return
  }
  if (!io.outIsTty) {
    // A program reads this output, so it is exactly the text of the model.
    io.out(output.endsWith('\n') ? output : `${output}\n`)
    return
  }
  const text = plainText(output)
  if (text.trim() === shown?.trim()) return
  io.out(await formattedText(text, io))
}

/** The colour of each status. */
export const TONES: Readonly<Record<RunResult['status'], Tone>> = {
  completed: 'good',
  failed: 'bad',
  refused: 'bad',
  awaiting_approval: 'warn',
  paused: 'warn',
  cancelled: 'warn',
}

/** Words for people where the reason of the result would mislead: a route exists, but the model failed. */
const REASONS: Partial<Record<RunResult['stop_reason'], string>> = { no_route: 'model' }

/** The reason of an end that waits for a person repeats the status. */
function saysReason({ status, stop_reason }: RunResult): boolean {
  return status !== 'completed' && stop_reason !== 'approval'
}

/** A failed model is not a mistake in the definition, so the text has neither a place in it nor a rule. */
function shownError(error: ErrorObject, stop_reason: RunResult['stop_reason']): ErrorObject {
  if (stop_reason !== 'no_route') return error
  const { pointer: _place, rule: _rule, ...rest } = error
  return rest
}

/** Returns the last lines: status, usage and next steps. */
function summary(result: RunResult, short: ShortRunId, io: Io, brief: boolean): string {
  const paint = painter(io.color)
  const status = [
    result.status.replaceAll('_', ' '),
    ...(saysReason(result)
      ? [`(${REASONS[result.stop_reason] ?? result.stop_reason.replaceAll('_', ' ')})`]
      : []),
    ...(result.rehearsal ? ['(rehearsal)'] : []),
    ...(result.replay === undefined ? [] : ['(replay)']),
  ].join(' ')
  const model =
    result.model === null ? 'no model' : plainLine(`${result.model.provider}/${result.model.model}`)
  const lines = [
    ...(result.error === undefined
      ? []
      : [errorText(shownError(result.error, result.stop_reason), io.color).trimEnd()]),
    `${paint(TONES[result.status], status)} ${paint('faint', `· ${model} · ${usageLine(result.usage, result.rehearsal || result.replay !== undefined)}${warningCount(result)}`)}`,
    ...(brief && result.status === 'paused' ? [] : nextSteps(result, short)).map(
      (step) => `  ${paint('accent', 'next')} ${step}`,
    ),
  ]
  return `${lines.join('\n')}\n`
}

/** Returns how many warnings the run has. A banner, and not a count, shows that it is a rehearsal or a replay. */
function warningCount({ warnings }: RunResult): string {
  const counted = warnings.filter(({ code }) => code !== 'REHEARSAL' && code !== 'REPLAY').length
  return counted === 0 ? '' : ` · ${count(counted, 'warning')}`
}

/** Returns useful next commands. */
function nextSteps(result: RunResult, short: ShortRunId): readonly string[] {
  const { status, replay, waiting = [] } = result
  const id = short(result.run_id)
  if (replay !== undefined) return [`waybill runs diff ${short(replay.run_id)} ${id}`]
  switch (status) {
    case 'awaiting_approval':
    case 'paused':
      return [
        ...waiting.map(({ call_id, tool, asks }) =>
          asks === 'approval'
            ? `waybill approvals approve ${id} ${plainLine(call_id)} --resume   (${plainLine(tool)}; or deny)`
            : `waybill approvals show ${id} ${plainLine(call_id)}   (${plainLine(tool)}: ${asks === 'input' ? 'its server asks' : 'outcome unknown'})`,
        ),
        `waybill resume ${id}`,
      ]
    default:
      return [`waybill runs show ${id}`]
  }
}
