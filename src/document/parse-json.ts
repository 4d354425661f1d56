import { createRequire } from 'node:module'
import type * as Jsonc from 'jsonc-parser'
import type { Code } from './codes.ts'
import type { SourceMap } from './document.ts'
import { MAX_PROBLEMS, type TextProblem } from './finding.ts'
import type { Json } from './json.ts'
import { outlineJson } from './json-outline.ts'
import { toPointer } from './json-pointer.ts'
import { checkValue, isExact, mostMembers } from './json-value-check.ts'
import type { Span } from './line-index.ts'

export type ParsedText =
  | { readonly value: Json; readonly openMap: () => SourceMap; readonly warnings: readonly TextProblem[] }
  | { readonly problems: readonly TextProblem[] }

// Loaded only for texts with problems, which need positions.
const require = createRequire(import.meta.url)
const jsonc = (): typeof Jsonc => require('jsonc-parser') as typeof Jsonc

/**
 * In characters. The depth of longer texts is measured before parsing, because deep nesting takes much memory, and their
 * values are counted; a shorter text cannot have many.
 */
const LONG = 256 * 1024

/**
 * Parses JSON strictly by RFC 8259: refuses comments, trailing commas, duplicate names and values that would change.
 * The text is parsed first and the value is checked; only a text that may have a problem is read a second time.
 */
export function parseJson(text: string, maxDepth: number, maxValues = Number.POSITIVE_INFINITY): ParsedText {
  if (text.length > LONG) {
    const { tooDeepAt, values, members } = outlineJson(text, maxDepth)
    if (tooDeepAt !== undefined) return { problems: [tooDeep(tooDeepAt, maxDepth)] }
    if (values + members > maxValues) return { problems: [tooMany(maxValues)] }
  }
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch (error) {
    const { tooDeepAt } = outlineJson(text, maxDepth)
    return { problems: [tooDeepAt === undefined ? syntaxProblem(text, error) : tooDeep(tooDeepAt, maxDepth)] }
  }
  const openMap = () => new JsonMap(text)
  const check = checkValue(value, text, maxDepth)
  const exact = !check.tooDeep && !check.suspect && !check.misread
  // The value has at most as many members as the text, and the text at most as many as this counts: if both numbers
  // are equal, no member was lost, so no name is a duplicate.
  if (exact && check.members === mostMembers(text)) return { value, openMap, warnings: [] }
  const outline = outlineJson(text, maxDepth)
  if (outline.tooDeepAt !== undefined) return { problems: [tooDeep(outline.tooDeepAt, maxDepth)] }
  if (exact && check.members === outline.members) return { value, openMap, warnings: [] }
  const problems = inspectJson(text)
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) return { problems: errors }
  return { value: check.misread ? readAgain(text) : value, openMap, warnings: problems }
}

/** Reads a valid JSON text without `JSON.parse`. The caller has limited its depth. */
function readAgain(text: string): Json {
  const read = ({ type, value, children = [] }: Jsonc.Node): Json => {
    if (type === 'array') return children.map(read)
    if (type !== 'object') return value as Json
    // `fromEntries` defines own members, including `__proto__`.
    return Object.fromEntries(
      children.flatMap(({ children: [name, member] = [] }) =>
        name === undefined || member === undefined ? [] : [[String(name.value), read(member)]],
      ),
    )
  }
  const root = jsonc().parseTree(text)
  if (root === undefined) throw new TypeError('a text that was parsed before has a value')
  return read(root)
}

export function tooDeep(offset: number, maxDepth: number): TextProblem {
  return {
    severity: 'error',
    code: 'DOCUMENT_TOO_DEEP',
    offset,
    message: `objects and arrays are nested more than ${maxDepth} deep`,
    hint: 'documents of these formats do not need such depth; look for unclosed brackets',
  }
}

