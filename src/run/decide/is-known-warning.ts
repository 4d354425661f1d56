import { isDeepStrictEqual } from 'node:util'
import type { RunState, RunWarning } from '../state.ts'

/**
 * Returns true if the run has already given this warning: one with the same code about the same subject. The message
 * is not compared, so that a warning can be reworded between two versions that drive one run.
 */
export function isKnownWarning({ warnings }: RunState, { code, about }: RunWarning): boolean {
  return warnings.some((known) => known.code === code && isDeepStrictEqual(known.about, about))
}
