import { parseEntry } from '../../trust/audit-chain.ts'
import type { Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { type PlaceOptions, withRecords } from '../remote/with-records.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { readLog } from './read-log.ts'

export interface ShowOptions extends FormatOptions, PlaceOptions {
  /** The beginning of a run id. */
  readonly run?: string
}

/**
 * Prints the entries of the audit log.
 * @throws AUDIT_NOT_FOUND
 */
export async function showLog(options: ShowOptions, io: Io): Promise<void> {
  const text = await withRecords(options, io, (home) => readLog(home, io))
  const { run } = options
  const entries = text
    .split('\n')
    .map((line) => (line === '' ? null : parseEntry(line)))
    .filter((entry) => entry !== null)
    .filter(({ fact }) => run === undefined || String(fact.run_id ?? '').startsWith(run))
  if (wantsJson(options)) {
    io.out(`${jsonText({ entries })}\n`)
    return
  }
  for (const { n, fact } of entries) {
    const { at, kind, run_id, event: _event, agent_id: _agent, ...rest } = fact
    const columns = [
      String(n),
      at,
      plainLine(kind, 30).padEnd(16),
      plainLine(String(run_id ?? ''), 40),
      plainLine(jsonText(rest), 300),
    ]
    io.out(`${columns.join('  ')}\n`)
  }
}
