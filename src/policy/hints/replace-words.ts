/** The words of one door by those of another: the first that fits is replaced first. */
export type DoorWords = readonly (readonly [words: RegExp, own: string])[]

/** Returns a text in the words of another door. */
export function replaceWords(text: string, words: DoorWords): string {
  return words.reduce((all, [found, own]) => all.replace(found, own), text)
}

/**
 * Returns a hint without the parts that name a way which this door does not have. Parts are separated by `;`, by `, or`
 * and by ` or `.
 * @param foreign finds such a way
 * @param otherwise the hint if nothing is left
 */
export function withoutForeign(hint: string, foreign: RegExp, otherwise: string): string {
  if (!foreign.test(hint)) return hint
  const [first = '', ...others] = hint.split(/(; |, or | or )/)
  const parts = [['', first], ...pairs(others)].filter(([, part = '']) => !foreign.test(part))
  const left = parts.map(([link, part], index) => (index === 0 ? part : `${link}${part}`)).join('')
  return left.trim() === '' ? otherwise : left
}

function pairs(list: readonly string[]): readonly (readonly string[])[] {
  return list.flatMap((item, index) => (index % 2 === 0 ? [[item, list[index + 1] ?? '']] : []))
}
