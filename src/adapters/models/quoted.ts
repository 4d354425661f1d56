import { shorten } from '../net/shorten.ts'

/** A page instead of an answer of the API: a sign-in page, or an address that is not an API. */
export class NotAnAnswer extends Error {
  override readonly name = 'NotAnAnswer'

  constructor(status: number, type: string, text: string) {
    super(`answered ${status} with ${type} instead of JSON: ${JSON.stringify(shorten(text).slice(0, 80))}`)
  }
}

/** How much of a page is read, in UTF-16 units. */
const LOOK = 2000

/**
 * Returns the response unless it is a page for people.
 * @throws NotAnAnswer
 */
export async function assertNoPage(response: Response): Promise<Response> {
  const type = response.headers.get('content-type')?.split(';')[0]?.trim() ?? ''
  if (!response.ok || !/^(text\/html|application\/xhtml\+xml)$/i.test(type)) return response
  const text = await beginningOf(response.clone())
  // Some servers give an answer of the API the type of a page.
  if (/^\s*(\{|\[|data:|event:)/.test(text)) return response
  await response.body?.cancel()
  throw new NotAnAnswer(response.status, type, text)
}

async function beginningOf({ body }: Response): Promise<string> {
  if (body === null) return ''
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length >= LOOK) break
  }
  return text
}

export function isMarkup(text: string): boolean {
  return /^\s*<(!doctype|html|\?xml|head|body)/i.test(text)
}

/** Returns the sentence of a provider's error body: its message member, or the text of a page. */
export function quoted(body: string): string {
  if (isMarkup(body)) return pageText(body)
  try {
    return messageIn(JSON.parse(body), 0) ?? body
  } catch {
    return body
  }
}

function messageIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  if (typeof value !== 'object' || value === null || depth > 3) return undefined
  const members = value as Readonly<Record<string, unknown>>
  for (const name of ['0', 'error', 'message', 'msg', 'detail', 'errors', 'error_description']) {
    const found = messageIn(members[name], depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

function pageText(page: string): string {
  const title = /<title[^>]*>([^<]*)</i.exec(page)?.[1]?.trim()
  return title === undefined || title === ''
    ? page.replaceAll(/<(script|style)[\s\S]*?<\/\1>/gi, ' ').replaceAll(/<[^>]*>/g, ' ')
    : title
}
