import type { Section } from './generated/artifact-envelope.ts'

/** The order in which sections are shown (§4.3): by position first, then, as on equal positions, as they were added. */
export function inDisplayOrder<S extends Pick<Section, 'position'>>(sections: readonly S[]): S[] {
  return sections.toSorted((a, b) => rank(a) - rank(b))
}

/** Finite, because the difference of two infinities is no number. */
function rank({ position = Number.MAX_VALUE }: Pick<Section, 'position'>): number {
  return position
}
