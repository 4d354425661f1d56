import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { escapeStep } from '../../document/json-pointer.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import { WAYBILL_MEMBER } from '../../state/waybill-member.ts'
import { readState } from '../files/read-state.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'

interface Change {
  /** JSON Pointer. */
  readonly path: string
  /** Absent: added. */
  readonly before?: Json
  /** Absent: removed. */
  readonly after?: Json
}

/** Members that differ between any two captures. */
const OF_THE_CAPTURE: ReadonlySet<string> = new Set(['state_id', 'checkpoint_at', 'provenance'])

/** Compares two states (`waybill state diff`). */
export async function diffStates(
  before: string,
  after: string,
  options: FormatOptions,
  io: Io,
): Promise<ExitCode> {
  const changes = changesOf(compared(await readState(before, io)), compared(await readState(after, io)), '')
  if (wantsJson(options)) io.out(`${jsonText({ equal: changes.length === 0, changes })}\n`)
  else if (changes.length === 0) io.err('the states are equal, apart from their ids and times\n')
  else for (const change of changes) io.out(`${plainLine(lineOf(change), 300)}\n`)
  return changes.length === 0 ? EXIT.ok : EXIT.no
}

function compared(state: AgentState): JsonObject {
  const entries = Object.entries(state as unknown as JsonObject)
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      OF_THE_CAPTURE.has(name) ? [] : [[name, name === WAYBILL_MEMBER ? withoutReceipts(value) : value]],
    ),
  )
}

/** Receipts are signed again for each capture; what they attest is in the ledger. */
function withoutReceipts(member: Json): Json {
  if (!isObject(member)) return member
  const { receipts: _receipts, ...others } = member
  return others
}

function changesOf(before: Json | undefined, after: Json | undefined, path: string): readonly Change[] {
  if (isDeepStrictEqual(before, after)) return []
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return names.flatMap((name) => changesOf(before[name], after[name], `${path}/${escapeStep(name)}`))
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const indexes = Array.from({ length: Math.max(before.length, after.length) }, (_none, index) => index)
    return indexes.flatMap((index) => changesOf(before[index], after[index], `${path}/${index}`))
  }
  return [{ path, ...(before !== undefined && { before }), ...(after !== undefined && { after }) }]
}

function lineOf({ path, before, after }: Change): string {
  if (before === undefined) return `+ ${path} ${JSON.stringify(after)}`
  if (after === undefined) return `- ${path} ${JSON.stringify(before)}`
  return `~ ${path} ${JSON.stringify(before)} → ${JSON.stringify(after)}`
}
