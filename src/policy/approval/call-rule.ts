import { WaybillError } from '../../document/issue.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import { escapeHidden } from '../../document/shown-text.ts'
import { isDestination } from '../destination/destination.ts'
import { isNameOfRecipients } from '../destination/member-name.ts'
import { fitsPattern, patternProblem } from './text-pattern.ts'

/**
 * A rule that allows calls of one tool with matching arguments, made by a person before the call. Written `send_email
 * to=*@ours.example`, `refund amount<=50 currency=EUR`, `post channel="#team news"`, `mail message.to=*@x.example`.
 */
export interface CallRule {
  readonly tool: string
  readonly where: readonly ArgumentRule[]
}

export interface ArgumentRule {
  /** Member names, from the arguments inwards; lists are traversed. */
  readonly path: readonly string[]
  readonly op: '=' | '<' | '<=' | '>' | '>='
  /** With `=` a pattern: `*` matches one part of a text, `**` any text. */
  readonly value: string
}

const WORD =
  /^(?<path>[^\s=<>"]+)(?<op>=|<=|>=|<|>)(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<plain>[^\s"]*))(?=\s|$)/u
/** Tool names that all protocols allow. */
const TOOL = /^[^\s=<>"]+(?=\s|$)/u

/**
 * Reads a rule.
 * @throws CALL_RULE_INVALID with the error in the rule
 */
export function parseCallRule(text: string): CallRule {
  const invalid = (why: string) =>
    new WaybillError('CALL_RULE_INVALID', {
      fault: 'usage',
      message: `"${text}" is not a valid call rule: ${why}`,
      hint: 'write TOOL, and ARGUMENT=PATTERN or ARGUMENT<=NUMBER for each argument to check, such as "send_email to=*@ours.example"',
    })
  let rest = text.trim()
  const tool = TOOL.exec(rest)?.[0]
  if (tool === undefined) throw invalid('it does not begin with the name of a tool')
  rest = rest.slice(tool.length).trimStart()
  const where: ArgumentRule[] = []
  while (rest !== '') {
    const found = WORD.exec(rest)
    const { path, op, quoted, plain } = found?.groups ?? {}
    if (found === null || path === undefined || op === undefined)
      throw invalid(`${JSON.stringify(rest)} has no condition for an argument`)
    const value = quoted === undefined ? (plain ?? '') : unquoted(quoted)
    if (value === null) throw invalid(`"${quoted}" is not a quoted string`)
    const problem = op === '=' ? patternProblem(value) : numberProblem(value)
    if (problem !== null) throw invalid(problem)
    where.push({ path: path.split('.'), op: op as ArgumentRule['op'], value })
    rest = rest.slice(found[0].length).trimStart()
  }
  return { tool, where }
}

function unquoted(text: string): string | null {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return null
  }
}

function numberProblem(value: string): string | null {
  return value.trim() !== '' && Number.isFinite(Number(value))
    ? null
    : `${JSON.stringify(value)} is not a number`
}

/** Returns the rule in the syntax of {@link parseCallRule}. */
export function callRuleText({ tool, where }: CallRule): string {
  return [tool, ...where.map(({ path, op, value }) => `${path.join('.')}${op}${quotedIfNeeded(value)}`)].join(
    ' ',
  )
}

