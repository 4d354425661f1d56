import { type Severity, WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { printYaml } from '../../document/lazy-encodings.ts'
import type { Kind } from '../../spec/kinds.ts'
import { allRules, likelyRule, rulesNamed } from '../../spec/rule-catalogue.ts'
import type { RuleEntry } from '../../spec/rule-entry.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { count } from '../terminal/amounts.ts'
import { type Paint, painter, type Tone } from '../terminal/paint.ts'
import { jsonText, plainText } from '../terminal/plain-text.ts'

export interface RulesOptions {
  readonly kind?: Kind
  readonly severity?: Severity
  readonly search?: string
  readonly json?: boolean
  readonly format?: string
}

/** Prints the rules, or one rule with a valid and an invalid example (`waybill rules`). */
export function showRules(id: string | undefined, options: RulesOptions, io: Io): ExitCode {
  const named = id === undefined ? allRules() : entriesOf(id)
  const rules = named.filter((rule) => isWanted(rule, options))
  const paint = painter(io.color && io.outIsTty)
  if (wantsJson(options)) io.out(`${jsonText({ rules }, 2)}\n`)
  else if (id === undefined) io.out(listText(rules, paint))
  else io.out(rules.map((rule) => ruleText(rule, paint)).join('\n'))
  return rules.length === 0 ? EXIT.no : EXIT.ok
}

/** @throws RULE_UNKNOWN */
function entriesOf(id: string): readonly RuleEntry[] {
  const named = rulesNamed(id)
  if (named.length > 0) return named
  const coded = allRules().filter((rule) => rule.codes.some((code) => code === id.toUpperCase()))
  if (coded.length > 0) return coded
  const nearest = likelyRule(id)
  throw new WaybillError('RULE_UNKNOWN', {
    message: `unknown rule "${id}"`,
    hint: nearest === undefined ? '`waybill rules` lists all rules' : `did you mean ${nearest}?`,
  })
}

function isWanted(rule: RuleEntry, { kind, severity, search }: RulesOptions): boolean {
  if (kind !== undefined && rule.kind !== kind) return false
  if (severity !== undefined && rule.severity !== severity) return false
  if (search === undefined) return true
  const text = [rule.id, rule.sentence, rule.source, ...rule.codes].join(' ').toLowerCase()
  return text.includes(search.toLowerCase())
}

const TONES: Readonly<Record<RuleEntry['severity'], Tone>> = { error: 'bad', warning: 'warn', info: 'accent' }

function listText(rules: readonly RuleEntry[], paint: Paint): string {
  const width = Math.max(0, ...rules.map(({ id }) => id.length))
  const blocks = [...Map.groupBy(rules, ({ kind }) => kind)].map(([kind, members]) =>
    [
      `${paint('strong', kind)} ${paint('faint', count(members.length, 'rule'))}`,
      ...members.map(
        ({ id, severity, sentence }) =>
          `  ${paint(TONES[severity], id.padEnd(width))}  ${severity.padEnd(7)}  ${sentence}`,
      ),
    ].join('\n'),
  )
  return `${[...blocks, `${count(rules.length, 'rule')}; \`waybill rules ID\` shows a rule with examples`].join('\n\n')}\n`
}

function ruleText(rule: RuleEntry, paint: Paint): string {
  const { id, kind, severity, sentence, source, codes, enforced, right, wrong } = rule
  return [
    `${paint(TONES[severity], paint('strong', id))} ${paint('faint', `${kind} · ${severity} · ${source}`)}`,
    sentence,
    '',
    `${paint('faint', 'codes')}     ${codes.join(', ')}`,
    `${paint('faint', 'checked by')}   ${enforced === 'schema' ? 'the schema' : `the ${enforced}`}`,
    '',
    paint('good', '✓ valid'),
    exampleText(right),
    paint('bad', '✗ invalid'),
    exampleText(wrong),
  ].join('\n')
}

/** Returns an example as text; examples of line-based formats are not reformatted. */
function exampleText(example: Json): string {
  const text = typeof example === 'string' ? example : printYaml(example)
  return plainText(text).trimEnd().replaceAll(/^/gm, '    ').concat('\n')
}
