import { suggest } from '../document/suggest.ts'

/** The required shape of the value of a JSON Schema keyword. */
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
  /** A number, or the boolean of draft-04, which changes the meaning of another keyword. */
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
  /** Describes the schema and not values: an invalid one does not change what is accepted. */
  | 'note-text'
  | 'note-array'
  | 'note-boolean'

/**
 * The vocabulary of JSON Schema 2020-12, with keywords of older drafts and OpenAPI 3.0 that are still in use.
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

/** Annotations of JSON Schema, OpenAPI and editors: they are similar to keywords, and no typing errors. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  'const',
  'default',
  'example',
  'discriminator',
  'deprecationMessage',
  'enumNames',
  'errorMessage',
  'externalDocs',
  'id',
  'markdownDescription',
  'name',
  'optional',
  'xml',
  '$vocabulary',
  '$recursiveAnchor',
])

/** Returns the keyword that a mistyped one probably means; undefined for all other annotations. */
export function meantKeyword(written: string): string | undefined {
  if (written.length < 4 || ANNOTATIONS.has(written) || written.startsWith('x-')) return undefined
  const meant = suggest(written, [...KEYWORDS.keys()])
  // A beginning, such as `min`, is not a typing error.
  return meant !== undefined && Math.abs(meant.length - written.length) <= 2 ? meant : undefined
}

/** The keywords whose schemas apply to the same value as the schema that contains them. */
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

/** Type names of other languages, for suggestions. */
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

/** Returns the type that was probably meant, or undefined. */
export function meantType(written: string): string | undefined {
  const lower = written.toLowerCase()
  return TYPES.includes(lower) ? lower : TYPE_SLIPS.get(lower)
}
