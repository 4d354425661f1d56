import { looksRandom } from './secret-likeness.ts'

/** A part of a text that is a credential in a known format. `end` is exclusive; both count UTF-16 units. */
export interface FoundInText {
  readonly start: number
  readonly end: number
  readonly kind: string
}

interface Format {
  readonly kind: string
  /** Global; group 1, if present, is the secret within the match. */
  readonly pattern: RegExp
  /** Returns false for texts that only look like the format. Receives the secret, not the match. */
  readonly plausible: (secret: string) => boolean
}

/**
 * Every pattern starts with a fixed text and repeats only single character classes, and a match never begins inside
 * another candidate, so the time is linear in the text.
 */
const FORMATS: readonly Format[] = [
  format('anthropic-key', /(?<![\w-])sk-ant-[\w-]{16,}/g, isNoPlaceholder),
  format('openai-key', /(?<![\w-])sk-(?!ant-)[\w-]{16,}/g, isKeyAfterPrefix),
  format('aws-access-key', /(?<![A-Za-z0-9])A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g, isNoPlaceholder),
  format(
    'aws-secret-key',
    /aws_?secret_?(?:access_?)?key["']?[ \t]{0,3}[:=][ \t]{0,3}["']?([\w/+=]{40})/gi,
    isNoPlaceholder,
  ),
  format('github-token', /(?<!\w)gh[opsur]_[A-Za-z0-9]{30,}/g, isNoPlaceholder),
  format('github-token', /(?<!\w)github_pat_\w{22,}/g, isNoPlaceholder),
  format('gitlab-token', /(?<![\w-])gl(?:pat|dt|rt|ptt|soat)-[\w-]{20,}/g, isNoPlaceholder),
  format('google-key', /(?<![\w-])AIza[\w-]{35}(?![\w-])/g, isNoPlaceholder),
  format('google-token', /(?<![\w-])ya29\.[\w-]{20,}/g, isNoPlaceholder),
  format('google-secret', /(?<![\w-])GOCSPX-[\w-]{20,}/g, isNoPlaceholder),
  format('slack-token', /(?<![\w-])xox[abeoprs]-[\w-]{10,}/g, isNoPlaceholder),
  format('slack-token', /(?<![\w-])xapp-[\w-]{20,}/g, isNoPlaceholder),
  format('slack-webhook', /hooks\.slack\.com\/services\/\w+\/\w+\/\w{16,}/g, isNoPlaceholder),
  format('stripe-key', /(?<!\w)[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g, isNoPlaceholder),
  format('sendgrid-key', /(?<![\w-])SG\.[\w-]{16,}\.[\w-]{16,}/g, isNoPlaceholder),
  format('npm-token', /(?<!\w)npm_[A-Za-z0-9]{36}/g, isNoPlaceholder),
  format('pypi-token', /(?<![\w-])pypi-[\w-]{50,}/g, isNoPlaceholder),
  format('huggingface-token', /(?<!\w)hf_[A-Za-z0-9]{30,}/g, isNoPlaceholder),
  format('groq-key', /(?<!\w)gsk_[A-Za-z0-9]{32,}/g, isNoPlaceholder),
  format('xai-key', /(?<![\w-])xai-[A-Za-z0-9]{40,}/g, isNoPlaceholder),
  format('perplexity-key', /(?<![\w-])pplx-[A-Za-z0-9]{40,}/g, isNoPlaceholder),
  format('replicate-token', /(?<!\w)r8_[A-Za-z0-9]{30,}/g, isNoPlaceholder),
  format('langsmith-key', /(?<!\w)lsv2_(?:pt|sk)_\w{32,}/g, isNoPlaceholder),
  format('vault-token', /(?<!\w)hv[bs]\.[\w-]{24,}/g, isNoPlaceholder),
  format('digitalocean-token', /(?<!\w)do[opr]_v1_[a-f0-9]{64}/g, isNoPlaceholder),
  format('azure-storage-key', /AccountKey=([\w+/]{60,}={0,2})/g, isNoPlaceholder),
  format('age-key', /AGE-SECRET-KEY-1[A-Z0-9]{50,}/g, isNoPlaceholder),
  format('jwt', /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,}/g, isNoPlaceholder),
  format('bearer-token', /\bBearer[ \t]{1,3}([\w.~+/=-]{12,})/gi, isTokenAfterScheme),
  // A whole header: the text after the scheme is a credential, even if it looks like prose.
  format(
    'bearer-token',
    /(?:^|Authorization["']?[ \t]{0,2}[:=][ \t]{0,2}["']?)Bearer[ \t]{1,3}([\w.~+/=-]{8,})["']?$/gi,
    isLiteralToken,
  ),
  format('telegram-token', /(?<!\w)\d{8,10}:AA[\w-]{33}/g, isNoPlaceholder),
  format('discord-webhook', /discord(?:app)?\.com\/api\/webhooks\/\d{1,20}\/[\w-]{60,}/g, isNoPlaceholder),
  format('basic-auth', /\bBasic[ \t]{1,3}([A-Za-z0-9+/]{6,}={0,2})/gi, isBasicPair),
  format('url-password', /(?<=[a-z0-9]):\/\/[^\s/?#@:"'<>`]{0,128}:([^\s/?#@"'<>`]{1,256})@/gi, isNoTemplate),
  format(
    'url-key',
    /[?&](?:api[_-]?key|access[_-]?(?:key|token)|auth[_-]?token|client[_-]?secret|token|secret|password|sig|key)=([^&\s"'#<>`]{8,})/gi,
    isQuerySecret,
  ),
]

/**
 * Fixed parts of all formats, so that one search shows that a text contains no secret. Each alternative begins with a
 * character that is rare in texts, and looks back for what is before it: V8 skips texts without these characters 50 times
 * faster than it looks for the parts from their beginnings.
 */
const ANY_FORMAT = new RegExp(
  [
    '-(?<=sk-|gl(?:pat|dt|rt|ptt|soat)-|GOCSPX-|xox[abeoprs]-|xapp-|pypi-|xai-|pplx-)',
    '-(?:(?<=AGE-)SECRET|(?<=-----)BEGIN)',
    '_(?<=gh[opsur]_|github_|npm_|hf_|gsk_|r8_|lsv2_)',
    '_(?:(?<=[rs]k_)(?:live|test)|(?<=do[opr]_)v1)_',
    '\\.(?<=ya29\\.|SG\\.|hv[bs]\\.)',
    '\\.(?:eyJ|(?<=hooks\\.)slack|(?<=discord(?:app)?\\.)com)',
    ':(?:AA|\\/\\/[^\\s/?#@:]{0,128}:)',
    '=(?<=AccountKey=|[?&][a-zA-Z_-]{3,16}=)',
    `[:=](?<=${anyCase('secret')}_?(?:${anyCase('access')}_?)?${anyCase('key')}["']?[ \\t]{0,3}[:=])`,
    'A(?:KIA|SIA|Iza)',
    `[Bb](?:${anyCase('earer')}|${anyCase('asic')})[ \\t]`,
  ].join('|'),
)

/** With the flag `i`, V8 would look for more characters at once than it does fast. */
function anyCase(word: string): string {
  return word.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`)
}

/** Finds credentials in known formats, in the order of the text and without overlaps. Linear in the text. */
export function scanText(text: string): FoundInText[] {
  if (text.length < 8 || !ANY_FORMAT.test(text)) return []
  const found = privateKeys(text)
  for (const { kind, pattern, plausible } of FORMATS) {
    pattern.lastIndex = 0
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const secret = match[1] ?? match[0]
      if (!plausible(secret)) continue
      // The group is always at the end of the match, except for a closing character.
      const start = match[1] === undefined ? match.index : match.index + match[0].lastIndexOf(secret)
      found.push({ start, end: start + secret.length, kind })
    }
  }
  return withoutOverlaps(found)
}

/** Written by hand, because a regular expression that searches the end of every start would be quadratic. */
function privateKeys(text: string): FoundInText[] {
  const found: FoundInText[] = []
  const begin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const after = match.index + match[0].length
    const footer = text.indexOf('-----END', after)
    const close = footer < 0 ? -1 : text.indexOf('-----', footer + 8)
    const end = close < 0 ? text.length : close + 5
    const body = text.slice(after, footer < 0 ? end : footer)
    if (body.trim().length >= 16 && isNoPlaceholder(body))
      found.push({ start: match.index, end, kind: 'private-key' })
    begin.lastIndex = end
  }
  return found
}

function withoutOverlaps(found: FoundInText[]): FoundInText[] {
  if (found.length < 2) return found
  found.sort((a, b) => a.start - b.start || b.end - a.end)
  const kept: FoundInText[] = []
  for (const next of found) {
    const last = kept.at(-1)
    if (last === undefined || next.start >= last.end) kept.push(next)
    else if (next.end > last.end) kept[kept.length - 1] = { ...last, end: next.end }
  }
  return kept
}

function format(kind: string, pattern: RegExp, plausible: (secret: string) => boolean): Format {
  return { kind, pattern, plausible }
}

const TEMPLATE = /\$\{|\{\{|^\{|^\$|^%|<|>|\.\.\.|…|\*{3}|^\[/
const PLACEHOLDER = /xxxx|your|example|placeholder|change_?-?me|redacted|insert|replace|_here|-here/i

/** Not `${X}`, `<your-key>`, `sk-...`, `xxxx`, `…EXAMPLE`, or a run of one character. */
function isNoPlaceholder(secret: string): boolean {
  return isNoTemplate(secret) && !PLACEHOLDER.test(secret) && new Set(secret.slice(0, 64)).size >= 6
}

/** Returns true for a template or a placeholder. */
export function isPlaceholder(text: string): boolean {
  return !isNoTemplate(text) || PLACEHOLDER.test(text)
}

function isNoTemplate(secret: string): boolean {
  return !TEMPLATE.test(secret) && !/^x+$/i.test(secret)
}

/** `sk-learn-pipeline-for-text` is a name; a key contains a digit, and a long part without a dash. */
function isKeyAfterPrefix(secret: string): boolean {
  return /\d/.test(secret) && /[A-Za-z0-9_]{12}/.test(secret.slice(3)) && isNoPlaceholder(secret)
}

function isTokenAfterScheme(token: string): boolean {
  return looksRandom(token, 12) && isNoPlaceholder(token)
}

function isLiteralToken(token: string): boolean {
  return /\d/.test(token) && isNoPlaceholder(token)
}

function isBasicPair(encoded: string): boolean {
  const text = Buffer.from(encoded, 'base64').toString('latin1')
  return /^[\x20-\x7e]+$/.test(text) && /^[^:]*:./.test(text) && !TEMPLATE.test(text)
}

function isQuerySecret(value: string): boolean {
  return looksRandom(value, 8) && isNoPlaceholder(value)
}
