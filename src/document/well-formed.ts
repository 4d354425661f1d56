import type { Json } from './json.ts'
import { mapTexts } from './map-texts.ts'

/**
 * Returns data with U+FFFD in place of each half of a surrogate pair, in texts and in names of members; the same reference
 * if there is none. Strict readers refuse such a half, and with it the whole message.
 */
export function wellFormed<T>(value: T): T {
  return isWellFormed(value) ? value : (mapTexts(value as Json, (text) => text.toWellFormed()) as T)
}

/** Not recursive: a value may be nested deeply. */
function isWellFormed(value: unknown): boolean {
  const pending: unknown[] = [value]
  while (pending.length > 0) {
    const part = pending.pop()
    if (typeof part === 'string' && !part.isWellFormed()) return false
    if (part === null || typeof part !== 'object') continue
    if (Array.isArray(part)) for (const item of part) pending.push(item)
    else
      for (const [name, member] of Object.entries(part)) {
        if (!name.isWellFormed()) return false
        pending.push(member)
      }
  }
  return true
}
