import { isDeepStrictEqual } from 'node:util'
import type { Decision } from './event.ts'
import type { CallEntry, OriginCall, RunState } from './state.ts'

/** Returns the calls of the origin that later calls can still stand for. */
export function withoutReused(
  calls: RunState['sent_by_origin'],
  { reused }: Pick<Decision, 'reused'>,
): RunState['sent_by_origin'] {
  return reused === undefined ? calls : calls.filter((_call, index) => !reused.includes(index))
}

/**
 * Returns the index of the call that the run of origin has sent, and that this call would send again: the same tool with
 * the same arguments.
 * @param used indexes that other calls of the same round stand for
 */
export function originCallOf(
  { sent_by_origin }: Pick<RunState, 'sent_by_origin'>,
  { tool, args, agent, effect }: Pick<CallEntry, 'tool' | 'args' | 'agent' | 'effect'>,
  used: readonly number[] = [],
): number | null {
  if (agent !== undefined || effect === 'none') return null
  const found = sent_by_origin.findIndex(
    (call, index) =>
      call.path.length === 0 &&
      call.tool === tool &&
      !used.includes(index) &&
      isDeepStrictEqual(call.args, args),
  )
  return found < 0 ? null : found
}

/**
 * Returns a call that is not sent, because the run of origin has sent it: with its recorded answer, or for a person. An
 * idempotent one without an answer is sent again, with the key that it was sent with.
 */
export function answeredByOrigin(
  entry: CallEntry,
  { result, error, key, idempotent }: OriginCall,
): CallEntry {
  if (result !== undefined)
    return { ...entry, status: 'done', result, ...(error === true && { error }), by_origin: true }
  const isRepeatable = entry.effect === 'idempotent' && idempotent === true && key !== undefined
  return isRepeatable ? { ...entry, key } : unknownByOrigin(entry)
}

/** Returns a call that the run of origin has sent, for a person to decide about. */
export function unknownByOrigin(entry: CallEntry): CallEntry {
  const why = 'the run that this one was forked from has sent the same call'
  return { ...entry, status: 'unknown', why }
}

/** Returns the calls of the origin that a sub-agent must not send again. */
export function originCallsOf(
  { sent_by_origin }: Pick<RunState, 'sent_by_origin'>,
  alias: string,
): readonly OriginCall[] {
  return sent_by_origin.flatMap((call) =>
    call.path[0] === alias ? [{ ...call, path: call.path.slice(1) }] : [],
  )
}
