import { WaybillError } from '../document/issue.ts'

/** The operator's permission to send a secret to a host: always for the pair. */
export interface SecretGrant {
  /** Name of the environment variable. */
  readonly name: string
  /** `HOST` or `HOST:PORT`, as in a URL; no wildcards. */
  readonly host: string
  /** Applies only to the definition that a person starts, not to its sub-agents. */
  readonly bound?: true
  /** Fingerprints of the uses that it is for, see `call-fingerprint.ts`; absent: all. */
  readonly uses?: readonly string[]
  /** The secret is stored for this host by its owner: a secret of the environment with the same name is not granted. */
  readonly stored?: true
}

/** Where a secret may be sent. */
export interface SecretUse {
  readonly url: URL
  /** Only a secret that is stored for this host may be sent there. */
  readonly stored_only?: true
}

/**
 * Reads `NAME@HOST`.
 * @throws SECRET_GRANT_INVALID
 */
export function parseSecretGrant(text: string): SecretGrant {
  const at = text.indexOf('@')
  if (at <= 0 || at === text.length - 1) {
    throw new WaybillError('SECRET_GRANT_INVALID', {
      fault: 'usage',
      message: `"${text}" is not a secret grant`,
      hint: 'write NAME@HOST, such as CRM_KEY@api.crm.example',
    })
  }
  return { name: text.slice(0, at), host: text.slice(at + 1) }
}

/** Returns how the secret of this name may be sent to this URL; null if it may not be. */
export function secretUse(name: string, url: URL, grants: readonly SecretGrant[]): SecretUse | null {
  const granted = grants.filter((grant) => secretGranted(name, url, [grant]))
  if (granted.length === 0) return null
  return { url, ...(granted.every(({ stored }) => stored === true) && { stored_only: true }) }
}

/** Returns true if the secret of this name may be sent to this URL. */
export function secretGranted(name: string, url: URL, grants: readonly SecretGrant[]): boolean {
  const port = url.port === '' ? (url.protocol === 'http:' ? '80' : '443') : url.port
  const host = url.hostname.replace(/\.$/, '')
  return grants.some((grant) => {
    const granted = grant.host.toLowerCase()
    return grant.name === name && (granted === host || granted === `${host}:${port}`)
  })
}
