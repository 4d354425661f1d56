/** A parsed regular expression, as far as examples need it. */
type Part =
  | { readonly is: 'one'; readonly of: readonly string[] }
  | { readonly is: 'all'; readonly parts: readonly Part[] }
  | { readonly is: 'either'; readonly of: readonly Part[] }
  | { readonly is: 'times'; readonly part: Part; readonly min: number; readonly max: number }
  | { readonly is: 'nothing' }

/** In the order in which they are tried: the plainest characters first. */
const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const DIGITS = '0123456789'
const PRINTABLE = [...LOWER, ...UPPER, ...DIGITS, ...'_-. ,:;/+@#!?=&%$*~^|(){}[]<>\'"`\\']
const WORD = [...LOWER, ...UPPER, ...DIGITS, '_']
const SPACE = [' ', '\t', '\n']
const MAX_LENGTH = 4_096

/**
 * Generates texts that match a pattern of the usual subset (literals, classes, groups, alternatives, counts), each
 * with more repetitions than the previous one. Look-around and boundaries are ignored, so the caller must check the
 * texts.
 * @param seed rotates through the characters and alternatives
 */
export function* examplesOfPattern(source: string, seed: number): Generator<string> {
  let pattern: Part
  try {
    pattern = new PatternReader(source).read()
  } catch {
    return
  }
  for (const extra of [0, 1, 2, 4, 8, 16, 32, 64, 128, 256]) {
    let turn = seed
    const next = () => turn++
    yield write(pattern, extra, seed === 0 ? () => 0 : next)
  }
}

function write(part: Part, extra: number, turn: () => number): string {
  switch (part.is) {
    case 'nothing':
      return ''
    case 'one':
      return part.of[turn() % part.of.length] ?? ''
    case 'either':
      return write(part.of[turn() % part.of.length] as Part, extra, turn)
    case 'all':
      return part.parts.map((p) => write(p, extra, turn)).join('')
    case 'times': {
      let text = ''
      const count = Math.min(part.max, part.min + extra)
      for (let i = 0; i < count && text.length < MAX_LENGTH; i++) text += write(part.part, extra, turn)
      return text
    }
  }
}

class PatternReader {
  readonly #source: readonly string[]
  #at = 0

  constructor(source: string) {
    this.#source = [...source]
  }

  read(): Part {
    const part = this.#alternatives()
    if (this.#at < this.#source.length) throw new SyntaxError('unbalanced')
    return part
  }

  #peek(): string | undefined {
    return this.#source[this.#at]
  }

  #take(text: string): boolean {
    if (this.#source.slice(this.#at, this.#at + text.length).join('') !== text) return false
    this.#at += text.length
    return true
  }

