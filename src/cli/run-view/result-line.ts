import type { RunResult } from '../../run/result.ts'
import type { Io } from '../io.ts'
import { dollars, duration } from '../terminal/amounts.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { TONES } from './show-result.ts'

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

/** Returns one line: the status, the short id, the duration, the cost, and the beginning of the output or of the error. */
export function resultLine(label: string, result: RunResult, short: string, io: Io): string {
  const { status, error, usage } = result
  const paint = painter(io.color)
  const text = error === undefined ? outputText(result) : `${error.code} ${error.message}`
  const shown = [spentBy(result), plainLine(text, 200)]
    .map((part) => (part === '' ? '' : ` ${part}`))
    .join('')
  const tone = TONES[status]
  return `${plainLine(label, 80)} ${paint(tone, status.replaceAll('_', ' '))} ${paint('faint', `${short} ${duration(usage.duration_ms)}`)}${shown}\n`
}

/** Returns the cost if there is a known one. A rehearsal has none. */
function spentBy({ rehearsal, usage: { cost_usd } }: RunResult): string {
  return rehearsal || cost_usd === null || cost_usd === 0 ? '' : dollars(cost_usd)
}

function outputText({ output, waiting = [] }: RunResult): string {
  if (waiting.length > 0) return `waits for a person: ${waiting.map(({ tool }) => tool).join(', ')}`
  if (output === null) return ''
  return typeof output === 'string' ? output.trim() : jsonText(output)
}
