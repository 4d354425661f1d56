import type { Schema } from '../../spec/schema-builder.ts'

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

export function id(description: string): Schema {
  return {
    type: 'string',
    minLength: 1,
    maxLength: 512,
    pattern: '^[^\\u0000-\\u001F\\u007F]*$',
    description,
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
  cursor: { type: 'string', minLength: 1, maxLength: 1024, description: '`next` of the previous page.' },
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
