import { createLocalJWKSet, decodeJwt, errors, type JSONWebKeySet, jwtVerify } from 'jose'
import { asJson, isObject, type JsonObject } from '../../document/json.ts'

/** An identity provider, as its tokens are verified. */
export interface TokenIssuer {
  readonly issuer: string
  readonly audience: string
  readonly algorithms: readonly string[]
  readonly jwks_url?: string
}

export interface VerifierOptions<Issuer extends TokenIssuer> {
  readonly issuers: readonly Issuer[]
  /** Fetches through the endpoint gate. */
  readonly fetch: typeof globalThis.fetch
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number
  /** A set of keys could not be fetched. */
  readonly onFailure?: (issuer: string, why: string) => void
}

/** Keys are fetched again for a key that is not known, but not more often than this, in milliseconds. */
const REFETCH_MS = 30_000

/** Keys are used for this long, and for this much longer while the provider does not answer, in milliseconds. */
const KEYS_AGE_MS = 10 * 60_000
const KEYS_STALE_MS = 24 * 60 * 60_000

const TIMEOUT_MS = 5_000
const CLOCK_SKEW = 30
const LARGEST_TOKEN = 16_384

/**
 * Verifies tokens of OpenID Connect (RFC 7519, RFC 7517): issuer, audience and algorithms are those of the configuration,
 * never those that a token asks for. @returns a function that returns the issuer and the claims of a valid token, or null
 */
export function tokenVerifier<Issuer extends TokenIssuer>({
  issuers,
  fetch,
  now = () => performance.now(),
  onFailure,
}: VerifierOptions<Issuer>): (
  token: string,
) => Promise<{ readonly issuer: Issuer; readonly claims: JsonObject } | null> {
  const sources = new Map(
    issuers.map((issuer) => [issuer.issuer, new KeySource(issuer, fetch, now, onFailure)]),
  )
  return async (token) => {
    const source = sources.get(issuerOf(token) ?? '')
    const issuer = issuers.find((one) => one.issuer === source?.issuer)
    if (source === undefined || issuer === undefined) return null
    for (const mayFetch of [false, true]) {
      const keys = await source.keys(mayFetch)
      if (keys === undefined) continue
      try {
        const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
          issuer: issuer.issuer,
          audience: issuer.audience,
          algorithms: [...issuer.algorithms],
          clockTolerance: CLOCK_SKEW,
          requiredClaims: ['exp', 'iat', 'sub'],
        })
        return { issuer, claims: asJson(payload as JsonObject) as JsonObject }
      } catch (error) {
        // The provider may have a new key.
        if (!(error instanceof errors.JWKSNoMatchingKey) || mayFetch) return null
      }
    }
    return null
  }
}

/** Read without verification, to find the keys that must have signed the token. */
function issuerOf(token: string): string | undefined {
  if (token.length > LARGEST_TOKEN || token.split('.').length !== 3) return undefined
  try {
    const { iss } = decodeJwt<JsonObject>(token)
    return typeof iss === 'string' ? iss : undefined
  } catch {
    return undefined
  }
}

class KeySource {
  readonly issuer: string
  readonly #url: string | undefined
  readonly #fetch: typeof globalThis.fetch
  readonly #now: () => number
  readonly #onFailure: VerifierOptions<TokenIssuer>['onFailure']
  #keys: { readonly set: JSONWebKeySet; readonly at: number } | undefined
  #triedAt = Number.NEGATIVE_INFINITY
  #fetching: Promise<void> | undefined

  constructor(
    { issuer, jwks_url }: TokenIssuer,
    fetcher: typeof globalThis.fetch,
    now: () => number,
    onFailure: VerifierOptions<TokenIssuer>['onFailure'],
  ) {
    this.issuer = issuer
    this.#url = jwks_url
    this.#fetch = fetcher
    this.#now = now
    this.#onFailure = onFailure
  }

  /** @param fresh the keys that are known do not verify the token */
  async keys(fresh: boolean): Promise<JSONWebKeySet | undefined> {
    const age = this.#now() - (this.#keys?.at ?? Number.NEGATIVE_INFINITY)
    if ((fresh || age > KEYS_AGE_MS) && this.#now() - this.#triedAt >= REFETCH_MS) {
      this.#fetching ??= this.#refetch().finally(() => {
        this.#fetching = undefined
      })
    }
    await this.#fetching
    if (this.#keys === undefined || this.#now() - this.#keys.at > KEYS_STALE_MS) return undefined
    return this.#keys.set
  }

  async #refetch(): Promise<void> {
    this.#triedAt = this.#now()
    try {
      const url = this.#url ?? (await this.#discovered())
      const set = await this.#json(url)
      if (!Array.isArray(set.keys)) throw new Error(`${url} is not a set of keys`)
      this.#keys = { set: set as unknown as JSONWebKeySet, at: this.#now() }
    } catch (error) {
      this.#onFailure?.(this.issuer, error instanceof Error ? error.message : String(error))
    }
  }

  async #discovered(): Promise<string> {
    const document = await this.#json(`${this.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
    if (document.issuer !== this.issuer || typeof document.jwks_uri !== 'string')
      throw new Error('the discovery document names another issuer, or no keys')
    if (new URL(document.jwks_uri).origin !== new URL(this.issuer).origin)
      throw new Error('the discovery document names keys of another host; set jwks_url in the configuration')
    return document.jwks_uri
  }

  async #json(url: string): Promise<JsonObject> {
    const response = await this.#fetch(url, {
      redirect: 'error',
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!response.ok) throw new Error(`${url} answers ${response.status}`)
    const value: unknown = await response.json()
    if (!isObject(value as JsonObject)) throw new Error(`${url} does not answer with an object`)
    return value as JsonObject
  }
}
