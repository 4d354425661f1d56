import type { Finding } from '../../../document/finding.ts'
import { conditionsOf } from '../conditions-of.ts'
import type { AgentDefinition, StructuredCondition } from '../generated/agent.ts'
import { EXPRESSION_LANGUAGES } from '../vocabulary.ts'

export function* checkConditions(definition: AgentDefinition): Iterable<Finding> {
  for (const { pointer, condition } of conditionsOf(definition)) {
    if (typeof condition === 'string') yield notPortable(pointer, condition)
    else yield* checkExpression(pointer, condition)
  }
}

function notPortable(pointer: string, text: string): Finding {
  const nl = text.length > 80 ? `${text.slice(0, 80)}…` : text
  return {
    severity: 'warning',
    code: 'CONDITION_NOT_PORTABLE',
    pointer,
    message: 'a condition in plain words is a hint only: no two platforms decide it alike',
    hint: `write {"lang": "cel", "expr": "…", "nl": ${JSON.stringify(nl)}} and say it in expr`,
    rule: 'AAIF-5-02',
  }
}

function* checkExpression(pointer: string, { lang, expr }: StructuredCondition): Iterable<Finding> {
  if (expr === undefined) return
  if (lang === 'always' || lang === 'never') {
    yield {
      severity: 'info',
      code: 'EXPR_IGNORED',
      pointer: `${pointer}/expr`,
      message: `${lang} needs no expr; this one is ignored`,
      hint: 'remove expr, or name the language it is written in',
      rule: 'SPEC-V-01',
    }
    return
  }
  // A registry may add languages, and only it knows how those are written.
  if (!(EXPRESSION_LANGUAGES as readonly string[]).includes(lang)) return
  const expected = lang === 'jsonlogic' ? 'object' : 'string'
  if (typeof expr === expected) return
  yield {
    severity: 'error',
    code: 'EXPR_TYPE',
    pointer: `${pointer}/expr`,
    message: `the expr of ${lang} must be ${expected === 'object' ? 'a rule object' : 'a string'}`,
    hint:
      expected === 'object'
        ? 'write a rule such as {"==": [{"var": "x"}, 1]}'
        : 'write the expression as a string',
    rule: 'SPEC-V-02',
  }
}
