import { oneOf, type Schema } from '../../spec/schema-builder.ts'

/** An object of a request: other members are errors. */
export function request(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): Schema {
  return { type: 'object', properties, required, additionalProperties: false }
}

/** An object of an answer: clients must accept other members. */
export function answer(
  description: string,
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = Object.keys(properties),
): Schema {
  return { type: 'object', description, properties, required }
}

export function list(items: Schema, extra: Schema = {}): Schema {
  return { type: 'array', items, ...extra }
}

/** Any JSON value. */
export function anything(description: string): Schema {
  return { description }
}

/** Visible text on one line: without control characters. Every regular expression engine reads this notation. */
export const ONE_LINE = '^[^\\x00-\\x1F\\x7F-\\x9F]*$'

export function id(description: string): Schema {
  return { type: 'string', minLength: 1, maxLength: 512, pattern: ONE_LINE, description }
}

/** A JWS in the compact form (RFC 7515 §7.1). */
export function compactJws(description: string): Schema {
  return {
    type: 'string',
    minLength: 1,
    maxLength: 8192,
    pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$',
    'x-opaque': true,
    description,
  }
}

/**
 * Marks a text that must not contain an unpaired surrogate, which cannot be stored. A pattern cannot say it: other
 * engines refuse surrogates in patterns.
 */
export function wellFormed(schema: Schema): Schema {
  return { ...schema, 'x-well-formed': true }
}

/** Names a rule that no JSON Schema can express: a value that matches the schema may break it, and is refused then. */
export function ruled(schema: Schema, rule: string): Schema {
  return { ...schema, 'x-further-rule': rule }
}

/** A variant of {@link kinds}. */
export interface Kind {
  /** Names its schema in the OpenAPI document. */
  readonly title: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  /** Further keywords of its schema. */
  readonly more?: Schema
}

/**
 * An object of a request that has the members of its kind, which one member names.
 * @param tag the member that names the kind
 * @param shared members that all kinds have
 */
export function kinds(
  tag: string,
  description: string,
  variants: Readonly<Record<string, Kind>>,
  shared: Readonly<Record<string, Schema>> = {},
  sharedRequired: readonly string[] = [],
): Schema {
  return {
    type: 'object',
    discriminator: { propertyName: tag },
    oneOf: Object.entries(variants).map(([kind, { title, properties = {}, required = [], more = {} }]) => ({
      title,
      ...request({ [tag]: oneOf([kind], description), ...shared, ...properties }, [
        tag,
        ...sharedRequired,
        ...required,
      ]),
      ...more,
    })),
  }
}

export function moment(description: string): Schema {
  return { type: 'string', format: 'date-time', description }
}

export function integer(description: string, minimum?: number, maximum?: number): Schema {
  return {
    type: 'integer',
    description,
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  }
}

/** The parameters of every list. */
export const PAGE: Readonly<Record<string, Schema>> = {
  limit: integer('Entries of a page; default 100.', 1, 1000),
  cursor: {
    type: 'string',
    minLength: 1,
    maxLength: 1024,
    pattern: '^[A-Za-z0-9_-]+$',
    'x-opaque': true,
    description: '`next` of the previous page, unchanged.',
  },
}

/** A page of a list. */
export function pageOf(items: Schema): Schema {
  return answer('A page of a list.', {
    items: list(items),
    next: {
      type: ['string', 'null'],
      description: 'The `cursor` of the next page; null after the last one.',
    },
  })
}
