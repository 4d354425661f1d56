/** The operator's word that a secret may be sent to a host: permission is always for the pair. */
export interface SecretGrant {
  /** Name of the environment variable. */
  readonly name: string
  /** `HOST` or `HOST:PORT`, as a URL has it; no wildcards. */
  readonly host: string
}

/** Whether the secret of this name may be sent to this URL. */
export function secretGranted(name: string, url: URL, grants: readonly SecretGrant[]): boolean {
  const port = url.port === '' ? (url.protocol === 'http:' ? '80' : '443') : url.port
  const host = url.hostname.replace(/\.$/, '')
  return grants.some((grant) => {
    const granted = grant.host.toLowerCase()
    return grant.name === name && (granted === host || granted === `${host}:${port}`)
  })
}
