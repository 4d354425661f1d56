import { sha256 } from '../../document/canonical.ts'
import { fencedText } from '../../plan/system-prompt.ts'
import type { Decision } from '../event.ts'
import type { FetchedAgain } from '../ports.ts'
import type { RunWarning } from '../state.ts'

/** Where the counts of a turn's background say that they were found. */
export const BACKGROUND = '/background'

/**
 * Tells the model what has become of the texts of its prompt: as data, like the prompt itself (AAIF §12). The prompt
 * stays as it was planned.
 * @param turn what else begins the turn
 */
export function withBackground(background: readonly FetchedAgain[] | undefined, turn: Decision): Decision {
  if (background === undefined || turn.end !== undefined) return {}
  const fresh = background.flatMap((item) => (item.text === undefined ? [] : [{ ...item, text: item.text }]))
  const stale = background.flatMap(({ reason }): readonly RunWarning[] =>
    reason === undefined ? [] : [{ code: 'CONTEXT_STALE', message: `${reason}; the older text stands` }],
  )
  const { recalled, warnings = [] } = turn
  return {
    ...(stale.length > 0 && { warnings: [...warnings, ...stale] }),
    ...(fresh.length > 0 && {
      recalled: {
        text: [...fresh.map(toldAgain), ...(recalled === undefined ? [] : [recalled.text])].join('\n\n'),
        items: [...fresh.map(toldName), ...(recalled?.items ?? [])],
      },
    }),
  }
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
