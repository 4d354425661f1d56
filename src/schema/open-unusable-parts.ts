import { isObject, type Json, type JsonObject, valueAt } from '../document/json.ts'
import { appendStep, escapeStep, fromPointer, lastStep, parentOf } from '../document/json-pointer.ts'
import { KEYWORDS, type KeywordShape } from './user-schema-keywords.ts'
import { isPlainlyRight } from './user-schema-plain.ts'
import { type SchemaProblem, SchemaReader, tooBig } from './user-schema-reading.ts'

/** A schema from another party without the parts that cannot be used. */
export interface OpenedSchema {
  /** Usable: `checkUserSchema` finds no error in it. The given object itself if it was. */
  readonly schema: JsonObject
  /** The parts that are not checked, by their pointers in the given schema. */
  readonly unchecked: readonly SchemaProblem[]
}

/** Opening a part can reveal another, such as a circle of references that an error concealed. */
const MOST_ROUNDS = 12
/** The levels of a schema that are kept if it is too deep or too large. */
const LEVELS = [60, 30, 16, 10, 6, 4]

/**
 * Removes from a schema each keyword that cannot be used: a wrong type or value, a reference to nowhere or to itself.
 * All other keywords stay. Keywords that would accept less without the removed one (`not`, `if`, `oneOf`,
 * `additionalProperties`, …) are relaxed, so that the result accepts more than its author wrote, never less. For schemas
 * of servers and documents only: in a definition, such a keyword is an error of its author.
 */
export function openUnusableParts(schema: JsonObject): OpenedSchema {
  if (isPlainlyRight(schema)) return { schema, unchecked: [] }
  const unchecked: SchemaProblem[] = []
  let current: Json = withinLimits(schema, unchecked)
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const reader = new SchemaReader(current)
    reader.read()
    const wrong = reader.problems.filter(isUnusable)
    const cleaned = wrong.length === 0 && !reader.problems.some(isIgnored)
    if (cleaned)
      return { schema: relaxed(current, reader, unchecked), unchecked: withPatterns(unchecked, reader) }
    unchecked.push(...wrong.map(({ severity: _severity, ...problem }) => asWarning(problem)))
    current = withoutParts(current, reader, wrong)
  }
  return { schema: {}, unchecked: [asWarning({ pointer: '', message: 'the schema cannot be used' })] }
}

function asWarning(problem: Omit<SchemaProblem, 'severity'>): SchemaProblem {
  return { severity: 'warning', unusable: true, ...problem }
}

function isUnusable({ severity, message }: SchemaProblem): boolean {
  return severity === 'error' || message === EMPTY_LIST
}

/** The message about an `enum` without values: in a document of another party it is a mistake, not a refusal of all. */
const EMPTY_LIST = 'an empty list accepts no value'

function isIgnored({ message }: SchemaProblem): boolean {
  return message.endsWith('; it is ignored')
}

/** Adds the patterns that are not enforced, each once. */
function withPatterns(
  unchecked: readonly SchemaProblem[],
  { problems }: SchemaReader,
): readonly SchemaProblem[] {
  return [...unchecked, ...problems.filter(({ message }) => message.endsWith('not enforced'))]
}

/** Returns a schema that is small enough to be read; what is deeper becomes null, which the next step removes. */
function withinLimits(schema: JsonObject, unchecked: SchemaProblem[]): Json {
  const reason = tooBig(schema)
  if (reason === null) return schema
  for (const levels of LEVELS) {
    const cut = cutBelow(schema, levels)
    if (tooBig(cut) !== null) continue
    const message = `${reason}: its parts below level ${levels} are not checked`
    unchecked.push(asWarning({ pointer: '', message }))
    return cut
  }
  unchecked.push(asWarning({ pointer: '', message: reason }))
  return {}
}

function cutBelow(value: Json, levels: number): Json {
  if (value === null || typeof value !== 'object') return value
  if (levels === 0) return null
  if (Array.isArray(value)) return value.map((item: Json) => cutBelow(item, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cutBelow(item, levels - 1)]))
}

/** What is done at a place of the schema. */
type Edit = 'remove' | 'open' | 'only-texts' | 'null-type'

function withoutParts(schema: Json, reader: SchemaReader, problems: readonly SchemaProblem[]): Json {
  const edits = new Map<string, Edit>()
  for (const problem of problems) {
    for (const [pointer, edit] of editsFor(problem.part ?? problem.pointer, schema, reader))
      if (edits.get(pointer) !== 'remove') edits.set(pointer, edit)
  }
  return edited(schema, '', reader, edits)
}

function editsFor(pointer: string, schema: Json, reader: SchemaReader): readonly (readonly [string, Edit])[] {
  if (reader.isSchema(pointer)) {
    const parent = parentOf(pointer)
    const alone = pointer !== '' && reader.isSchema(parent) && NEVER_OPEN.has(lastStep(pointer))
    return alone ? removal(parent, lastStep(pointer), schema) : [[pointer, 'open']]
  }
  let owner = parentOf(pointer)
  while (!reader.isSchema(owner)) owner = parentOf(owner)
  const [keyword = '', entry] = fromPointer(pointer.slice(owner.length))
  const at = appendStep(owner, keyword)
  const value = valueAt(schema, at)
  if (keyword === 'required' && Array.isArray(value)) return [[at, 'only-texts']]
  if (keyword === 'type' && Array.isArray(value) && value[Number(entry)] === null) return [[at, 'null-type']]
  const byName = keyword === 'dependentRequired' || keyword === 'dependencies'
  if (byName && entry !== undefined) return [[appendStep(at, entry), 'remove']]
  return removal(owner, keyword, schema)
}

