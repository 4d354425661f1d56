import type { Json, JsonObject } from '../../document/json.ts'
import type { ConstraintRule } from './constraint-rule.ts'

type Format = Extract<ConstraintRule, { kind: 'format' }>['format']

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

/** Returns how an answer violates a rule, as text for a model, or null. */
export function breachOfAnswer(rule: ConstraintRule, text: string): string | null {
  switch (rule.kind) {
    case 'length': {
      const length = lengthIn(text, rule.unit)
      return length > rule.max ? `it has ${length} ${rule.unit}, but at most ${rule.max} are allowed` : null
    }
    case 'contains': {
      const found = shows(text, rule.phrase) || (!rule.must && shows(unescaped(text), rule.phrase))
      if (found === rule.must) return null
      return rule.must
        ? `it must contain ${JSON.stringify(rule.phrase)}`
        : `it contains ${JSON.stringify(rule.phrase)}`
    }
    case 'format':
      return breachOfFormat(rule.format, text)
    default:
      return null
  }
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
      const size = sizeOf(call.args[rule.argument])
      return size > rule.max
        ? `${rule.argument} has ${size} entries, but at most ${rule.max} are allowed`
        : null
    }
    case 'argument':
      return argumentFits(rule, argumentAt(call.args, rule.argument))
        ? null
        : `${rule.argument} does not meet the condition of the rule`
    case 'contains':
      // A phrase that an answer must not contain must not be sent in a call either.
      return !rule.must &&
        textsIn(call.args).some((text) => shows(text, rule.phrase) || shows(unescaped(text), rule.phrase))
        ? `the arguments contain ${JSON.stringify(rule.phrase)}`
        : null
    default:
      return null
  }
}

/** Returns the answer without the violating parts, or null if they cannot be removed. */
export function redactAnswer(rule: ConstraintRule, text: string): string | null {
  switch (rule.kind) {
    case 'contains':
      return rule.must ? null : withoutPhrase(text, rule.phrase)
    case 'length':
      return shortened(text, rule)
    case 'format':
      return reformatted(text, rule.format)
    default:
      return null
  }
}

function reformatted(text: string, format: Format): string | null {
  switch (format) {
    case 'no_links':
      return text.replaceAll(LINK, '[removed]')
    case 'one_line':
      return text.replaceAll(/\s*\n\s*/g, ' ').trim()
    case 'lower_case':
      return text.toLowerCase()
    case 'json':
    case 'no_markdown':
      return null
  }
}

const LINK = /\b(?:https?:\/\/|www\.)\S+/gi

/** Format characters, and an invisible joiner that is not a format character. */
const INVISIBLE = /\p{Cf}|\u034f/gu

/** Ignores case, width and invisible characters, so that a zero-width space cannot hide a phrase. */
function comparable(text: string): string {
  return text.normalize('NFKC').replaceAll(INVISIBLE, '').replaceAll(/\s+/g, ' ').toLowerCase()
}

function shows(text: string, phrase: string): boolean {
  return comparable(text).includes(comparable(phrase))
}

/** Returns all strings in the arguments of a call: values and member names. */
function textsIn(value: Json): readonly string[] {
  if (value === null || typeof value !== 'object') return [String(value)]
  if (Array.isArray(value)) return value.flatMap((entry) => textsIn(entry as Json))
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member as Json)])
}

/** Decodes JSON escapes, because a reader of JSON sees the decoded characters. JSON within JSON is escaped twice. */
function unescaped(text: string): string {
  return text.replaceAll(/\\+(?:[uU]([0-9a-fA-F]{4})|([nrtf])|(["/]))/g, (_, code, space, character) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
    return space === undefined ? character : ' '
  })
}

function withoutPhrase(text: string, phrase: string): string | null {
  const words = comparable(phrase)
    .split(' ')
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const plain = text.normalize('NFKC').replaceAll(INVISIBLE, '')
  const cleaned = plain.replaceAll(new RegExp(words.join('\\s+'), 'gi'), '[removed]')
  return comparable(cleaned).includes(comparable(phrase)) ? null : cleaned
}

/**
 * Sentences with the white space before them. A punctuation mark within a word, as in `1.50`, does not end a sentence.
 */
function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.!?])(?=\s)/).filter((part) => /[^.!?\s]/.test(part))
}

function lengthIn(text: string, unit: 'characters' | 'words' | 'sentences' | 'lines'): number {
  switch (unit) {
    case 'characters':
      return [...text].length
    case 'words':
      return text.split(/\s+/).filter((word) => word !== '').length
    case 'sentences':
      return sentencesOf(text).length
    case 'lines':
      return text.split('\n').filter((line) => line.trim() !== '').length
  }
}

function shortened(
  text: string,
  { max, unit }: { readonly max: number; readonly unit: 'characters' | 'words' | 'sentences' | 'lines' },
): string {
  switch (unit) {
    case 'characters':
      return [...text].slice(0, max).join('')
    case 'words': {
      const words = text.match(/\S+\s*/g) ?? []
      return words.slice(0, max).join('').trimEnd()
    }
    case 'sentences':
      return sentencesOf(text).slice(0, max).join('').trim()
    case 'lines':
      return text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .slice(0, max)
        .join('\n')
  }
}

function breachOfFormat(format: Format, text: string): string | null {
  switch (format) {
    case 'json':
      try {
        JSON.parse(text)
        return null
      } catch {
        return 'it is not one JSON value'
      }
    case 'one_line':
      return text.trim().includes('\n') ? 'it has more than one line' : null
    case 'lower_case':
      return text === text.toLowerCase() ? null : 'it has capital letters'
    case 'no_markdown':
      return /^\s{0,3}(?:#{1,6} |[-*+] |\d+\. |> |```|\|.*\|)|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\)/m.test(text)
        ? 'it is written in Markdown'
        : null
    case 'no_links':
      return text.search(LINK) >= 0 ? 'it contains a link' : null
  }
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

function sizeOf(value: Json | undefined): number {
  if (value === undefined || value === null) return 0
  if (Array.isArray(value)) return value.length
  if (typeof value === 'string') return value.split(/[,;]/).filter((part) => part.trim() !== '').length
  return 1
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

function argumentFits(rule: Extract<ConstraintRule, { kind: 'argument' }>, value: Json | undefined): boolean {
  // Every entry of a list must match; a missing argument does not match.
  if (Array.isArray(value))
    return value.length > 0 && value.every((entry) => argumentFits(rule, entry as Json))
  if (rule.test === 'below') return typeof value === 'number' && value <= Number(rule.value)
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return false
  const text = String(value).trim().toLowerCase()
  if (rule.argument === 'to' && /[,;]/.test(text))
    return text.split(/[,;]/).every((part) => argumentFits(rule, part))
  const wanted = rule.value.toLowerCase()
  if (rule.test === 'is') return text === wanted
  return rule.test === 'starts' ? text.startsWith(wanted) : text.endsWith(wanted)
}
