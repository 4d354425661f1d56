/** A shorter repetition may be a coincidence, in characters. */
const LEAST_OVERLAP = 20
/** A text that repeats itself more often has several possible overlaps. */
const MOST_PLACES = 1000

/**
 * Joins an interrupted answer and its continuation. If the continuation begins with the end of the answer, this end is
 * removed from it, but only if at least 20 characters are repeated and exactly one length of the repetition is possible.
 */
export class Seam {
  readonly #before: string
  /** The beginning of the continuation while it may still be a repetition; null after that. */
  #held: string | null = ''
  /** Where in the answer a repetition may begin: the answer continues there as the held text does. */
  #places: readonly number[] | null = null

  /** @param before the interrupted answer */
  constructor(before: string) {
    this.#before = before
    if (before.length < LEAST_OVERLAP) this.#held = null
  }

  /** Takes the next piece of the continuation. @returns the text that follows the answer, as far as it is known */
  push(piece: string): string {
    if (this.#held === null) return piece
    this.#held += piece
    return this.#isDecided(this.#held) ? this.end() : ''
  }

  /** Ends the continuation. @returns the rest of the text */
  end(): string {
    const held = this.#held ?? ''
    this.#held = null
    const [overlap, ...others] = this.#overlaps(held)
    return overlap === undefined || others.length > 0 ? held : held.slice(overlap)
  }

  #isDecided(held: string): boolean {
    const before = this.#before
    if (held.length < LEAST_OVERLAP) return !before.includes(held)
    const last = before.length - LEAST_OVERLAP
    const found = this.#places ?? placesOf(held.slice(0, LEAST_OVERLAP), before)
    if (found.length > MOST_PLACES) {
      this.#places = []
      return true
    }
    this.#places = found.filter((at) => at <= last && fits(held, before, at))
    return this.#places.every((at) => held.length >= before.length - at)
  }

  #overlaps(held: string): readonly number[] {
    if (held.length < LEAST_OVERLAP) return []
    const { length } = this.#before
    return (this.#places ?? []).map((at) => length - at).filter((overlap) => held.length >= overlap)
  }
}

/** Returns true if the answer continues from this place as the held text does, as far as both go. */
function fits(held: string, before: string, at: number): boolean {
  const length = Math.min(held.length, before.length - at)
  return before.startsWith(held.slice(0, length), at)
}

function placesOf(start: string, before: string): readonly number[] {
  const places: number[] = []
  for (
    let at = before.indexOf(start);
    at >= 0 && places.length <= MOST_PLACES;
    at = before.indexOf(start, at + 1)
  )
    places.push(at)
  return places
}

/** Returns an interrupted answer with its continuation. */
export function joined(before: string, continuation: string): string {
  const seam = new Seam(before)
  return before + seam.push(continuation) + seam.end()
}
