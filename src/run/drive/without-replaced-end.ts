/**
 * Returns the cleaned text of an interrupted answer without a secret or a personal datum at its very end: the rest of it
 * would follow in the continuation, where it could not be found alone.
 * @param given the text before it was cleaned
 */
export function withoutReplacedEnd(given: string, clean: string): string {
  if (clean === given) return clean
  const last = /\S*$/.exec(given)?.[0] ?? ''
  // The last word and the space before it are as they were: what was replaced is complete.
  const from = Math.max(0, given.length - last.length - 1)
  if (from > 0 && clean.endsWith(given.slice(from))) return clean
  let same = 0
  while (same < clean.length && clean[same] === given[same]) same++
  return clean.slice(0, same)
}
