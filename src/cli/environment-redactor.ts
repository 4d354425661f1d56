import type { Env } from '../compose/parts.ts'
import { variableValue } from '../document/variable-value.ts'
import { createRedactor, type Redactor } from '../secret/redact.ts'
import type { Io } from './io.ts'
import { readEnvironment } from './read-environment.ts'

const SECRET_NAME = /(^|_)(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(_(?!FILE|PATH|DIR)|$)/i

/**
 * Returns a redactor for values of environment variables that look like credentials, and for passwords in URLs of
 * variables, because an error may quote a server or a file. Variables of `WAYBILL_ENV_FILE` count too.
 */
export function environmentRedactor(io: Pick<Io, 'cwd' | 'env'>): Redactor {
  const redactor = createRedactor(new Map())
  for (const [name, value] of Object.entries(variablesOf(io))) {
    if (value === undefined) continue
    const sent = variableValue(value)
    for (const secret of SECRET_NAME.test(name) ? [sent] : passwordsIn(sent)) redactor.add(name, secret)
  }
  return redactor
}

/** Returns the variables of the process alone if the file cannot be read: the command reports why. */
function variablesOf(io: Pick<Io, 'cwd' | 'env'>): Env {
  try {
    return readEnvironment(undefined, io)
  } catch {
    return io.env
  }
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
