import { environmentRedactor } from '../environment-redactor.ts'
import type { Io } from '../io.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'

export const LOG_FORMATS = ['text', 'json'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]
export type LogLevel = 'info' | 'warn' | 'error'

/** Members of a log entry besides time, level and message. */
export interface LogMembers {
  readonly request_id?: string
  readonly code?: string
  readonly hint?: string
}

export type PlatformLog = (level: LogLevel, message: string, members?: LogMembers) => void

/** Returns the format of `--log`, else that of the variable `WAYBILL_LOG`. */
export function logFormat(given: LogFormat | undefined, { env }: Pick<Io, 'env'>): LogFormat {
  const named = given ?? (env.WAYBILL_LOG || 'text')
  const format = LOG_FORMATS.find((one) => one === named)
  if (format !== undefined) return format
  throw usageError(`WAYBILL_LOG is ${JSON.stringify(named)}`, `use one of: ${LOG_FORMATS.join(', ')}`)
}

/** Longest message, in characters. */
const LONGEST = 1000

/** A token of this product. No entry is meant to contain one. */
const TOKEN = /wbt_[A-Za-z0-9_-]{8,}/g

/**
 * Returns the log of a process of the platform: lines for people, or one JSON object a line, on standard error. Secrets
 * of the environment, and texts that have the form of a key or a token, are replaced.
 */
export function openPlatformLog(format: LogFormat, io: Io): PlatformLog {
  const redactor = environmentRedactor(io)
  const clean = (text: string) => plainLine(redactor.text(text).replace(TOKEN, '[token]'), LONGEST)
  return (level, message, members = {}) => {
    if (format === 'text') {
      const { request_id } = members
      const place = request_id === undefined ? '' : ` ${request_id}`
      io.err(`${level}${place}: ${clean(message)}\n`)
      return
    }
    const { hint, ...rest } = members
    const entry = { time: new Date().toISOString(), level, message: clean(message), ...rest }
    io.err(`${jsonText(hint === undefined ? entry : { ...entry, hint: clean(hint) })}\n`)
  }
}
