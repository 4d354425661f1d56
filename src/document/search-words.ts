/** What a person or a model wants to do with a resource. */
export type Intent = 'create' | 'list' | 'get' | 'update' | 'delete'

/** Words of a sentence that say nothing about an operation. */
const WITHOUT_MEANING: ReadonlySet<string> = new Set(
  `a an the of in on at to for from by with within without and or is are be been was it its this that these those my your
  our their his her me i we you they please want need would like can could should how do does did which who whom what
  whose there here into onto as about given some any another other one existing specific particular via using use also
  only just now so then than if when where`.split(/\s+/),
)

/** Verbs that every API has; they name no operation. */
const INTENTS: Readonly<Record<Intent, string>> = {
  create: 'create add new make register insert',
  list: 'list all every browse enumerate index find',
  get: 'get read show view fetch retrieve describe display look see',
  update: 'update edit change modify set patch alter adjust replace put',
  delete: 'delete remove drop destroy erase',
}

/** Verbs that are often the name of an operation too: `assignIssue`, `/invoices/{id}/send`. */
const ACTS: Readonly<Record<Intent, string>> = {
  create: 'post submit upload publish start open issue send invite give attach start log refund fork link',
  list: 'search query',
  get: 'detail info check download single current',
  update: 'rename assign move mark close reopen archive lock scale rotate resize merge',
  delete: 'cancel revoke clear unassign detach unlink',
}

const INTENT_OF = intentsBy(INTENTS)
const ACT_OF = intentsBy(ACTS)

function intentsBy(verbs: Readonly<Record<Intent, string>>): ReadonlyMap<string, Intent> {
  return new Map(
    (Object.entries(verbs) as [Intent, string][]).flatMap(([intent, words]) =>
      words.split(' ').map((word): [string, Intent] => [stem(word), intent]),
    ),
  )
}

/** Other words for the same thing, as documents of different APIs write them; each group is of stems. */
const SAME: readonly (readonly string[])[] = [
  ['repository', 'repo'],
  ['organization', 'organisation', 'org'],
  ['status', 'state', 'transition'],
  ['move', 'transition'],
  ['close', 'state'],
  ['reopen', 'state'],
  ['picture', 'image', 'photo', 'avatar'],
  ['ticket', 'issue'],
  ['person', 'user', 'member'],
  ['bill', 'invoice'],
  ['money', 'payment', 'balance'],
  ['pay', 'payment', 'charge'],
  ['picture', 'image'],
  ['file', 'attachment', 'content'],
  ['rights', 'permission'],
  ['scale', 'replica'],
  ['restart', 'reboot'],
  ['mail', 'email'],
  ['phone', 'telephone'],
  ['message', 'chat'],
  ['folder', 'directory'],
  ['price', 'cost'],
  ['log', 'logs'],
]

const RELATED: ReadonlyMap<string, ReadonlySet<string>> = relatedWords()

function relatedWords(): ReadonlyMap<string, ReadonlySet<string>> {
  const related = new Map<string, Set<string>>()
  for (const group of SAME) {
    const stems = group.map(stem)
    for (const word of stems) {
      const others = related.get(word) ?? new Set()
      for (const other of stems) if (other !== word) others.add(other)
      related.set(word, others)
    }
  }
  return related
}

/** Splits `listPetsByStatus`, `list-pets` and `/pets/{status}` into words, and returns their stems. */
export function stemsOf(text: string): readonly string[] {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map(stem)
}

/** Removes the ending of a plural. */
function stem(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (word.length > 4 && /(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2)
  return word.length > 3 && /[^siu]s$/.test(word) ? word.slice(0, -1) : word
}

export interface SearchedWords {
  /** The stems of the words that name things; those that say what to do, if there are no others. */
  readonly things: readonly string[]
  readonly intent: Intent | undefined
  /** Whether the sentence speaks of several things. */
  readonly isPlural: boolean
}

/** Reads the words of a search. */
export function readSearch(query: string): SearchedWords {
  const words = query
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !WITHOUT_MEANING.has(word))
  const stems = words.map(stem)
  const things = stems.filter((word) => !INTENT_OF.has(word))
  // The first verb decides. A word that can be a thing too is a verb at the beginning only: "issue a refund".
  const verb = stems.find(
    (word, index) => INTENT_OF.has(word) || (ACT_OF.has(word) && (index === 0 || !NOUNS.has(word))),
  )
  const intent = verb === undefined ? undefined : (INTENT_OF.get(verb) ?? ACT_OF.get(verb))
  return {
    things: [...new Set(things.length === 0 ? stems : things)],
    intent,
    isPlural: words.some((word, index) => stems[index] !== word && things.includes(stems[index] ?? '')),
  }
}

/** Words of acts that are also names of things. */
const NOUNS: ReadonlySet<string> = new Set(
  'issue post query search detail start mark log link fork refund lock scale info current single'.split(' '),
)

/** Returns how well a word of a search fits a word of an operation: 1 if they are equal, 0 if they have nothing in common. */
export function likeness(word: string, other: string): number {
  if (word === other) return 1
  if (RELATED.get(word)?.has(other) === true) return 0.8
  const [shorter, longer] = word.length < other.length ? [word, other] : [other, word]
  if (shorter.length >= 4 && longer.startsWith(shorter)) return 0.7
  // "cancelled" and "cancellation", "namespaced" and "namespace".
  const common = shorter.length >= 6 ? shorter.slice(0, -2) : ''
  return common !== '' && longer.startsWith(common) ? 0.5 : 0
}

/** Returns what a word says about the kind of an operation, such as `get` in `getPet`. */
export function intentOf(word: string): Intent | undefined {
  return INTENT_OF.get(word)
}
