import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { WaybillError } from '../../document/issue.ts'
import { messageOf } from '../../document/message-of.ts'
import { unreadableHint } from '../../document/unreadable-hint.ts'
import { readNamedFile } from '../files/read-any-document.ts'
import { utf8Text } from '../files/utf8-text.ts'
import type { Io } from '../io.ts'

export interface Tls {
  readonly cert: string
  readonly key: string
}

/**
 * Reads the certificate and the private key of a server, and checks that they belong together.
 * @throws FILE_UNREADABLE, FILE_NOT_REGULAR, FILE_TOO_LARGE, ENCODING_NOT_UTF8, CERTIFICATE_UNUSABLE
 */
export function readTls({ cert: certFile, key: keyFile }: Tls, io: Io): Tls {
  const cert = readPem(certFile, 'the certificate of --cert', io)
  const key = readPem(keyFile, 'the private key of --key', io)
  const certificate = parsed(certFile, () => new X509Certificate(cert), {
    message: hasKey(cert)
      ? '--cert has a private key, not a certificate'
      : '--cert has no certificate in PEM',
    hint: hasKey(cert)
      ? 'are --cert and --key in the wrong order?'
      : 'give the file that begins with -----BEGIN CERTIFICATE-----',
  })
  const privateKey = parsed(keyFile, () => createPrivateKey(key), {
    message: '--key has no private key in PEM that can be used without a passphrase',
    hint: 'give the file that begins with -----BEGIN PRIVATE KEY-----',
  })
  assertPair(certificate, privateKey, keyFile)
  parsed(certFile, () => createSecureContext({ cert, key }), {
    message: 'TLS refuses the certificate or its key',
    hint: 'make a certificate with a current kind of key, and give its whole chain in PEM',
  })
  return { cert, key }
}

function readPem(file: string, what: string, io: Io): string {
  const hint = (cause: unknown, path: string) =>
    unreadableHint(path, cause, 'give a PEM file that this user may read')
  return utf8Text(readNamedFile(file, io, { what, hint }), file, what)
}

function hasKey(pem: string): boolean {
  return /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)
}

function assertPair(certificate: X509Certificate, key: KeyObject, file: string): void {
  if (certificate.checkPrivateKey(key)) return
  throw unusable(file, {
    message: 'the private key of --key is not that of the certificate of --cert',
    hint: 'give the key with which the certificate was made; the first certificate in the file must be that of the server',
  })
}

interface Wording {
  readonly message: string
  readonly hint: string
}

function parsed<T>(file: string, parse: () => T, wording: Wording): T {
  try {
    return parse()
  } catch (cause) {
    throw unusable(file, { ...wording, message: `${wording.message} (${messageOf(cause)})` }, cause)
  }
}

function unusable(file: string, wording: Wording, cause?: unknown): WaybillError {
  return new WaybillError('CERTIFICATE_UNUSABLE', { fault: 'usage', file, ...wording, cause })
}
