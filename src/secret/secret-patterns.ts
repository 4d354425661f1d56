import type { Json, JsonObject } from '../document/json.ts'
import { toPointer } from '../document/json-pointer.ts'
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

/**
 * What every format has in it: a mark of these, or one of few beginnings. Prose has little of it, and is let go several
 * times faster than by looking for all that begins a format.
 */
const MARKS = /[-_:=]|\.[\w-]|A(?:KIA|SIA|Iza)|[Bb](?:[Ee][Aa][Rr][Ee][Rr]|[Aa][Ss][Ii][Cc])[ \t]/

/** Whether a closer look can find anything: cheap, 1 to 3 ns a character. */
export function mayHoldSecret(text: string): boolean {
  return MARKS.test(text) && ANY_FORMAT.test(text)
}

/** Finds credentials in known formats, in the order of the text and without overlaps. Linear in the text. */
export function scanText(text: string): FoundInText[] {
  if (text.length < 8 || !mayHoldSecret(text)) return []
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
  const search = new SecretSearch()
  search.visit(value, UNNAMED)
  return search.found
}

/** What a member's name says about its value. */
interface Named {
  readonly name: string
  readonly credential: boolean
  readonly password: boolean
  readonly hint: boolean
  /** Kinds of secrets that stand in the name itself. */
  readonly kinds: readonly string[]
}

const UNNAMED: Named = { name: '', credential: false, password: false, hint: false, kinds: [] }

/** Something of every name that means a credential, or may mean one: one look lets nearly all other names go. */
const TELLING =
  /pass|pwd|secret|token|key|bearer|credential|auth|cookie|session|sid|pin|otp|seed|salt|dsn|connection|webhook/i

/** What was made of names that hold no secret: the same few hundred occur in document after document. */
const JUDGED = new Map<string, Named>()
const MAX_JUDGED = 2_000

function judgeName(name: string): Named {
  const known = JUDGED.get(name)
  if (known !== undefined) return known
  const telling = TELLING.test(name)
  const credential = telling && isCredentialName(name)
  const named: Named = {
    name,
    credential,
    password: credential && isPasswordName(name),
    hint: telling && !credential && mayHoldCredential(name),
    kinds: scanText(name).map(({ kind }) => kind),
  }
  if (named.kinds.length === 0 && name.length <= 40 && JUDGED.size < MAX_JUDGED) JUDGED.set(name, named)
  return named
}

/** One walk over a document. Pointers are only written for what is found. */
class SecretSearch {
  readonly found: FoundSecret[] = []
  readonly #path: (string | number)[] = []

  visit(value: Json, named: Named): void {
    if (typeof value === 'string') this.#judge(value, named)
    else if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) {
        this.#path.push(index)
        this.visit(value[index] as Json, named)
        this.#path.pop()
      }
    } else if (value !== null && typeof value === 'object') this.#visitMembers(value as JsonObject, named)
  }

  #visitMembers(object: JsonObject, parent: Named): void {
    for (const member in object) {
      if (!Object.hasOwn(object, member)) continue
      const named = judgeName(member)
      this.#path.push(member)
      for (const kind of named.kinds) this.#find(kind, true)
      this.visit(object[member] as Json, VALUE_OF_PARENT.has(member) ? parent : named)
      this.#path.pop()
    }
  }

  #find(kind: string, certain: boolean): void {
    this.found.push({ pointer: this.#pointer(), kind, certain })
  }

  #pointer(): string {
    return toPointer(this.#path)
  }

  #isProof(): boolean {
    const last = this.#path.at(-1)
    return (
      (last === 'signature' || last === 'checksum' || last === 'migration_token') &&
      PROOFS.test(this.#pointer())
    )
  }

  #judge(text: string, { name, credential, password, hint }: Named): void {
    if (text.length < 6 || this.#isProof()) return
    const known = scanText(text)
    if (known.length > 0) {
      for (const kind of new Set(known.map((one) => one.kind))) this.#find(kind, true)
      return
    }
    if (text.length > 4_096) return
    if (name === 'env_var') {
      // A variable's name is a word; a random one is a key that was put in its place.
      if (!looksLikeName(text) && looksRandom(text, 16)) this.#find('env-var-value', true)
    } else if (credential) {
      const literal = text.replace(/^(?:token|key|api-?key)[ \t]{1,3}/i, '')
      if (looksRandom(literal, password ? 8 : 12)) this.#find('credential', !isUuid(literal))
      else if (password && isLiteral(text, name)) this.#find('credential', false)
    } else if (hint) {
      if (looksRandom(text, 16) && !isUuid(text) && !isDigest(text)) this.#find('credential', false)
    } else if (text.includes(':') || text.includes('=')) {
      const assigned = ASSIGNED.exec(text)?.[1]
      if (assigned !== undefined && looksRandom(assigned, 10)) this.#find('credential', false)
    }
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
