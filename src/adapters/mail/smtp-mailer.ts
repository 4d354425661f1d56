import { defined } from '../../document/defined.ts'
import { messageOf } from '../../document/message-of.ts'
import type { Grants } from '../../policy/endpoint-gate.ts'
import { believedAuthorities } from '../net/authorities.ts'
import { causeOf, GateRefusal } from '../net/gate-refusal.ts'
import { createGuardedConnect } from '../net/guarded-connect.ts'
import type { GuardedFetchOptions } from '../net/guarded-fetch.ts'

/** The mail server of the operator. */
export interface SmtpServer {
  /** A name or an address; an IPv6 address in brackets. */
  readonly host: string
  readonly port: number
  /** The sender: an address, or `NAME <ADDRESS>`. */
  readonly from: string
  /** `implicit`: from the first byte; `starttls`: required after the greeting; `none`: not encrypted. */
  readonly tls: 'implicit' | 'starttls' | 'none'
  readonly user?: string
  /** Read for each mail, so that a changed password is used. */
  readonly password?: () => Promise<string | undefined>
  /** Allow this host and no other. */
  readonly grants: Grants
}

interface Mail {
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
}

interface Failure {
  readonly error: string
  readonly final: boolean
}

const CONNECT_MS = 10_000
const IDLE_MS = 20_000
const VERIFY_MS = 30_000

/**
 * Returns a function that sends plain-text mails through the endpoint gate, one connection for each. It never rejects.
 * Codes of errors contain no text of the server.
 */
export function createSmtpMailer(
  server: SmtpServer,
  options: Pick<GuardedFetchOptions, 'lookup'> = {},
): (mail: Mail, signal: AbortSignal) => Promise<Failure | undefined> {
  const connect = createGuardedConnect({ grants: server.grants, connectTimeoutMs: CONNECT_MS, ...options })
  return async ({ id, to, subject, text }, signal) => {
    try {
      const transport = await openTransport(server, () =>
        connect(`smtp://${server.host}:${server.port}`, signal),
      )
      const domain = /@([^@<>\s]+?)>?$/.exec(server.from)?.[1] ?? 'waybill.invalid'
      await transport.sendMail({
        messageId: `<${id}@${domain}>`,
        from: server.from,
        // As an object: a text would be parsed, and could name further addresses.
        to: [{ name: '', address: to }],
        subject,
        text,
        headers: { 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
        signal,
      })
      return undefined
    } catch (error) {
      return failureOf(error, signal)
    }
  }
}

/**
 * Connects as for a mail, with encryption and sign-in, and sends none.
 * @returns undefined, or the code of the error, as for a mail
 */
export async function verifySmtpServer(server: SmtpServer): Promise<string | undefined> {
  const connect = createGuardedConnect({ grants: server.grants, connectTimeoutMs: CONNECT_MS })
  const signal = AbortSignal.timeout(VERIFY_MS)
  try {
    const transport = await openTransport(server, () =>
      connect(`smtp://${server.host}:${server.port}`, signal),
    )
    await transport.verify()
    return undefined
  } catch (error) {
    return failureOf(error, signal).error
  }
}

/** Loaded with the first mail: most processes send none. */
async function openTransport(server: SmtpServer, open: () => Promise<import('node:net').Socket>) {
  const { createTransport } = await import('nodemailer')
  const { tls, user, password, grants } = server
  const pass = await password?.()
  // The certificate is checked against the name in the configuration, as far as it is a name.
  const host = server.host.replace(/^\[|\]$/g, '')
  return createTransport({
    host,
    port: server.port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    tls: { minVersion: 'TLSv1.2', ...defined({ ca: believedAuthorities(grants) }) },
    ...(user !== undefined && { auth: { user, pass: pass ?? '' }, forceAuth: true }),
    greetingTimeout: CONNECT_MS,
    socketTimeout: IDLE_MS,
    getSocket: (_options, callback) => {
      open().then(
        (connection) => callback(null, { connection }),
        (error: Error) => callback(error),
      )
    },
  })
}

interface SmtpError {
  readonly code?: unknown
  readonly responseCode?: unknown
  readonly command?: unknown
}

function failureOf(error: unknown, signal: AbortSignal): Failure {
  const refusal = causeOf(error, GateRefusal)
  if (refusal !== undefined) return { error: refusal.code, final: false }
  if (signal.aborted) return { error: 'TIMEOUT', final: false }
  // Nodemailer replaces the code of an error of TLS by its own.
  if (/certificate/i.test(messageOf(error))) return { error: 'ENDPOINT_CERTIFICATE_REFUSED', final: false }
  const { code, responseCode, command } = error as SmtpError
  if (typeof responseCode === 'number' && responseCode >= 400)
    // A refused password is a mistake of the configuration, which the operator can correct.
    return { error: `SMTP ${responseCode}`, final: responseCode >= 500 && FINAL.has(String(command)) }
  return { error: typeof code === 'string' && /^[A-Z_]{1,40}$/.test(code) ? code : 'NO_ANSWER', final: false }
}

const FINAL: ReadonlySet<string> = new Set(['RCPT TO', 'DATA'])
