import { WaybillError } from '../document/issue.ts'

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Checks the header `host`. A page of another site can make a browser send requests to an address of this machine
 * under a name of its own (DNS rebinding); such a request names that host.
 * @param publicUrl the URL under which clients reach the server
 * @throws HOST_REFUSED
 */
export function checkHost(header: string | undefined, publicUrl: string | undefined): void {
  const host = (header ?? '').toLowerCase()
  const name = host.replace(/:\d{1,5}$/, '')
  if (LOOPBACK.has(name)) return
  if (publicUrl !== undefined) {
    const expected = new URL(publicUrl)
    if (host === expected.host || (name === expected.hostname && host === `${name}:${portOf(expected)}`))
      return
  }
  throw new WaybillError('HOST_REFUSED', {
    fault: 'usage',
    message: 'the header host names neither this machine nor the public URL of the server',
    hint: 'use the URL that the server printed; `--public-url` sets another one',
  })
}

function portOf({ port, protocol }: URL): string {
  return port !== '' ? port : protocol === 'https:' ? '443' : '80'
}
