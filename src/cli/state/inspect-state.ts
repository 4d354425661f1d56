import { summarizeState } from '../../state/summarize-state.ts'
import { readState } from '../files/read-state.ts'
import type { Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'

/** Shows what a state contains (`waybill state inspect`). */
export async function inspectState(file: string, options: FormatOptions, io: Io): Promise<void> {
  const summary = summarizeState(await readState(file, io))
  if (wantsJson(options)) return io.out(`${jsonText(summary)}\n`)
  for (const [name, value] of Object.entries(summary)) {
    const text = Array.isArray(value) ? value.map(textOf).join(', ') || 'none' : textOf(value)
    io.out(`${name.replaceAll('_', ' ').padEnd(18)} ${plainLine(text, 300)}\n`)
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