function tooMany(maxValues: number): TextProblem {
  return {
    severity: 'error',
    code: 'DOCUMENT_TOO_LARGE',
    offset: 0,
    message: `the document has more than ${maxValues} values and names`,
    hint: 'send it in several parts, or long lists as text',
  }
}

/** Returns the first syntax error of a text. */
function syntaxProblem(text: string, error: unknown): TextProblem {
  const { visit, printParseErrorCode } = jsonc()
  const stop = new Error('found')
  let found: TextProblem | undefined
  const report = (code: Code, message: string, hint: string, offset: number, length: number): never => {
    found = { severity: 'error', code, offset: Math.min(offset, text.length), length, message, hint }
    throw stop
  }
  try {
    visit(
      text,
      {
        onError(kind, offset, length) {
          const { message, hint } = explainSyntax(printParseErrorCode(kind), text, offset)
          report('JSON_SYNTAX', message, hint, offset, length)
        },
      },
      { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false },
    )
  } catch (thrown) {
    if (thrown !== stop) throw thrown
  }
  const position = /position (\d+)/.exec(String(error))
  return (
    found ?? {
      severity: 'error',
      code: 'JSON_SYNTAX',
      offset: position === null ? 0 : Number(position[1]),
      message: 'this is not valid JSON',
      hint: 'see RFC 8259 for what JSON allows',
    }
  )
}

function explainSyntax(kind: string, text: string, offset: number) {
  switch (kind) {
    case 'InvalidCommentToken':
      return {
        message: 'JSON has no comments',
        hint: 'remove it, or use a root member "_comment"',
      }
    case 'PropertyNameExpected':
      if (text[offset] === "'") return quotes
      return {
        message: 'a member name in double quotes is expected here',
        hint: 'quote the name; if this is a closing bracket, remove the comma before it',
      }
    case 'ValueExpected':
      return {
        message: 'a value is expected here',
        hint: 'JSON does not allow trailing commas or empty items; strings need double quotes',
      }
    case 'ColonExpected':
      return { message: 'expected ":" between name and value', hint: 'write "name": value' }
    case 'CommaExpected':
      return { message: 'expected "," here', hint: 'separate members and items by one comma' }
    case 'CloseBraceExpected':
      return { message: 'an object is not closed: "}" is missing', hint: 'close every "{"' }
    case 'CloseBracketExpected':
      return { message: 'an array is not closed: "]" is missing', hint: 'close every "["' }
    case 'EndOfFileExpected':
      return {
        message: 'there is more text after the end of the value',
        hint: 'a JSON file contains exactly one value',
      }
    case 'InvalidSymbol':
      return text[offset] === "'"
        ? quotes
        : {
            message: 'this word is not valid in JSON',
            hint: 'strings need double quotes; true, false and null are lower case',
          }
    case 'InvalidNumberFormat':
      return { message: 'this is not a valid JSON number', hint: 'write it like 1, -0.5 or 1e6' }
    case 'UnexpectedEndOfString':
      return {
        message: 'a string is not closed: the double quote is missing',
        hint: 'write line breaks inside strings as \\n',
      }
    case 'UnexpectedEndOfComment':
      return { message: 'JSON has no comments, and this comment is not closed', hint: 'remove it' }
    case 'UnexpectedEndOfNumber':
      return { message: 'the number ends too early', hint: 'write it like 1, -0.5 or 1e6' }
    case 'InvalidUnicode':
      return { message: 'this \\u escape is not four hexadecimal digits', hint: 'write it like \\u00e9' }
    case 'InvalidEscapeCharacter':
      return { message: 'this escape does not exist in JSON', hint: 'write a backslash as \\\\' }
    case 'InvalidCharacter':
      return {
        message: 'control characters must be escaped inside strings',
        hint: 'write a tab as \\t and a line break as \\n',
      }
    default:
      return { message: 'this is not valid JSON', hint: 'see RFC 8259 for what JSON allows' }
  }
}

