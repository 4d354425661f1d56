import type { Code } from '../../document/codes.ts'

/** A call that the endpoint gate refused. */
export class GateRefusal extends Error {
  override readonly name = 'GateRefusal'
  readonly code: Code
  readonly reason: string
  readonly hint: string
  /** True if certainly no request was sent; false only after a redirect. */
  readonly unsent: boolean

  constructor(code: Code, reason: string, hint: string, unsent = true) {
    super(`refused by the endpoint gate: ${reason}; ${hint}`)
    this.code = code
    this.reason = reason
    this.hint = hint
    this.unsent = unsent
  }
}

const UNTRUSTED_ISSUER =
  'if you trust its authority, such as that of your company, add its PEM file with ca_files in the configuration or with NODE_EXTRA_CA_CERTS'

/** Returns the refusal for a failed TLS handshake; undefined for other errors. The request was not sent. */
export function certificateRefusal(error: unknown, server: string): GateRefusal | undefined {
  const code = networkCodeOf(error)
  const refuse = (what: string, hint: string) =>
    new GateRefusal('ENDPOINT_CERTIFICATE_REFUSED', `${server} ${what} (${code})`, hint)
  switch (code) {
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'CERT_UNTRUSTED':
      return refuse('has a certificate of an authority that is not trusted', UNTRUSTED_ISSUER)
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return refuse('has a certificate for another name', 'use the host name of the certificate')
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return refuse(
        'has a certificate that has expired or is not yet valid',
        'ask the operator of the server to renew it, and check the clock of this machine',
      )
    case undefined:
      return undefined
    default:
      return BROKEN_CERTIFICATE.test(code)
        ? refuse('has an invalid certificate', 'report it to the operator of the server')
        : undefined
  }
}

/** Codes of a certificate that cannot be verified (X509_V_ERR of OpenSSL). */
const BROKEN_CERTIFICATE =
  /^(CERT_|ERROR_IN_C|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$|UNABLE_TO_(DECODE|DECRYPT|GET_CRL))/

/** A response that is larger than the limit. */
export class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge'
  readonly code = 'RESPONSE_TOO_LARGE'
  /** The status of the response. */
  readonly status: number

  constructor(maxBytes: number, status: number) {
    super(`the response is larger than ${maxBytes} bytes`)
    this.status = status
  }
}

/** Returns the error of this class in a chain of causes, at any depth. */
export function causeOf<E extends Error>(
  error: unknown,
  type: abstract new (...args: never[]) => E,
): E | undefined {
  for (const link of causes(error)) if (link instanceof type) return link
  return undefined
}

/**
 * Returns the first system or transport error code (`ECONNREFUSED`, `UND_ERR_SOCKET`, …) in a chain of causes. `EBADPORT` is a port
 * that `fetch` refuses, because it belongs to another protocol: that error has no code.
 */
export function networkCodeOf(error: unknown): string | undefined {
  for (const link of causes(error)) {
    const code = (link as { code?: unknown }).code
    if (
      typeof code === 'string' &&
      /^(E[A-Z]|UND_ERR|CERT_|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|INVALID_(CA|PURPOSE)$|PATH_LENGTH|HOSTNAME_)/.test(
        code,
      )
    ) {
      return code
    }
    if (link instanceof Error && link.message === 'bad port') return 'EBADPORT'
  }
  return undefined
}

const NEVER_LEFT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EBADPORT',
])

/** Returns true if an error occurred before the first byte of a request was sent. */
export function neverLeft(error: unknown): boolean {
  const code = networkCodeOf(error)
  return code !== undefined && NEVER_LEFT.has(code)
}

function* causes(error: unknown): Generator<object> {
  const seen = new Set<unknown>()
  for (let link = error; typeof link === 'object' && link !== null && !seen.has(link); ) {
    seen.add(link)
    yield link
    link = (link as { cause?: unknown }).cause
  }
}
