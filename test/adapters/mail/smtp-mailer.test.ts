import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { createSmtpMailer } from '../../../src/adapters/mail/smtp-mailer.ts'
import type { ConfigMail } from '../../../src/settings/config-schema.ts'
import { mailSettings } from '../../../src/settings/mail-settings.ts'
import { partsOf, smtpReceiver } from '../../platform/inbox/smtp-receiver.ts'
import { noCertificates, ownAuthority } from '../tls-front.ts'

const MAIL = { id: 'waybill-1', to: 'desk@acme.example', subject: 'Ä question', text: 'One.\n.\nTwo – ü.\n' }
const soon = () => AbortSignal.timeout(5000)

function mailer(
  mail: Partial<ConfigMail> & { readonly port: number },
  {
    ca_files,
    ...more
  }: { readonly ca_files?: readonly string[]; readonly password?: () => Promise<string> } = {},
  lookup?: Parameters<typeof createSmtpMailer>[1],
) {
  const settings = mailSettings({
    mail: { host: '127.0.0.1', from: 'Waybill <waybill@acme.example>', ...mail },
    ...(ca_files !== undefined && { ca_files }),
  })
  if (settings === undefined) throw new TypeError('there are settings')
  return createSmtpMailer({ ...settings, ...more }, lookup)
}

test('a mail arrives as it is, with the same id for each attempt', async (t) => {
  const { port, mails } = await smtpReceiver(t)
  const send = mailer({ port })
  assert.deepEqual([await send(MAIL, soon()), await send(MAIL, soon())], [undefined, undefined])
  const [first, second] = mails.map((mail) => ({ ...mail, ...partsOf(mail) }))
  assert.deepEqual(first?.to, [MAIL.to])
  assert.equal(first?.text.trimEnd(), MAIL.text.trimEnd())
  assert.equal(first?.headers.get('from'), 'Waybill <waybill@acme.example>')
  assert.equal(first?.headers.get('subject'), '=?UTF-8?Q?=C3=84_question?=')
  assert.match(first?.headers.get('content-type') ?? '', /^text\/plain/)
  assert.equal(first?.headers.get('message-id'), '<waybill-1@acme.example>')
  assert.equal(second?.headers.get('message-id'), first?.headers.get('message-id'))
})

test('no text adds a header or a receiver', async (t) => {
  const { port, mails } = await smtpReceiver(t)
  const send = mailer({ port })
  const evil = 'x\r\nBcc: evil@evil.example\r\n\r\nbody'
  await send({ ...MAIL, subject: evil, text: evil }, soon())
  await send({ ...MAIL, to: 'a@b.example, evil@evil.example' }, soon())
  await send({ ...MAIL, to: 'a@b.example\r\nRCPT TO:<evil@evil.example>' }, soon())
  for (const mail of mails) {
    assert.ok(!mail.to.includes('evil@evil.example'), mail.to.join(' '))
    assert.ok(!partsOf(mail).headers.has('bcc'))
  }
  assert.ok(mails.length > 0)
})

test('a server on another machine must encrypt, with a certificate that is trusted', {
  skip: noCertificates,
}, async (t) => {
  const authority = ownAuthority(t)
  const certificate = authority.certify('IP:127.0.0.1')
  const credentials: string[] = []
  const { port, mails } = await smtpReceiver(t, {
    ...certificate,
    onAuth: ({ username = '', password }, _session, done) => {
      credentials.push(`${username}:${password}`)
      if (password === 'right') done(null, { user: username })
      else done(Object.assign(new Error('wrong'), { responseCode: 535 }))
    },
  })
  const plain = await smtpReceiver(t)
  const trusted = { ca_files: [authority.file] }
  const required = { port, starttls: 'required' as const }
  assert.equal(await mailer(required, trusted)(MAIL, soon()), undefined)
  assert.deepEqual([mails.length, mails[0]?.secure, mails[0]?.user], [1, true, undefined])
  // Not sent without TLS, and not to an unknown certificate.
  assert.deepEqual(await mailer(required)(MAIL, soon()), {
    error: 'ENDPOINT_CERTIFICATE_REFUSED',
    final: false,
  })
  const unencrypted = await mailer({ port: plain.port, starttls: 'required' })(MAIL, soon())
  assert.deepEqual([unencrypted?.final, plain.mails.length, mails.length], [false, 0, 1])

  const login = { ...required, user: 'waybill', password_env: 'MAIL_PASSWORD' }
  let password = 'wrong'
  const signedIn = mailer(login, { ...trusted, password: async () => password })
  assert.deepEqual(await signedIn(MAIL, soon()), { error: 'SMTP 535', final: false })
  password = 'right'
  assert.equal(await signedIn(MAIL, soon()), undefined)
  assert.equal(mails.at(-1)?.user, 'waybill')
  assert.deepEqual(credentials, ['waybill:wrong', 'waybill:right'])

  const implicit = await smtpReceiver(t, { ...certificate, secure: true })
  assert.equal(await mailer({ port: implicit.port, secure: true }, trusted)(MAIL, soon()), undefined)
  assert.equal(implicit.mails[0]?.secure, true)
  assert.equal(
    (await mailer({ port: implicit.port, secure: true })(MAIL, soon()))?.error,
    'ENDPOINT_CERTIFICATE_REFUSED',
  )
})

test('the connection passes the gate: only the configured host, and no address that is not of a server', async (t) => {
  const { port, mails } = await smtpReceiver(t)
  const at = (address: string) =>
    mailer(
      { host: 'mail.acme.example', port, starttls: 'never' },
      {},
      {
        lookup: (_name, _options, done) => done(null, [{ address, family: 4 }]),
      },
    )
  assert.deepEqual(await at('169.254.169.254')(MAIL, soon()), {
    error: 'ENDPOINT_ADDRESS_SPECIAL',
    final: false,
  })
  // The operator names the host, so it may be in the own network.
  assert.equal(await at('127.0.0.1')(MAIL, soon()), undefined)
  const settings = mailSettings({ mail: { host: '127.0.0.1', port, from: 'a@b.example' } })
  assert.ok(settings !== undefined)
  const elsewhere = createSmtpMailer({ ...settings, host: 'other.example' })
  assert.deepEqual(await elsewhere(MAIL, soon()), { error: 'ENDPOINT_NOT_GRANTED', final: false })
  assert.equal(mails.length, 1)
})

test('a server that refuses, is away or does not answer gives a code', async (t) => {
  const { port, refuses, stop } = await smtpReceiver(t)
  const send = mailer({ port })
  for (const [code, final] of [
    [421, false],
    [499, false],
    [500, true],
    [550, true],
  ] as const) {
    refuses.set(MAIL.to, code)
    assert.deepEqual(await send(MAIL, soon()), { error: `SMTP ${code}`, final })
  }
  await stop()
  assert.deepEqual(await send(MAIL, soon()), { error: 'ECONNREFUSED', final: false })
  const silent = createServer((socket) => socket.on('error', () => {}))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  t.after(() => silent.close())
  const { port: mute } = silent.address() as { readonly port: number }
  assert.deepEqual(await mailer({ port: mute })(MAIL, AbortSignal.timeout(50)), {
    error: 'TIMEOUT',
    final: false,
  })
})
