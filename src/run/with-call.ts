import type { CallEntry } from './state.ts'

/**
 * Returns the round with one of its calls changed. A round may hold a thousand sub-agents, each of which ends
 * once, so only the list itself is copied.
 */
export function withCall(
  calls: readonly CallEntry[],
  id: string,
  change: (call: CallEntry) => CallEntry,
): readonly CallEntry[] {
  const at = calls.findIndex((call) => call.id === id)
  const call = calls[at]
  return call === undefined ? calls : calls.with(at, change(call))
}

export function finished(
  call: CallEntry,
  result: NonNullable<CallEntry['result']> | null,
  error?: boolean,
): CallEntry {
  return { ...call, status: 'done', result, ...(error === true && { error: true as const }) }
}
