import type { Finding } from '../../../document/finding.ts'
import type { Json, JsonObject } from '../../../document/json.ts'
import { appendStep } from '../../../document/json-pointer.ts'
import { objectAt, textAt } from '../../loose-members.ts'
import { capabilitiesOf } from '../capabilities-of.ts'

/** Only bounded repetitions of single character classes, so that the time is linear in the text. */
const PATTERNS: readonly (readonly [
  what: string,
  pattern: RegExp,
  plausible?: (match: string) => boolean,
])[] = [
  [
    'an e-mail address',
    /(?<![\w.%+-])[\w.%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,6}\.[A-Za-z]{2,24}\b/g,
    // Not an e-mail address: the user name in the SSH address of a Git repository.
    (match) => !match.startsWith('git@'),
  ],
  ['a phone number', /(?<![\w.+-])\+[1-9][\d ().-]{6,20}\d(?![\w-])/g, (match) => digitsOf(match) <= 15],
  ['a social security number', /(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])/g],
  ['a bank account', /(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)/g, isIban],
  ['a card number', /(?<![\w.-])[3-6]\d{3}(?:[ -]?\d{4}){2}[ -]?\d{3,4}(?![\w-])/g, passesLuhn],
]

/** Members of metadata that contain names of people. */
const PERSON_KEY =
  /^(?:[a-z]+[:._-])?(?:operator|owner|author|maintainer|contact|user|person|creator)(?:[_-]?(?:name|email|phone))?$/i

/**
 * Finds personal data in name, descriptions and metadata, because cards are public (§8.6). Messages never repeat the
 * data.
 */
export function* checkPersonalData(card: JsonObject): Iterable<Finding> {
  yield* inText(textAt(card, 'name') ?? '', '/name')
  for (const { pointer, capability } of capabilitiesOf(card)) {
    yield* inText(textAt(capability, 'description') ?? '', `${pointer}/description`)
  }
  yield* inValue(objectAt(card, 'metadata'), '/metadata')
}

function* inValue(value: Json, pointer: string): Iterable<Finding> {
  if (typeof value === 'string') {
    yield* inText(value, pointer)
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* inValue(item, appendStep(pointer, index))
  } else if (value !== null && typeof value === 'object') {
    for (const [name, member] of Object.entries(value as JsonObject)) {
      const place = appendStep(pointer, name)
      const found = [...inText(name, place), ...inValue(member, place)]
      if (found.length === 0 && PERSON_KEY.test(name) && typeof member === 'string' && member !== '') {
        found.push(finding(place, 'this may contain the name of a person', 'info'))
      }
      yield* found
    }
  }
}

function* inText(text: string, pointer: string): Iterable<Finding> {
  // Every pattern needs one of these.
  if (!/[@\d]/.test(text)) return
  for (const [what, pattern, plausible = () => true] of PATTERNS) {
    const matches = text.matchAll(pattern)
    if (matches.some(([match]) => plausible(match)))
      yield finding(pointer, `this contains ${what}`, 'warning')
  }
}

function finding(pointer: string, message: string, severity: 'warning' | 'info'): Finding {
  return {
    severity,
    code: 'PERSONAL_DATA',
    pointer,
    message,
    hint: 'cards are public: remove it unless access to the card is controlled',
    rule: 'CARD-8-08',
  }
}

function digitsOf(text: string): number {
  return text.replaceAll(/\D/g, '').length
}

/** Verifies the check digit of payment cards (ISO/IEC 7812). */
function passesLuhn(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '')
  let sum = 0
  for (const [index, digit] of [...digits].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0 && !/^(\d)\1*$/.test(digits)
}

/** Verifies the check digits of bank accounts (ISO 13616). */
function isIban(text: string): boolean {
  const plain = text.replaceAll(' ', '')
  if (plain.length < 15 || plain.length > 34) return false
  const turned = plain.slice(4) + plain.slice(0, 4)
  let rest = 0
  for (const character of turned) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}
