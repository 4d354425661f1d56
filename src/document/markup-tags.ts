/** A tag or a comment of HTML, as a browser finds it. Offsets are in the text; `end` is exclusive. */
export interface Markup {
  readonly start: number
  readonly end: number
  /** In lower case; empty for a comment, a declaration or a processing instruction. */
  readonly name: string
  readonly closes: boolean
  readonly attributes: readonly Attribute[]
}

export interface Attribute {
  /** In lower case. */
  readonly name: string
  readonly value: string
}

/** Elements whose content is text up to their end tag. */
const RAW = new Set([
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
  'noscript',
])
const NAME = /[^\s/>]{1,256}/y
const ATTRIBUTE =
  /[\s/]*(?:([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)|(?=>)))?|=)/y
const SPACE = /[\s/]*/y
/** After as many tags without an end, the rest of the text is read as text. */
const MOST_OPEN = 16

/**
 * Finds tags and comments (HTML, section "Tokenization"): a bracket within a quoted value does not end a tag, and the
 * content of a script is not markup. A tag without an end reaches to the end of the text. Linear.
 */
export function markupIn(text: string): readonly Markup[] {
  const found: Markup[] = []
  const endless = new Set<string>()
  let open = 0
  let raw: string | undefined
  for (let at = text.indexOf('<'); at >= 0 && open < MOST_OPEN; ) {
    const markup = raw === undefined ? markupAt(text, at, endless) : closingAt(text, at, raw)
    if (markup === undefined) {
      at = text.indexOf('<', at + 1)
      continue
    }
    raw = undefined
    found.push(markup)
    if (markup.end === text.length && text[markup.end - 1] !== '>') open++
    const next = markup.end === text.length ? at + 1 : markup.end
    if (!markup.closes && RAW.has(markup.name) && hasEnd(text, markup.end, markup.name, endless))
      raw = markup.name
    at = text.indexOf('<', next)
  }
  return found
}

/** Returns whether the end tag of a raw element follows. Each name is searched in vain once only. */
function hasEnd(text: string, from: number, name: string, endless: Set<string>): boolean {
  if (endless.has(name)) return false
  const end = new RegExp(`</${name}[\\s/>]`, 'gi')
  end.lastIndex = from
  if (end.test(text)) return true
  endless.add(name)
  return false
}

function closingAt(text: string, at: number, name: string): Markup | undefined {
  if (text.slice(at + 2, at + 2 + name.length).toLowerCase() !== name || text[at + 1] !== '/')
    return undefined
  return tagAt(text, at)
}

function markupAt(text: string, at: number, endless: Set<string>): Markup | undefined {
  if (text.startsWith('<!--', at)) return commentAt(text, at, endless)
  const next = text[at + 1] ?? ''
  if (next === '!' || next === '?' || (next === '/' && !/[a-z]/i.test(text[at + 2] ?? ''))) {
    const end = endless.has('>') ? -1 : text.indexOf('>', at)
    if (end < 0) endless.add('>')
    return end < 0 ? undefined : markup(at, end + 1)
  }
  return /[a-z/]/i.test(next) ? tagAt(text, at) : undefined
}

function markup(
  start: number,
  end: number,
  name = '',
  closes = false,
  attributes: readonly Attribute[] = [],
): Markup {
  return { start, end, name, closes, attributes }
}

function commentAt(text: string, at: number, endless: Set<string>): Markup | undefined {
  // `<!-->` and `<!--->` are whole comments.
  const short = /<!---?>/y
  short.lastIndex = at
  if (short.test(text)) return markup(at, short.lastIndex)
  if (endless.has('-->')) return undefined
  const ends = /--!?>/g
  ends.lastIndex = at + 4
  if (ends.test(text)) return markup(at, ends.lastIndex)
  endless.add('-->')
  return undefined
}

function tagAt(text: string, at: number): Markup {
  const closes = text[at + 1] === '/'
  NAME.lastIndex = at + (closes ? 2 : 1)
  const name = NAME.exec(text)?.[0] ?? ''
  const attributes: Attribute[] = []
  let end = at + (closes ? 2 : 1) + name.length
  for (;;) {
    SPACE.lastIndex = end
    SPACE.test(text)
    end = SPACE.lastIndex
    if (text[end] === '>') return markup(at, end + 1, name.toLowerCase(), closes, attributes)
    ATTRIBUTE.lastIndex = end
    const match = ATTRIBUTE.exec(text)
    // A quote without its end, or the end of the text.
    if (match === null || ATTRIBUTE.lastIndex === end)
      return markup(at, text.length, name.toLowerCase(), closes, attributes)
    end = ATTRIBUTE.lastIndex
    if (match[1] !== undefined)
      attributes.push({ name: match[1].toLowerCase(), value: match[2] ?? match[3] ?? match[4] ?? '' })
  }
}
