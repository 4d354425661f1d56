import { isIPv6 } from 'node:net'
import { type Counts, type DestinationKind, type Found, masked } from './found.ts'

/** A port, and a path or a query, behind a host. */
const TAIL = String.raw`(?<tail>(?::\d{1,6}(?![\d:]))?(?:[/?#][^\s"'<>\])},;]*)?)`
/** A port or a path. A fragment also follows the name of a file: `guide.md#start`. */
const PATH = /^(?::\d|[/?])./
const BEGIN = String.raw`(?<![\p{L}\p{N}.-])`
const IPV4 = new RegExp(String.raw`\b(?<host>\d{1,3}(?:\.\d{1,3}){3})\b${TAIL}`, 'gu')
const BRACKETS = new RegExp(String.raw`(?<host>\[[0-9a-f:.]{2,45}(?:%[\w.-]{1,20})?\])${TAIL}`, 'gu')
const IPV6 = /(?<![\p{L}\p{N}:.])[0-9a-f:.]+(?:%[\w.-]{1,20})?(?![\p{L}\p{N}])/gu
/** The longest IPv6 address, in characters. */
const LONGEST_IP = 45
const HOST = new RegExp(
  String.raw`${BEGIN}(?<host>(?:[\p{L}\p{N}-]+\.)+\p{L}{2,})(?![\p{L}\p{N}])${TAIL}`,
  'gu',
)
const LOCALHOST = new RegExp(String.raw`${BEGIN}(?<host>localhost)(?![\p{L}\p{N}.-])${TAIL}`, 'gu')
/** A host in a form that only a URL parser reads: `0x7f000001/x`, `2130706433:80`. */
const NUMBER = new RegExp(
  String.raw`(?<![\p{L}\p{N}./:-])(?<host>0x[0-9a-f]{1,8}|\d{8,10}|\d{1,3}\.\d{1,8})${TAIL}`,
  'gu',
)

/** Finds IP addresses; an IPv6 address with or without brackets. */
export function findIps(text: string): readonly Found[] {
  const long = text.includes(':') ? longIps(text) : []
  // The end of an IPv6 address may look like an IPv4 address.
  const short = [...masked(text, long).matchAll(IPV4)].map((match) => hostAt(match, 'ip', 'anywhere'))
  return [...long, ...short]
}

function longIps(text: string): readonly Found[] {
  const found = [...text.matchAll(BRACKETS)]
    .filter(({ 0: whole }) => whole.includes(':'))
    .map((match) => hostAt(match, 'ip', 'anywhere'))
  for (const { 0: run, index } of masked(text, found).matchAll(IPV6)) {
    const zone = run.indexOf('%')
    const plain = zone < 0 ? run : run.slice(0, zone)
    const address = /[^:]:$|\.$/.test(plain.slice(-2)) ? plain.slice(0, -1) : plain
    if (address.length < 3 || address.length > LONGEST_IP || !isIPv6(address)) continue
    const end = index + (zone < 0 ? address.length : run.length)
    found.push({ start: index, end, key: `[${address}]`, kind: 'ip', counts: 'anywhere' })
  }
  return found
}

/** Finds hosts. A host with a port or a path, or behind a sign or a colon, is not the name of a file. */
export function findHosts(text: string): readonly Found[] {
  const found = [...text.matchAll(HOST)].map((match): Found => {
    const before = text[match.index - 1] ?? ' '
    const path = PATH.test(match.groups?.tail ?? '') && before !== '/' && before !== '\\'
    return hostAt(match, path || before === '@' || before === ':' ? 'host' : 'bare', 'anywhere')
  })
  for (const match of text.matchAll(LOCALHOST)) found.push(hostAt(match, 'host', 'alone'))
  for (const match of text.matchAll(NUMBER))
    if (PATH.test(match.groups?.tail ?? '')) found.push(hostAt(match, 'host', 'alone'))
  return found
}

function hostAt(match: RegExpExecArray, kind: DestinationKind, counts: Counts): Found {
  const { 0: whole, index, groups } = match
  return { start: index, end: index + whole.length, key: groups?.host ?? whole, kind, counts }
}