const quotes = {
  message: 'JSON strings need double quotes',
  hint: 'replace the single quotes by double quotes',
}

/** The slow second check: finds everything in a well-formed text that parsing would change. */
export function inspectJson(text: string): TextProblem[] {
  const problems: TextProblem[] = []
  const names: Set<string>[] = []
  jsonc().visit(text, {
    onObjectBegin: () => void names.push(new Set()),
    onObjectEnd: () => void names.pop(),
    onObjectProperty(name, offset, length, _line, _column, path) {
      if (problems.length >= MAX_PROBLEMS) return
      const seen = names.at(-1)
      const pointer = () => toPointer([...path(), name])
      if (seen?.has(name) === true) problems.push(duplicateKey(name, offset, length, pointer()))
      if (!name.isWellFormed()) problems.push(loneSurrogate(offset, length, pointer()))
      seen?.add(name)
    },
    onLiteralValue(value, offset, length, _line, _column, path) {
      if (problems.length >= MAX_PROBLEMS) return
      const pointer = () => toPointer(path())
      if (typeof value === 'string' && !value.isWellFormed())
        problems.push(loneSurrogate(offset, length, pointer()))
      if (typeof value === 'number' && !isExact(value))
        problems.push(inexactNumber(value, offset, length, pointer()))
    },
  })
  return problems
}

export function duplicateKey(name: string, offset: number, length: number, pointer: string): TextProblem {
  return {
    severity: 'error',
    code: 'DUPLICATE_KEY',
    offset,
    length,
    pointer,
    message: `"${name.slice(0, 80).toWellFormed()}" is a duplicate name in this object`,
    hint: 'keep one: readers differ in which of the two they use',
  }
}

function loneSurrogate(offset: number, length: number, pointer: string): TextProblem {
  return {
    severity: 'error',
    code: 'LONE_SURROGATE',
    offset,
    length,
    pointer: pointer.toWellFormed(),
    message: 'this text contains half of a surrogate pair, so it is not Unicode',
    hint: 'write both halves of the pair, or the character itself',
  }
}

/** @param value the parsed number: not finite, or an integer beyond 2^53. */
export function inexactNumber(value: number, offset: number, length: number, pointer: string): TextProblem {
  if (Number.isFinite(value)) {
    return {
      severity: 'warning',
      code: 'INTEGER_IMPRECISE',
      offset,
      length,
      pointer,
      message: `this integer is beyond 2^53 and is read as ${value}`,
      hint: 'write it as a string if every digit counts',
    }
  }
  return {
    severity: 'error',
    code: 'NUMBER_OVERFLOW',
    offset,
    length,
    pointer,
    message: 'this number is too large for JSON readers',
    hint: 'numbers reach up to about 1.8e308',
  }
}

/** Positions in JSON text, from one parse into a tree and one index per requested object. */
export class JsonMap implements SourceMap {
  readonly #root: Jsonc.Node | undefined
  readonly #members = new WeakMap<Jsonc.Node, Map<string, Jsonc.Node>>()

  constructor(text: string) {
    this.#root = jsonc().parseTree(text)
  }

  find(steps: readonly string[], key: boolean): Span | undefined {
    let node = this.#root
    let name: Jsonc.Node | undefined
    for (const step of steps) {
      if (node === undefined) return undefined
      const child: Jsonc.Node | undefined =
        node.type === 'array' ? node.children?.[Number(step)] : this.#membersOf(node).get(step)
      name = child?.type === 'property' ? child.children?.[0] : undefined
      node = child?.type === 'property' ? child.children?.[1] : child
    }
    return key ? name : node
  }

  #membersOf(node: Jsonc.Node): Map<string, Jsonc.Node> {
    let members = this.#members.get(node)
    if (members === undefined) {
      members = new Map()
      for (const property of node.children ?? []) members.set(String(property.children?.[0]?.value), property)
      this.#members.set(node, members)
    }
    return members
  }
}
