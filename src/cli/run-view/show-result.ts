import type { RunResult } from '../../run/result.ts'
import type { Io } from '../io.ts'
import { errorText } from '../report-error.ts'
import { usageLine } from '../terminal/amounts.ts'
import { painter, type Tone } from '../terminal/paint.ts'
import { jsonText, plainLine, plainText } from '../terminal/plain-text.ts'

export interface ShowOptions {
  readonly json: boolean
  /** What the person has already read as it was generated. */
  readonly shown?: string | null
  /** Only the output, for the turns of a conversation. */
  readonly brief?: boolean
}

/** Prints what a run came to: one JSON value, or the output for pipes and a summary for people. */
export function showResult(
  result: RunResult,
  io: Io,
  { json, shown = null, brief = false }: ShowOptions,
): void {
  if (json) io.out(`${jsonText(result)}\n`)
  else showOutput(result, io, shown)
  if (brief && result.status === 'completed') return
  if (!json || io.errIsTty) io.err(summary(result, io, brief))
}

function showOutput({ output }: RunResult, io: Io, shown: string | null): void {
  if (output === null) return
  if (typeof output !== 'string') {
    io.out(`${jsonText(output, 2)}\n`)
    return
  }
  if (!io.outIsTty) {
    // A program reads it: exactly what the model said.
    io.out(output.endsWith('\n') ? output : `${output}\n`)
    return
  }
  const text = plainText(output)
  if (text.trim() === shown?.trim()) return
  io.out(text.endsWith('\n') ? text : `${text}\n`)
}

const TONES: Readonly<Record<RunResult['status'], Tone>> = {
  completed: 'good',
  failed: 'bad',
  refused: 'bad',
  awaiting_approval: 'warn',
  paused: 'warn',
  cancelled: 'warn',
}

/** The last lines: how it ended, what it used, and what to do next. */
function summary(result: RunResult, io: Io, brief: boolean): string {
  const paint = painter(io.color)
  const status = [
    result.status.replaceAll('_', ' '),
    ...(result.status === 'completed' ? [] : [`(${result.stop_reason.replaceAll('_', ' ')})`]),
    ...(result.rehearsal ? ['in rehearsal'] : []),
  ].join(' ')
  const model =
    result.model === null ? 'no model' : plainLine(`${result.model.provider}/${result.model.model}`)
  const lines = [
    ...(result.error === undefined ? [] : [errorText(result.error, io.color).trimEnd()]),
    `${paint(TONES[result.status], status)} ${paint('faint', `· ${model} · ${usageLine(result.usage, result.rehearsal)}`)}`,
    ...(brief && result.status === 'paused' ? [] : nextSteps(result)).map(
      (step) => `  ${paint('accent', 'next')} ${step}`,
    ),
  ]
  return `${lines.join('\n')}\n`
}

/** Commands that make sense now. */
function nextSteps({ run_id, status, waiting = [] }: RunResult): readonly string[] {
  switch (status) {
    case 'awaiting_approval':
    case 'paused':
      return [
        ...waiting.map(({ call_id, tool, why }) =>
          why === 'approval'
            ? `waybill approvals approve ${run_id} ${plainLine(call_id)}   (${plainLine(tool)}; or deny)`
            : `waybill approvals show ${run_id} ${plainLine(call_id)}   (${plainLine(tool)} may have happened)`,
        ),
        `waybill resume ${run_id}`,
      ]
    default:
      return [`waybill runs show ${run_id}`]
  }
}
