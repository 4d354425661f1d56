import { digitsOf } from '../../document/exact-numbers.ts'
import type { Json } from '../../document/json.ts'
import { foldDecoded } from '../../document/seen-text.ts'
import { SEALED_SOURCE } from '../pii/sealed-value.ts'
import { findAddresses } from './find-address.ts'
import { findHosts, findIps } from './find-host.ts'
import { findAccounts, findPhones } from './find-number.ts'
import { findUncommon } from './find-uncommon.ts'
import { findUrls } from './find-url.ts'
import { type Counts, type DestinationKind, type Found, masked } from './found.ts'
import { namesDestinations, namesRecipients } from './member-name.ts'
import { type Placed, placed } from './placed.ts'

export interface Destination {
  /** The normal form of the destination; for a URL its host. */
  readonly key: string
  readonly kind: DestinationKind
  /** A bare host may also be the name of a file. */
  readonly bare: boolean
}

/**
 * Returns all destinations in a value, including its member names. In doubt, a text is a destination (kind `unclear`).
 * A form that is also ordinary text (`@ada`, `root@localhost`, `0170 1234567`) counts only where it is alone, or in a
 * member that expects destinations, such as `cc` or `webhook_url`.
 * @param path names of the members that hold the value, from the arguments inwards
 */
export function destinationsIn(value: Json, path: readonly string[] = []): readonly Destination[] {
  const digits = digitsOf(value)
  if (digits !== undefined) return destinationsIn(digits, path)
  if (Array.isArray(value)) return value.flatMap((entry) => destinationsIn(entry as Json, path))
  if (value !== null && typeof value === 'object')
    return Object.entries(value).flatMap(([name, inner]) => [
      ...destinationsIn(name),
      ...destinationsIn(inner as Json, [...path, name]),
    ])
  const expected = isExpected(path)
  const used = findIn(textOf(value, expected)).filter((one) => expected || counts(one))
  const byKey = new Map(used.map(({ key, kind }) => [key, { key, kind, bare: kind === 'bare' }]))
  return [...byKey.values()]
}

/** Returns the keys of all texts in a value that may be destinations, to compare the destinations of a call with. */
export function keysIn(value: Json): readonly string[] {
  if (typeof value === 'number' || typeof value === 'string')
    return [
      ...new Set(
        findIn(String(value)).flatMap(({ key, kind }) => (kind === 'email' ? spellings(key) : [key])),
      ),
    ]
  if (value === null || typeof value !== 'object') return []
  const digits = digitsOf(value)
  if (digits !== undefined) return keysIn(digits)
  if (Array.isArray(value)) return value.flatMap((entry) => keysIn(entry as Json))
  return Object.entries(value).flatMap(([name, member]) => [...keysIn(name), ...keysIn(member as Json)])
}

/** `to=ada@ours.example` names `ada@ours.example` as well. */
function spellings(address: string): readonly string[] {
  const common = /[\p{L}\p{N}_.+%-]+@[^@]*$/u.exec(address.slice(-400))?.[0] ?? address
  return common === address ? [address] : [address, common]
}

/**
 * Returns true if a sender would accept the value as a destination or a list of destinations. A sentence that mentions
 * one is not a destination, except in a member that expects destinations.
 * @param path names of the members that hold the value, from the arguments inwards
 */
export function isDestination(value: Json, path: readonly string[] = []): boolean {
  const expected = isExpected(path)
  return findIn(textOf(value, expected)).some((one) => isUsed(one) || (expected && one.kind !== 'bare'))
}

/** Returns true if a text consists of e-mail addresses and phone numbers: only punctuation is between them. */
export function isAddressesOnly(text: string): boolean {
  const found = findIn(text)
  return found.length > 0 && found.every(({ kind, only }) => only && (kind === 'email' || kind === 'phone'))
}

/** A member of an object in `to` holds a part of a recipient. */
function isExpected(path: readonly string[]): boolean {
  return namesDestinations(path.at(-1) ?? '') || path.some(namesRecipients)
}

