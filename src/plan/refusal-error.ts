import type { ErrorObject, ErrorPart } from '../document/issue.ts'
import type { Refusal } from './plan.ts'

/**
 * Returns one refusal for all of a plan, or null if there is none: the first gives the code and the place, and the
 * message lists every one with its place (AAIF-7-08).
 */
export function allRefusals(refusals: readonly Refusal[]): Refusal | null {
  const [first, ...others] = refusals
  if (first === undefined || others.length === 0) return first ?? null
  const list = refusals.map(({ message, pointer }) => `${message} (${pointer})`).join('; ')
  return { ...first, message: `${refusals.length} reasons: ${list}` }
}

/** Returns the error of a run that a plan refuses, with each refusal in `details` if there are several; else null. */
export function refusalError(refusals: readonly Refusal[]): ErrorObject | null {
  const refusal = allRefusals(refusals)
  if (refusal === null) return null
  const error = partOf(refusal)
  return refusals.length > 1 ? { ...error, details: refusals.map(partOf) } : error
}

function partOf({ audited: _internal, ...part }: Refusal): ErrorPart {
  return part
}
