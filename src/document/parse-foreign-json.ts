import { createRequire } from 'node:module'
import type * as Jsonc from 'jsonc-parser'
import type { TextProblem } from './finding.ts'
import type { Json } from './json.ts'
import { outlineJson } from './json-outline.ts'
import { inspectJson, JsonMap, type ParsedText, parseJson, tooDeep } from './parse-json.ts'

const require = createRequire(import.meta.url)
const jsonc = (): typeof Jsonc => require('jsonc-parser') as typeof Jsonc

/**
 * Parses JSON of another format as other readers do: of equal names the last one applies, and comments and trailing
 * commas are accepted. Everything that a strict reader refuses is a warning.
 */
export function parseForeignJson(text: string, maxDepth: number): ParsedText {
  const strict = parseJson(text, maxDepth)
  if (!('problems' in strict)) return strict
  if (outlineJson(text, maxDepth).tooDeepAt !== undefined) return { problems: [tooDeep(0, maxDepth)] }
  const errors: Jsonc.ParseError[] = []
  const value = jsonc().parse(text, errors, { allowTrailingComma: true }) as Json | undefined
  if (errors.length > 0 || value === undefined) return strict
  const warnings = isJson(text) ? inspectJson(text) : strict.problems
  return { value: wellFormed(value), openMap: () => new JsonMap(text), warnings: warnings.map(asWarning) }
}

function asWarning(problem: TextProblem): TextProblem {
  return { ...problem, severity: 'warning' }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Replaces what JSON cannot represent: halves of characters, and numbers that are too large, which become null. */
function wellFormed(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (Array.isArray(value)) return value.map(wellFormed)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.toWellFormed(), wellFormed(member as Json)]),
  )
}
