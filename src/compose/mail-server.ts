import type { SmtpServer } from '../adapters/mail/smtp-mailer.ts'
import type { MailSettings } from '../settings/mail-settings.ts'
import { openSecrets } from './open-secrets.ts'

/** Returns the mail server of the operator. Its password is read from the environment for each use. */
export function mailServerOf(
  { password_env, ...server }: MailSettings,
  env: Parameters<typeof openSecrets>[0],
): SmtpServer {
  if (password_env === undefined) return server
  return { ...server, password: () => openSecrets(env).get(password_env) }
}
