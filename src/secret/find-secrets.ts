import type { Json, JsonObject } from '../document/json.ts'
import { toPointer } from '../document/json-pointer.ts'
import {
  isCredentialName,
  isPasswordName,
  looksLikeName,
  looksRandom,
  mayHoldCredential,
} from './secret-likeness.ts'
import { isPlaceholder, scanText } from './secret-patterns.ts'

/** A credential in a document. Its value is deliberately not part of the finding. */
export interface FoundSecret {
  readonly pointer: string
  readonly kind: string
  /** A known format, or a random literal under a name that means a credential. Otherwise: worth a look. */
  readonly certain: boolean
}

type Suspicion = Omit<FoundSecret, 'pointer'>

/** Finds credentials in a document: known formats in any string or name, and literals under telling names. */
export function findSecrets(value: Json): FoundSecret[] {
  // Most documents have none. The first look keeps no path, so it is cheaper than the search.
  if (!mayHoldSecrets(value, UNNAMED)) return []
  const search = new SecretSearch()
  search.visit(value, UNNAMED)
  return search.found
}

/** Properties of a member's name that decide how its value is checked. */
interface Named {
  readonly name: string
  readonly credential: boolean
  readonly password: boolean
  readonly hint: boolean
  /** True if the value is checked by more than the known formats. */
  readonly telling: boolean
  /** True if the value belongs to the name of the parent, as with `default` in a schema. */
  readonly valueOfParent: boolean
  /** Kinds of secrets in the name. */
  readonly kinds: readonly string[]
}

/** Matches every name that can mean a credential, so that one test excludes nearly all other names. */
const TELLING =
  /pass|pwd|secret|token|key|bearer|credential|auth|cookie|session|sid|pin|otp|seed|salt|dsn|connection|webhook/i

/** Members of a schema whose value belongs to the name of the schema. */
const VALUE_OF_PARENT: ReadonlySet<string> = new Set([
  'default',
  'const',
  'example',
  'examples',
  'enum',
  'value',
])

/** Results for names without a secret: documents repeat the same few hundred names. */
const JUDGED = new Map<string, Named>()
const MAX_JUDGED = 2_000

const UNNAMED = judgeName('')

function judgeName(name: string): Named {
  const known = JUDGED.get(name)
  if (known !== undefined) return known
  const telling = TELLING.test(name)
  const credential = telling && isCredentialName(name)
  const hint = telling && !credential && mayHoldCredential(name)
  const named: Named = {
    name,
    credential,
    password: credential && isPasswordName(name),
    hint,
    telling: credential || hint || name === 'env_var',
    valueOfParent: VALUE_OF_PARENT.has(name),
    kinds: scanText(name).map(({ kind }) => kind),
  }
  if (named.kinds.length === 0 && name.length <= 40 && JUDGED.size < MAX_JUDGED) JUDGED.set(name, named)
  return named
}

/**
 * Returns false only if {@link SecretSearch} would find nothing. Makes the same checks of every string and name, but
 * keeps no path: it also returns true for proofs, which the search then ignores.
 */
function mayHoldSecrets(value: Json, named: Named): boolean {
  if (typeof value === 'string') return judgeText(value, named).length > 0
  if (value === null || typeof value !== 'object') return false
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      if (mayHoldSecrets(value[index] as Json, named)) return true
    }
    return false
  }
  // Inherited members are checked too: the search ignores them, so the result is at most a needless search.
  for (const member in value) {
    const inner = judgeName(member)
    if (inner.kinds.length > 0) return true
    if (mayHoldSecrets((value as JsonObject)[member] as Json, inner.valueOfParent ? named : inner))
      return true
  }
  return false
}

/** One walk over a document. Writes pointers only for findings. */
class SecretSearch {
  readonly found: FoundSecret[] = []
  readonly #path: (string | number)[] = []

  visit(value: Json, named: Named): void {
    if (typeof value === 'string') {
      const suspicions = judgeText(value, named)
      if (suspicions.length === 0 || this.#isProof()) return
      for (const { kind, certain } of suspicions) this.#find(kind, certain)
    } else if (Array.isArray(value)) {
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
      this.visit(object[member] as Json, named.valueOfParent ? parent : named)
      this.#path.pop()
    }
  }

  #find(kind: string, certain: boolean): void {
    this.found.push({ pointer: toPointer(this.#path), kind, certain })
  }

  #isProof(): boolean {
    const last = this.#path.at(-1)
    return (
      (last === 'signature' || last === 'checksum' || last === 'migration_token') &&
      PROOFS.test(toPointer(this.#path))
    )
  }
}

/** Members that contain a proof on purpose: it is public, or (the token) valid for minutes and only once. */
const PROOFS = /(?:^|\/)(?:(?:provenance|attestation)\/(?:signature|checksum)|migration_token|checksum)$/

/** Looks back from the sign, because it is rarer than the names. */
const ASSIGNED =
  /[:=](?<=(?:password|passwd|secret|token|api[_-]?key)["']?[ \t]{0,3}[:=])[ \t]{0,3}["']?([^\s"',;<>]{8,200})/i

const NONE: readonly Suspicion[] = []
const ENV_VAR_VALUE: readonly Suspicion[] = [{ kind: 'env-var-value', certain: true }]
const CREDENTIAL: readonly Suspicion[] = [{ kind: 'credential', certain: true }]
const MAYBE_CREDENTIAL: readonly Suspicion[] = [{ kind: 'credential', certain: false }]

/** Returns the secrets in a string that is the value of such a name, in any part of a document. */
function judgeText(text: string, { name, credential, password, hint, telling }: Named): readonly Suspicion[] {
  // Every format and every assignment is longer than this, under any name.
  if (text.length < (telling ? 6 : 8)) return NONE
  const known = scanText(text)
  if (known.length > 0)
    return [...new Set(known.map(({ kind }) => kind))].map((kind) => ({ kind, certain: true }))
  if (text.length > 4_096) return NONE
  if (name === 'env_var') {
    // The name of a variable consists of words; a random text is a key in its place.
    return looksRandom(text, 16) && !looksLikeName(text) ? ENV_VAR_VALUE : NONE
  }
  if (credential) {
    const literal = text.replace(/^(?:token|key|api-?key)[ \t]{1,3}/i, '')
    if (looksRandom(literal, password ? 8 : 12)) return isUuid(literal) ? MAYBE_CREDENTIAL : CREDENTIAL
    return password && isLiteral(text, name) ? MAYBE_CREDENTIAL : NONE
  }
  if (hint) return looksRandom(text, 16) && !isUuid(text) && !isDigest(text) ? MAYBE_CREDENTIAL : NONE
  const assigned = ASSIGNED.exec(text)?.[1]
  return assigned !== undefined && looksRandom(assigned, 10) ? MAYBE_CREDENTIAL : NONE
}

/** `PASSWORD` names a variable, `string` sketches a type: neither is a password. */
function isLiteral(text: string, name: string): boolean {
  if (/\s/.test(text) || /^[A-Z][A-Z0-9_]*$/.test(text) || isPlaceholder(text)) return false
  return text !== name && text !== 'string' && text !== 'password' && text !== 'secret'
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

function isDigest(text: string): boolean {
  return /^(?:sha\d{1,3}[-:])?(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})$/i.test(text)
}
