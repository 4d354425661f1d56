import { defined } from '../../document/defined.ts'
import type { Json } from '../../document/json.ts'
import { itemsAt, memberOf, objectAt, textAt } from '../loose-members.ts'
import type { ArtifactEnvelope } from './generated/artifact-envelope.ts'

/** How the author wants the artifact to be shown (§8). */
export interface RenderingHints {
  readonly preferredView?: string
  readonly syntaxHighlight?: string
  readonly collapseSections: readonly string[]
  readonly tableOfContents: boolean
}

/**
 * Returns the rendering hints of an envelope. Hints are optional: unknown hints and values of a wrong type are ignored.
 */
export function renderingHintsOf({ extensions }: ArtifactEnvelope): RenderingHints {
  const hints = objectAt(extensions as Json | undefined, 'rendering')
  const preferredView = textAt(hints, 'preferred_view')
  const syntaxHighlight = textAt(hints, 'syntax_highlight')
  return {
    ...defined({ preferredView, syntaxHighlight }),
    collapseSections: itemsAt(hints, 'collapse_sections').filter((id) => typeof id === 'string'),
    tableOfContents: memberOf(hints, 'table_of_contents') === true,
  }
}
