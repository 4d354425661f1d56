import { exactText } from '../../document/exact-numbers.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'

/**
 * Returns the content of a result as text. Not every model accepts pictures and sounds, so they are replaced with a note; a
 * part that is not as the protocol says is given as JSON.
 */
export function contentText(content: Json | undefined): string {
  if (content === undefined || content === null) return ''
  const blocks = Array.isArray(content) ? (content as readonly Json[]) : [content]
  return blocks
    .filter((block) => block !== null)
    .map(blockText)
    .join('\n\n')
}

function blockText(block: Json): string {
  if (!isObject(block)) return textOf(block)
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string' ? block.text : exactText(block)
    case 'image':
    case 'audio':
      return typeof block.data === 'string'
        ? `[${block.type}, ${textOf(block.mimeType ?? 'of an unknown type')}, ${bytesIn(block.data)} bytes: not shown]`
        : exactText(block)
    case 'resource_link':
      return typeof block.uri === 'string'
        ? `[link to ${textOf(block.name ?? block.title ?? 'a resource')}: ${block.uri}]`
        : exactText(block)
    case 'resource':
      return isObject(block.resource) ? resourceText(block.resource) : exactText(block)
    default:
      return exactText(block)
  }
}

function resourceText(resource: JsonObject): string {
  const { uri, text, blob, mimeType } = resource
  const name = textOf(uri ?? 'resource')
  if (typeof text === 'string') return `[${name}]\n${text}`
  if (typeof blob !== 'string') return exactText(resource)
  return `[${name}, ${textOf(mimeType ?? 'binary')}, ${bytesIn(blob)} bytes: not shown]`
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : exactText(value)
}

function bytesIn(base64: string): number {
  return Buffer.byteLength(base64, 'base64')
}
