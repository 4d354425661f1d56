/** A word or phrase that readers of technical English stumble over. */
interface PoorWord {
  readonly pattern: RegExp
  readonly instead: string
}

const resume = 'write "continues" or "resumes"'
const thePeople = 'write the noun, for example "a person", "the caller", "the user"'

/** Only patterns with few false alarms. White space in a pattern also matches a line break of a comment. */
export const POOR_WORDS: readonly PoorWord[] = [
  { pattern: /whoever/, instead: 'write the noun, for example "the caller"' },
  { pattern: /(?:nobody|no one)(?:'s)?/, instead: 'say what happens instead, for example "no process …"' },
  { pattern: /(?:some|any|every)body(?:'s)?/, instead: thePeople },
  { pattern: /strangers?(?:'s?)?/, instead: 'write "untrusted", for example "untrusted text"' },
  { pattern: /told/, instead: 'write "notified", "reported", "given" or "emitted"' },
  { pattern: /heard/, instead: 'write "received" or "observed"' },
  { pattern: /(?:gives?|gave|giving|given) way/, instead: 'write "is aborted", "is replaced" or "yields"' },
  { pattern: /affairs?/, instead: 'write the noun' },
  { pattern: /mend(?:s|ed|ing)?/, instead: 'write "fix" or "repair"' },
  { pattern: /otherwise than/, instead: 'write "differently from" or "unlike"' },
  {
    pattern:
      /(?<!\b(?:there|where|what|why|which) )(?:is|are|was|were) (?:none|no(?= \w))(?! longer| more| less| fewer)/,
    instead: 'write "is not a …"',
  },
  { pattern: /(?:goes|go|went|gone|going) on(?! (?:the )?record)/, instead: resume },
  { pattern: /(?:lies?|lay)/, instead: 'write "is"' },
  { pattern: /(?:stands?|stood)(?! (?:for|in for)\b|-|ard)/, instead: 'write "is" or "is written"' },
  { pattern: /for want of/, instead: 'write "because … is missing"' },
  { pattern: /one's/, instead: 'repeat the noun' },
  { pattern: /what came/, instead: 'write the noun, for example "the result"' },
  { pattern: /aright/, instead: 'write "correctly"' },
  {
    pattern: /(?:allowed|decided|given|granted) beforehand/,
    instead: 'write "standing", for example "standing grant"',
  },
  { pattern: /so says?/, instead: 'write "reports it"' },
  { pattern: /(?:has|have|had|is|are|was|were) said/, instead: 'write "stated", "reported" or "written"' },
  { pattern: /all the same/, instead: 'write "anyway" or "still"' },
  { pattern: /(?:comes?|came) along/, instead: 'write "is included" or "arrives"' },
  { pattern: /whence|whither|hither|anew|asunder|lest|wherefrom/, instead: 'use a common word' },
]

const POOR_WORD = POOR_WORDS.map(({ pattern, instead }) => ({
  pattern: new RegExp(`\\b(?:${pattern.source.replaceAll(' ', '\\s+')})(?![\\w-])`, 'gi'),
  instead,
}))

/** Of names in code, by humps: `toldBy`, `is_heard`. */
const POOR_HUMP =
  /(?<![A-Za-z])(?:told|heard|whoever|nobody|somebody|anybody|strangers?)(?![a-z])|(?:Told|Heard|Whoever|Nobody|Somebody|Strangers?)(?![a-z])/g

export interface Finding {
  /** 1-based. */
  readonly line: number
  readonly words: string
  readonly instead: string
}

/**
 * Returns the poor words in the prose of a file, in order. Prose is, by the end of the path: in `.md`, all text but
 * code and link targets; in code, comments, strings and names; below `test/`, comments, names and titles of tests,
 * also those in tables.
 * A line that ends with `words-ok` in a comment is left out.
 * @param path relative to the repository
 */
export function poorWordsIn(path: string, text: string): readonly Finding[] {
  const { prose, code } = path.endsWith('.md')
    ? { prose: proseOfPage(path, text), code: '' }
    : partsOfCode(path, text)
  const lines = text.split('\n')
  const found: (Finding & { readonly at: number })[] = []
  const collect = (where: string, pattern: RegExp, instead: string): void => {
    for (const match of where.matchAll(pattern)) {
      const line = where.slice(0, match.index).split('\n').length
      if (/words-ok\b/.test(lines[line - 1] ?? '')) continue
      found.push({ line, words: match[0].replace(/\s+/g, ' '), instead, at: match.index })
    }
  }
  for (const { pattern, instead } of POOR_WORD) collect(prose, pattern, instead)
  if (code !== '') collect(code, POOR_HUMP, 'name it by the term of the field, for example "reported"')
  return found.sort((one, other) => one.at - other.at)
}

/** Ends a sentence in masked text, so that no phrase is found across code. */
const GAP = '¦'

function mask(text: string): string {
  return text.replace(/[^\n]/g, GAP)
}

function proseOfPage(path: string, text: string): string {
  const old = path.endsWith('CHANGELOG.md')
    ? text
        .split(/^(?=## )/m)
        .slice(2)
        .join('')
    : ''
  return (old === '' ? text : text.slice(0, -old.length) + mask(old))
    .replace(/^---\n.*?\n---(?=\n)/s, mask)
    .replace(/^( *)```.*?^\1```$/gms, mask)
    .replace(/<!--.*?-->/gs, mask)
    .replace(/`[^`]*`/g, mask)
    .replace(/\]\([^)]*\)/g, mask)
}

/** A title, or a member of a table that becomes a part of titles. */
const TITLE_FOLLOWS =
  /\b(?:test|describe|it|suite)(?:\.(?:skip|only|todo))?\(\s*$|\b(?:rule|attack|holds|passes|enforced):\s*$/
/** Before a slash that begins a regular expression, not a division. */
const REGEXP_FOLLOWS = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|await|yield))\s*$/

/** Splits code into its prose and the rest; in each, the other part is masked, so that every place stays the same. */
function partsOfCode(path: string, text: string): { readonly prose: string; readonly code: string } {
  const titlesOnly = /^(?:.*\/)?test\//.test(path)
  const opened: number[] = []
  let depth = 0
  let prose = ''
  let code = ''
  let at = 0
  const keep = (part: string): void => {
    const isKept = !titlesOnly || TITLE_FOLLOWS.test(text.slice(Math.max(0, at - 40), at))
    prose += isKept ? part.replace(/\\n|^["'`]|["'`]$/g, mask) : mask(part)
    code += mask(part)
    at += part.length
  }
  const skip = (part: string): void => {
    prose += part.replace(/\S/g, GAP)
    code += part
    at += part.length
  }
  const comment = (part: string): void => {
    prose += part
      .replace(/^\/[/*]+|\*+\/$|^ *\*(?!\/)/gm, (mark) => ' '.repeat(mark.length))
      .replace(/`[^`]*`|https?:\S+/g, mask)
    code += mask(part)
    at += part.length
  }
  const from = (pattern: RegExp): string => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0] ?? text.charAt(at)
  }
  while (at < text.length) {
    const two = text.slice(at, at + 2)
    const one = text.charAt(at)
    if (two === '//') comment(from(/.*/y))
    else if (two === '/*') comment(from(/\/\*.*?\*\//sy))
    else if (one === "'") keep(from(/'(?:\\.|[^'\\\n])*'/y))
    else if (one === '"') keep(from(/"(?:\\.|[^"\\\n])*"/y))
    else if (one === '`') keep(templatePart())
    else if (one === '}' && opened.at(-1) === depth) {
      opened.pop()
      depth--
      keep(templatePart())
    } else if (
      one === '/' &&
      REGEXP_FOLLOWS.test(text.slice(Math.max(0, at - 40), at).replace(/\/\/.*\n/, ''))
    ) {
      skip(from(/\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\//y))
    } else {
      if (one === '{') depth++
      if (one === '}') depth--
      skip(from(/[\w$]+|\s+|./sy))
    }
  }
  return { prose, code }

  /** The text of a template from its backtick or from the end of a value, up to its next value or its end. */
  function templatePart(): string {
    const part = from(/[`}](?:\\.|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y)
    if (part.endsWith('${')) opened.push(++depth)
    return part
  }
}
