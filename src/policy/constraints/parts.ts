/** A part of a text, by UTF-16 offsets; `end` is exclusive. */
export interface Part {
  readonly start: number
  readonly end: number
}

/** Returns the text with `[removed]` in place of each part; parts that overlap or adjoin become one. */
export function withoutParts(text: string, parts: readonly Part[]): string {
  let cleaned = ''
  let from = 0
  for (const { start, end } of merged(parts)) {
    cleaned += `${text.slice(from, start)}[removed]`
    from = end
  }
  return cleaned + text.slice(from)
}

function merged(parts: readonly Part[]): readonly Part[] {
  const kept: Part[] = []
  for (const part of parts.toSorted((a, b) => a.start - b.start)) {
    const last = kept.at(-1)
    if (last === undefined || part.start > last.end) kept.push(part)
    else if (part.end > last.end) kept[kept.length - 1] = { start: last.start, end: part.end }
  }
  return kept
}
