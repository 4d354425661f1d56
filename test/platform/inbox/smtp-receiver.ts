import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface ReceivedMail {
  readonly to: readonly string[]
  readonly secure: boolean
  readonly user: string | undefined
  /** Headers and body, as they were sent. */
  readonly raw: string
}

export interface SmtpReceiver {
  readonly port: number
  readonly mails: ReceivedMail[]
  /** Answers to further recipients, by address: a status of 400 or more refuses. */
  readonly refuses: Map<string, number>
  /** Closes the server; connections are refused from then on. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** A mail server on this machine. */
export async function smtpReceiver(
  t: Pick<TestContext, 'after'>,
  options: SMTPServerOptions = {},
): Promise<SmtpReceiver> {
  const mails: ReceivedMail[] = []
  const refuses = new Map<string, number>()
  const open = () =>
    new SMTPServer({
      authOptional: true,
      hideSTARTTLS: options.key === undefined,
      logger: false,
      disableReverseLookup: true,
      closeTimeout: 100,
      ...options,
      onRcptTo({ address }, _session, done) {
        const responseCode = refuses.get(address)
        done(responseCode === undefined ? null : Object.assign(new Error('refused'), { responseCode }))
      },
      onData(stream, session, done) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          mails.push({
            to: session.envelope.rcptTo.map(({ address }) => address),
            secure: session.secure,
            user: typeof session.user === 'string' ? session.user : undefined,
            raw: Buffer.concat(chunks).toString(),
          })
          done()
        })
      },
    })
  let server = open()
  const listen = (port: number) =>
    new Promise<void>((resolve) => {
      server.on('error', () => {})
      server.listen(port, '127.0.0.1', () => resolve())
    })
  let isOpen = true
  const close = async () => {
    if (isOpen) await new Promise<void>((resolve) => server.close(() => resolve()))
    isOpen = false
  }
  await listen(0)
  const { port } = server.server.address() as AddressInfo
  t.after(close)
  return {
    port,
    mails,
    refuses,
    stop: close,
    async start() {
      server = open()
      isOpen = true
      await listen(port)
    },
  }
}

/** Returns the headers of a mail, unfolded, and its text, decoded. */
export function partsOf({ raw }: Pick<ReceivedMail, 'raw'>): {
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
} {
  const [head = '', ...body] = raw.split('\r\n\r\n')
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  )
  const encoded = body.join('\r\n\r\n')
  const text =
    headers.get('content-transfer-encoding') === 'base64'
      ? Buffer.from(encoded, 'base64').toString()
      : headers.get('content-transfer-encoding') === 'quoted-printable'
        ? decodeQuoted(encoded)
        : encoded
  return { headers, text: text.replaceAll('\r\n', '\n') }
}

function decodeQuoted(text: string): string {
  const bytes = text
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
