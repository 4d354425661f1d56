import { WaybillError } from '../../document/issue.ts'

/**
 * Returns the hosts of a secret in the form in which URLs name them, sorted and each once.
 * @throws REQUEST_INVALID for one that is not `HOST` or `HOST:PORT`
 */
export function boundHosts(given: readonly string[]): readonly string[] {
  return [...new Set(given.map(boundHost))].sort()
}

function boundHost(given: string, index: number): string {
  const text = given.toLowerCase()
  const [, name, port] = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\*]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  const url = name === undefined ? null : URL.parse(`https://${name}`)
  if (url === null || url.hostname === '' || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535)
    throw new WaybillError('REQUEST_INVALID', {
      at: `/hosts/${index}`,
      message: `host ${index + 1} is not the name of a host`,
      hint: 'write HOST or HOST:PORT as in a URL, such as api.crm.example, without scheme, path and wildcards',
    })
  const host = url.hostname.replace(/\.$/, '')
  return port === undefined ? host : `${host}:${Number(port)}`
}
