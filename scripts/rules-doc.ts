import { KINDS } from '../src/spec/kinds.ts'
import { rulesOf } from '../src/spec/rule-catalogue.ts'
import { anchorOf, type RuleEntry } from '../src/spec/rule-entry.ts'

/** Returns the page `docs/rules.md`, generated from the rule catalogues of all kinds. */
export function rulesPage(): string {
  const sections = KINDS.map((kind) => {
    const rules = rulesOf(kind)
    const rows = rules.map(rowOf).join('\n')
    return `## ${kind}\n\n| Rule | Severity | Requirement | Source | Codes | Enforced by |\n| --- | --- | --- | --- | --- | --- |\n${rows}\n`
  })
  return `${HEAD}\n${sections.join('\n')}`
}

const HEAD = `<!-- Generated from the rule catalogues in src/spec by \`npm run generate\`. Do not edit. -->

# Rules

All rules that \`waybill validate\` checks. In a finding, \`rule\` is the id of the violated rule, and \`code\` the kind of error ([codes.md](codes.md)). \`waybill rules ID\` prints a rule with a valid and an invalid example. If the findings of a rule have different severities, the highest is listed. Rules whose id begins with \`WB-\` are defined by Waybill and not by a format.
`

function rowOf(rule: RuleEntry): string {
  const { id, severity, sentence, source, codes, enforced } = rule
  const cells = [
    `<a id="${anchorOf(rule)}"></a>${id}`,
    severity,
    cell(sentence),
    cell(source),
    codes.map((code) => `\`${code}\``).join(' '),
    enforced,
  ]
  return `| ${cells.join(' | ')} |`
}

/** Escapes bars, which would end the cell, and markup. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('*', '\\*').replaceAll('_', '\\_')
}
