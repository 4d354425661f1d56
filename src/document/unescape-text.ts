import { type MappedText, replaceMapped, then, unchanged } from './mapped-text.ts'

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
  // Letters that have a name of their own.
  ...{
    fjlig: 'fj',
    fflig: 'ff',
    filig: 'fi',
    fllig: 'fl',
    ffilig: 'ffi',
    ffllig: 'ffl',
    szlig: 'ß',
    aelig: 'æ',
  },
  ...{
    oelig: 'œ',
    oslash: 'ø',
    thorn: 'þ',
    eth: 'ð',
    inodot: 'i',
    imath: 'i',
    jmath: 'j',
    ell: 'l',
    order: 'o',
  },
  ...{ orderof: 'o', planckh: 'h', real: 'R', image: 'I', ii: 'i', ee: 'e', dd: 'd', ordf: 'a', ordm: 'o' },
  ...{ emsp13: ' ', emsp14: ' ', thickspace: ' ', nonbreakingspace: ' ', verythinspace: ' ', midast: '*' },
  ...{ negativethinspace: '', negativemediumspace: '', negativethickspace: '', negativeverythinspace: '' },
  ...{ vert: '|', verbar: '|', grave: '`', dollar: '$', hat: '^' },
  ...{ lpar: '(', rpar: ')', lsqb: '[', lbrack: '[', rsqb: ']', rbrack: ']', lcub: '{', rcub: '}', ast: '*' },
}
/** Marks that a character reference of HTML puts on a letter: `&eacute;`. */
const ACCENTS: Readonly<Record<string, string>> = {
  ...{ grave: '\u0300', acute: '\u0301', circ: '\u0302', tilde: '\u0303', macr: '\u0304', breve: '\u0306' },
  ...{ dot: '\u0307', uml: '\u0308', ring: '\u030a', dblac: '\u030b', caron: '\u030c', cedil: '\u0327' },
  ...{ ogon: '\u0328' },
}
/** Browsers read these also without a semicolon. */
const LEGACY = 'amp|lt|gt|quot|nbsp|shy'

const HEX = '[0-9a-f]'
const CONTINUED = '%[89ab][0-9a-f]'
const ESCAPE = new RegExp(
  [
    `%[0-7]${HEX}|%[cd]${HEX}${CONTINUED}|%e${HEX}(?:${CONTINUED}){2}|%f[0-4](?:${CONTINUED}){3}`,
    `&#(?:0*(?<decimal>[0-9]{1,8})|x0*(?<hex>${HEX}{1,6}));?`,
    `&(?:(?<styled>[a-z])(?:scr|fr|opf);|(?<letter>[a-z])(?<accent>${Object.keys(ACCENTS).join('|')});?|(?<named>[a-z]{2,22}\\d{0,2});|(?<legacy>${LEGACY}))`,
    `%u(?<legacyUnit>${HEX}{4})|_x(?<cell>${HEX}{4})_|U\\+(?<scalar>${HEX}{4,6})`,
    // JSON within JSON is escaped twice. The backslashes are counted from their first one only, in linear time.
    String.raw`(?<!\\)\\{1,64}(?:u(?<unit>${HEX}{4})|(?:N\{U\+|x\{)(?<wide>${HEX}{1,6})\}|u\{(?<point>${HEX}{1,6})\}|U(?<long>${HEX}{8})|x(?<byte>${HEX}{2})|(?<control>[nrtfv]|e(?=[\[\]]))|(?<quoted>["/]))`,
  ].join('|'),
  'gi',
)

/** Each alternative begins with a rare character: V8 looks for `+` faster than for the `U` before it. */
const ESCAPES = /%[0-9a-fA-FuU]|&(?:#|[a-zA-Z]{2})|\\|_(?=x[0-9a-fA-F]{4}_)|\+(?<=[uU]\+)(?=[0-9a-fA-F]{4})/

export function hasEscapes(text: string): boolean {
  return ESCAPES.test(text)
}

/** Decodes one level of the escapes of URLs, HTML, JSON and strings. */
export function unescapeText(text: string): MappedText {
  return replaceMapped(text, ESCAPE, ({ 0: written, groups = {} }) => {
    const { decimal, hex, unit, point, long, byte, control, quoted, styled, letter, accent } = groups
    if (letter !== undefined) return (letter + (ACCENTS[(accent ?? '').toLowerCase()] ?? '')).normalize()
    if (styled !== undefined) return styled
    if (control !== undefined) return CONTROLS[control.toLowerCase()] ?? '\n'
    if (quoted !== undefined) return quoted
    const name = groups.named ?? groups.legacy
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? null
    const { wide, legacyUnit, cell, scalar } = groups
    const digits = hex ?? unit ?? point ?? long ?? byte ?? wide ?? legacyUnit ?? cell ?? scalar
    if (decimal !== undefined) return characterOf(Number(decimal))
    return digits === undefined ? decodePercent(written) : characterOf(Number.parseInt(digits, 16))
  })
}

/** Escapes of control characters other than line breaks. */
const CONTROLS: Readonly<Record<string, string>> = { t: '\t', e: '\x1b' }

function characterOf(code: number): string | null {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : null
}

/** Escapes within escapes: `%2540`, `&amp;#64;`. */
const LEVELS = 3

/** Returns the text with each further level of its escapes decoded, from the first to the last that changes it. */
export function unescapedLevels(text: string): readonly MappedText[] {
  const levels: MappedText[] = []
  let last = unchanged(text)
  while (levels.length < LEVELS && hasEscapes(last.text)) {
    const next = levels.length === 0 ? unescapeText(text) : then(last, unescapeText)
    if (next.text === last.text) break
    levels.push(next)
    last = next
  }
  return levels
}

function decodePercent(written: string): string | null {
  try {
    return decodeURIComponent(written)
  } catch {
    return null
  }
}
