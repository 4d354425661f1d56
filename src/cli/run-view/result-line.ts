import type { RunResult } from '../../run/result.ts'
import type { Io } from '../io.ts'
import { duration } from '../terminal/amounts.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'

/**
 * Prints the result of one of many runs. A program gets it as one line of JSON on standard output, and a person a short
 * line; on a terminal the person's line is the only one.
 * @param label what the run belongs to, such as `3/10` or the name of its agent
 * @param short the short form of the run's id
 */
export function printResultLine(label: string, result: RunResult, short: string, io: Io): void {
  if (io.outIsTty) {
    io.out(resultLine(label, result, short, io))
    return
  }
  io.out(`${jsonText(result)}\n`)
  io.err(resultLine(label, result, short, io))
}

/** Returns one line: the status, the short id, the duration, and the beginning of the output or of the error. */
export function resultLine(label: string, result: RunResult, short: string, io: Io): string {
  const { status, error, output, usage } = result
  const paint = painter(io.color)
  const text = error === undefined ? outputText(output) : `${error.code} ${error.message}`
  const shown = text === '' ? '' : ` ${plainLine(text, 200)}`
  const tone = status === 'completed' ? 'good' : 'warn'
  return `${plainLine(label, 80)} ${paint(tone, status.replaceAll('_', ' '))} ${paint('faint', `${short} ${duration(usage.duration_ms)}`)}${shown}\n`
}

function outputText(output: RunResult['output']): string {
  if (output === null) return ''
  return typeof output === 'string' ? output.trim() : jsonText(output)
}
