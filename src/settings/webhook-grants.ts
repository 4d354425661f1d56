import ipaddr from 'ipaddr.js'
import { type Grants, type HostGrant, parseHostGrant } from '../policy/endpoint-gate.ts'
import type { Config } from './config-schema.ts'

/**
 * Returns the hosts that webhooks may be sent to: `allow_hosts` of the operator. An address or `localhost` in this list
 * may be private. A name must resolve to a public address, because its owner could otherwise point it at this network.
 * @throws HOST_GRANT_INVALID
 */
export function webhookGrants({
  allow_hosts = [],
  ca_files,
}: Pick<Config, 'allow_hosts' | 'ca_files'>): Grants {
  const hosts = allow_hosts.map((text): HostGrant => {
    const grant = parseHostGrant(text, 'config')
    return { ...grant, private: isLiteral(grant.host) }
  })
  return { hosts, ...(ca_files !== undefined && { ca_files }) }
}

function isLiteral(host: string): boolean {
  return host === 'localhost' || ipaddr.isValid(host.replace(/^\[|\]$/g, ''))
}
