import { type MappedText, replaceMapped, TextMapper, then, unchanged } from './mapped-text.ts'

/** Named character references of HTML that hide or separate characters, or are part of addresses. */
const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ensp: ' ', emsp: ' ', thinsp: ' ' },
  ...{ hairsp: ' ', numsp: ' ', puncsp: ' ', tab: '\t', newline: '\n', mediumspace: ' ' },
  ...{ shy: '', zwj: '', zwnj: '', lrm: '', rlm: '', nobreak: '', zerowidthspace: '', invisibletimes: '' },
  ...{ invisiblecomma: '', it: '', ic: '', applyfunction: '', af: '' },
  ...{
    commat: '@',
    period: '.',
    colon: ':',
    semi: ';',
    comma: ',',
    sol: '/',
    bsol: '\\',
    num: '#',
    excl: '!',
  },
  ...{ quest: '?', percnt: '%', plus: '+', equals: '=', lowbar: '_', hyphen: '-', dash: '-', ndash: '-' },
  ...{ lpar: '(', rpar: ')', lsqb: '[', lbrack: '[', rsqb: ']', rbrack: ']', lcub: '{', rcub: '}', ast: '*' },
}
/** Browsers read these also without a semicolon. */
const LEGACY = 'amp|lt|gt|quot|nbsp|shy'

const HEX = '[0-9a-f]'
const CONTINUED = '%[89ab][0-9a-f]'
const ESCAPE = new RegExp(
  [
    `%[0-7]${HEX}|%[cd]${HEX}${CONTINUED}|%e${HEX}(?:${CONTINUED}){2}|%f[0-4](?:${CONTINUED}){3}`,
    `&#(?:0*(?<decimal>[0-9]{1,8})|x0*(?<hex>${HEX}{1,6}));?`,
    `&(?:(?<styled>[a-z])(?:scr|fr|opf);|(?<named>[a-z]{2,16});|(?<legacy>${LEGACY}))`,
    // JSON within JSON is escaped twice. The backslashes are counted from their first one only, in linear time.
    String.raw`(?<!\\)\\{1,64}(?:u(?<unit>${HEX}{4})|u\{(?<point>${HEX}{1,6})\}|U(?<long>${HEX}{8})|x(?<byte>${HEX}{2})|(?<control>[nrtfv]|e(?=[\[\]]))|(?<quoted>["/]))`,
  ].join('|'),
  'gi',
)

export function hasEscapes(text: string): boolean {
  return /%[0-9a-f]{2}|&(?:#|[a-z]{2})|\\/i.test(text)
}

/** Decodes one level of the escapes of URLs, HTML, JSON and strings. */
export function unescapeText(text: string): MappedText {
  return replaceMapped(text, ESCAPE, ({ 0: written, groups = {} }) => {
    const { decimal, hex, unit, point, long, byte, control, quoted, styled } = groups
    if (styled !== undefined) return styled
    if (control !== undefined) return CONTROLS[control.toLowerCase()] ?? '\n'
    if (quoted !== undefined) return quoted
    const name = groups.named ?? groups.legacy
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? null
    const digits = hex ?? unit ?? point ?? long ?? byte
    if (decimal !== undefined) return characterOf(Number(decimal))
    return digits === undefined ? decodePercent(written) : characterOf(Number.parseInt(digits, 16))
  })
}

/** Escapes of control characters other than line breaks. */
const CONTROLS: Readonly<Record<string, string>> = { t: '\t', e: '\x1b' }

function characterOf(code: number): string | null {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : null
}

function decodePercent(written: string): string | null {
  try {
    return decodeURIComponent(written)
  } catch {
    return null
  }
}

const QUOTED = `"[^"<>]*"|'[^'<>]*'`
const TAG = `<\\/?[a-z][a-z0-9-]{0,30}(?:[\\s/](?:[^<>"']|${QUOTED}|["'])*)?>`
/** Elements that begin a new line or a cell: what is around them is not joined. */
const BREAK = '<\\/?(?:br|p|div|li|ul|ol|td|th|tr|h[1-6]|hr)(?:[\\s/][^<>]*)?>'
/** The target of a Markdown link, after its words. */
const TARGET = '\\](?:\\([^()\\n]{0,2048}\\)|\\[[^\\[\\]\\n]{0,999}\\])'
const QUOTE = '^[ \\t]{0,3}>[ \\t>]{0,64}'
const MARKUP = new RegExp(
  `(?<break>${BREAK})|${TAG}|</>|${TARGET}|${QUOTE}|!?\\[|\\\\+|\\*+|~+|\`+|(?<![\\p{L}\\p{N}_])_+|_+(?![\\p{L}\\p{N}_])`,
  'gimu',
)

export function hasMarkup(text: string): boolean {
  return /[<\\*`_~[]|^[ \t]{0,3}>/m.test(text)
}

/**
 * Removes the marks of Markdown and HTML that a viewer does not show: comments, tags, escapes, emphasis, code, quotes, and
 * the targets of links.
 */
export function unmarkText(text: string): MappedText {
  return then(withoutComments(text), (plain) =>
    replaceMapped(plain, MARKUP, ({ groups }) => (groups?.break === undefined ? '' : '\n')),
  )
}

/** Beginnings of parts that a viewer of HTML does not show, each with all its ends. */
const HIDDEN_PARTS: readonly (readonly [begin: RegExp, ends: RegExp])[] = [
  [/<!--/y, /--!?>/g],
  [/<script[\s>]/iy, /<\/script\s{0,8}>/gi],
  [/<style[\s>]/iy, /<\/style\s{0,8}>/gi],
  [/<[!?]/y, />/g],
]

/** Written by hand, because a regular expression that searches the end of every start would be quadratic. */
function withoutComments(text: string): MappedText {
  if (!/<(?:[!?]|script|style)/i.test(text)) return unchanged(text)
  const mapper = new TextMapper(text)
  const endless = new Set<RegExp>()
  let from = 0
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', Math.max(at + 1, from))) {
    const end = hiddenUntil(text, at, endless)
    if (end < 0) continue
    mapper.copy(from, at)
    from = end
  }
  mapper.copy(from, text.length)
  return mapper.finish()
}

/** Returns the end of the hidden part that begins here, or -1. @param endless ends that are not in the rest of the text */
function hiddenUntil(text: string, at: number, endless: Set<RegExp>): number {
  for (const [begin, ends] of HIDDEN_PARTS) {
    begin.lastIndex = at
    if (!begin.test(text)) continue
    // `<!-->` is a whole comment.
    ends.lastIndex = at + 2
    if (endless.has(ends)) continue
    if (ends.test(text)) return ends.lastIndex
    endless.add(ends)
  }
  return -1
}
