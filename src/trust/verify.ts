import { canonicalBytes } from '../document/canonical.ts'
import { defined } from '../document/defined.ts'
import { WaybillError } from '../document/issue.ts'
import { isObject, type Json } from '../document/json.ts'
import { decodeBase64 } from './base64.ts'
import { cardDid, contradictsDid } from './card-did.ts'
import { SIGNATURE_BYTES, verifyEd25519 } from './ed25519.ts'
import { readJws, verifyJws } from './jws.ts'
import { matchesPattern } from './name-pattern.ts'
import { signedBytes } from './sign.ts'
import { signaturePlaceOf } from './signature-place.ts'
import type { TrustedKey } from './trust-store.ts'

export type VerdictStatus =
  | 'valid'
  /** The signature is malformed, or the document is not what was signed. */
  | 'invalid'
  | 'unsigned'
  /** The signature was not made with a known key. */
  | 'unknown_signer'
  | 'revoked'
  /** The key is known, but not for this author or platform. */
  | 'not_permitted'

/** The result of a verification. `ok` is true only for `valid`. */
export interface Verdict {
  readonly ok: boolean
  readonly status: VerdictStatus
  readonly form: 'embedded' | 'detached'
  /** Name of the key that made the signature. */
  readonly signer?: string
  readonly key_id?: string
  /** The DID of a card, if its signature is valid. */
  readonly did?: string
  readonly reason: string
}

/** Verifies the embedded signature of a document with the known keys. Never throws because of data. */
export function verifyEmbedded(value: Json, keys: readonly TrustedKey[]): Verdict {
  const form = 'embedded'
  const place = signaturePlaceOf(value)
  if (place === undefined || !isObject(value)) {
    return no(
      form,
      'unsigned',
      'this kind of document has no embedded signature; it may have a detached one (FILE.jws)',
    )
  }
  const [container, member] = place
  const inner = value[container]
  const written = isObject(inner) ? inner[member] : undefined
  if (written === undefined) return no(form, 'unsigned', `there is no ${container}.${member}`)
  const signature = typeof written === 'string' ? decodeBase64(written) : undefined
  if (signature?.byteLength !== SIGNATURE_BYTES) {
    return no(form, 'invalid', `${container}.${member} is not ${SIGNATURE_BYTES} bytes in Base64`)
  }
  const bytes = bytesOrReason(() => signedBytes(value, place))
  if (typeof bytes === 'string') return no(form, 'invalid', bytes)
  const signer = keys.find((key) => verifyEd25519(bytes, signature, key.publicKey))
  if (signer !== undefined) return judgeSigner(form, value, signer, keys)
  const expected = keys.filter((key) => isNamedFor(value, key))
  if (expected.length === 0) return unknownSigner(form, keys)
  return no(form, 'invalid', `${changed}; keys that sign for its author: ${names(expected)}`)
}

/** Verifies a detached signature: a JWS without payload. Never throws because of data. */
export async function verifyDetached(
  value: Json,
  jws: string,
  keys: readonly TrustedKey[],
): Promise<Verdict> {
  const form = 'detached'
  const read = readJws(jws.trim())
  if (read === undefined || read.payload !== '') {
    return no(form, 'invalid', 'the signature file is not a detached JWS (RFC 7515 appendix F) with EdDSA')
  }
  const bytes = bytesOrReason(() => canonicalBytes(value))
  if (typeof bytes === 'string') return no(form, 'invalid', bytes)
  const { kid } = read.header
  const candidates = kid === undefined ? keys : keys.filter((key) => key.keyId === kid)
  for (const key of candidates) {
    if (await verifyJws(read, bytes, key.publicKey)) return judgeSigner(form, value, key, keys)
  }
  const [named] = kid === undefined ? [] : candidates
  if (named === undefined) return unknownSigner(form, keys, kid)
  return { ...no(form, 'invalid', changed), signer: named.name, key_id: named.keyId }
}

