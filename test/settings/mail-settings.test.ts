import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ConfigMail } from '../../src/settings/config-schema.ts'
import { mailSettings } from '../../src/settings/mail-settings.ts'

const from = 'a@b.example'

test('mails to another machine are encrypted unless the operator says otherwise', () => {
  const cases: readonly (readonly [Partial<ConfigMail>, string])[] = [
    [{ host: 'mail.acme.example' }, 'starttls'],
    [{ host: '10.0.0.7' }, 'starttls'],
    [{ host: '127.0.0.1.example' }, 'starttls'],
    [{ host: 'mail.acme.example', starttls: 'required' }, 'starttls'],
    [{ host: 'mail.acme.example', starttls: 'never' }, 'none'],
    [{ host: 'mail.acme.example', secure: true }, 'implicit'],
    [{ host: 'mail.acme.example', secure: true, starttls: 'never' }, 'implicit'],
    [{ host: 'localhost' }, 'none'],
    [{ host: '127.9.9.9' }, 'none'],
    [{ host: '[::1]' }, 'none'],
    [{ host: '[::ffff:127.0.0.1]' }, 'none'],
    [{ host: 'localhost', starttls: 'required' }, 'starttls'],
    [{ host: 'localhost', user: 'u', password_env: 'P' }, 'none'],
    [
      { host: 'mail.acme.example', secure: true, starttls: 'never', user: 'u', password_env: 'P' },
      'implicit',
    ],
  ]
  for (const [mail, tls] of cases)
    assert.equal(
      mailSettings({ mail: { host: '', port: 25, from, ...mail } })?.tls,
      tls,
      JSON.stringify(mail),
    )
  assert.equal(mailSettings({}), undefined)
})

test('a password is not sent to another machine in the clear', () => {
  const mail = {
    host: 'mail.acme.example',
    port: 25,
    from,
    starttls: 'never' as const,
    user: 'u',
    password_env: 'P',
  }
  assert.throws(() => mailSettings({ mail }), { code: 'CONFIG_INVALID' })
})

test('the grant is for the host and the port of the mail server only', () => {
  const settings = mailSettings({
    mail: { host: 'Mail.Acme.Example', port: 465, from, secure: true },
    ca_files: ['/ca.pem'],
  })
  assert.deepEqual(settings?.grants, {
    hosts: [{ host: 'mail.acme.example', port: 465, private: true, source: 'config' }],
    ca_files: ['/ca.pem'],
  })
  for (const host of ['a b', 'a/b', 'user@host', '::1', '*'])
    assert.throws(() => mailSettings({ mail: { host, port: 25, from } }), { code: 'HOST_GRANT_INVALID' })
})
