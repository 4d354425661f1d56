import { sha256OfCanonical } from '../document/canonical.ts'
import { defined } from '../document/defined.ts'
import { asJson, type JsonObject } from '../document/json.ts'

/** The members of a planned tool that decide what its calls reach, and with which credential. */
export interface IdentifiedCall {
  readonly protocol: string
  /** The final URL of a call, as it was planned. */
  readonly endpoint?: string | undefined
  readonly method?: string | undefined
  readonly auth?: { readonly type: string; readonly secret: string; readonly header?: string } | undefined
  /** The operation of a document, or the tool of a server. */
  readonly binding?: JsonObject | undefined
}

/**
 * Returns the fingerprint of a call: SHA-256 (hex) of its protocol, final URL, method, sign-in and operation. A grant for
 * one definition applies only to calls whose fingerprint it records.
 * @returns undefined for a call without an address: no such grant covers it
 */
export function callFingerprint(call: IdentifiedCall): string | undefined {
  const { protocol, endpoint, method, auth, binding } = call
  if (endpoint === undefined) return undefined
  const { type, secret, header } = auth ?? {}
  return sha256OfCanonical(
    asJson({
      protocol,
      url: normal(endpoint),
      ...defined({ method: method?.toUpperCase(), binding }),
      ...(auth !== undefined && { auth: defined({ type, secret, header }) }),
    }),
  )
}

/** Returns the fingerprint of a request that is not a call of a tool: of a text, a document, a definition or a model. */
export function urlFingerprint(url: string | URL): string {
  return sha256OfCanonical({ url: normal(String(url)) })
}

/** The fragment is not sent. */
function normal(text: string): string {
  const url = URL.parse(text)
  if (url === null) return text
  url.hash = ''
  return url.href
}

/** The fingerprints that a grant is bound to; absent: the grant applies to all uses. */
interface BoundGrant {
  readonly uses?: readonly string[]
}

/** Returns the grants that apply to one use. A use without a fingerprint is covered by no bound grant. */
export function grantsForUse<T extends BoundGrant>(
  grants: readonly T[],
  fingerprint: string | undefined,
): readonly T[] {
  return grants.filter(
    ({ uses }) => uses === undefined || (fingerprint !== undefined && uses.includes(fingerprint)),
  )
}

/** Returns the same grants with the hosts that apply to one use; see {@link grantsForUse}. */
export function hostsForUse<T extends { readonly hosts: readonly BoundGrant[] }>(
  grants: T,
  fingerprint: string | undefined,
): T {
  return { ...grants, hosts: grantsForUse(grants.hosts, fingerprint) }
}
