import type { Json, JsonObject } from '../../document/json.ts'
import type { Style } from './binding.ts'

const STYLES: ReadonlySet<string> = new Set<Style>([
  'simple',
  'label',
  'matrix',
  'form',
  'spaceDelimited',
  'pipeDelimited',
  'deepObject',
])

export function isStyle(value: Json | undefined): value is Style {
  return typeof value === 'string' && STYLES.has(value)
}

/** Returns a media type without its parameters. */
export function bare(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim()
}

/** Returns a text of a document; a number without quotes is a text too. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}

/** Adds a description to a schema that has none. */
export function withDescription(schema: Json, description: string): Json {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return schema
  if (description === '' || (schema as JsonObject).description !== undefined) return schema
  const text = description.length > 600 ? `${description.slice(0, 600)}…` : description
  return { ...(schema as JsonObject), description: text }
}
