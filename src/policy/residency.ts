import ipaddr from 'ipaddr.js'
import { modelProvider } from './model-providers.ts'

/** Regions that can be proven for a provider; `global` requires no proof, and only the operator can prove `custom`. */
export type Region = 'EU' | 'US' | 'UK' | 'APAC'

/**
 * Regions in which the public API of a provider, at its own address, is known to process data. Conservative: a provider
 * that processes in several regions, without a choice at that address, has no region. Operators with a contract or a
 * regional endpoint declare it in the configuration.
 */
const PROVIDER_REGIONS: ReadonlyMap<string, readonly Region[]> = new Map([['mistral', ['EU']]])

/**
 * The operator's declaration of where a provider, or a host, keeps data: `residency: {openai: [EU], eu.gateway.example:
 * [EU]}`.
 */
export type ResidencyClaims = Readonly<Record<string, readonly string[]>>

export type ResidencyVerdict = { readonly inside: true } | { readonly inside: false; readonly reason: string }

/**
 * Decides whether data sent to a target stays in the region (AAIF §4.9). Without proof, the target counts as outside.
 * @param declared `data_residency` of the definition; all values except `global` need proof
 * @param target `provider_id` only if the operator set the address: a definition can use any name
 */
export function judgeResidency(
  declared: string | undefined,
  target: { readonly provider?: string; readonly provider_id?: string; readonly url?: string },
  claims: ResidencyClaims,
): ResidencyVerdict {
  if (declared === undefined || declared === 'global') return { inside: true }
  const host = target.url === undefined ? undefined : URL.parse(target.url)?.hostname.replace(/\.$/, '')
  // Data that stays on this machine is in the region of the machine.
  if (host !== undefined && isLoopback(host)) return { inside: true }
  const ownHost =
    target.provider === undefined
      ? undefined
      : URL.parse(modelProvider(target.provider)?.base_url ?? '')?.hostname
  const provider = host === undefined || host === ownHost ? target.provider : undefined
  const proven = [
    // A host with the name of a provider is not that provider.
    ...(host === undefined || modelProvider(host) !== undefined ? [] : (claimOf(host, claims) ?? [])),
    ...(target.provider_id === undefined ? [] : (claimOf(target.provider_id, claims) ?? [])),
    ...(provider === undefined ? [] : (claimOf(provider, claims) ?? PROVIDER_REGIONS.get(provider) ?? [])),
  ]
  if (proven.includes(declared)) return { inside: true }
  const where = target.provider_id ?? target.provider ?? host ?? 'it'
  const region = declared === 'custom' ? 'the region that data_residency custom stands for' : declared
  return {
    inside: false,
    reason: `there is no proof that ${where} keeps data in ${region}; if it does, declare it in the configuration: residency: { ${host ?? where}: [${declared}] }`,
  }
}

function claimOf(name: string, claims: ResidencyClaims): readonly string[] | undefined {
  return Object.hasOwn(claims, name) ? claims[name] : undefined
}

function isLoopback(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true
  const bare = host.startsWith('[') ? host.slice(1, -1) : host
  return ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'loopback'
}
