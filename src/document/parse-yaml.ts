import { createRequire } from 'node:module'
import type * as Yaml from 'yaml'
import type { Code } from './codes.ts'
import type { SourceMap } from './document.ts'
import { explainYamlError } from './explain-yaml-error.ts'
import { MAX_PROBLEMS, type TextProblem } from './finding.ts'
import { isObject, type Json } from './json.ts'
import { appendStep } from './json-pointer.ts'
import { isExact } from './json-value-check.ts'
import type { Span } from './line-index.ts'
import { duplicateKey, inexactNumber, type ParsedText, tooDeep } from './parse-json.ts'
import { YamlDepth } from './yaml-depth.ts'

// Loaded on first use: reading JSON must not load the YAML parser.
const require = createRequire(import.meta.url)

/** A token takes about 1.3 µs: this limit keeps reading within about a second. */
const MAX_TOKENS = 700_000
/** Maximum number of nodes that all aliases together may expand to. */
const MAX_ALIASED = 20_000

class Refusal extends Error {
  readonly problem: TextProblem
  constructor(problem: TextProblem) {
    super(problem.message)
    this.problem = problem
  }
}

/**
 * Reads YAML 1.2 (core schema) that is JSON data: one document, string keys, no custom tags.
 * @param foreign reads a document of another format as other readers do; see `ReadOptions`
 */
export function parseYaml(text: string, maxDepth: number, foreign = false): ParsedText {
  const yaml = require('yaml') as typeof Yaml
  try {
    const reader = new Reader(yaml, maxDepth, foreign)
    const document = composeOne(yaml, text, maxDepth, foreign ? reader.problems : undefined)
    const value = reader.read(document.contents, '', 1)
    const errors = reader.problems.filter(({ severity }) => severity === 'error')
    if (errors.length > 0) return { problems: errors }
    return { value, openMap: () => new YamlMap(yaml, document), warnings: reader.problems }
  } catch (error) {
    if (error instanceof Refusal) return { problems: [error.problem] }
    // The depth of every construct is limited above; this is a second safeguard.
    if (error instanceof RangeError) return { problems: [tooDeep(0, maxDepth)] }
    throw error
  }
}

/**
 * Lexing and parsing are loops; composing is recursive, so depth is measured on the tokens before it starts.
 * @param warnings of a foreign text: a second document is a warning
 */
function composeOne(
  yaml: typeof Yaml,
  text: string,
  maxDepth: number,
  warnings: TextProblem[] | undefined,
): Yaml.Document.Parsed {
  const depth = new YamlDepth(maxDepth)
  const parser = new yaml.Parser()
  const tokens: Yaml.CST.Token[] = []
  let count = 0
  let offset = 0
  for (const lexeme of new yaml.Lexer().lex(text)) {
    if (++count > MAX_TOKENS)
      refuse(
        'YAML_TOO_COMPLEX',
        offset,
        'this YAML has too many tokens to be read safely',
        'write it as JSON, which is read much faster',
      )
    if (depth.exceeds(lexeme)) throw new Refusal(tooDeep(offset, maxDepth))
    if (!CONTROL.has(lexeme)) offset += lexeme.length
    for (const token of parser.next(lexeme)) tokens.push(token)
  }
  for (const token of parser.end()) tokens.push(token)

  const composer = new yaml.Composer({
    version: '1.2',
    schema: 'core',
    // The check of the library compares all pairs of keys, in quadratic time. Reader uses a set.
    uniqueKeys: false,
    prettyErrors: false,
    strict: true,
  })
  let refused: Refusal | undefined
  const onError = (source: ErrorSource, code: string, message: string, warning?: boolean) => {
    if (warning === true) return
    // The composer catches thrown errors and reports them again: keep only the first.
    const [from, to] = spanOf(source)
    refused ??= new Refusal(explainYamlError({ code, message, from, to }, text, () => new yaml.Lexer()))
    throw refused
  }
  // The default handler would collect all errors of a hostile text; the first is enough.
  // biome-ignore lint/complexity/useLiteralKeys: the member is declared private, and only brackets may reach it
  composer['onError'] = onError
  let first: Yaml.Document.Parsed | undefined
  for (const document of composer.compose(tokens, true, text.length)) {
    if (first === undefined) {
      first = document
      continue
    }
    const second = [
      'YAML_MULTIPLE_DOCUMENTS',
      document.range[0],
      'a second YAML document starts here',
      'put each document into a separate file',
    ] as const
    if (warnings === undefined) refuse(...second)
    const [code, offset, message, hint] = second
    warnings.push({ severity: 'warning', code, offset, message, hint })
    break
  }
  if (first === undefined)
    return refuse('DOCUMENT_EMPTY', 0, 'there is no document in this file', 'see `waybill init`')
  return first
}

/** Lexemes without text: byte order mark, document start, flow end error, scalar start. */
const CONTROL = new Set(['\u{FEFF}', '\x02', '\x18', '\x1f'])

function refuse(code: Code, offset: number, message: string, hint: string, length = 1): never {
  throw new Refusal({ severity: 'error', code, offset, length, message, hint })
}