function quotedIfNeeded(value: string): string {
  // A person who confirms a rule must see all its characters.
  const quoted = escapeHidden(JSON.stringify(value))
  return value === '' || /[\s"\\]/.test(value) || quoted.length !== value.length + 2 ? quoted : value
}

/**
 * Returns the reason why the rule does not allow a call with these arguments; null if it does. Arguments that the rule
 * does not name may have any value, except destinations (addresses, URLs): a `cc` must be named as well as
 * `to=*@ours.example`.
 */
export function whyNotCovered(rule: CallRule, args: JsonObject): string | null {
  for (const { path, op, value } of rule.where) {
    const name = path.join('.')
    const found = valuesAt(args, path)
    if (found.length === 0) return `it has no ${name}`
    const stray = found.find((one) => !fits(one, op, value))
    if (stray !== undefined)
      return `${name} is ${shortened(stray)}, not ${op === '=' ? '' : `${op} `}${value}`
  }
  const name = namesIn(args).find(
    (one) => isDestination(one) && !rule.where.some(({ path }) => path.includes(one)),
  )
  if (name !== undefined) return `it has a member ${shortened(name)}, which the rule does not name`
  const named = rule.where.map(({ path }) => path.join('.'))
  const stray = leavesOf(args, []).find(
    ({ path, value }) => !isNamed(path, named) && (isDestination(value, path) || isRecipient(value, path)),
  )
  return stray === undefined
    ? null
    : `${stray.path.join('.')} is ${shortened(stray.value)}, which the rule does not name`
}

/** Returns true for a name in a member that holds nothing but recipients: senders know names of their own, as in `cc: eve`. */
function isRecipient(value: Json, path: readonly string[]): boolean {
  return typeof value === 'string' && /[\p{L}\p{N}]/u.test(value) && path.some(isNameOfRecipients)
}

/** Returns a first suggestion for a rule: this tool, and its arguments that are short enough to read. */
export function ruleLike(tool: string, args: JsonObject): CallRule {
  const where = leavesOf(args, [])
    // A star in a value would be a wildcard.
    .filter(({ path }) => path.length > 0 && path.every(isWritable))
    .filter(({ value }) => value === null || typeof value !== 'string' || /^[^*\n]{0,60}$/.test(value))
    .map(({ path, value }): ArgumentRule => ({ path, op: '=', value: String(value) }))
  const single = where.filter(
    ({ path }) => where.filter((other) => isSamePath(other.path, path)).length === 1,
  )
  return { tool, where: single }
}

/** Returns false for a name that cannot be written in a rule, or that a person cannot see in it. */
function isWritable(name: string): boolean {
  return /^[^\s=<>".]+$/.test(name) && escapeHidden(name) === name
}

function isSamePath(a: readonly string[], b: readonly string[]): boolean {
  return a.join('.') === b.join('.')
}

/** Returns the arguments that the rule does not restrict: all except the members that it names. */
export function argumentsLeftOpen(rule: CallRule, args: JsonObject): JsonObject {
  const named = rule.where.map(({ path }) => path.join('.'))
  return leftOpen(args, [], named) as JsonObject
}

function leftOpen(value: Json, path: readonly string[], named: readonly string[]): Json {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((element) => leftOpen(element as Json, path, named))
  const members = Object.entries(value)
    .map(([name, member]) => ({ name, member: member as Json, at: [...path, name] }))
    .filter(({ at }) => !isNamed(at, named))
    .map(({ name, member, at }) => [name, leftOpen(member, at, named)] as const)
  return Object.fromEntries(members)
}

function fits(value: Json, op: ArgumentRule['op'], wanted: string): boolean {
  if (op === '=') {
    if (typeof value === 'string') return fitsPattern(wanted, value)
    return (value === null || typeof value !== 'object') && String(value) === wanted
  }
  if (typeof value !== 'number') return false
  const limit = Number(wanted)
  switch (op) {
    case '<':
      return value < limit
    case '<=':
      return value <= limit
    case '>':
      return value > limit
    case '>=':
      return value >= limit
  }
}

/**
 * Returns all values at a path, including those in each element of lists; an empty list or a missing member gives no
 * values.
 */
function valuesAt(value: Json, path: readonly string[]): readonly Json[] {
  if (Array.isArray(value)) {
    const each = value.map((element) => valuesAt(element as Json, path))
    // An element without the member would not be checked.
    return each.some((found) => found.length === 0) ? [] : each.flat()
  }
  const [name, ...rest] = path
  if (name === undefined) return [value]
  if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return []
  return valuesAt((value as JsonObject)[name] ?? null, rest)
}

function leavesOf(value: Json, path: readonly string[]): readonly { path: readonly string[]; value: Json }[] {
  if (value === null || typeof value !== 'object') return [{ path, value }]
  if (Array.isArray(value)) return value.flatMap((element) => leavesOf(element as Json, path))
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member as Json, [...path, name]))
}

function namesIn(value: Json): readonly string[] {
  if (value === null || typeof value !== 'object') return []
  if (Array.isArray(value)) return value.flatMap((element) => namesIn(element as Json))
  return Object.entries(value).flatMap(([name, member]) => [name, ...namesIn(member)])
}

function isNamed(path: readonly string[], named: readonly string[]): boolean {
  return named.includes(path.join('.'))
}

function shortened(value: Json): string {
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
