import { sha256 } from '../../document/canonical.ts'
import { fencedText } from '../../plan/system-prompt.ts'
import type { Decision } from '../event.ts'
import type { FetchedAgain } from '../ports.ts'
import type { RunWarning } from '../state.ts'
import { mergeDecisions } from './merge-decisions.ts'

/** Where the counts of a turn's background say that they were found. */
export const BACKGROUND = '/background'

/**
 * Adds to a turn what has become of the texts of the prompt. The model is given them as data, like the prompt itself
 * (AAIF §12), before what it is told from memory. The prompt stays as it was planned.
 */
export function withBackground(turn: Decision, background: readonly FetchedAgain[] | undefined): Decision {
  if (background === undefined || turn.end !== undefined) return turn
  const fresh = background.flatMap((item) => (item.text === undefined ? [] : [{ ...item, text: item.text }]))
  const stale = background.flatMap(({ reason }): readonly RunWarning[] =>
    reason === undefined ? [] : [{ code: 'CONTEXT_STALE', message: `${reason}; the older text stands` }],
  )
  const noted = mergeDecisions(turn, stale.length > 0 ? { warnings: stale } : {})
  if (fresh.length === 0) return noted
  const { recalled, ...others } = noted
  return mergeDecisions(others, {
    recalled: {
      text: [...fresh.map(toldAgain), ...(recalled === undefined ? [] : [recalled.text])].join('\n\n'),
      items: [...fresh.map(toldName), ...(recalled?.items ?? [])],
    },
  })
}

/** The hash is that of the text as it is told: what was taken out of it could else have been the end of its fence. */
function toldAgain(item: FetchedAgain & { readonly text: string }): string {
  const fenced = fencedText({ ...item, sha256: sha256(item.text) })
  return `This text of your background has changed, and takes the place of the older one.\n${fenced}`
}

/** Unlike any name of an item of memory: those begin with a scope. */
function toldName({ item, sha256: hash = '' }: FetchedAgain): string {
  return `context/${item}@${hash.slice(0, 16)}`
}
