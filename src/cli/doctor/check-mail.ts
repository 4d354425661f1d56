import { verifySmtpServer } from '../../adapters/mail/smtp-mailer.ts'
import { mailServerOf } from '../../compose/mail-server.ts'
import { messageOf } from '../../document/message-of.ts'
import { ownMember } from '../../document/own-member.ts'
import type { Check } from '../../platform/database/check.ts'
import type { Config } from '../../settings/config-schema.ts'
import { type MailSettings, mailSettings } from '../../settings/mail-settings.ts'
import type { Io } from '../io.ts'

/** Checks that the mail server of the configuration answers as configured. No mail is sent. */
export async function checkMail(config: Config, { env }: Pick<Io, 'env'>): Promise<readonly Check[]> {
  try {
    const settings = mailSettings(config)
    return settings === undefined ? [] : [await checkServer(settings, env)]
  } catch (error) {
    return [
      { check: 'mail', ok: false, detail: messageOf(error), fix: 'correct `mail` in the configuration' },
    ]
  }
}

async function checkServer(settings: MailSettings, env: Io['env']): Promise<Check> {
  const { host, port, tls, password_env } = settings
  const place = `${host}:${port}`
  const isSecret = password_env !== undefined && (ownMember(env, password_env) ?? '') === ''
  const { user: _user, password_env: _name, ...unsigned } = settings
  const problem = await verifySmtpServer(mailServerOf(isSecret ? unsigned : settings, env))
  if (problem !== undefined)
    return { check: 'mail', ok: false, detail: `${place}: ${problem}`, fix: fixOf(problem, settings) }
  const detail = `${place} answers, ${ENCRYPTION[tls]}`
  return isSecret
    ? {
        check: 'mail',
        ok: true,
        detail: `${detail}; the password was not checked, because ${password_env} is not set here`,
        fix: `set ${password_env} for this command as for the workers`,
      }
    : { check: 'mail', ok: true, detail }
}

const ENCRYPTION = {
  implicit: 'encrypted from the first byte',
  starttls: 'encrypted with STARTTLS',
  none: 'without encryption',
} as const

function fixOf(problem: string, { host, tls, password_env }: MailSettings): string {
  if (problem === 'ENDPOINT_CERTIFICATE_REFUSED')
    return `the certificate must be valid for ${host}; name the authority of your company in ca_files`
  if (/^SMTP 5[34]\d|^EAUTH/.test(problem))
    return password_env === undefined
      ? 'set `user` and `password_env` of `mail` if the server asks for a sign-in'
      : `correct \`user\` of \`mail\`, or the password in ${password_env}`
  if (tls === 'starttls')
    return 'check `host` and `port` of `mail`; set `secure: true` if the server encrypts from the first byte'
  return tls === 'implicit'
    ? 'check `host` and `port` of `mail`; remove `secure` if the server expects STARTTLS'
    : 'check `host` and `port` of `mail`, and whether the server runs'
}
