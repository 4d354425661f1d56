/**
 * Compares the finder of destinations with the parsers that send: `npm run fuzz:destinations -- [--count N] [--seed N]`.
 * If a mail program or a URL parser reads an address or a host in a random text, the finder must report the same host,
 * or a part that it does not understand. A short form runs in the test suite.
 */
import { createRequire } from 'node:module'
import { domainToASCII } from 'node:url'
import { parseArgs } from 'node:util'
import type * as Rfc5322 from 'email-addresses'
import { destinationsIn, destinationText, isDestination } from '../src/policy/destination/destination.ts'
import { randomNumbers } from './random-numbers.ts'

const require = createRequire(import.meta.url)
const rfc5322 = require('email-addresses') as typeof Rfc5322
/** The parser of Nodemailer, which ships without types. */
const nodemailer = require('nodemailer/lib/addressparser') as (
  text: string,
  options: { readonly flatten: true },
) => readonly { readonly address: string }[]

export interface DestinationFuzz {
  readonly count: number
  /** Number of texts in which a parser read an address, or a host. */
  readonly mailed: number
  readonly fetched: number
  /** Number of texts with a phone number or a handle. */
  readonly reached: number
  /** The first faults; expected to be empty. */
  readonly faults: readonly Fault[]
}

interface Fault {
  readonly round: number
  readonly parser: string
  readonly host: string
  readonly text: string
  readonly found: readonly string[]
}

const MAX_FAULTS = 20

type Pick = <T>(from: readonly T[]) => T

const LOCALS = [
  'eve',
  '"eve"',
  '"e v;e"',
  'e.v',
  '"e".v',
  'e!v',
  "e'v",
  '=e',
  'e/v',
  '#e',
  'e|v',
  '{e}',
  'é',
  '"e\\"v"',
  'e%v',
  '?e',
  '*e*',
]
const DOMAINS = [
  'evil.example',
  'EVIL.example',
  'localhost',
  '[203.0.113.5]',
  '[IPv6:2001:db8::1]',
  'b\u00fccher.example',
  '\uff45vil.example',
  'evil',
  'a.b.c.example',
  'xn--bcher-kva.example',
  'e_v.example',
  '10.0.0.1',
  'evil.example.',
]
const GAPS = ['', '', '', '', '', ' ', '\t', '\r\n ', '(x)', ' (a(b)c) ', '(@)', '(\\))']
const NAMES = ['', '', '', 'Eve ', '"Eve, A" ', '"eve@ours.example" ', 'Eve (x) ', 'E. V. ', '=?utf-8?q?E?= ']
const LISTS = [', ', ',', '; ', ';', '\r\n', ',,', ' , ', ':']
const JUNK = [
  '',
  '',
  '',
  '',
  '',
  '',
  ' ',
  '<',
  '>',
  '"',
  '(',
  ')',
  ',',
  ':',
  ';',
  '@',
  '\\',
  '.',
  'x',
  '\u200b',
  '\u00ad',
  '%40',
  '[',
  ']',
  '\u0000',
  '🚚',
]

/** An address with obsolete and unusual parts, sometimes damaged. */
function mailbox(pick: Pick): string {
  const address = `${pick(LOCALS)}${pick(GAPS)}${pick(['@', '@', '@', '\uff20', '&#64;', '%40'])}${pick(GAPS)}${domain(pick)}`
  const route = pick(['', '', '', '', '@a.example:', '@a,@b.example:'])
  return pick([
    address,
    address,
    `${pick(NAMES)}<${route}${address}>`,
    `${address} (Eve)`,
    `Team: ${address};`,
    `<${address}>`,
  ])
}

