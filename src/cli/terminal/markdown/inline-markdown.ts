import { Lexer, type Token, type Tokens } from 'marked'

/** On and off codes. Each style has its own end, so that styles can be nested. */
const STYLES = {
  strong: ['\x1b[1m', '\x1b[22m'],
  em: ['\x1b[3m', '\x1b[23m'],
  del: ['\x1b[9m', '\x1b[29m'],
  code: ['\x1b[36m', '\x1b[39m'],
  url: ['\x1b[4m', '\x1b[24m'],
} as const

/** Characters that the following text may make the beginning of emphasis, code, a link or a tag. */
const OPENER = /`|\[|~~|\*(?=\S)|(?<![\p{L}\p{N}])_(?=\S)|<(?=[a-z!/?])/iu

/** Returns the text of a paragraph, a heading or a table cell with its emphasis as terminal styles. */
export function styledInline(source: string): string {
  return Lexer.lexInline(source, { gfm: true }).map(styledToken).join('')
}

/**
 * Returns how much of an unfinished paragraph can be shown now: it ends between two words, and no text that follows can
 * change it.
 */
export function settledLength(source: string): number {
  const end = lastSpace(source)
  let at = 0
  for (const token of Lexer.lexInline(source.slice(0, end), { gfm: true })) {
    const opener = token.type === 'text' ? token.raw.search(OPENER) : -1
    if (opener >= 0) return lastSpace(source.slice(0, at + opener))
    at += token.raw.length
  }
  return end
}

function lastSpace(text: string): number {
  return text.search(/\s\S*$/) + 1
}

function styledToken(token: Token): string {
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
      return wrapped(token.type, styledTokens(token.tokens ?? []))
    case 'codespan':
      return wrapped('code', (token as Tokens.Codespan).text)
    case 'link':
    case 'image':
      return linkText(token as Tokens.Link | Tokens.Image)
    case 'br':
      return '\n'
    case 'escape':
      return (token as Tokens.Escape).text
    default:
      return token.raw
  }
}

function styledTokens(tokens: readonly Token[]): string {
  return tokens.map(styledToken).join('')
}

/** Shows the address of a link, because its text may claim another one. */
function linkText(token: Tokens.Link | Tokens.Image): string {
  const { href, text } = token
  const label = token.type === 'link' ? styledTokens(token.tokens) : text
  if (text === href || `mailto:${text}` === href) return wrapped('url', text)
  return `${label} (${wrapped('url', href)})`
}

function wrapped(style: keyof typeof STYLES, text: string): string {
  const [on, off] = STYLES[style]
  return `${on}${text}${off}`
}
