/**
 * A destination in a text, or a part that looks like one (`unclear`). Offsets are in the text as
 * {@link import('./destination.ts').destinationText} writes it.
 */
export interface Found {
  readonly start: number
  readonly end: number
  /** The normal form: the address, the host of a URL, the digits of a phone number. */
  readonly key: string
  readonly kind: DestinationKind
  readonly counts: Counts
}

export type DestinationKind =
  | 'email'
  | 'url'
  /** A scheme without a host: `tel:`, `matrix:`, `data:`. */
  | 'uri'
  | 'ip'
  | 'phone'
  | 'account'
  | 'handle'
  | 'placeholder'
  /** A host with a port, a path, or `@` or `:` before it. */
  | 'host'
  /** A host alone, which may also be the name of a file. */
  | 'bare'
  /** A text like an address that is not understood. */
  | 'unclear'

/**
 * Where the form is a destination: anywhere; in a part of a text with at most two other words; alone in a part of a
 * text; or only in a member that expects destinations.
 */
export type Counts = 'anywhere' | 'short' | 'alone' | 'named'

/** Replaces what was found, so that other searches do not find parts of it; no search accepts this character. */
export const MASK = '\uE000'

/** Returns the text with all found parts masked; offsets stay the same. */
export function masked(text: string, found: readonly Pick<Found, 'start' | 'end'>[]): string {
  const pieces: string[] = []
  let at = 0
  for (const { start, end } of [...found].sort((a, b) => a.start - b.start)) {
    if (end <= at) continue
    const from = Math.max(start, at)
    pieces.push(text.slice(at, from), MASK.repeat(end - from))
    at = end
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(at)
}
