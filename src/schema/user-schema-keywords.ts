/** What the value of a JSON Schema keyword has to be. */
export type KeywordShape =
  | 'schema'
  | 'schemas'
  | 'schema-map'
  /** `items`: a schema, or a draft-07 tuple. */
  | 'schema-or-tuple'
  /** draft-07 `dependencies`: member names or a schema. */
  | 'schema-or-names-map'
  | 'number'
  | 'positive'
  /** A number, or draft-04's boolean that changes the meaning of its neighbour. */
  | 'bound'
  | 'count'
  | 'boolean'
  | 'type'
  | 'names'
  | 'names-map'
  | 'array'
  | 'pattern'
  | 'reference'
  | 'text'
  /** Says something about the schema and nothing about values: wrong ones cannot change what is accepted. */
  | 'note-text'
  | 'note-array'
  | 'note-boolean'

/**
 * The vocabulary of JSON Schema 2020-12, with what older drafts and OpenAPI 3.0 left in circulation.
 * A keyword that is not listed is an annotation (JSON Schema 2020-12 core, section 6.5).
 */
export const KEYWORDS: ReadonlyMap<string, KeywordShape> = new Map<string, KeywordShape>([
  ['$ref', 'reference'],
  ['$dynamicRef', 'reference'],
  ['$recursiveRef', 'reference'],
  ['$id', 'text'],
  ['$schema', 'text'],
  ['$anchor', 'text'],
  ['$dynamicAnchor', 'text'],
  ['$defs', 'schema-map'],
  ['definitions', 'schema-map'],
  ['allOf', 'schemas'],
  ['anyOf', 'schemas'],
  ['oneOf', 'schemas'],
  ['not', 'schema'],
  ['if', 'schema'],
  ['then', 'schema'],
  ['else', 'schema'],
  ['dependentSchemas', 'schema-map'],
  ['dependencies', 'schema-or-names-map'],
  ['properties', 'schema-map'],
  ['patternProperties', 'schema-map'],
  ['additionalProperties', 'schema'],
  ['unevaluatedProperties', 'schema'],
  ['propertyNames', 'schema'],
  ['items', 'schema-or-tuple'],
  ['prefixItems', 'schemas'],
  ['additionalItems', 'schema'],
  ['unevaluatedItems', 'schema'],
  ['contains', 'schema'],
  ['contentSchema', 'schema'],
  ['type', 'type'],
  ['enum', 'array'],
  ['multipleOf', 'positive'],
  ['minimum', 'number'],
  ['maximum', 'number'],
  ['exclusiveMinimum', 'bound'],
  ['exclusiveMaximum', 'bound'],
  ['minLength', 'count'],
  ['maxLength', 'count'],
  ['minItems', 'count'],
  ['maxItems', 'count'],
  ['minContains', 'count'],
  ['maxContains', 'count'],
  ['minProperties', 'count'],
  ['maxProperties', 'count'],
  ['uniqueItems', 'boolean'],
  ['pattern', 'pattern'],
  ['required', 'names'],
  ['dependentRequired', 'names-map'],
  ['title', 'note-text'],
  ['description', 'note-text'],
  ['$comment', 'note-text'],
  ['format', 'note-text'],
  ['contentEncoding', 'note-text'],
  ['contentMediaType', 'note-text'],
  ['examples', 'note-array'],
  ['deprecated', 'note-boolean'],
  ['readOnly', 'note-boolean'],
  ['writeOnly', 'note-boolean'],
  ['nullable', 'note-boolean'],
])

/** The keywords whose schemas judge the same value as the schema that holds them. */
export const IN_PLACE: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
])

export const TYPES: readonly string[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']

/** What people write for a type, by the languages they come from. */
const TYPE_SLIPS: ReadonlyMap<string, string> = new Map([
  ['str', 'string'],
  ['text', 'string'],
  ['strng', 'string'],
  ['int', 'integer'],
  ['long', 'integer'],
  ['float', 'number'],
  ['double', 'number'],
  ['bool', 'boolean'],
  ['dict', 'object'],
  ['map', 'object'],
  ['list', 'array'],
  ['none', 'null'],
])

/** The type that was probably meant, or undefined. */
export function meantType(written: string): string | undefined {
  const lower = written.toLowerCase()
  return TYPES.includes(lower) ? lower : TYPE_SLIPS.get(lower)
}
