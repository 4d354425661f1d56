import type { Json, JsonObject } from './issue.ts'
import {
  isCredentialName,
  isPasswordName,
  looksLikeName,
  looksRandom,
  mayHoldCredential,
} from './secret-likeness.ts'

/** A stretch of text that is a credential in a known format. `end` is exclusive; both count UTF-16 units. */
export interface FoundInText {
  readonly start: number
  readonly end: number
  readonly kind: string
}

/** A credential in a document. Its value is deliberately not part of the finding. */
export interface FoundSecret {
  readonly pointer: string
  readonly kind: string
  /** A known format, or a random literal under a name that means a credential. Otherwise: worth a look. */
  readonly certain: boolean
}

interface Format {
  readonly kind: string
  /** Global; group 1, when there is one, is the secret within the match. */
  readonly pattern: RegExp
  /** Rules out what only looks like it. Gets the secret, not the match. */
  readonly plausible: (secret: string) => boolean
}

/**
 * Every pattern starts at a fixed text and repeats single character classes only, and a match may not begin
 * inside another candidate: so the time is linear in the text.
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
  // A whole header: what follows the scheme is then a credential and no prose, however plain it looks.
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

/** Something of every format, so that one look settles that there is nothing. */
const ANY_FORMAT = new RegExp(
  [
    ...[
      'sk-',
      'AKIA',
      'ASIA',
      'gh[opsur]_',
      'github_pat_',
      'gl(?:pat|dt|rt|ptt|soat)-',
      'AIza',
      'ya29\\.',
      'GOCSPX-',
    ],
    ...[
      'xox[abeoprs]-',
      'xapp-',
      'hooks\\.slack',
      '[rs]k_(?:live|test)_',
      'SG\\.',
      'npm_',
      'pypi-',
      'hf_',
      'gsk_',
    ],
    ...[
      'xai-',
      'pplx-',
      'r8_',
      'lsv2_',
      'hv[bs]\\.',
      'do[opr]_v1_',
      'AccountKey=',
      'AGE-SECRET',
      'eyJ',
      '-----BEGIN',
    ],
    ...[
      '[Bb][Ee][Aa][Rr][Ee][Rr][ \\t]',
      '[Bb][Aa][Ss][Ii][Cc][ \\t]',
      ':AA',
      'discord',
      ':\\/\\/[^\\s/?#@:]{0,128}:',
      '[?&][a-zA-Z_-]{3,16}=',
    ],
    '[Aa][Ww][Ss]_?[Ss][Ee][Cc][Rr][Ee][Tt]',
  ].join('|'),
)

/** Whether a closer look can find anything: cheap, about 3 ns a character. */
export function mayHoldSecret(text: string): boolean {
  return ANY_FORMAT.test(text)
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
      // The group is always the last part of the match but for a closing mark.
      const start = match[1] === undefined ? match.index : match.index + match[0].lastIndexOf(secret)
      found.push({ start, end: start + secret.length, kind })
    }
  }
  return withoutOverlaps(found)
}

/** Finds credentials in a document: known formats in any string or name, and literals under telling names. */
export function findSecrets(value: Json): FoundSecret[] {
  const found: FoundSecret[] = []
  visit(value, '', '', found)
  return found
}

function visit(value: Json, pointer: string, name: string, found: FoundSecret[]): void {
  if (typeof value === 'string') judge(value, pointer, name, found)
  else if (Array.isArray(value))
    for (let i = 0; i < value.length; i++) visit(value[i] as Json, `${pointer}/${i}`, name, found)
  else if (value !== null && typeof value === 'object')
    visitMembers(value as JsonObject, pointer, name, found)
}

function visitMembers(object: JsonObject, pointer: string, name: string, found: FoundSecret[]): void {
  for (const member in object) {
    if (!Object.hasOwn(object, member)) continue
    const at = `${pointer}/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`
    for (const { kind } of scanText(member)) found.push({ pointer: at, kind, certain: true })
    visit(object[member] as Json, at, VALUE_OF_PARENT.has(member) ? name : member, found)
  }
}

/** Members of a schema whose value is one of what the schema's own name says. */
const VALUE_OF_PARENT: ReadonlySet<string> = new Set([
  'default',
  'const',
  'example',
  'examples',
  'enum',
  'value',
])

/** Where a document carries a proof on purpose: it is public, or (the token) lives for minutes and once. */
const PROOFS = /(?:^|\/)(?:(?:provenance|attestation)\/(?:signature|checksum)|migration_token|checksum)$/

function judge(text: string, pointer: string, name: string, found: FoundSecret[]): void {
  if (text.length < 6 || PROOFS.test(pointer)) return
  const known = scanText(text)
  if (known.length > 0) {
    for (const kind of new Set(known.map((k) => k.kind))) found.push({ pointer, kind, certain: true })
    return
  }
  if (text.length > 4_096) return
  if (name === 'env_var') {
    // A variable's name is a word; a random one is a key that was put in its place.
    if (!looksLikeName(text) && looksRandom(text, 16))
      found.push({ pointer, kind: 'env-var-value', certain: true })
  } else if (isCredentialName(name)) {
    const literal = text.replace(/^(?:token|key|api-?key)[ \t]{1,3}/i, '')
    if (looksRandom(literal, isPasswordName(name) ? 8 : 12))
      found.push({ pointer, kind: 'credential', certain: !isUuid(literal) })
    else if (isPasswordName(name) && isLiteral(text, name))
      found.push({ pointer, kind: 'credential', certain: false })
  } else if (mayHoldCredential(name)) {
    if (looksRandom(text, 16) && !isUuid(text) && !isDigest(text))
      found.push({ pointer, kind: 'credential', certain: false })
  } else {
    const assigned = ASSIGNED.exec(text)?.[1]
    if (assigned !== undefined && looksRandom(assigned, 10))
      found.push({ pointer, kind: 'credential', certain: false })
  }
}

const ASSIGNED =
  /(?:password|passwd|secret|token|api[_-]?key)["']?[ \t]{0,3}[:=][ \t]{0,3}["']?([^\s"',;<>]{8,200})/i

/** `PASSWORD` names a variable, `string` sketches a type: neither is a password. */
function isLiteral(text: string, name: string): boolean {
  if (/\s/.test(text) || /^[A-Z][A-Z0-9_]*$/.test(text) || !isNoTemplate(text) || PLACEHOLDER.test(text))
    return false
  return text !== name && text !== 'string' && text !== 'password' && text !== 'secret'
}

/** Manual, because a pattern that looks for the end of every beginning would be quadratic. */
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

function isNoTemplate(secret: string): boolean {
  return !TEMPLATE.test(secret) && !/^x+$/i.test(secret)
}

/** `sk-learn-pipeline-for-text` is a name; a key has a digit, and a long run without a dash. */
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

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

function isDigest(text: string): boolean {
  return /^(?:sha\d{1,3}[-:])?(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})$/i.test(text)
}
