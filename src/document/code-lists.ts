/** Numbers in a text that may be the codes of characters: the bytes that they are in each radix. */
export interface CodeList {
  readonly start: number
  readonly end: number
  readonly bytes: readonly Buffer[]
}

/** Fewer codes are not decoded. */
const FEWEST = 6
/** Characters between two codes: `", "0x`. */
const WIDEST_GAP = 9
/** Words beside the codes: `chr(122)`, `\x{7a}`, `U+007A`, `\N{U+7a}`. */
const BESIDE = new Set(['x', 'u', 'n', 'o', 'b', 'h', 'chr', 'char', '0x', '0b', '0o'])
const CODE = /^(?:0[xob]|[xu])?([0-9a-f]+)h?$/i

const HEX = 1
const ALNUM = 2
const CLASS = new Uint8Array(128)
for (const character of '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
  CLASS[character.charCodeAt(0)] = /[0-9a-fxuoh]/i.test(character) ? HEX | ALNUM : ALNUM

/** Finds lists of codes with any separators: `7a:65`, `0x7a, 0x65`, `\172\145`, `122 101`, `7a656272`. Linear. */
export function codeListsIn(text: string): readonly CodeList[] {
  const lists: CodeList[] = []
  let codes: string[] = []
  let start = 0
  let end = 0
  const close = (): void => {
    const bytes = codes.length === 0 ? [] : bytesOf(codes)
    if (bytes.length > 0) lists.push({ start, end, bytes })
    codes = []
  }
  for (let at = 0; at < text.length; at++) {
    let kind = kindAt(text, at)
    if (kind === 0) continue
    const from = at
    let all = kind
    while (kind !== 0) {
      all &= kind
      kind = kindAt(text, ++at)
    }
    const code = all === ALNUM ? undefined : CODE.exec(text.slice(from, at))?.[1]
    if (codes.length === 0) {
      if (code === undefined) continue
      start = from
    } else {
      if (code === undefined && at - from <= 4 && BESIDE.has(text.slice(from, at).toLowerCase())) continue
      if (code === undefined || from - end > WIDEST_GAP) close()
      if (code === undefined) continue
      if (codes.length === 0) start = from
    }
    codes.push(code)
    end = at
  }
  close()
  return lists
}

function kindAt(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  // Beyond the text it is NaN.
  return unit < 128 ? (CLASS[unit] as number) : 0
}

function bytesOf(codes: readonly string[]): readonly Buffer[] {
  const joined = codes.join('')
  if (joined.length < 2 * FEWEST) return []
  const found: Buffer[] = [
    Buffer.from(codes.map((code) => (code.length % 2 === 0 ? code : `0${code}`)).join(''), 'hex'),
  ]
  // A digit that touches the codes shifts them.
  if ((codes[0] as string).length % 2 === 1 && joined.length > 2 * FEWEST)
    found.push(Buffer.from([(codes[0] as string).slice(1), ...codes.slice(1)].join(''), 'hex'))
  if (!/^\d+$/.test(joined)) return found
  if (codes.length >= FEWEST) found.push(...inRadix(codes, 10))
  else if (codes.length === 1 && joined.length % 3 === 0)
    found.push(...inRadix(joined.match(/\d{3}/g) ?? [], 10))
  if (/^[0-7]+$/.test(joined)) {
    if (codes.length >= FEWEST) found.push(...inRadix(codes, 8))
    else if (codes.length === 1 && joined.length % 3 === 0)
      found.push(...inRadix(joined.match(/\d{3}/g) ?? [], 8))
  }
  if (/^[01]+$/.test(joined) && joined.length % 8 === 0)
    found.push(...inRadix(joined.match(/.{8}/g) ?? [], 2))
  return found
}

/** Returns no bytes if a number is too large for one. */
function inRadix(codes: readonly string[], radix: number): readonly Buffer[] {
  const bytes = codes.map((code) => Number.parseInt(code, radix))
  return bytes.length < FEWEST || bytes.some((byte) => byte > 255) ? [] : [Buffer.from(bytes)]
}
