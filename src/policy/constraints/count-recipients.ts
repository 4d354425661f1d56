import { digitsOf } from '../../document/exact-numbers.ts'
import type { Json } from '../../document/json.ts'
import { destinationsIn, isAddressesOnly } from '../destination/destination.ts'
import { jsonWithin } from '../destination/json-within.ts'
import { holdsSender, isFieldOfRecipient, listsPeople, namesRecipients } from '../destination/member-name.ts'

/**
 * Returns the number of recipients of a call: all entries of members that hold recipients (to, cc, bcc), at any depth, and
 * all addresses in the other members, except those of the sender. A text counts there if it consists of addresses, or
 * is a table with an address in each line; JSON within a text is read like arguments.
 */
export function recipientsIn(args: Json): number {
  const { named, others, lone } = countIn(args, '')
  // One address in another member, such as an account, is not a recipient beside named ones.
  return named + (named > 0 && others === 1 && lone ? 0 : others)
}

interface Count {
  /** Entries of members that hold recipients. */
  readonly named: number
  /** Addresses in other members. */
  readonly others: number
  /** False if an address in another member was in a list or a table. */
  readonly lone: boolean
}

const NONE: Count = { named: 0, others: 0, lone: true }

function countIn(value: Json, name: string): Count {
  // What a sender's member nests may be anything, such as the recipients of an answer.
  if (holdsSender(name) && (typeof value !== 'object' || Array.isArray(value))) return NONE
  if (namesRecipients(name)) return { ...NONE, named: entriesIn(value, [name]) }
  if (typeof value === 'string') return countInText(value, name)
  if (typeof value === 'number') return { ...NONE, others: addressesIn(value, [name]) }
  if (value === null || typeof value !== 'object') return NONE
  const digits = digitsOf(value)
  if (digits !== undefined) return { ...NONE, others: addressesIn(digits, [name]) }
  if (Array.isArray(value)) {
    const all = sumOf(value.map((entry) => countIn(entry as Json, name)))
    const people = listsPeople(name) ? value.filter((entry) => typeof entry === 'string').length : 0
    return { ...all, others: Math.max(all.others, people), lone: false }
  }
  return sumOf(
    Object.entries(value).flatMap(([member, inner]) => [
      // An address may be the name of a member.
      { ...NONE, others: isAddressesOnly(member) ? addressesIn(member, ['to']) : 0 },
      countIn(inner as Json, member),
    ]),
  )
}

function sumOf(counts: readonly Count[]): Count {
  return {
    named: sum(counts.map(({ named }) => named)),
    others: sum(counts.map(({ others }) => others)),
    lone: counts.every(({ lone }) => lone),
  }
}

/** A line of a message in its raw form: `Bcc: eve@x.example, bob@x.example`. */
const HEADER = /^[ \t]*(?:resent-)?(?:to|cc|bcc)[ \t]*:(.*(?:\r?\n[ \t]+\S.*)*)/gim

function countInText(text: string, name: string): Count {
  const inside = jsonWithin(text)
  if (inside !== undefined) return countIn(inside, name)
  const headers = sum([...text.matchAll(HEADER)].map(({ 1: entries }) => entriesIn(entries ?? '', ['to'])))
  if (headers > 0) return { ...NONE, named: headers }
  if (isAddressesOnly(text)) {
    const others = Math.max(addressesIn(text, ['to']), partsOf(text).length)
    return { ...NONE, others, lone: others < 2 }
  }
  return { ...NONE, others: addressesInTable(text), lone: false }
}

/** Words of a line of a table beside its address. */
const MOST_WORDS = 12

/** Returns the number of addresses in a text with one in each line, perhaps below a line of titles; otherwise 0. */
function addressesInTable(text: string): number {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '')
  if (lines.length < 2) return 0
  const counts = lines.map((line) => (line.split(/[\s,;|]+/).length > MOST_WORDS ? 0 : addressesIn(line, [])))
  return counts.slice(1).every((count) => count > 0) ? sum(counts) : 0
}

/**
 * Returns the number of entries: an entry of a list counts as its destinations, and at least as one. So do a part of a
 * text, an object, and each name of an object that is not the name of a field of one recipient.
 */
export function entriesIn(value: Json | undefined, path: readonly string[]): number {
  if (value === undefined || value === null || value === false) return 0
  if (Array.isArray(value)) return sum(value.map((entry) => Math.max(1, entriesIn(entry as Json, path))))
  if (typeof value === 'object') {
    const members = Object.entries(value).map(([name, inner]) => {
      const entries = typeof inner === 'object' ? entriesIn(inner as Json, path) : 0
      return isFieldOfRecipient(name) ? entries : Math.max(1, entries)
    })
    return Math.max(1, addressesIn(value, path), sum(members))
  }
  if (typeof value !== 'string') return 1
  const inside = jsonWithin(value)
  if (inside !== undefined) return entriesIn(inside, path)
  return Math.max(partsOf(value).length, addressesIn(value, path))
}

/** Separators of lists in several scripts, and words between the last two. */
const SEPARATOR = /[,;|\t\r\n\u060c\u061b\u3001\uff0c\uff1b]| (?:&|and|und|et|y|e|en|oraz) /i

function partsOf(text: string): readonly string[] {
  // Quotes around a name may contain commas: "Lovelace, Ada" <ada@ours.example>.
  return text
    .replaceAll(/"[^"]*"/g, 'x')
    .split(SEPARATOR)
    .filter((part) => /[\p{L}\p{N}]/u.test(part))
}

function addressesIn(value: Json, path: readonly string[]): number {
  return destinationsIn(value, path).filter(({ bare, kind }) => !bare && kind !== 'url' && kind !== 'host')
    .length
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
