import { sha256 } from '../../document/canonical.ts'
import { fencedText } from '../../plan/system-prompt.ts'
import type { Decision } from '../event.ts'
import type { FetchedAgain } from '../ports.ts'
import type { RunWarning } from '../state.ts'
import { mergeDecisions } from './merge-decisions.ts'

/** The place that counts of personal data name if it was found in a text of the turn's background. */
export const BACKGROUND = '/background'

/**
 * Adds to a turn the texts of the prompt that were fetched again. The model gets them as data, like the
 * prompt's own texts (AAIF §12), and before the memory items. The prompt itself does not change after
 * planning.
 */
export function withBackground(turn: Decision, background: readonly FetchedAgain[] | undefined): Decision {
  if (background === undefined || turn.end !== undefined) return turn
  const fresh = background.flatMap((item) => (item.text === undefined ? [] : [{ ...item, text: item.text }]))
  const stale = background.flatMap(({ reason }): readonly RunWarning[] =>
    reason === undefined
      ? []
      : [{ code: 'CONTEXT_STALE', message: `${reason}; the older text is still used` }],
  )
  const noted = mergeDecisions(turn, stale.length > 0 ? { warnings: stale } : {})
  if (fresh.length === 0) return noted
  const { recalled, ...others } = noted
  return mergeDecisions(others, {
    recalled: {
      text: [...fresh.map(replacementText), ...(recalled === undefined ? [] : [recalled.text])].join('\n\n'),
      items: [...fresh.map(refetchedItemName), ...(recalled?.items ?? [])],
    },
  })
}

/**
 * The name is the hash of this very text, after removals: a hash of the original could let the text close its
 * own fence.
 */
function replacementText(item: FetchedAgain & { readonly text: string }): string {
  const fenced = fencedText({ ...item, sha256: sha256(item.text) })
  return `This text of your background has changed, and takes the place of the older one.\n${fenced}`
}

/** Differs from every name of a memory item, because those begin with a scope. */
function refetchedItemName({ item, sha256: hash = '' }: FetchedAgain): string {
  return `context/${item}@${hash.slice(0, 16)}`
}
