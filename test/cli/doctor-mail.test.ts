import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import { checkMail } from '../../src/cli/doctor/check-mail.ts'
import { processIo } from '../../src/cli/process-io.ts'
import type { ConfigMail } from '../../src/settings/config-schema.ts'
import { noCertificates, ownAuthority } from '../adapters/tls-front.ts'
import { smtpReceiver } from '../platform/inbox/smtp-receiver.ts'
import { Place, waybill } from './fixture.ts'

test('waybill doctor signs in at the mail server as configured, and sends no mail', {
  skip: noCertificates,
}, async (t) => {
  const authority = ownAuthority(t)
  const certificate = authority.certify('IP:127.0.0.1')
  const signIns: string[] = []
  const starttls = await smtpReceiver(t, {
    ...certificate,
    onAuth: ({ username = '', password }, session, done) => {
      signIns.push(`${username} ${session.secure}`)
      if (password === 'right') done(null, { user: username })
      else done(Object.assign(new Error('wrong'), { responseCode: 535 }))
    },
  })
  const implicit = await smtpReceiver(t, { ...certificate, secure: true })
  const plain = await smtpReceiver(t, { disabledCommands: ['STARTTLS'] })
  const gone = await smtpReceiver(t)
  await gone.stop()

  const required = { port: starttls.port, starttls: 'required' } as const
  const signedIn = { ...required, user: 'waybill', password_env: 'MAIL_PASSWORD' }
  const cases: readonly (readonly [
    mail: Partial<ConfigMail> & { readonly port: number },
    detail: RegExp,
    fix: RegExp | undefined,
    also?: { readonly password?: string; readonly isUnknown?: true; readonly ok?: true },
  ])[] = [
    [{ port: plain.port }, /^127\.0\.0\.1:\d+ answers, without encryption$/, undefined],
    [required, /answers, encrypted with STARTTLS$/, undefined],
    [{ port: implicit.port, secure: true }, /answers, encrypted from the first byte$/, undefined],
    [signedIn, /encrypted with STARTTLS$/, undefined, { password: 'right' }],
    [signedIn, /STARTTLS; the password was not checked/, /^set MAIL_PASSWORD/, { ok: true }],
    [signedIn, /: SMTP 535$/, /password in MAIL_PASSWORD$/, { password: 'hunter2' }],
    [required, /: ENDPOINT_CERTIFICATE_REFUSED$/, /ca_files$/, { isUnknown: true }],
    [{ port: plain.port, starttls: 'required' }, /: (?!ENDPOINT)[A-Z]+/, /set `secure: true`/],
    [{ port: plain.port, secure: true }, /: (?!ENDPOINT)[A-Z]+/, /remove `secure`/],
    [{ port: gone.port }, /: [A-Z]+/, /whether the server runs$/],
  ]
  const io = processIo()
  for (const [mail, detail, fix, { password, isUnknown, ok = fix === undefined } = {}] of cases) {
    const config = {
      mail: { host: '127.0.0.1', from: 'w@acme.example', ...mail },
      ...(isUnknown !== true && { ca_files: [authority.file] }),
    }
    const env = password === undefined ? {} : { MAIL_PASSWORD: password }
    const [check, ...others] = await checkMail(config, { ...io, env })
    const about = JSON.stringify([mail, check])
    assert.deepEqual([check?.check, check?.ok, others], ['mail', ok, []], about)
    assert.match(check?.detail ?? '', detail, about)
    if (fix === undefined) assert.equal(check?.fix, undefined, about)
    else assert.match(check?.fix ?? '', fix, about)
    assert.doesNotMatch(about, /hunter2/)
  }
  // Passwords were sent with encryption only.
  assert.deepEqual(signIns, ['waybill true', 'waybill true'])
  assert.deepEqual(await checkMail({}, io), [])
  const refused = {
    host: 'smtp.acme.example',
    port: 25,
    from: 'w@acme.example',
    user: 'w',
    starttls: 'never',
  } as const
  assert.deepEqual((await checkMail({ mail: refused }, io))[0]?.ok, false)

  const place = new Place(t)
  mkdirSync(place.home, { mode: 0o700 })
  place.write('home/config.yaml', `mail: { host: 127.0.0.1, port: ${gone.port}, from: w@acme.example }\n`)
  const { code, out } = await waybill(place, ['doctor', '--port', '0'])
  assert.equal(code, 1)
  assert.match(out, /^FAILED {2}mail: 127\.0\.0\.1:\d+: [A-Z]+\n {8}fix: check `host`/m)
  for (const { mails } of [starttls, implicit, plain]) assert.deepEqual(mails, [])
})