  #alternatives(): Part {
    const of = [this.#sequence()]
    while (this.#take('|')) of.push(this.#sequence())
    return of.length === 1 ? (of[0] as Part) : { is: 'either', of }
  }

  #sequence(): Part {
    const parts: Part[] = []
    for (let next = this.#peek(); next !== undefined && next !== '|' && next !== ')'; next = this.#peek())
      parts.push(this.#counted(this.#atom()))
    return { is: 'all', parts }
  }

  #counted(part: Part): Part {
    let counted = part
    if (this.#take('*')) counted = { is: 'times', part, min: 0, max: Number.POSITIVE_INFINITY }
    else if (this.#take('+')) counted = { is: 'times', part, min: 1, max: Number.POSITIVE_INFINITY }
    else if (this.#take('?')) counted = { is: 'times', part, min: 0, max: 1 }
    else {
      const braces = /^\{(\d+)(,(\d*))?\}/.exec(this.#source.slice(this.#at, this.#at + 20).join(''))
      if (braces === null) return part
      this.#at += braces[0].length
      const min = Number(braces[1])
      const max =
        braces[2] === undefined ? min : braces[3] === '' ? Number.POSITIVE_INFINITY : Number(braces[3])
      counted = { is: 'times', part, min, max }
    }
    // Laziness changes what is captured, not what matches.
    this.#take('?')
    return counted
  }

  #atom(): Part {
    if (this.#take('(')) return this.#group()
    if (this.#take('[')) return { is: 'one', of: this.#class() }
    if (this.#take('.')) return { is: 'one', of: PRINTABLE }
    if (this.#take('^') || this.#take('$')) return { is: 'nothing' }
    if (this.#take('\\')) return this.#escape()
    return { is: 'one', of: [this.#source[this.#at++] as string] }
  }

  #group(): Part {
    const look = this.#take('?=') || this.#take('?!') || this.#take('?<=') || this.#take('?<!')
    if (!look && !this.#take('?:') && this.#take('?<')) while (!this.#take('>')) this.#at++
    const inner = this.#alternatives()
    if (!this.#take(')')) throw new SyntaxError('unbalanced')
    return look ? { is: 'nothing' } : inner
  }

  #escape(): Part {
    const set = this.#escaped()
    return set === null ? { is: 'nothing' } : { is: 'one', of: set }
  }

  /** Returns the characters of an escape, or null for a boundary. */
  #escaped(): readonly string[] | null {
    const letter = this.#source[this.#at++]
    switch (letter) {
      case 'd':
        return [...DIGITS.slice(1), '0']
      case 'D':
        return PRINTABLE.filter((c) => !DIGITS.includes(c))
      case 'w':
        return WORD
      case 'W':
        return PRINTABLE.filter((c) => !WORD.includes(c))
      case 's':
        return SPACE
      case 'S':
        return PRINTABLE.filter((c) => c !== ' ')
      case 'b':
      case 'B':
        return null
      case 't':
        return ['\t']
      case 'n':
        return ['\n']
      case 'r':
        return ['\r']
      case 'u':
      case 'x':
        return [this.#codePoint(letter === 'u' ? 4 : 2)]
      case 'p':
      case 'P':
        return this.#property(letter === 'P')
      case undefined:
        throw new SyntaxError('unfinished')
      default:
        return [letter]
    }
  }

  #codePoint(digits: number): string {
    const rest = this.#source.slice(this.#at, this.#at + 10).join('')
    const found = /^\{([0-9a-fA-F]+)\}/.exec(rest) ?? new RegExp(`^([0-9a-fA-F]{${digits}})`).exec(rest)
    if (found === null) throw new SyntaxError('no code point')
    this.#at += found[0].length
    return String.fromCodePoint(Number.parseInt(found[1] as string, 16))
  }

  #property(negated: boolean): readonly string[] {
    const rest = this.#source.slice(this.#at, this.#at + 40).join('')
    const found = /^(?:\{([^}]+)\}|(\w))/.exec(rest)
    if (found === null) throw new SyntaxError('no property')
    this.#at += found[0].length
    const member = new RegExp(`^\\p{${found[1] ?? found[2]}}$`, 'u')
    return PRINTABLE.filter((c) => member.test(c) !== negated)
  }

  #class(): readonly string[] {
    const negated = this.#take('^')
    const members: string[] = []
    while (!this.#take(']')) {
      const first = this.#classMember()
      const start = first.length === 1 ? first[0] : undefined
      if (start !== undefined && this.#peek() === '-' && this.#source[this.#at + 1] !== ']') {
        this.#at++
        const end = this.#classMember()[0] as string
        members.push(...range(start, end))
      } else members.push(...first)
    }
    if (!negated) return plainestFirst(members)
    const outside = new Set(members)
    return PRINTABLE.filter((c) => !outside.has(c))
  }

  #classMember(): readonly string[] {
    if (this.#take('\\')) return this.#peek() === 'b' ? this.#backspace() : (this.#escaped() ?? [])
    const character = this.#source[this.#at++]
    if (character === undefined) throw new SyntaxError('unfinished class')
    return [character]
  }

  #backspace(): readonly string[] {
    this.#at++
    return ['\b']
  }
}

function range(start: string, end: string): string[] {
  const from = start.codePointAt(0) as number
  const to = Math.min(end.codePointAt(0) as number, from + 127)
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => String.fromCodePoint(from + i))
}

function plainestFirst(members: readonly string[]): readonly string[] {
  const rank = (c: string) => {
    const at = PRINTABLE.indexOf(c)
    return at < 0 ? PRINTABLE.length : at
  }
  return [...new Set(members)].sort((a, b) => rank(a) - rank(b))
}
