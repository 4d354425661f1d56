import { digitsOf } from '../../document/exact-numbers.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import { destinationText, isDestination } from '../destination/destination.ts'
import { namesDestinations, namesRecipients } from '../destination/member-name.ts'
import type { ConstraintRule } from './constraint-rule.ts'
import { entriesIn, recipientsIn } from './count-recipients.ts'
import { showsPhrase } from './phrase.ts'

/** A tool call, with the history of the run, as input of a rule. */
export interface CallInQuestion {
  readonly tool: string
  readonly args: JsonObject
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Returns the number of earlier calls of each tool in this run. */
  readonly called: (tool: string) => number
  /** Returns true if a call of the tool has succeeded in this run. */
  readonly succeeded: (tool: string) => boolean
}

/** Returns how a tool call violates a rule, or null. */
export function breachOfCall(rule: ConstraintRule, call: CallInQuestion): string | null {
  if ('tool' in rule && rule.tool !== null && rule.tool !== call.tool) return null
  switch (rule.kind) {
    case 'never_call':
      return `${call.tool} must never be called`
    case 'call_after':
      return call.succeeded(rule.first) ? null : `${rule.first} must succeed before ${call.tool} is called`
    case 'call_count':
      return call.called(call.tool) >= rule.max
        ? `${call.tool} may be called at most ${rule.max} times in a run, which is used up`
        : null
    case 'call_time':
      return inWindow(rule, call.at) ? null : `${call.tool} may not be called at this time`
    case 'items': {
      const size =
        rule.tool === null
          ? recipientsIn(call.args)
          : entriesIn(argumentAt(call.args, rule.argument), rule.argument.split('.'))
      const what =
        rule.tool === null ? `the call has ${size} recipients` : `${rule.argument} has ${size} entries`
      return size > rule.max ? `${what}, but at most ${rule.max} are allowed` : null
    }
    case 'argument':
      return argumentFits(rule, argumentAt(call.args, rule.argument))
        ? null
        : `${rule.argument} does not meet the condition of the rule`
    case 'contains':
      // A phrase that an answer must not contain must not be sent in a call either.
      return !rule.must && textsIn(call.args).some((text) => showsPhrase(text, rule.phrase))
        ? `the arguments contain ${JSON.stringify(rule.phrase)}`
        : null
    default:
      return null
  }
}

/** Returns all strings in the arguments of a call: values and member names. */
function textsIn(value: Json): readonly string[] {
  if (value === null || typeof value !== 'object') return [String(value)]
  if (Array.isArray(value)) return value.flatMap((entry) => textsIn(entry as Json))
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member as Json)])
}

function inWindow(rule: Extract<ConstraintRule, { kind: 'call_time' }>, at: number): boolean {
  const date = new Date(at)
  const minute = date.getUTCHours() * 60 + date.getUTCMinutes()
  const day = date.getUTCDay()
  if (rule.weekdays && (day === 0 || day === 6)) return false
  return rule.from <= rule.to
    ? minute >= rule.from && minute < rule.to
    : minute >= rule.from || minute < rule.to
}

function argumentAt(args: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = args
  for (const step of path.split('.')) {
    if (value === null || typeof value !== 'object' || Array.isArray(value) || !Object.hasOwn(value, step))
      return undefined
    value = (value as JsonObject)[step]
  }
  return value
}

type ArgumentRule = Extract<ConstraintRule, { kind: 'argument' }>

function argumentFits(rule: ArgumentRule, value: Json | undefined): boolean {
  // Every entry of a list must match; a missing argument does not match.
  if (Array.isArray(value))
    return value.length > 0 && value.every((entry) => argumentFits(rule, entry as Json))
  const digits = digitsOf(value)
  if (digits !== undefined) return argumentFits(rule, rule.test === 'below' ? Number(digits) : digits)
  if (rule.test === 'below') return typeof value === 'number' && value <= Number(rule.value)
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return false
  const text = String(value).trim().toLowerCase()
  const wanted = rule.value.trim().toLowerCase()
  if (wanted.startsWith('@') && rule.test === 'ends') return isListOfAddresses(text, wanted)
  if (text === wanted) return true
  if (!isListOf(rule, wanted)) return matches(rule, text, wanted)
  const parts = text.split(/[,;\r\n]/).map((part) => part.trim())
  const words = /\s/.test(wanted) ? parts : parts.flatMap((part) => part.split(/\s+/))
  return words.every((part) => matches(rule, part, wanted))
}

function matches({ test }: ArgumentRule, text: string, wanted: string): boolean {
  if (test === 'is') return text === wanted
  if (test === 'ends') return text.endsWith(wanted)
  return hostOf(wanted) === '' ? text.startsWith(wanted) : isBelowUrl(text, wanted)
}

/** Returns the host of a URL with slashes; empty for other texts. */
function hostOf(text: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? (URL.parse(text)?.host ?? '') : ''
}

/**
 * Returns true if the text is one URL of the same scheme and host whose path begins as wanted. The beginning of the
 * text alone does not fix the host: `https://ours.example.evil.example`, `https://ours.example@evil.example`.
 */
function isBelowUrl(text: string, wanted: string): boolean {
  const [url, start] = [URL.parse(text), URL.parse(wanted)]
  if (url === null || start === null || !PLAIN_URL.test(text)) return false
  const [path, from] = [url, start].map(({ pathname, search }) => `${pathname}${search}`) as [string, string]
  return (
    `${url.protocol}//${url.host}` === `${start.protocol}//${start.host}` &&
    url.username + url.password === start.username + start.password &&
    path.startsWith(from)
  )
}

/** Without characters that parsers of URLs read in different ways, or that separate URLs. */
const PLAIN_URL = /^[^\s\\|<>"]+$/

/** Recipients, URLs and other destinations may be a list in one text. */
function isListOf({ argument }: ArgumentRule, wanted: string): boolean {
  const path = argument.split('.')
  return namesDestinations(path.at(-1) ?? '') || path.some(namesRecipients) || isDestination(wanted)
}

/** An address without quotes, comments and routes, which senders read in different ways. */
const PLAIN_ADDRESS = /^[\p{L}\p{N}\p{M}_.+'=~&-]+@[\p{L}\p{N}\p{M}.-]+$/u

/** Returns true if the text consists of addresses that all end as wanted. */
function isListOfAddresses(text: string, ending: string): boolean {
  const parts = destinationText(text).split(/[\s,;]+/)
  return parts.every((part) => {
    const address = /^<([^<>]*)>$/.exec(part)?.[1] ?? part
    return PLAIN_ADDRESS.test(address) && address.endsWith(ending)
  })
}
