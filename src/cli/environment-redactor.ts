import { createRedactor, type Redactor } from '../secret/redact.ts'
import type { Io } from './io.ts'

const SECRET_NAME = /(^|_)(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(_(?!FILE|PATH|DIR)|$)/i

/**
 * Returns a redactor for values of environment variables that look like credentials, and for passwords in URLs of
 * variables, because an error may quote a server or a file.
 */
export function environmentRedactor({ env }: Pick<Io, 'env'>): Redactor {
  const redactor = createRedactor(new Map())
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue
    for (const secret of SECRET_NAME.test(name) ? [value] : passwordsIn(value)) redactor.add(name, secret)
  }
  return redactor
}

/** Returns the password of a URL, as it is written and as servers receive it. */
function passwordsIn(value: string): readonly string[] {
  const written = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*?:([^/?#]+)@/i.exec(value)?.[1]
  if (written === undefined) return []
  try {
    return [written, decodeURIComponent(written)]
  } catch {
    return [written]
  }
}
