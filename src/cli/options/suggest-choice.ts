import { suggest } from '../../document/suggest.ts'

/** Returns the choice that is probably meant: one whose last part is this word, such as `aaif.agent`, or a similar one. */
export function suggestChoice(word: string, choices: readonly string[]): string | undefined {
  const [choice, ...others] = choices.filter((name) => name.split('.').at(-1) === word.toLowerCase())
  return choice !== undefined && others.length === 0 ? choice : suggest(word, choices)
}