type ErrorSource = number | [number, number] | Yaml.Range | { offset: number; source?: string }
function spanOf(source: ErrorSource): [number, number] {
  if (typeof source === 'number') return [source, source + 1]
  if (Array.isArray(source)) return [source[0], source[1]]
  return [source.offset, source.offset + (source.source?.length ?? 1)]
}

const CORE_TAGS = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((name) => `tag:yaml.org,2002:${name}`),
)

/** Converts nodes to JSON data and records values that are not JSON. */
class Reader {
  readonly problems: TextProblem[] = []
  readonly #yaml: typeof Yaml
  readonly #maxDepth: number
  readonly #foreign: boolean
  readonly #anchors = new Map<string, Yaml.Node>()
  readonly #open = new Set<Yaml.Node>()
  #aliased = 0
  #inAlias = 0

  constructor(yaml: typeof Yaml, maxDepth: number, foreign: boolean) {
    this.#yaml = yaml
    this.#maxDepth = maxDepth
    this.#foreign = foreign
  }

  read(node: unknown, pointer: string, depth: number): Json {
    const { isAlias, isMap, isSeq, isScalar, isNode } = this.#yaml
    if (!isNode(node)) return null
    if (isAlias(node)) return this.#readAlias(node, pointer, depth)
    if (this.#inAlias > 0 && ++this.#aliased > MAX_ALIASED) {
      refuse(
        'YAML_ALIAS_BOMB',
        offsetOf(node),
        'the aliases of this file expand to far more data than its text',
        'write out the repeated parts',
      )
    }
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node)
    if (node.tag !== undefined && !CORE_TAGS.has(node.tag)) {
      this.#note(
        'YAML_NOT_JSON',
        node,
        pointer,
        `the tag ${node.tag.slice(0, 60)} has no meaning in JSON`,
        'remove the tag, or quote the value',
      )
      if (!this.#foreign) return null
    }
    if (isScalar(node)) return this.#readScalar(node, pointer)
    if (depth > this.#maxDepth) throw new Refusal(tooDeep(offsetOf(node), this.#maxDepth))
    this.#open.add(node)
    const value = isMap(node)
      ? this.#readMap(node, pointer, depth)
      : isSeq(node)
        ? this.#readSeq(node, pointer, depth)
        : null
    this.#open.delete(node)
    return value
  }

  #readAlias(node: Yaml.Alias, pointer: string, depth: number): Json {
    const target = this.#anchors.get(node.source)
    if (target === undefined) {
      return refuse(
        'YAML_SYNTAX',
        offsetOf(node),
        `there is no anchor &${node.source.slice(0, 60)} before this alias`,
        'define the anchor first, or quote the string',
      )
    }
    if (this.#open.has(target)) {
      return refuse(
        'YAML_ALIAS_BOMB',
        offsetOf(node),
        'this alias refers to a value that contains it',
        'JSON data has no cycles: write out the value',
      )
    }
    this.#inAlias++
    const value = this.read(target, pointer, depth)
    this.#inAlias--
    return value
  }

  #readScalar(node: Yaml.Scalar, pointer: string): Json {
    const { value } = node
    if (value === null || typeof value === 'boolean' || typeof value === 'string') {
      if (typeof value === 'string' && !value.isWellFormed()) {
        this.#note(
          'LONE_SURROGATE',
          node,
          pointer,
          'this text contains half of a surrogate pair, so it is not Unicode',
          'write the character itself',
        )
        if (this.#foreign) return value.toWellFormed()
      }
      return value
    }
    if (typeof value === 'number') {
      if (Number.isNaN(value) || /\.inf$/i.test(node.source ?? '')) {
        this.#note('YAML_NOT_JSON', node, pointer, 'JSON has no such number', 'quote it if it is a string')
        return this.#foreign ? textOf(node) : null
      }
      if (!isExact(value) && this.problems.length < MAX_PROBLEMS) {
        this.problems.push(inexactNumber(value, offsetOf(node), lengthOf(node), pointer))
      }
      return value
    }
    // Such as a date, with a tag or in a document of YAML 1.1.
    this.#note('YAML_NOT_JSON', node, pointer, 'this value has no counterpart in JSON', 'quote it')
    return this.#foreign ? textOf(node) : null
  }

  #readSeq(node: Yaml.YAMLSeq, pointer: string, depth: number): Json {
    return node.items.map((item, index) => this.read(item, appendStep(pointer, index), depth + 1))
  }

  #readMap(node: Yaml.YAMLMap, pointer: string, depth: number): Json {
    const object: Record<string, Json> = {}
    const seen = new Set<string>()
    const merged: Json[] = []
    for (const pair of node.items) {
      const name = this.#readKey(pair.key, pointer)
      if (name === undefined) {
        if (this.#foreign && this.#isMergeKey(pair.key))
          merged.push(this.read(pair.value, pointer, depth + 1))
        continue
      }
      const at = appendStep(pointer, name)
      if (seen.has(name) && this.#yaml.isNode(pair.key) && this.problems.length < MAX_PROBLEMS) {
        const problem = duplicateKey(name, offsetOf(pair.key), lengthOf(pair.key), at)
        this.problems.push(this.#foreign ? { ...problem, severity: 'warning' } : problem)
      }
      seen.add(name)
      define(object, name, this.read(pair.value, at, depth + 1))
    }
    // Own members take precedence over merged ones, wherever they are, and earlier merged ones over later ones.
    for (const source of merged.flat()) {
      if (!isObject(source)) continue
      for (const [name, value] of Object.entries(source))
        if (!Object.hasOwn(object, name)) define(object, name, value)
    }
    return object
  }

  #isMergeKey(key: unknown): boolean {
    return this.#yaml.isScalar(key) && key.value === '<<' && key.type === 'PLAIN'
  }

  #readKey(key: unknown, pointer: string): string | undefined {
    const { isScalar, isNode, isAlias } = this.#yaml
    if (isScalar(key) && typeof key.value === 'string' && key.value.isWellFormed()) {
      if (key.anchor !== undefined) this.#anchors.set(key.anchor, key)
      if (key.value !== '<<' || key.type !== 'PLAIN') return key.value
      this.#note(
        'YAML_MERGE_KEY',
        key,
        pointer,
        'merge keys (<<) are not part of YAML 1.2',
        'write out the members',
      )
    } else if (this.#foreign && isScalar(key)) {
      // `200:` and `2024-01-01:` are names for every reader that has only text as names.
      return textOf(key)
    } else if (this.#foreign && isAlias(key)) {
      return this.#readKey(this.#anchors.get(key.source), pointer)
    } else if (isNode(key)) {
      const what = isAlias(key) ? 'an alias' : isScalar(key) ? `${key.source ?? key.value}` : 'a collection'
      this.#note(
        'YAML_KEY_NOT_STRING',
        key,
        pointer,
        `a member name must be a string, not ${what.slice(0, 40)}`,
        'put the name in quotes',
      )
    } else {
      throw new Refusal({
        severity: 'error',
        code: 'YAML_KEY_NOT_STRING',
        offset: 0,
        pointer,
        message: 'a member has no name',
        hint: 'write name: value',
      })
    }
    return undefined
  }

  #note(code: Code, node: Yaml.Node, pointer: string, message: string, hint: string): void {
    if (this.problems.length >= MAX_PROBLEMS) return
    this.problems.push({
      severity: this.#foreign ? 'warning' : 'error',
      code,
      offset: offsetOf(node),
      length: lengthOf(node),
      pointer,
      message,
      hint,
    })
  }
}

