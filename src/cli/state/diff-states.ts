import { compareStates, type StateChange } from '../../state/compare-states.ts'
import { readState } from '../files/read-state.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'

/** Compares two states (`waybill state diff`). */
export async function diffStates(
  before: string,
  after: string,
  options: FormatOptions,
  io: Io,
): Promise<ExitCode> {
  const changes = compareStates(await readState(before, io), await readState(after, io))
  if (wantsJson(options)) io.out(`${jsonText({ equal: changes.length === 0, changes })}\n`)
  else if (changes.length === 0) io.err('the states are equal, apart from their ids and times\n')
  else for (const change of changes) io.out(`${plainLine(lineOf(change), 300)}\n`)
  return changes.length === 0 ? EXIT.ok : EXIT.no
}

function lineOf({ path, before, after }: StateChange): string {
  if (before === undefined) return `+ ${path} ${JSON.stringify(after)}`
  if (after === undefined) return `- ${path} ${JSON.stringify(before)}`
  return `~ ${path} ${JSON.stringify(before)} → ${JSON.stringify(after)}`
}
