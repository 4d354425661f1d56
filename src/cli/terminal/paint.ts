export type Tone = 'plain' | 'strong' | 'faint' | 'good' | 'bad' | 'warn' | 'accent'

const CODES: Readonly<Record<Tone, string>> = {
  plain: '',
  strong: '1',
  faint: '2',
  good: '32',
  bad: '31',
  warn: '33',
  accent: '36',
}

export type Paint = (tone: Tone, text: string) => string

/** Returns a function that colours text; without `color` it returns the text unchanged. */
export function painter(color: boolean): Paint {
  return (tone, text) => {
    const code = CODES[tone]
    return color && code !== '' && text !== '' ? `\x1b[${code}m${text}\x1b[0m` : text
  }
}