/** Without a schema, these keywords have another meaning than with one that accepts everything. */
const NEVER_OPEN: ReadonlySet<string> = new Set(['not', 'if', 'contains'])

/** Keywords that would refuse values if the keyword beside them were removed alone. */
const TOGETHER: ReadonlyMap<string, readonly string[]> = new Map([
  ['properties', ['additionalProperties']],
  ['patternProperties', ['additionalProperties']],
  ['prefixItems', ['items']],
  ['items', ['additionalItems']],
  ['minContains', ['contains']],
  ['contains', ['minContains', 'maxContains']],
  ['if', ['then', 'else']],
])

function removal(owner: string, keyword: string, schema: Json): readonly (readonly [string, Edit])[] {
  const present = valueAt(schema, owner)
  const others = (TOGETHER.get(keyword) ?? []).filter((name) => isObject(present) && name in present)
  return [keyword, ...others].map((name) => [appendStep(owner, name), 'remove'])
}

function edited(value: Json, at: string, reader: SchemaReader, edits: ReadonlyMap<string, Edit>): Json {
  switch (edits.get(at)) {
    case 'open':
      return {}
    case 'only-texts':
      return (value as readonly Json[]).filter((item) => typeof item === 'string')
    case 'null-type':
      return (value as readonly Json[]).map((item) => item ?? 'null')
    default:
      break
  }
  if (Array.isArray(value))
    return value.map((item: Json, index) => edited(item, `${at}/${index}`, reader, edits))
  if (!isObject(value)) return value
  const isSchema = reader.isSchema(at)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const place = `${at}/${escapeStep(name)}`
      if (edits.get(place) === 'remove' || (isSchema && isWrongNote(name, member))) return []
      return [[name, edited(member, place, reader, edits)]]
    }),
  )
}

const NOTES: Partial<Readonly<Record<KeywordShape, (value: Json) => boolean>>> = {
  'note-text': (value) => typeof value === 'string',
  'note-array': Array.isArray,
  'note-boolean': (value) => typeof value === 'boolean',
}

/** An annotation of another type checks nothing, but providers refuse a request that contains it. */
function isWrongNote(keyword: string, value: Json): boolean {
  const shape = KEYWORDS.get(keyword)
  const fits = shape === undefined ? undefined : NOTES[shape]
  return fits !== undefined && !fits(value)
}

/**
 * Relaxes the keywords that accept less because a schema in them accepts more. Positions are those of the given schema:
 * items of lists were replaced, never removed.
 */
function relaxed(schema: Json, reader: SchemaReader, unchecked: readonly SchemaProblem[]): JsonObject {
  if (!isObject(schema)) return {}
  if (unchecked.length === 0) return schema
  const isWider = widerIn(
    reader,
    unchecked.map(({ pointer, part }) => part ?? pointer),
  )
  const relax = (value: Json, at: string): Json => {
    if (Array.isArray(value)) return value.map((item: Json, index) => relax(item, `${at}/${index}`))
    if (!isObject(value)) return value
    const members = Object.entries(value).flatMap(([name, member]): [string, Json][] => {
      const place = `${at}/${escapeStep(name)}`
      if (reader.isSchema(at) && isTooStrict(name, place, at, isWider)) return []
      return [[name, relax(member, place)]]
    })
    const rest = Object.fromEntries(members)
    const one = rest.oneOf
    if (one === undefined || !reader.isSchema(at) || !isWider(`${at}/oneOf`)) return rest
    const { oneOf: _oneOf, ...others } = rest
    if (others.anyOf === undefined) return { ...others, anyOf: one }
    const all = Array.isArray(others.allOf) ? (others.allOf as readonly Json[]) : []
    return { ...others, allOf: [...all, { anyOf: one }] }
  }
  return relax(schema, '') as JsonObject
}

/**
 * Returns a function that tells whether a schema accepts more than its author wrote: a part in it, or in a schema that it
 * refers to, was opened.
 */
function widerIn({ targets }: SchemaReader, opened: readonly string[]): (at: string) => boolean {
  const wide = new Set<string>()
  const isWider = (at: string) => {
    const within = (pointer: string) => pointer === at || pointer.startsWith(`${at}/`)
    if (opened.some(within)) return true
    for (const [link, target] of targets) if (wide.has(target) && within(link)) return true
    return false
  }
  const narrow = new Set(targets.values())
  for (let before = -1; before !== wide.size; ) {
    before = wide.size
    for (const target of narrow) {
      if (!isWider(target)) continue
      wide.add(target)
      narrow.delete(target)
    }
  }
  return isWider
}

function isTooStrict(
  keyword: string,
  place: string,
  schema: string,
  isWider: (at: string) => boolean,
): boolean {
  switch (keyword) {
    case 'not':
      return isWider(place)
    case 'if':
    case 'then':
    case 'else':
      return isWider(`${schema}/if`)
    case 'maxContains':
      return isWider(`${schema}/contains`)
    case 'unevaluatedProperties':
    case 'unevaluatedItems':
      return isWider(schema)
    default:
      return false
  }
}
