import type { Section } from './generated/artifact-envelope.ts'

/**
 * Returns the sections in display order (§4.3): by position; sections with equal or without positions in the order of
 * the document.
 */
export function inDisplayOrder<S extends Pick<Section, 'position'>>(sections: readonly S[]): S[] {
  return sections.toSorted((a, b) => rank(a) - rank(b))
}

/** Finite, because the difference of two infinities is NaN. */
function rank({ position = Number.MAX_VALUE }: Pick<Section, 'position'>): number {
  return position
}
