/** Scripts that have letters that look like letters of another one. */
const ALIKE: readonly (readonly [name: string, letter: RegExp])[] = [
  ['Latin', /\p{sc=Latin}/u],
  ['Greek', /\p{sc=Greek}/u],
  ['Cyrillic', /\p{sc=Cyrillic}/u],
  ['Armenian', /\p{sc=Armenian}/u],
  ['Georgian', /\p{sc=Georgian}/u],
  ['Hebrew', /\p{sc=Hebrew}/u],
  ['Cherokee', /\p{sc=Cherokee}/u],
  ['Coptic', /\p{sc=Coptic}/u],
  ['Lisu', /\p{sc=Lisu}/u],
  ['Tifinagh', /\p{sc=Tifinagh}/u],
  ['Canadian', /\p{sc=Canadian_Aboriginal}/u],
]

/** A word, an address or the name of a host. */
const WORD = /[\p{L}\p{M}\p{N}_.@-]+/gu
const OTHER_LETTER = /[^\p{ASCII}\P{L}]/u
const MOST = 20

/** A word whose letters are of several scripts that look alike, as in `pаypal` with a Cyrillic `а`. */
export interface MixedWord {
  readonly word: string
  /** In the order of the word: `Latin`, `Cyrillic`. */
  readonly scripts: readonly string[]
}

/** Returns the words of a text that mix scripts, each once and at most 20. Linear. */
export function mixedWords(text: string): readonly MixedWord[] {
  const found = new Map<string, MixedWord>()
  if (!OTHER_LETTER.test(text)) return []
  for (const [word] of text.matchAll(WORD)) {
    if (found.size >= MOST) break
    if (found.has(word) || !OTHER_LETTER.test(word)) continue
    const scripts = ALIKE.map(([name, letter]) => ({ name, at: word.search(letter) }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at)
      .map(({ name }) => name)
    if (scripts.length > 1) found.set(word, { word, scripts })
  }
  return [...found.values()]
}
