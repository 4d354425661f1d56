import type { Lexer } from 'yaml'
import type { TextProblem } from './finding.ts'

/** An error of the YAML library: its code, its message, and the part of the text that it names. */
export interface YamlError {
  readonly code: string
  readonly message: string
  readonly from: number
  readonly to: number
}

type Place = Pick<TextProblem, 'offset' | 'length' | 'message' | 'hint'>

const QUOTE = 'quote strings that contain any of : # { } [ ] , & * ! | > % @'

/**
 * Explains an error of the YAML library at the place of the mistake. The library often reports where it noticed the
 * mistake: a line before the one that is indented differently, or the end of the text for a quote that is never closed.
 */
export function explainYamlError(error: YamlError, text: string, createLexer: () => Lexer): TextProblem {
  const place = placeOf(error, text, createLexer) ?? {
    offset: Math.min(error.from, text.length),
    length: error.to - error.from,
    message: error.message.slice(0, 200),
    hint: hintFor(error.message),
  }
  return { severity: 'error', code: 'YAML_SYNTAX', ...place, message: `YAML: ${place.message}` }
}

function placeOf(error: YamlError, text: string, createLexer: () => Lexer): Place | undefined {
  const { code, message, from } = error
  if (/^Missing closing ["']/.test(message)) return openQuote(text, from, createLexer)
  if (/^Flow (?:sequence|map) in block collection/.test(message)) return openBracket(text, from, createLexer)
  if (code === 'BLOCK_AS_IMPLICIT_KEY') return twoColons(text, from) ?? deeperLine(text, from)
  if (/same column|^Sequence item without/.test(message)) return shallowerLine(text, from)
  if (code === 'MULTILINE_IMPLICIT_KEY' || code === 'MISSING_CHAR') return missingSpace(text, from)
  return undefined
}

/** `name:value` is one word in YAML. */
function missingSpace(text: string, from: number): Place | undefined {
  const { start, line } = lineAt(text, from)
  const match = /^(\s*(?:- +)*)([A-Za-z_$][\w$.-]*)(?::(?!\/\/)(?=\S)|\s*=)(.*)$/.exec(line)
  if (match === null) return undefined
  const [whole, indent = '', name = '', value = ''] = match
  // The value is not repeated: it may be a secret.
  const mark = whole.length - value.length - indent.length
  return {
    offset: start + indent.length,
    length: mark,
    message: whole.startsWith(`${indent}${name}:`)
      ? `a space is missing after "${name}:"`
      : `"${name}" is followed by = and not by a colon`,
    hint: `write "${name}: …", with a colon and a space`,
  }
}

/** A plain text that contains ": ", such as `goal: Do this: that`. */
function twoColons(text: string, from: number): Place | undefined {
  const { start, line } = lineAt(text, from)
  const value = line.slice(from - start)
  if (!/:(?:\s|$)/.test(value)) return undefined
  return {
    offset: from,
    length: value.trimEnd().length,
    message: 'this text contains ": ", which begins another member',
    hint: 'put the text in quotes',
  }
}

/** A line that is indented more than the member before it, which has a value already. */
function deeperLine(text: string, from: number): Place | undefined {
  const above = lineAt(text, from)
  for (let next = nextLine(text, above); next !== undefined; next = nextLine(text, next)) {
    if (/^\s*(?:#|$)/.test(next.line)) continue
    return differs(next, columnOf(above.line), 'the line above it')
  }
  return undefined
}

/** A line that belongs to no block: it is indented less than its neighbours, and more than their owner. */
function shallowerLine(text: string, from: number): Place | undefined {
  const here = lineAt(text, from)
  let above: Line | undefined
  for (let start = 0; start < here.start; ) {
    const line = lineAt(text, start)
    if (!/^\s*(?:#|$)/.test(line.line)) above = line
    start = line.start + line.line.length + 1
  }
  return above === undefined ? undefined : differs(here, columnOf(above.line), 'the line above it')
}

function differs({ start, line }: Line, expected: number, other: string): Place | undefined {
  const found = columnOf(line)
  if (found === expected) return undefined
  const indent = /^\s*/.exec(line)?.[0].length ?? 0
  return {
    offset: start + indent,
    length: Math.max(1, line.trimEnd().length - indent),
    message: `this line begins at column ${found + 1}, and ${other} at column ${expected + 1}`,
    hint: 'members of one object begin at the same column; a text of several lines needs quotes, | or >',
  }
}

function openQuote(text: string, end: number, createLexer: () => Lexer): Place | undefined {
  let found: Place | undefined
  for (const { lexeme, offset } of lexemesOf(text, createLexer)) {
    if (offset >= Math.max(end, 1)) break
    const quote = lexeme[0]
    if (quote !== '"' && quote !== "'") continue
    found = {
      offset,
      length: 1,
      message: `the ${quote === '"' ? 'double' : 'single'} quote that opens here is not closed`,
      hint: `add ${quote} at the end of the text`,
    }
  }
  return found
}

function openBracket(text: string, end: number, createLexer: () => Lexer): Place | undefined {
  const open: { bracket: string; offset: number }[] = []
  for (const { lexeme, offset } of lexemesOf(text, createLexer)) {
    if (offset >= end) break
    if (lexeme === '[' || lexeme === '{') open.push({ bracket: lexeme, offset })
    if (lexeme === ']' || lexeme === '}') open.pop()
  }
  const last = open.at(-1)
  if (last === undefined) return undefined
  return {
    offset: last.offset,
    length: 1,
    message: `the ${last.bracket} that opens here is not closed`,
    hint: `add ${last.bracket === '[' ? ']' : '}'}, or indent the lines that belong to it`,
  }
}

/** Lexemes that the lexer adds, and that are not in the text. */
const ADDED = new Set(['\u{FEFF}', '\x02', '\x18', '\x1f'])

function* lexemesOf(text: string, createLexer: () => Lexer): Generator<{ lexeme: string; offset: number }> {
  let offset = 0
  for (const lexeme of createLexer().lex(text)) {
    if (ADDED.has(lexeme)) continue
    yield { lexeme, offset }
    offset += lexeme.length
  }
}

interface Line {
  readonly start: number
  readonly line: string
}

function lineAt(text: string, offset: number): Line {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  const end = text.indexOf('\n', start)
  return { start, line: text.slice(start, end === -1 ? text.length : end) }
}

function nextLine(text: string, { start, line }: Line): Line | undefined {
  const next = start + line.length + 1
  return next < text.length ? lineAt(text, next) : undefined
}

/** The column at which the members of a line begin, counted from 0: `- name: x` begins at 2. */
function columnOf(line: string): number {
  return /^\s*(?:- +)*/.exec(line)?.[0].length ?? 0
}

function hintFor(message: string): string {
  if (/tab/i.test(message)) return 'indent with spaces'
  if (/mapping|indent/i.test(message)) return 'check the indentation, and quote strings that contain ": "'
  return QUOTE
}
