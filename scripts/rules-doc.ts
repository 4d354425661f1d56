import { KINDS } from '../src/spec/kinds.ts'
import { rulesOf } from '../src/spec/rule-catalogue.ts'
import { anchorOf, type RuleEntry } from '../src/spec/rule-entry.ts'

/** The page `docs/rules.md`, made from the catalogues of all kinds. */
export function rulesPage(): string {
  const sections = KINDS.map((kind) => {
    const rules = rulesOf(kind)
    const rows = rules.map(rowOf).join('\n')
    return `## ${kind}\n\n| Rule | Severity | What it says | Source | Codes | Held by |\n| --- | --- | --- | --- | --- | --- |\n${rows}\n`
  })
  return `${HEAD}\n${sections.join('\n')}`
}

const HEAD = `<!-- Generated from the rule catalogues in src/spec by \`npm run generate\`. Do not edit. -->

# Rules

Every rule by which \`waybill validate\` judges documents. A finding names the rule that was broken in \`rule\`, and its kind of fault in \`code\` ([codes.md](codes.md)). \`waybill rules ID\` shows a rule with a document that keeps it and one that breaks it. Where one rule gives findings of several severities, the gravest is listed. Ids that begin with \`WB-\` are rules of ours, which no format states.
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

/** A bar would end the cell, and markup would be taken for markup. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('*', '\\*').replaceAll('_', '\\_')
}
