import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createServer } from 'node:tls'

/** The reason why tests with certificates are skipped on this machine; false if they run. */
export const noCertificates = spawnSync('openssl', ['version']).status === 0 ? false : 'needs openssl'

/** A certificate authority for a test, not trusted by default. */
export interface OwnAuthority {
  /** Path of its certificate, in PEM. */
  readonly file: string
  /** @param names such as `IP:127.0.0.1` or `DNS:localhost` */
  certify(names: string, days?: number): { readonly key: string; readonly cert: string }
}

export function ownAuthority(t: TestContext): OwnAuthority {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-ca-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const openssl = (...args: readonly string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl(...['req', '-x509', ...newKey], '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Office CA')
  let made = 0
  return {
    file: join(folder, 'ca.pem'),
    certify(names, days = 2) {
      made += 1
      const [key, request, cert, extension] = ['key', 'csr', 'pem', 'ext'].map(
        (kind) => `${made}.${kind}`,
      ) as [string, string, string, string]
      writeFileSync(join(folder, extension), `subjectAltName=${names}\n`)
      openssl(...['req', ...newKey], '-keyout', key, '-out', request, '-subj', '/CN=server')
      openssl(
        ...['x509', '-req', '-in', request, '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
        ...['-out', cert, '-extfile', extension, '-days', String(days)],
      )
      const text = (name: string) => readFileSync(join(folder, name), 'utf8')
      return { key: text(key), cert: text(cert) }
    },
  }
}

/** Ends TLS in front of a server on loopback; counts the handshakes that clients agreed to. */
export async function tlsFront(
  t: TestContext,
  behind: number,
  certificate: { readonly key: string; readonly cert: string },
) {
  const front = { port: 0, agreed: 0 }
  const server = createServer({ ...certificate, ALPNProtocols: ['h2', 'http/1.1'] }, (secure) => {
    const plain = connect(behind, '127.0.0.1')
    secure.once('data', () => {
      front.agreed += 1
    })
    secure.pipe(plain).pipe(secure)
    secure.on('error', () => plain.destroy())
    plain.on('error', () => secure.destroy())
    secure.on('close', () => plain.destroy())
    plain.on('close', () => secure.destroy())
    t.after(() => secure.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  front.port = (server.address() as { port: number }).port
  return front
}
