import ipaddr from 'ipaddr.js'
import { modelProvider } from './model-providers.ts'

/** Regions that a definition can name and that can be proven; `global` asks for nothing, `custom` names none. */
export type Region = 'EU' | 'US' | 'UK' | 'APAC'

/**
 * Where the public API of a provider, at its own address, is known to process data. Conservative: a provider that
 * processes in several regions without letting the caller choose at that address is in none. Operators who have a
 * contract or a regional endpoint say so in the configuration.
 */
const PROVIDER_REGIONS: ReadonlyMap<string, readonly Region[]> = new Map([['mistral', ['EU']]])

/** The operator's word on where a provider, or a host, keeps data: `residency: {openai: [EU], eu.gateway.example: [EU]}`. */
export type ResidencyClaims = Readonly<Record<string, readonly string[]>>

export type ResidencyVerdict = { readonly inside: true } | { readonly inside: false; readonly reason: string }

/**
 * Whether data sent there stays in the region (AAIF §4.9). What is not proven is outside: no guess is made.
 * @param declared `data_residency` of the definition; anything but `global` must be proven
 * @param target `provider_id` only where the address is the operator's word: a definition can call any place so
 */
export function judgeResidency(
  declared: string | undefined,
  target: { readonly provider?: string; readonly provider_id?: string; readonly url?: string },
  claims: ResidencyClaims,
): ResidencyVerdict {
  if (declared === undefined || declared === 'global') return { inside: true }
  const host = target.url === undefined ? undefined : URL.parse(target.url)?.hostname.replace(/\.$/, '')
  // What never leaves this machine is in whatever region the machine is in.
  if (host !== undefined && isLoopback(host)) return { inside: true }
  const ownHost =
    target.provider === undefined
      ? undefined
      : URL.parse(modelProvider(target.provider)?.base_url ?? '')?.hostname
  const provider = host === undefined || host === ownHost ? target.provider : undefined
  const proven = [
    // A host that is called like a provider is not that provider.
    ...(host === undefined || modelProvider(host) !== undefined ? [] : (claimOf(host, claims) ?? [])),
    ...(target.provider_id === undefined ? [] : (claimOf(target.provider_id, claims) ?? [])),
    ...(provider === undefined ? [] : (claimOf(provider, claims) ?? PROVIDER_REGIONS.get(provider) ?? [])),
  ]
  if (declared !== 'custom' && proven.includes(declared)) return { inside: true }
  const where = target.provider_id ?? target.provider ?? host ?? 'it'
  return declared === 'custom'
    ? {
        inside: false,
        reason: 'data_residency is custom, and what that means must be configured (residency)',
      }
    : {
        inside: false,
        reason: `nothing proves that ${where} keeps data in ${declared}; if it does, say so in the config: residency: { ${host ?? where}: [${declared}] }`,
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
