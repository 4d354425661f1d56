import { Argument, Command } from 'commander'
import { CONDITION_LANGUAGES, type ConditionLanguage, evaluateCondition } from '../../condition/index.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { readAnyDocument } from '../files/read-any-document.ts'
import { EXIT, type Io } from '../io.ts'
import { formatOption, jsonOption, wantsJson } from '../options/run-options.ts'
import { jsonText, plainText } from '../terminal/plain-text.ts'

interface Options {
  readonly payload?: string
  readonly json?: boolean
  readonly format?: string
}

export function conditionCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('condition')
    .description('decide a condition over a payload: true, false or unevaluable')
    .addArgument(new Argument('<lang>', 'the language').choices(CONDITION_LANGUAGES))
    .argument('[expr]', 'the expression; JSON for jsonlogic, none for always and never')
    .option(
      '--payload <file>',
      'what it is decided over: JSON, YAML, CBOR or MessagePack (- for standard input)',
    )
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', EXAMPLES)
    .action(async (lang: ConditionLanguage, expr: string | undefined, options: Options) => {
      const condition = { lang, ...(expr !== undefined && { expr: expressionOf(lang, expr) }) }
      if (needsExpression(lang) && expr === undefined) {
        throw usage(`${lang} needs an expression`, `waybill condition ${lang} '…' --payload FILE`)
      }
      const result = evaluateCondition(condition, await payloadOf(lang, options, io))
      if (wantsJson(options)) io.out(`${jsonText(result)}\n`)
      else {
        io.out(`${result.outcome}\n`)
        if (result.reason !== undefined) io.err(`${plainText(result.reason)}\n`)
      }
      exit(result.outcome === 'true' ? EXIT.ok : EXIT.no)
    })
}

function needsExpression(lang: ConditionLanguage): boolean {
  return lang !== 'always' && lang !== 'never'
}

function expressionOf(lang: ConditionLanguage, text: string): unknown {
  if (lang !== 'jsonlogic') return text
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw usage(
      `the rule is not JSON: ${(cause as Error).message}`,
      'quote it for the shell: \'{"==": [{"var": "a"}, 1]}\'',
    )
  }
}

async function payloadOf(lang: ConditionLanguage, { payload }: Options, io: Io): Promise<Json> {
  if (payload === undefined) {
    if (!needsExpression(lang)) return null
    throw usage(
      'there is no payload to decide over',
      'name one with --payload FILE, or --payload - to pipe it',
    )
  }
  try {
    return (await readAnyDocument(payload, io)).value
  } catch (error) {
    // Exit 1 says that the condition does not hold; a payload that cannot be read says nothing about it.
    if (!(error instanceof WaybillError)) throw error
    throw new WaybillError(error.code, { ...error.details, fault: 'usage' })
  }
}

function usage(message: string, hint: string): WaybillError {
  return new WaybillError('USAGE', { fault: 'usage', message, hint })
}

const EXAMPLES = `
Examples:
  $ waybill condition cel "action == 'opened'" --payload event.json
  $ waybill condition jsonpath '$.files[?@.added > 100]' --payload event.yaml
  $ echo '{"n": 3}' | waybill condition jsonlogic '{">": [{"var": "n"}, 2]}' --payload - --json
  $ waybill condition jmespath 'labels[0]' --payload event.json && echo labelled

The members of the payload are top-level names, and the payload as a whole is also input.

Exit: 0 true, 1 false or unevaluable, 2 used wrongly or the payload cannot be read.
`
