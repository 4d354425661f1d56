import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, type JsonObject } from '../document/json.ts'
import { escapeStep } from '../document/json-pointer.ts'
import type { AgentState } from '../spec/aaif/generated/state.ts'
import { WAYBILL_MEMBER } from './waybill-member.ts'

/** A place where two states differ. */
export interface StateChange {
  /** JSON Pointer. */
  readonly path: string
  /** Absent: added. */
  readonly before?: Json
  /** Absent: removed. */
  readonly after?: Json
}

/** Members that differ between any two captures. */
const OF_THE_CAPTURE: ReadonlySet<string> = new Set(['state_id', 'checkpoint_at', 'provenance'])

/** Returns the places where two states differ, apart from their ids, times and provenance; empty: they are equal. */
export function compareStates(before: AgentState, after: AgentState): readonly StateChange[] {
  return changesOf(compared(before), compared(after), '')
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

function changesOf(before: Json | undefined, after: Json | undefined, path: string): readonly StateChange[] {
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
