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
    `&#(?:(?<decimal>[0-9]{1,10})|x(?<hex>${HEX}{1,8}));?`,
    `&(?:(?<named>[a-z]{2,16});|(?<legacy>${LEGACY}))`,
    // JSON within JSON is escaped twice. The backslashes are counted from their first one only, in linear time.
    String.raw`(?<!\\)\\{1,64}(?:u(?<unit>${HEX}{4})|u\{(?<point>${HEX}{1,6})\}|U(?<long>${HEX}{8})|x(?<byte>${HEX}{2})|(?<control>[nrtfv])|(?<quoted>["/]))`,
  ].join('|'),
  'gi',
)

export function hasEscapes(text: string): boolean {
  return /%[0-9a-f]{2}|&(?:#|[a-z]{2})|\\/i.test(text)
}

/** Decodes one level of the escapes of URLs, HTML, JSON and strings. */
export function unescapeText(text: string): MappedText {
  return replaceMapped(text, ESCAPE, ({ 0: written, groups = {} }) => {
    const { decimal, hex, unit, point, long, byte, control, quoted } = groups
    if (control !== undefined) return control === 't' ? '\t' : '\n'
    if (quoted !== undefined) return quoted
    const name = groups.named ?? groups.legacy
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? null
    const digits = hex ?? unit ?? point ?? long ?? byte
    if (decimal !== undefined) return characterOf(Number(decimal))
    return digits === undefined ? decodePercent(written) : characterOf(Number.parseInt(digits, 16))
  })
}

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

const TAG = '<\\/?[a-z][a-z0-9-]{0,30}(?:[\\s/][^<>]*)?>'
const MARKUP = new RegExp(`${TAG}|\\\\+|\\*+|~~+|\`+|(?<![\\p{L}\\p{N}_])_+|_+(?![\\p{L}\\p{N}_])`, 'giu')

export function hasMarkup(text: string): boolean {
  return /[<\\*`_]|~~/.test(text)
}

/** Removes the marks of Markdown and HTML that a viewer does not show: comments, tags, escapes, emphasis and code. */
export function unmarkText(text: string): MappedText {
  return then(withoutComments(text), (plain) => replaceMapped(plain, MARKUP, () => ''))
}

/** Written by hand, because a regular expression that searches the end of every start would be quadratic. */
function withoutComments(text: string): MappedText {
  let begin = text.indexOf('<!--')
  if (begin < 0) return unchanged(text)
  const mapper = new TextMapper(text)
  let from = 0
  while (begin >= 0) {
    const end = text.indexOf('-->', begin + 4)
    if (end < 0) break
    mapper.copy(from, begin)
    from = end + 3
    begin = text.indexOf('<!--', from)
  }
  mapper.copy(from, text.length)
  return mapper.finish()
}
