import { digitsOf } from '../../document/exact-numbers.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import type { CutResult, ToolPort } from '../../run/ports.ts'

/** Default maximum size of a result, in characters of JSON. */
const DEFAULT_CHARS = 100_000
/** Maximum size of the notice, in characters. */
const NOTICE_CHARS = 700
const MOST_PLACES = 5

/**
 * Truncates results that are too large for the context window and adds a notice about the omitted parts, because a
 * model would treat the first page as the complete result.
 */
export function withCutResults(port: ToolPort): ToolPort {
  return {
    async call(request, options) {
      return cutResult(await port.call(request, options), request.tool.max_result_chars ?? DEFAULT_CHARS)
    },
  }
}

/** Returns the value if it fits, else a truncated copy with the beginnings of its long lists and texts. */
export function cutResult(value: Json, maxChars: number): Json | CutResult {
  if (JSON.stringify(value).length <= maxChars) return value
  const cutter = new Cutter()
  const size = cutter.sizeOf(value)
  const result = cutter.cut(value, Math.max(50, maxChars - NOTICE_CHARS), '')
  const { places } = cutter
  const more = places.length > MOST_PLACES ? `; and ${places.length - MOST_PLACES} more places` : ''
  return {
    result_cut: `The result has ${size} characters, which is too large to be shown completely. Omitted: ${places.slice(0, MOST_PLACES).join('; ')}${more}. Request less, or the next part.`,
    result,
  }
}

class Cutter {
  /** The omitted parts, by place. */
  readonly places: string[] = []
  readonly #sizes = new WeakMap<object, number>()

  /** Returns the size of the value in characters of JSON; each part is measured once. */
  sizeOf(value: Json): number {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value).length
    const known = this.#sizes.get(value)
    if (known !== undefined) return known
    let size = 2
    if (Array.isArray(value)) for (const item of value as readonly Json[]) size += this.sizeOf(item) + 1
    else {
      for (const [name, member] of Object.entries(value)) {
        size += JSON.stringify(name).length + 2 + this.sizeOf(member)
      }
    }
    this.#sizes.set(value, size)
    return size
  }

  cut(value: Json, room: number, at: string): Json {
    if (this.sizeOf(value) <= room) return value
    // A part of the digits would be another number.
    if (digitsOf(value) !== undefined) return value
    if (typeof value === 'string') return this.#text(value, room, at)
    if (Array.isArray(value)) return this.#list(value, room, at)
    return this.#members(value as JsonObject, room, at)
  }

  #text(text: string, room: number, at: string): string {
    // Escapes make the JSON longer than the text; halving three times is sufficient for almost all texts.
    let kept = beginning(text, room - 2)
    while (kept !== '' && JSON.stringify(kept).length > room)
      kept = beginning(kept, Math.floor(kept.length * 0.8))
    this.#say(at, `${text.length - kept.length} of ${text.length} characters`)
    return kept
  }

  /** Returns the leading items that fit; the first item is truncated rather than dropped. */
  #list(items: readonly Json[], room: number, at: string): Json {
    const kept: Json[] = []
    let left = room - 2
    for (const item of items) {
      const size = this.sizeOf(item) + 1
      if (size > left) break
      kept.push(item)
      left -= size
    }
    if (kept.length === 0 && items.length > 0) kept.push(this.cut(items[0] as Json, left, `${at}/0`))
    if (kept.length < items.length) this.#say(at, `${items.length - kept.length} of ${items.length} items`)
    return kept
  }

  /** Small members stay complete; the remaining space is divided equally between large members. */
  #members(value: JsonObject, room: number, at: string): Json {
    const entries = Object.entries(value).map(([name, member]) => ({
      name,
      member,
      frame: JSON.stringify(name).length + 2,
    }))
    const shares = new Map<string, number>()
    let left = room - 2
    const bySize = entries.toSorted((a, b) => this.sizeOf(a.member) - this.sizeOf(b.member))
    for (const [index, { name, member, frame }] of bySize.entries()) {
      const share = Math.floor(left / (bySize.length - index)) - frame
      const taken = Math.min(this.sizeOf(member), share)
      if (taken < 4 && taken < this.sizeOf(member)) continue
      shares.set(name, taken)
      left -= taken + frame
    }
    const kept = entries.flatMap(({ name, member }) => {
      const share = shares.get(name)
      return share === undefined ? [] : [[name, this.cut(member, share, `${at}/${name}`)] as const]
    })
    if (kept.length < entries.length)
      this.#say(at, `${entries.length - kept.length} of ${entries.length} members`)
    return Object.fromEntries(kept)
  }

  #say(at: string, what: string): void {
    this.places.push(at === '' ? what : `${what} at ${at.slice(0, 60)}`)
  }
}

/** Never splits a surrogate pair. */
function beginning(text: string, length: number): string {
  const cut = text.slice(0, Math.max(0, length))
  return cut.isWellFormed() || !text.isWellFormed() ? cut : cut.slice(0, -1)
}
