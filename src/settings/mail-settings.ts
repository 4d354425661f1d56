import ipaddr from 'ipaddr.js'
import { WaybillError } from '../document/issue.ts'
import { type Grants, parseHostGrant } from '../policy/endpoint-gate.ts'
import type { Config } from './config-schema.ts'

/** The mail server of the operator, ready to be used. */
export interface MailSettings {
  readonly host: string
  readonly port: number
  readonly from: string
  readonly tls: 'implicit' | 'starttls' | 'none'
  readonly user?: string
  readonly password_env?: string
  readonly grants: Grants
}

/**
 * Returns the mail server of the configuration. It is granted by being configured, also at a private address; no other
 * host is. Mails to another machine are encrypted unless `starttls: never` says otherwise, and passwords always are.
 * @throws HOST_GRANT_INVALID, CONFIG_INVALID
 */
export function mailSettings({
  mail,
  ca_files,
}: Pick<Config, 'mail' | 'ca_files'>): MailSettings | undefined {
  if (mail === undefined) return undefined
  const { host, port, from, secure = false, starttls, user, password_env } = mail
  const grant = { ...parseHostGrant(`${host}:${port}`, 'config'), private: true }
  const isLocal = isLoopback(grant.host)
  const plain = starttls === 'never' || (starttls === undefined && isLocal)
  const tls = secure ? 'implicit' : plain ? 'none' : 'starttls'
  if (tls === 'none' && user !== undefined && !isLocal)
    throw new WaybillError('CONFIG_INVALID', {
      fault: 'usage',
      at: '/mail/starttls',
      message: 'the password of the mail server would be sent to another machine without encryption',
      hint: 'remove `starttls: never`, or `user` and `password_env`',
    })
  return {
    host: grant.host,
    port,
    from,
    tls,
    ...(user !== undefined && { user }),
    ...(password_env !== undefined && { password_env }),
    grants: { hosts: [grant], ...(ca_files !== undefined && { ca_files }) },
  }
}

/** Returns whether a host is this machine, by its text. */
function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  return host === 'localhost' || (ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'loopback')
}
