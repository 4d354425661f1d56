import type { Candidate, Searched } from './pii-finding.ts'

const WORD = "\\p{Lu}[\\p{L}'’-]{1,30}"
const NAME = `${WORD}(?: (?:van|von|de|der|den|del|della|di|da|la|le|el|bin) ?${WORD}| ${WORD}){0,3}`
const TITLE =
  '(?:Mr|Mrs|Ms|Miss|Dr|Prof|Herr|Frau|Mme|Mlle|Monsieur|Madame|Sr|Sra|Señor|Señora|Sig|Signor|Signora|Dott|Pan|Pani|Dhr|Mevr)\\.?'
const CUES = [
  `\\b${TITLE}(?: ${TITLE})* (${NAME})`,
  `\\b(?:[Mm]y name is|I am|I'm|[Nn]ame:|[Mm]ein Name ist|[Ii]ch hei(?:ß|ss)e|[Jj]e m'appelle|[Mm]e llamo|[Mm]i chiamo|[Ii]k heet|[Nn]azywam się|[Rr]egards,|[Ss]incerely,|Dear|Hallo|Liebe[r]?|Cher|Chère|Hola) (${NAME})`,
]

/** Finds names, by the words before them. Misses many names and has false positives, so it is opt-in. */
export function findName({ text }: Searched): Candidate[] {
  const found: Candidate[] = []
  for (const cue of CUES) {
    for (const match of text.matchAll(new RegExp(cue, 'gu'))) {
      const name = match[1] as string
      const end = match.index + match[0].length
      found.push({ start: end - name.length, end, kind: 'name', identity: name.toLowerCase() })
    }
  }
  return found
}
