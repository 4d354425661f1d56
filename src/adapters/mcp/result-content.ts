import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client'
import type { Json } from '../../document/json.ts'

/**
 * The result of a call as data: what the server structured, else its texts. Pictures and sounds cannot be told to every
 * model, so a note stands in their place.
 * @param wantsData the tool has an output schema, so a text that is JSON is read as such
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
