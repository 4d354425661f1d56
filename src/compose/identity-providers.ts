import { createGuardedFetch } from '../adapters/net/guarded-fetch.ts'
import { tokenVerifier } from '../adapters/oidc/verify-tokens.ts'
import { claimedPrincipal } from '../platform/people/claimed-principal.ts'
import { type HostGrant, parseHostGrant } from '../policy/endpoint-gate.ts'
import type { Principal } from '../session/principal.ts'
import { DEFAULT_ALGORITHMS, type OidcProvider } from '../settings/oidc-settings.ts'

/** The keys of an issuer are small. */
const MOST_BYTES = 1024 * 1024

/**
 * Returns what names the principal of a token of the configured identity providers. The connections reach the hosts that
 * the configuration names, and no others.
 */
export function identifier(
  providers: readonly OidcProvider[],
  caFiles: readonly string[] | undefined,
  log: (level: 'warn', message: string) => void,
): (token: string) => Promise<Principal | null> {
  const urls = providers.flatMap(({ issuer, jwks_url }) => [
    issuer,
    ...(jwks_url === undefined ? [] : [jwks_url]),
  ])
  // The operator names the host, which may be in the own network.
  const hosts = urls.map(
    (url): HostGrant => ({ ...parseHostGrant(new URL(url).host, 'config'), private: true }),
  )
  const verify = tokenVerifier({
    issuers: providers.map((provider) => ({
      ...provider,
      algorithms: provider.algorithms ?? DEFAULT_ALGORITHMS,
    })),
    fetch: createGuardedFetch({
      grants: { hosts, ...(caFiles !== undefined && { ca_files: caFiles }) },
      maxResponseBytes: MOST_BYTES,
    }),
    onFailure: (issuer, why) => log('warn', `the keys of ${issuer} cannot be fetched: ${why}`),
  })
  return async (token) => {
    const verified = await verify(token)
    return verified === null ? null : claimedPrincipal(verified.issuer, verified.claims)
  }
}