/** The signature is cryptographically valid; the permissions of its key are checked next. */
function judgeSigner(
  form: Verdict['form'],
  value: Json,
  signer: TrustedKey,
  keys: readonly TrustedKey[],
): Verdict {
  const by = { signer: signer.name, key_id: signer.keyId }
  // The same key may have several names: one revocation applies to all.
  const revoked = keys.find((key) => key.keyId === signer.keyId && key.revokedAt !== undefined)
  if (revoked !== undefined) {
    const why = revoked.revokedReason === undefined ? '' : `: ${revoked.revokedReason}`
    return {
      ...no(form, 'revoked', `the key "${revoked.name}" was revoked on ${revoked.revokedAt}${why}`),
      ...by,
    }
  }
  const permitted = keys.find((key) => key.keyId === signer.keyId && refusalOf(value, key) === undefined)
  if (permitted === undefined) {
    return { ...no(form, 'not_permitted', refusalOf(value, signer) ?? ''), ...by }
  }
  if (contradictsDid(value, signer.publicKey)) {
    return { ...no(form, 'invalid', `it is not signed with the key of its DID ${cardDid(value)}`), ...by }
  }
  const did = cardDid(value)
  return {
    ok: true,
    status: 'valid',
    form,
    signer: permitted.name,
    key_id: signer.keyId,
    ...defined({ did }),
    reason: `signed by "${permitted.name}"`,
  }
}

/** Returns the reason why a key may not sign this document; undefined if it may. */
function refusalOf(value: Json, { name, signsFor }: TrustedKey): string | undefined {
  for (const [member, patterns] of [
    ['authored_by', signsFor.authoredBy],
    ['source_platform', signsFor.sourcePlatform],
  ] as const) {
    if (patterns === undefined) continue
    const said = provenanceOf(value, member)
    if (said !== undefined && patterns.some((pattern) => matchesPattern(pattern, said))) continue
    const what = said === undefined ? `a document without ${member}` : `${member} "${said}"`
    return `the key "${name}" may not sign ${what}; it may sign for: ${patterns.join(', ') || 'no author or platform'}`
  }
  return undefined
}

/** Returns true if a key was trusted for exactly such documents, so that its signature is expected. */
function isNamedFor(value: Json, key: TrustedKey): boolean {
  const restricted = key.signsFor.authoredBy !== undefined || key.signsFor.sourcePlatform !== undefined
  return restricted && refusalOf(value, key) === undefined
}

function provenanceOf(value: Json, member: string): string | undefined {
  const provenance = isObject(value) ? value.provenance : undefined
  const said = isObject(provenance) ? provenance[member] : undefined
  return typeof said === 'string' ? said : undefined
}

const changed =
  'the signature does not match the document: the document was changed, or another key signed it'

function unknownSigner(form: Verdict['form'], keys: readonly TrustedKey[], kid?: string): Verdict {
  const which = kid === undefined ? '' : ` (key id ${kid.slice(0, 60)})`
  const known = keys.length === 0 ? 'no key is known' : `known keys: ${names(keys)}`
  const verdict = no(
    form,
    'unknown_signer',
    `the signature${which} was not made with a known key, or the document was changed afterwards; ${known}`,
  )
  return kid === undefined ? verdict : { ...verdict, key_id: kid }
}

function names(keys: readonly TrustedKey[]): string {
  const all = keys.map(({ name }) => name)
  return all.length > 8 ? `${all.slice(0, 8).join(', ')} and ${all.length - 8} more` : all.join(', ')
}

function no(form: Verdict['form'], status: Exclude<VerdictStatus, 'valid'>, reason: string): Verdict {
  return { ok: false, status, form, reason }
}

function bytesOrReason(make: () => Buffer): Buffer | string {
  try {
    return make()
  } catch (error) {
    if (error instanceof WaybillError) return `no signature can be trusted here: ${error.message}`
    throw error
  }
}