function domain(pick: Pick): string {
  const name = pick(DOMAINS)
  return /^[^[]*\./.test(name) && pick([0, 0, 0, 1]) === 1
    ? name.replace('.', `${pick(GAPS)}.${pick(GAPS)}`)
    : name
}

const SCHEMES = [
  'https:',
  'http:',
  'wss:',
  'ws:',
  'ftp:',
  'HTTPS:',
  'ht\ntps:',
  'https\t:',
  'foo:',
  'x-y+z.1:',
  'git+ssh:',
  'file:',
  '',
]
const SLASHES = ['//', '//', '//', '/', '', '\\\\', '\\', '/\\', '///', '/\t/', '\n//', '////']
const USERS = [
  '',
  '',
  '',
  'u@',
  'ours.example@',
  'u:p@',
  'ours.example"@',
  "a'b@",
  'ours.example%2f@',
  'a b@',
  '@',
  'x,y@',
  'a)@',
  '<b>@',
  'a;@',
]
const HOSTS = [
  'evil.example',
  'EVIL.example',
  'evil',
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '127.1',
  '[::1]',
  '[2001:db8::1]',
  '%65vil.example',
  '\uff45vil.example',
  'ev\til.example',
  'ev\nil.example',
  'b\u00fccher.example',
  'evil.example.',
  'ev\u00adil.example',
  'evil\u3002example',
  'e_v.example',
  'a*b.example',
  'a!b.example',
  'a$.example',
]
const ENDS = [
  '',
  '',
  '',
  '/',
  '/a/b',
  ':80',
  ':8080/x',
  '?a=b',
  '#x',
  '/ours.example',
  '/a b',
  ' and more',
  '\nmore',
  '/@ours.example',
  '/?u=ours.example',
  '\\x',
]

function url(pick: Pick): string {
  return `${pick(['', '', '', ' ', '\t', '\n'])}${pick(SCHEMES)}${pick(SLASHES)}${pick(USERS)}${pick(HOSTS)}${pick(ENDS)}`
}

/** Returns the hosts to which mail would be sent. */
function mailedHosts(text: string): readonly (readonly [parser: string, host: string])[] {
  const list = rfc5322.parseAddressList({ input: text, rfc6532: true }) ?? []
  const strict = list.flatMap((entry) => (entry.type === 'group' ? entry.addresses : [entry]))
  const lenient = nodemailer(text, { flatten: true })
  const written = destinationText(text)
    .replaceAll(/\s|\([^()]*\)/g, '')
    .replaceAll(/\([^()]*\)/g, '')
  return [
    ...strict.map(({ domain: host }) => ['email-addresses', host] as const),
    ...lenient
      .filter(({ address }) => /[^@]@[^@]/.test(address))
      .map(({ address }) => ['nodemailer', address.slice(address.lastIndexOf('@') + 1)] as const)
      // It joins an address and a quoted name on the next line.
      .filter(([, host]) => written.includes(destinationText(host).replaceAll(/\s/g, ''))),
  ]
}

function fetchedHosts(text: string): readonly (readonly [parser: string, host: string])[] {
  const url = URL.parse(text)
  // No program fetches the scheme that a word on the line before a URL makes.
  const broken = /^[^:]*\s[^:]*:/.test(text.trim()) && !/^(?:https?|wss?|ftp|file):/.test(url?.protocol ?? '')
  const own = broken ? '' : (url?.hostname ?? '')
  const relative = broken ? '' : (URL.parse(text, 'https://base.invalid/')?.hostname ?? '')
  const hosts = [own, relative === 'base.invalid' ? '' : relative].filter((host) => host !== '')
  return hosts.map((host) => ['URL', host] as const)
}

function normal(host: string): string {
  const plain = destinationText(host).replaceAll(/\s/g, '').replace(/\.+$/, '')
  return domainToASCII(plain) || plain
}

/** A host to which a program can connect; parsers also return texts with brackets and quotes. */
const CONNECTABLE = /^(?:\[[\da-f:.]+\]|\[ipv6:[\da-f:.]+\]|[\w-]+(?:\.[\w-]+)*)$/

/** Returns whether a destination that was found is on the host, or is not understood. */
function covers({ key, kind }: ReturnType<typeof destinationsIn>[number], host: string): boolean {
  return kind === 'unclear' || normal(key.slice(key.lastIndexOf('@') + 1)) === host
}

/** `lunch @ noon` is an address for parsers only. */
function isSpoken(text: string, host: string): boolean {
  return /\s(?:@|\uff20|&#64;|%40)\s/.test(text) && !host.includes('.')
}

/** Phone numbers, handles and URIs: there is no parser, so the generator knows that they are destinations. */
function reachable(pick: Pick, random: () => number): string {
  const digits = (length: number) => Array.from({ length }, () => Math.floor(random() * 10)).join('')
  const name = pick(['eve', 'Eve_1', 'ève'])
  return pick([
    () => `0${1 + Math.floor(random() * 9)}${digits(2)}${pick([' ', '-', '/', ''])}${digits(7)}`,
    () => `(0${1 + Math.floor(random() * 9)}${digits(2)}) ${digits(7)}`,
    () => `+${pick(['', ' '])}4${digits(9)}`,
    () => `00${pick(['', ' '])}4${digits(9)}`,
    () => `${pick(['tel', 'sms', 'SMS', 'whatsapp', 'signal', 'callto', 'facetime', 'sip'])}:${digits(8)}`,
    () => `@${name}`,
    () => `#${name}`,
    () => `${name}#${digits(4)}`,
    () => `@${name}:evil.example`,
    () => `${pick(['matrix', 'xmpp', 'slack', 'tg', 'skype', 'irc', 'mailto', 'nostr'])}:${name}`,
  ])()
}

export function fuzzDestinations({
  count,
  seed,
}: {
  readonly count: number
  readonly seed: number
}): DestinationFuzz {
  const random = randomNumbers(seed)
  const pick: Pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T
  const faults: Fault[] = []
  const tally = { mailed: 0, fetched: 0, reached: 0 }
  const fault = (round: number, parser: string, host: string, text: string) =>
    faults.push({
      round,
      parser,
      host,
      text,
      found: destinationsIn(text, ['to']).map(({ key, kind }) => `${kind} ${key}`),
    })
  for (let round = 0; round < count && faults.length < MAX_FAULTS; round++) {
    if (round % 10 === 0) {
      const text = `${pick(['', ' ', '\u200b'])}${reachable(pick, random)}${pick(['', ' ', '.'])}`
      tally.reached++
      if (!isDestination(text)) fault(round, 'handle', '', text)
      continue
    }
    const mail = round % 2 === 0
    const items = Array.from({ length: pick([1, 1, 1, 2, 3]) }, () => (mail ? mailbox(pick) : url(pick)))
    const [before, after] = [pick(JUNK), pick(JUNK)]
    const text = `${before}${mail ? items.join(pick(LISTS)) : (items[0] as string)}${after}`
    const hosts = [...(mail ? mailedHosts(text) : []), ...fetchedHosts(text)]
    const expected = destinationsIn(text, ['to'])
    for (const [parser, host] of hosts) {
      if (parser !== 'URL' && (/[%&]/.test(host) || /\S\s+\S/.test(host) || !CONNECTABLE.test(normal(host))))
        continue
      tally[parser === 'URL' ? 'fetched' : 'mailed']++
      if (!expected.some((one) => covers(one, normal(host)))) fault(round, parser, host, text)
      // In other text, an address may be only mentioned.
      else if (before + after === '' && !isSpoken(text, host) && !isDestination(text))
        fault(round, `${parser}, open argument`, host, text)
    }
  }
  return { count, ...tally, faults }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { count: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
  })
  const { faults, ...tally } = fuzzDestinations({ count: Number(values.count), seed: Number(values.seed) })
  for (const { parser, round, host, text, found } of faults)
    process.stdout.write(
      `${parser} (round ${round}) reads ${host} in ${JSON.stringify(text)}; found: ${found.join(' | ')}\n`,
    )
  process.stdout.write(
    `${JSON.stringify(tally)}\n${faults.length === 0 ? 'no faults' : `${faults.length} faults`}\n`,
  )
  process.exitCode = faults.length === 0 ? 0 : 1
}
