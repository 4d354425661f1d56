import { type MappedText, replaceMapped, TextMapper, then, unchanged } from './mapped-text.ts'
import { type Attribute, type Markup, markupIn } from './markup-tags.ts'

/**
 * What is shown of elements that a viewer may hide:
 * - `all`: their text, as a viewer without styles shows it,
 * - `sure`: nothing of elements that each browser hides, such as templates,
 * - `shown`: nothing of those either that most browsers hide, such as what is for viewers without scripts; and the words
 *   in place of pictures and of fields.
 */
export type Elements = 'all' | 'sure' | 'shown'

/** Elements that are never text of a page, in every reading. */
const NO_TEXT = new Set(['script', 'style'])
const HIDDEN = new Set(
  'script style template head title datalist noembed noframes desc metadata defs annotation annotation-xml rp'.split(
    ' ',
  ),
)
const SELDOM_SHOWN = new Set('noscript iframe object video audio canvas details dialog rt map'.split(' '))
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
/** Elements that begin a new line or a cell: what is around them is not joined. */
const BREAKS = new Set(
  (
    'address article aside blockquote body br button caption center col colgroup dd details dialog dir div dl dt ' +
    'fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol optgroup ' +
    'option p pre search section select summary table tbody td textarea tfoot th thead tr ul'
  ).split(' '),
)
const HIDING = /display\s*:\s*none|(?:content-)?visibility\s*:\s*(?:hidden|collapse)/i
const NEARLY_HIDING =
  /opacity\s*:\s*0*(?:\.0*)?(?:%|;|!|\s|$)|font-size\s*:\s*0|(?:max-)?(?:width|height)\s*:\s*0(?![.\d])|clip(?:-path)?\s*:|color\s*:\s*transparent|(?:left|top|right|bottom|text-indent)\s*:\s*-\d{3}|scale\s*\(\s*0/i
const HIDING_CLASS =
  /(?:^|[\s_-])(?:hidden|hide|d-none|sr-only|visually-hidden|invisible|screen-reader-text)(?:$|[\s_-])/i
/** Attributes whose words are shown in place of the element. */
const WORDS = new Set(['alt', 'placeholder', 'value', 'label'])

/** The target of a Markdown link, after its words. */
const TARGET = '\\](?:\\([^()\\n]{0,2048}\\)|\\[[^\\[\\]\\n]{0,999}\\])'
const QUOTE = '^[ \\t]{0,3}>[ \\t>]{0,64}'
const MARKDOWN = new RegExp(
  `${TARGET}|${QUOTE}|!?\\[|\\\\+|\\*+|~+|\`+|(?<![\\p{L}\\p{N}_])_+|_+(?![\\p{L}\\p{N}_])`,
  'gmu',
)

export function hasMarkup(text: string): boolean {
  return /[<\\*`_~[]|^[ \t]{0,3}>/m.test(text)
}

/**
 * Returns texts as viewers of Markdown and HTML show them: without tags, comments, hidden elements, escapes, emphasis,
 * code, quotes, and the targets of links. Characters of the bidirectional algorithm stand for directions of elements.
 */
export function shownMarkup(text: string): readonly MappedText[] {
  const tags = text.includes('<') ? markupIn(text) : []
  const readings: readonly Elements[] = tags.some(({ name }) => name !== '')
    ? ['all', 'sure', 'shown']
    : ['all']
  return readings.map((elements) =>
    then(withoutTags(text, tags, elements), (plain) => replaceMapped(plain, MARKDOWN, () => '')),
  )
}

interface Open {
  readonly name: string
  readonly end: string
}

function withoutTags(text: string, tags: readonly Markup[], elements: Elements): MappedText {
  if (tags.length === 0) return unchanged(text)
  const mapper = new TextMapper(text)
  const open: Open[] = []
  let from = 0
  /** The element that hides the text at this place, and how many elements of its name are open within it. */
  let hidden: { readonly name: string; depth: number } | undefined
  for (const { start, end, name, closes, attributes } of tags) {
    if (start < from) continue
    if (hidden !== undefined) {
      if (name === hidden.name && !VOID.has(name)) hidden.depth += closes ? -1 : 1
      if (hidden.depth === 0) hidden = undefined
      from = end
      continue
    }
    mapper.copy(from, start)
    from = end
    if (name === '') continue
    const hides = !closes && !VOID.has(name) && isHidden(name, attributes, elements)
    if (BREAKS.has(name) && !hides) mapper.put('\n', start, end)
    if (closes) {
      const last = open.findLastIndex((one) => one.name === name)
      for (const one of last < 0 || open.length - last > 32 ? [] : open.splice(last).reverse())
        mapper.put(one.end, start, end)
      continue
    }
    if (elements === 'shown') mapper.put(wordsOf(attributes), start, end)
    if (VOID.has(name)) continue
    if (hides) hidden = { name, depth: 1 }
    else {
      const [begin, close] = directionOf(name, attributes)
      mapper.put(begin, start, end)
      // Elements without a direction need no end, and those that are never closed must not be searched again and again.
      if (close !== '') open.push({ name, end: close })
    }
  }
  // What a browser hides up to the end of the text is hidden in its reading only.
  if (hidden === undefined) mapper.copy(from, text.length)
  return mapper.finish()
}

function isHidden(name: string, attributes: readonly Attribute[], elements: Elements): boolean {
  if (NO_TEXT.has(name)) return true
  if (elements === 'all') return false
  const style = attributeOf(attributes, 'style') ?? ''
  if (HIDDEN.has(name) || attributeOf(attributes, 'hidden') !== undefined || HIDING.test(style)) return true
  return (
    elements === 'shown' &&
    (SELDOM_SHOWN.has(name) ||
      NEARLY_HIDING.test(style) ||
      attributeOf(attributes, 'aria-hidden')?.toLowerCase() === 'true' ||
      HIDING_CLASS.test(attributeOf(attributes, 'class') ?? ''))
  )
}

function wordsOf(attributes: readonly Attribute[]): string {
  if (attributeOf(attributes, 'type')?.toLowerCase() === 'hidden') return ''
  return attributes
    .filter(({ name }) => WORDS.has(name))
    .map(({ value }) => value)
    .join(' ')
}

/** Returns the control characters of UAX #9 at the beginning and the end of an element. */
function directionOf(name: string, attributes: readonly Attribute[]): readonly [begin: string, end: string] {
  const style = attributeOf(attributes, 'style') ?? ''
  const direction = /direction\s*:\s*(rtl|ltr)/i.exec(style)?.[1] ?? attributeOf(attributes, 'dir') ?? ''
  const right = direction.toLowerCase() === 'rtl'
  if (name === 'bdo' || /unicode-bidi\s*:\s*(?:isolate-|bidi-)override/i.test(style))
    return direction === '' ? ['', ''] : [right ? '\u202e' : '\u202d', '\u202c']
  if (name === 'bdi' && direction === '') return ['\u2068', '\u2069']
  return direction === '' ? ['', ''] : [right ? '\u2067' : '\u2066', '\u2069']
}

function attributeOf(attributes: readonly Attribute[], name: string): string | undefined {
  return attributes.find((one) => one.name === name)?.value
}
