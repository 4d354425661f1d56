import { type ConditionLanguage, evaluateCondition } from '../../condition/index.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { readAnyDocument } from '../files/read-any-document.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { jsonText, plainText } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'

export interface ConditionOptions extends FormatOptions {
  readonly payload?: string
}

/**
 * Evaluates an expression on a payload, and prints the outcome.
 * @returns 0 if the condition holds, else 1
 * @throws USAGE; any error while reading the payload, with exit 2
 */
export async function evaluateExpression(
  lang: ConditionLanguage,
  expr: string | undefined,
  options: ConditionOptions,
  io: Io,
): Promise<ExitCode> {
  if (needsExpression(lang) && expr === undefined)
    throw usageError(`${lang} needs an expression`, `waybill condition ${lang} '…' --payload FILE`)
  const condition = expr === undefined ? { lang } : { lang, expr: parseExpression(lang, expr) }
  const result = evaluateCondition(condition, await readPayload(lang, options, io))
  if (wantsJson(options)) io.out(`${jsonText(result)}\n`)
  else {
    io.out(`${result.outcome}\n`)
    if (result.reason !== undefined) io.err(`${plainText(result.reason)}\n`)
  }
  return result.outcome === 'true' ? EXIT.ok : EXIT.no
}

function needsExpression(lang: ConditionLanguage): boolean {
  return lang !== 'always' && lang !== 'never'
}

function parseExpression(lang: ConditionLanguage, text: string): unknown {
  if (lang !== 'jsonlogic') return text
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw usageError(
      `the jsonlogic rule is not valid JSON: ${(cause as Error).message}`,
      'quote the rule for the shell: \'{"==": [{"var": "a"}, 1]}\'',
    )
  }
}

async function readPayload(lang: ConditionLanguage, { payload }: ConditionOptions, io: Io): Promise<Json> {
  if (payload === undefined) {
    if (!needsExpression(lang)) return null
    throw usageError(
      'no payload given',
      'name a file with --payload FILE, or pipe the payload to --payload -',
    )
  }
  try {
    return (await readAnyDocument(payload, io)).value
  } catch (error) {
    // Exit 1 means that the condition does not hold, so an unreadable payload needs exit 2.
    if (!(error instanceof WaybillError)) throw error
    throw new WaybillError(error.code, { ...error.details, fault: 'usage' })
  }
}
