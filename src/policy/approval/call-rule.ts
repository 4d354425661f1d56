import { WaybillError } from '../../document/issue.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import { seenText } from '../../document/seen-text.ts'
import { escapeHidden } from '../../document/shown-text.ts'
import { isDestination } from '../destination/destination.ts'
import { jsonWithin } from '../destination/json-within.ts'
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
  const named = rule.where.map(({ path }) => path)
  const members = membersOf(args, [])
  const twin = twinOf(members, named)
  if (twin !== undefined)
    return `it has a member ${shortened(twin.at(-1) as string)}, which a tool may take for one that the rule names`
  const name = members.find((path) => isDestination(path.at(-1) as string) && !beginsOne(path, named))
  if (name !== undefined)
    return `it has a member ${shortened(name.at(-1) as string)}, which the rule does not name`
  const stray = leavesWithin(args).find(
    ({ path, value }) => !isNamed(path, named) && (isDestination(value, path) || isRecipient(value, path)),
  )
  return stray === undefined
    ? null
    : `${stray.path.join('.')} is ${shortened(stray.value)}, which the rule does not name`
}

/**
 * Returns true for a value in a member that holds nothing but recipients: senders know names and numbers of their own, as
 * in `cc: eve`, and read the names of an object as recipients, as in `cc: {"eve": true}`.
 */
function isRecipient(value: Json, path: readonly string[]): boolean {
  if (value === null || value === false || typeof value === 'object') return false
  return /[\p{L}\p{N}]/u.test(String(value)) && path.some(isNameOfRecipients)
}

/** Returns true if the path is a named one, or leads to it: `message` to `message.to`. */
function beginsOne(path: readonly string[], named: readonly Path[]): boolean {
  return named.some((one) => path.length <= one.length && isSamePath(one.slice(0, path.length), path))
}

/**
 * Returns the path of a member that is not named, but that a tool may read as a named one: a flat `message.to`,
 * `message[to]` or `message/to` for the member `to` of `message`, and `To` for `to`.
 */
function twinOf(members: readonly Path[], named: readonly Path[]): Path | undefined {
  const wanted = new Set(named.map(spelledPath))
  return members.find((path) => !isNamed(path, named) && wanted.has(spelledPath(path)))
}

/** Returns the path without differences that a lenient tool ignores: case, width, and how names are joined. */
function spelledPath(path: Path): string {
  return path
    .flatMap((name) =>
      seenText(name)
        .text.toLowerCase()
        .split(/[^\p{L}\p{N}_$-]+/u),
    )
    .filter((word) => /\D/.test(word))
    .join('.')
}

/** Returns the leaves of the arguments, and those of JSON within their texts, which a tool may read. */
function leavesWithin(args: JsonObject): readonly Leaf[] {
  return leavesOf(args, []).flatMap((leaf) => {
    const inside = typeof leaf.value === 'string' ? jsonWithin(leaf.value) : undefined
    return inside === undefined ? [leaf] : [leaf, ...leavesOf(inside, leaf.path)]
  })
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

/** Compares names one by one: joined by dots, `["a.b"]` and `["a", "b"]` would be equal. */
function isSamePath(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index])
}

/** Returns the arguments that the rule does not restrict: all except the members that it names. */
export function argumentsLeftOpen(rule: CallRule, args: JsonObject): JsonObject {
  const named = rule.where.map(({ path }) => path)
  return leftOpen(args, [], named) as JsonObject
}

function leftOpen(value: Json, path: Path, named: readonly Path[]): Json {
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

/** Member names, from the arguments inwards. */
type Path = readonly string[]

interface Leaf {
  readonly path: Path
  readonly value: Json
}

function leavesOf(value: Json, path: Path): readonly Leaf[] {
  if (value === null || typeof value !== 'object') return [{ path, value }]
  if (Array.isArray(value)) return value.flatMap((element) => leavesOf(element as Json, path))
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member as Json, [...path, name]))
}

/** Returns the path of each member, at any depth; elements of a list have the path of the list. */
function membersOf(value: Json, path: Path): readonly Path[] {
  if (value === null || typeof value !== 'object') return []
  if (Array.isArray(value)) return value.flatMap((element) => membersOf(element as Json, path))
  return Object.entries(value).flatMap(([name, member]) => [
    [...path, name],
    ...membersOf(member as Json, [...path, name]),
  ])
}

function isNamed(path: Path, named: readonly Path[]): boolean {
  return named.some((one) => isSamePath(one, path))
}

function shortened(value: Json): string {
  const text = JSON.stringify(value)
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}
