import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client'
import type { Json } from '../../document/json.ts'

/**
 * Returns the result of a call as data: its structured content, else its texts. Not every model accepts pictures and
 * sounds, so they are replaced with a note.
 * @param wantsData true if the tool has an output schema, so that JSON text is parsed
 */
export function resultData({ content = [], structuredContent }: CallToolResult, wantsData: boolean): Json {
  if (structuredContent !== undefined) return structuredContent as Json
  if (content.length === 0) return null
  const text = contentText(content)
  if (!wantsData) return text
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

export function contentText(content: readonly ContentBlock[]): string {
  return content.map(blockText).join('\n\n')
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}, ${bytesIn(block.data)} bytes: not shown]`
    case 'resource_link':
      return `[link to ${block.name}: ${block.uri}]`
    case 'resource': {
      const { resource } = block
      if ('text' in resource) return `[${resource.uri}]\n${resource.text}`
      return `[${resource.uri}, ${resource.mimeType ?? 'binary'}, ${bytesIn(resource.blob)} bytes: not shown]`
    }
  }
}

function bytesIn(base64: string): number {
  return Buffer.byteLength(base64, 'base64')
}
