import { type Attribute, markupIn } from '../../document/markup-tags.ts'
import { foldDecoded, renderedReadingsOf } from '../../document/seen-text.ts'
import { type Part, withoutParts } from './parts.ts'

/** Schemes that programs open also without slashes behind them. */
const SCHEMES =
  'https?|wss?|ftps?|sftp|file|mailto|tel|sms|smsto|sips?|xmpp|ircs?|matrix|geo|magnet|urn|blob|javascript|vbscript|view-source|intent|whatsapp|skype|facetime|callto|ipfs|ldaps?|webcal|gopher|telnet|rtsp|rtmp|nntp|spotify|bitcoin|ethereum|steam|zoommtg|about(?=:blank)|data(?=:[a-z0-9.+-]{0,64}[/;,])'
/** Extensions of file names that are not top-level domains. */
const FILES =
  'c|cpp|css|csv|d|h|hpp|html?|java|jpe?g|json|jsx?|kt|lock|log|mjs|cjs|pdf|php|png|rb|svg|swift|toml|tsx?|txt|xml|ya?ml'
const LABEL = String.raw`[\p{L}\p{N}_-]{1,63}`
/** A name or an address of a host, with an optional port. */
const DOTTED = String.raw`(?:${LABEL}\.){1,10}(?!(?:${FILES})(?![\p{L}\p{N}-]))(?:\p{L}{2,63}|xn--[a-z0-9-]{1,59})\.?`
const ADDRESS = String.raw`\d{1,3}(?:\.\d{1,3}){3}|localhost|\[[0-9a-f:.]{2,45}\]`
/** Domains whose hosts take a path of digits for a short link; `size.width/2` does not count. */
const SHORT = String.raw`(?:${LABEL}\.){1,10}(?:(?!(?:${FILES})(?![\p{L}\p{N}-]))[a-z]{2}|com|net|org|link|info|app|example)`
const WORD_BEFORE = String.raw`(?:[\p{L}\p{N}_.@/\\+-]|(?<![\p{L}\p{N}]):)`

/**
 * What a viewer shows as a link, or fetches. No alternative can begin inside a match of itself that failed, so the time
 * is linear.
 */
const LINK = new RegExp(
  [
    // Any scheme with a slash, and well-known schemes without; the letter of a drive and `a::b` are not links.
    String.raw`(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,30}:[\\/]\S+`,
    String.raw`(?<![\p{L}\p{N}_])(?:${SCHEMES}):(?=[^\s:])(?![)\]}"'*\x60,;.]*(?:\s|$))\S+`,
    // Relative to the protocol of the page.
    String.raw`(?<![\p{L}\p{N}_:\\/])[\\/]{2}(?:${DOTTED}|${ADDRESS}|${LABEL}(?=[:/?]))\S*`,
    String.raw`(?<![\p{L}\p{N}_])www\d{0,3}\.[\p{L}\p{N}]\S*`,
    // A host with a port and a path, but not a block of addresses (CIDR).
    String.raw`(?<!${WORD_BEFORE})(?:${DOTTED}|${ADDRESS})(?::\d{1,5})?(?:/(?!\d{1,3}(?![\w/.]))|\?(?=[\p{L}\p{N}_]))\S*`,
    String.raw`(?<!${WORD_BEFORE})${SHORT}/\d{1,3}(?![\w/.])`,
    String.raw`@import\s{0,8}["'(]`,
    // Targets of Markdown: inline, defined elsewhere, in angle brackets.
    String.raw`!?\[[^\[\]]*\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)?\)?`,
    String.raw`\]\((?=\s*\S)[^()\s]*\)?`,
    String.raw`^ {0,3}\[(?!\^)[^\[\]\n]{1,999}\]:[ \t]{0,8}(?:\n[ \t]{0,8})?<?(?=\S*(?:[/\\:#?]|\.[\p{L}\p{N}]))\S+`,
    String.raw`<[a-z][a-z0-9+.-]{1,31}:[^\s<>]+>|<[^\s<>@]{1,256}@[^\s<>@]{1,256}>`,
    String.raw`(?<![\p{L}\p{N}_])url\(\s*["']?(?=[\\/])[^()\s]*\)?`,
  ].join('|'),
  'gimu',
)

/** Attributes that name a target, whatever their value. */
const TARGETS = new Set(
  (
    'href src srcset imagesrcset action formaction poster data cite background ping srcdoc content manifest profile ' +
    'longdesc usemap xlink:href archive classid codebase lowsrc dynsrc icon attributionsrc'
  ).split(' '),
)
/** A target in the value of any other attribute, after the clean-up of the URL standard. */
const TARGET =
  /^(?:[a-z][a-z0-9+.-]{1,30}:[\\/]|[\\/]{2}[^\s\\/]|(?:javascript|data|mailto|tel|vbscript):)|url\(|image-set\(|@import/i

/** Returns the elements of a text that name a target. */
function elementsWithTarget(text: string): readonly Part[] {
  if (!text.includes('<')) return []
  return markupIn(text).filter(({ name, attributes }) => name !== '' && attributes.some(namesTarget))
}

function namesTarget({ name, value }: Attribute): boolean {
  if (TARGETS.has(name) || /^on[a-z]{1,30}$/.test(name)) return true
  // A parser of URLs removes tabs and line breaks anywhere, and control characters at the ends.
  return TARGET.test(
    foldDecoded(value)
      .text.replaceAll(/[\t\r\n]+/g, '')
      .trim(),
  )
}

/** Returns the parts of a text that some viewer shows as a link, or fetches. */
function linksIn(text: string): readonly Part[] {
  const parts: Part[] = [...elementsWithTarget(text)]
  for (const reading of renderedReadingsOf(text)) {
    const add = (start: number, end: number) =>
      parts.push({ start: reading.start(start), end: reading.end(end - 1) })
    for (const { index, 0: link } of reading.text.matchAll(LINK)) add(index, index + link.length)
    for (const { start, end } of reading.text === text ? [] : elementsWithTarget(reading.text))
      add(start, end)
  }
  return parts
}

/** Returns true if some viewer shows a link in the text, or fetches a target that it names. */
export function holdsLink(text: string): boolean {
  return linksIn(text).length > 0
}

/** Replaces links, with the words of a Markdown link, by `[removed]`. Returns null if a link remains. */
export function withoutLinks(text: string): string | null {
  let cleaned = text
  // A picture within a link leaves a link behind.
  for (let round = 0; round < 3; round++) {
    const parts = linksIn(cleaned)
    if (parts.length === 0) return cleaned
    cleaned = withoutParts(cleaned, parts)
  }
  return holdsLink(cleaned) ? null : cleaned
}
