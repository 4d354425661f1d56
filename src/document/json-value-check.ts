import type { Json, JsonObject } from './json.ts'

/** Properties of a parsed value that reveal losses against its text. */
export interface ValueCheck {
  /** Number of members after parsing; fewer than in the text means duplicate names. Of no use when `tooDeep`. */
  readonly members: number
  /** Whether the value is nested too deep. A duplicate name can hide depth that the text has. */
  readonly tooDeep: boolean
  /** True if a string, name or number may not be exact, so that the text needs a second, slower check. */
  readonly suspect: boolean
  /**
   * True if a name contains a backslash, so that it may differ from the text: V8 compares an escaped name with the
   * names of earlier objects, and takes the beginning of `\\u0061` for the name `\\` (nodejs/node#63785).
   */
  readonly misread: boolean
}

/** Checks the value that `JSON.parse` returned for `text`, in one walk of at most `maxDepth` levels. */
export function checkValue(value: Json, text: string, maxDepth: number): ValueCheck {
  const look = new ValueLook(maxDepth, text)
  look.visit(value, 0)
  // `for … in` also visits members that a library added to every object; then the count is wrong.
  if (Object.keys(Object.prototype).length > 0) look.suspect = true
  return look
}

/**
 * Returns an upper bound of the number of members in a valid JSON text, and nearly always the exact number. Counts each
 * `:` after a quote or white space: this includes every colon between a name and its value, and few colons in strings.
 */
export function mostMembers(text: string): number {
  let colons = 0
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    const before = text.charCodeAt(at - 1)
    if (before === 0x22 || before <= 0x20) colons++
  }
  return colons
}

/** Returns true if a string may contain half of a surrogate pair, written directly or as an escape. */
function mayHoldHalfCharacters(text: string): boolean {
  return !text.isWellFormed() || (text.includes('\\u') && /\\u[dD][89a-fA-F]/.test(text))
}

class ValueLook implements ValueCheck {
  members = 0
  tooDeep = false
  suspect = false
  misread = false
  readonly #maxDepth: number
  readonly #halves: boolean
  readonly #escapes: boolean

  constructor(maxDepth: number, text: string) {
    this.#maxDepth = maxDepth
    this.#halves = mayHoldHalfCharacters(text)
    this.#escapes = text.includes('\\')
  }

  visit(value: Json, depth: number): void {
    if (typeof value === 'string') {
      if (this.#halves && !value.isWellFormed()) this.suspect = true
    } else if (typeof value === 'number') {
      if (!isExact(value)) this.suspect = true
    } else if (value !== null && typeof value === 'object') {
      if (depth >= this.#maxDepth) this.tooDeep = true
      else if (Array.isArray(value)) for (const item of value) this.visit(item, depth + 1)
      else this.#members(value as JsonObject, depth)
    }
  }

  #members(object: JsonObject, depth: number): void {
    for (const name in object) {
      this.members++
      if (this.#halves && !name.isWellFormed()) this.suspect = true
      if (this.#escapes && name.includes('\\')) this.misread = true
      this.visit(object[name] as Json, depth + 1)
    }
  }
}

/** Returns true if a number is certainly exact: finite, and within 2^53 if it is an integer. */
export function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
}