/** Defines a member. Assigning `__proto__` would set the prototype. */
function define(object: Record<string, Json>, name: string, value: Json): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}

/** Returns a scalar as it is written. */
function textOf({ source, value }: Yaml.Scalar): string {
  return (source ?? String(value ?? 'null')).toWellFormed()
}

function offsetOf(node: Yaml.Node): number {
  return node.range?.[0] ?? 0
}

function lengthOf(node: Yaml.Node): number {
  return node.range ? node.range[1] - node.range[0] : 1
}

/** Positions in YAML text. The position of an aliased value is that of its anchor. */
class YamlMap implements SourceMap {
  readonly #yaml: typeof Yaml
  readonly #document: Yaml.Document.Parsed
  readonly #pairs = new WeakMap<Yaml.YAMLMap, Map<string, Yaml.Pair>>()
  readonly #anchors = new Map<string, Yaml.Node>()

  constructor(yaml: typeof Yaml, document: Yaml.Document.Parsed) {
    this.#yaml = yaml
    this.#document = document
    yaml.visit(document, {
      Node: (_key, node) => {
        if (!yaml.isAlias(node) && node.anchor !== undefined) this.#anchors.set(node.anchor, node)
      },
    })
  }

  find(steps: readonly string[], key: boolean): Span | undefined {
    const { isMap, isSeq, isNode } = this.#yaml
    let node: unknown = this.#document.contents
    let name: unknown
    for (const step of steps) {
      const container = this.#follow(node)
      name = undefined
      if (isMap(container)) {
        const pair = this.#pairsOf(container).get(step)
        if (pair === undefined) return undefined
        name = pair.key
        node = pair.value
      } else if (isSeq(container)) {
        node = container.items[Number(step)]
      } else {
        return undefined
      }
    }
    const wanted = key ? name : node
    return isNode(wanted) && wanted.range ? { offset: wanted.range[0], length: lengthOf(wanted) } : undefined
  }

  #follow(node: unknown): unknown {
    return this.#yaml.isAlias(node) ? this.#anchors.get(node.source) : node
  }

  #pairsOf(map: Yaml.YAMLMap): Map<string, Yaml.Pair> {
    let pairs = this.#pairs.get(map)
    if (pairs === undefined) {
      pairs = new Map()
      for (const pair of map.items) if (this.#yaml.isScalar(pair.key)) pairs.set(String(pair.key.value), pair)
      this.#pairs.set(map, pairs)
    }
    return pairs
  }
}
