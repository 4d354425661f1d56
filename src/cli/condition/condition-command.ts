import { Argument, Command } from 'commander'
import { CONDITION_LANGUAGES, type ConditionLanguage } from '../../condition/index.ts'
import type { Io } from '../io.ts'
import { formatOption, jsonOption } from '../options/run-options.ts'
import type { ConditionOptions } from './evaluate-expression.ts'

export function conditionCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('condition')
    .description('evaluate a condition on a payload: true, false or unevaluable')
    .addArgument(new Argument('<lang>', 'the language of the expression').choices(CONDITION_LANGUAGES))
    .argument('[expr]', 'the expression: JSON for jsonlogic; not given for always and never')
    .option('--payload <file>', 'the payload: JSON, YAML, CBOR or MessagePack (- for standard input)')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText('after', EXAMPLES)
    .action(async (lang: ConditionLanguage, expr: string | undefined, options: ConditionOptions) =>
      exit(await (await import('./evaluate-expression.ts')).evaluateExpression(lang, expr, options, io)),
    )
}

const EXAMPLES = `
Examples:
  $ waybill condition cel "action == 'opened'" --payload event.json
  $ waybill condition jsonpath '$.files[?@.added > 100]' --payload event.yaml
  $ echo '{"n": 3}' | waybill condition jsonlogic '{">": [{"var": "n"}, 2]}' --payload - --json
  $ waybill condition jmespath 'labels[0]' --payload event.json && echo labelled

An expression can use each member of the payload by its name, and the whole payload as "input".

Exit: 0 true, 1 false or unevaluable, 2 usage error or unreadable payload.
`