/** A number is a destination only where one is expected: a phone number without a sign. */
function textOf(value: Json, expected: boolean): string {
  if (typeof value === 'string') return value
  return expected && typeof value === 'number' ? String(value) : ''
}

function counts({ counts: when, kind, alone, others, ends, labelled }: Placed): boolean {
  if (when === 'anywhere') return true
  if (when === 'short') return others <= 2
  // The last address of a list with names of groups: `Ada <a@x>:Team: bob@ y;`.
  return when === 'alone' && (alone || (kind === 'email' && labelled && ends))
}

function isUsed(one: Placed): boolean {
  const { kind, counts: when, alone, only, begins, ends, first } = one
  if (!counts(one)) return false
  if (when !== 'anywhere') return true
  switch (kind) {
    case 'email':
    case 'unclear':
      return begins || ends
    case 'uri':
    case 'handle':
      return begins
    case 'url':
      return first || only
    case 'placeholder':
      return only
    default:
      return alone
  }
}

const PLACEHOLDER = new RegExp(String.raw`\[[a-z][a-z0-9_-]*:\d+\]|${SEALED_SOURCE}`, 'gi')
const HANDLE = /(?<![^\s,;(])#\p{L}[\p{L}\p{N}_-]*|(?<![\p{L}\p{N}])[\p{L}\p{N}_.]{2,32}#\d{4}(?!\d)/gu
const COLOUR = /(?<![\p{L}\p{N}])#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})(?![\p{L}\p{N}_-])/gu
/** Identifiers of users and channels in Slack. */
const MEMBER_ID = /(?<![\p{L}\p{N}])[cdguw]0[0-9a-z]{6,12}(?![\p{L}\p{N}])/gu
/** A word that mail programs decode (RFC 2047). */
const ENCODED_WORD = /=\?[\w*-]{1,40}\?[bq]\?[^\s?]+\?=/gi

/** Finds all texts that may be destinations. Each search sees only what the searches before it left. */
function findIn(original: string): readonly Placed[] {
  const text = destinationText(original)
  let found: readonly Found[] = []
  let rest = text
  const search = (find: (left: string) => readonly Found[]): void => {
    const more = find(rest)
    found = found.concat(more)
    rest = masked(rest, more)
  }
  const matches = (pattern: RegExp, kind: DestinationKind, when: Counts) =>
    search((left) => [...left.matchAll(pattern)].map((match) => foundAt(match, kind, when)))
  matches(PLACEHOLDER, 'placeholder', 'anywhere')
  search(findUrls)
  search((left) => findAddresses(left, text))
  search(findUncommon)
  matches(ENCODED_WORD, 'unclear', 'anywhere')
  search(findIps)
  search(findHosts)
  search(findAccounts)
  search(findPhones)
  matches(COLOUR, 'handle', 'named')
  matches(HANDLE, 'handle', 'alone')
  matches(MEMBER_ID, 'handle', 'named')
  const raw = original.toLowerCase()
  if (raw === text) return placed(text, found)
  // A URL parser reads escapes as they are: `https://ours.example%2f@evil.example`.
  const hosts = findUrls(raw).filter(({ kind }) => kind === 'url')
  const all = found.concat(hosts.map((one) => ({ ...one, start: text.length, end: text.length })))
  return [...placed(text, all), ...placed(raw, escapedAddresses(raw))]
}

/** Finds addresses with backslashes in quotes or comments: `"e\\"v"@ours.example`, which decoding would remove. */
function escapedAddresses(raw: string): readonly Found[] {
  if (!raw.includes('\\')) return []
  return findAddresses(raw, raw).filter(({ start, end }) => raw.slice(start, end).includes('\\'))
}

function foundAt({ 0: key, index }: RegExpExecArray, kind: DestinationKind, when: Counts): Found {
  return { start: index, end: index + key.length, key, kind, counts: when }
}

/** Normalises a text for the search: case, width and invisible characters do not change a destination. */
export function destinationText(text: string): string {
  return foldDecoded(text).text.toLowerCase()
}
