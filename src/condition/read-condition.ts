import type { Code } from '../document/codes.ts'
import type { Finding } from '../document/finding.ts'
import { messageOf } from '../document/message-of.ts'
import type { Caution } from './caution.ts'
import { CONDITION_LANGUAGES, type ConditionLanguage, isConditionLanguage } from './condition.ts'
import { compileCel } from './languages/cel.ts'
import { compileJmespath } from './languages/jmespath.ts'
import { compileJsonlogic } from './languages/jsonlogic.ts'
import { compileJsonpath } from './languages/jsonpath.ts'
import type { Predicate } from './predicate.ts'
import { BadExpression } from './unevaluable.ts'

/** A parsed condition: its predicate, if it has one, and its findings. */
export interface ReadCondition {
  readonly predicate?: Predicate
  readonly findings: readonly Finding[]
}

type ExpressionLanguage = Exclude<ConditionLanguage, 'always' | 'never'>

interface Language {
  readonly type: 'string' | 'object'
  readonly rule: string
  readonly example: string
  readonly compile: (expr: never, caution: Caution) => Predicate
}

const LANGUAGES: Readonly<Record<ExpressionLanguage, Language>> = {
  jsonpath: {
    type: 'string',
    rule: 'AAIF-5-04',
    example: '"$.items[?@.price > 10]"',
    compile: compileJsonpath,
  },
  jmespath: {
    type: 'string',
    rule: 'AAIF-5-05',
    example: '"items[?price > `10`]"',
    compile: compileJmespath,
  },
  cel: { type: 'string', rule: 'AAIF-5-06', example: '"price > 10.0"', compile: compileCel },
  jsonlogic: {
    type: 'object',
    rule: 'AAIF-5-07',
    example: '{">": [{"var": "price"}, 10]}',
    compile: compileJsonlogic,
  },
}

/** Reads a Condition and compiles its expression. Pointers are relative to the condition. Never throws. */
export function readCondition(condition: unknown, caution: Caution = 'portable'): ReadCondition {
  if (typeof condition === 'string') return { findings: [notPortable(condition)] }
  if (typeof condition !== 'object' || condition === null || Array.isArray(condition)) {
    const hint = `write {"lang": "cel", "expr": ${LANGUAGES.cel.example}}`
    return {
      findings: [error('CONDITION_TYPE', '', 'a condition is a string or an object', hint, 'AAIF-5-01')],
    }
  }
  const { lang, expr } = condition as { lang?: unknown; expr?: unknown }
  if (!isConditionLanguage(lang)) return { findings: [unknownLanguage(lang)] }
  if (lang === 'always' || lang === 'never') {
    return { predicate: () => lang === 'always', findings: ignored(lang, expr) }
  }
  return readExpression(lang, expr, caution)
}

function readExpression(lang: ExpressionLanguage, expr: unknown, caution: Caution): ReadCondition {
  const { type, example, compile } = LANGUAGES[lang]
  const form = type === 'string' ? 'a string' : 'a rule object'
  const hint = `write it as ${form}, such as ${example}`
  if (expr === undefined) {
    return { findings: [error('EXPR_MISSING', '', `${lang} needs an expr`, hint, 'SPEC-V-01')] }
  }
  if (typeof expr !== type || expr === null || Array.isArray(expr)) {
    const message = `the expr of ${lang} must be ${form}`
    return { findings: [error('EXPR_TYPE', '/expr', message, hint, 'SPEC-V-02')] }
  }
  try {
    return { predicate: compile(expr as never, caution), findings: [] }
  } catch (cause) {
    return { findings: [invalid(lang, expr, cause)] }
  }
}

function invalid(lang: ExpressionLanguage, expr: unknown, cause: unknown): Finding {
  const bad = cause instanceof BadExpression ? cause : undefined
  const why = bad?.message ?? messageOf(cause)
  const at = typeof expr === 'string' ? placeIn(expr, bad?.place.offset) : ''
  const pointer = `/expr${bad?.place.pointer ?? ''}`
  return error('EXPR_INVALID', pointer, `this is not ${lang}: ${why}${at}`, bad?.hint, LANGUAGES[lang].rule)
}

/** Returns the position in the expression, counted from 1. */
function placeIn(expr: string, offset: number | undefined): string {
  if (offset === undefined) return ''
  if (offset >= expr.length) return ' (at its end)'
  const before = expr.slice(0, offset).split('\n')
  const column = (before.at(-1)?.length ?? 0) + 1
  const rest = expr.slice(offset).split('\n', 1)[0] ?? ''
  const near = rest.length > 20 ? `${rest.slice(0, 20)}…` : rest
  const line = before.length > 1 ? `line ${before.length}, ` : ''
  return ` (at ${line}character ${column}${near === '' ? '' : `, before \`${near}\``})`
}

function notPortable(text: string): Finding {
  const nl = text.length > 80 ? `${text.slice(0, 80)}…` : text
  return {
    severity: 'warning',
    code: 'CONDITION_NOT_PORTABLE',
    pointer: '',
    message: 'a condition in natural language is only a hint: platforms evaluate it differently',
    hint: `write {"lang": "cel", "expr": "…", "nl": ${JSON.stringify(nl)}} and write the test in expr`,
    rule: 'AAIF-5-02',
  }
}

function unknownLanguage(lang: unknown): Finding {
  const known = CONDITION_LANGUAGES.join(', ')
  return lang === undefined
    ? error('CONDITION_LANG_MISSING', '', 'the condition names no lang', `one of ${known}`, 'AAIF-5-03')
    : error(
        'CONDITION_LANG_UNKNOWN',
        '/lang',
        `the condition language ${JSON.stringify(lang)} is not supported`,
        `one of ${known}`,
        'AAIF-5-03',
      )
}

function ignored(lang: string, expr: unknown): Finding[] {
  if (expr === undefined) return []
  return [
    {
      severity: 'info',
      code: 'EXPR_IGNORED',
      pointer: '/expr',
      message: `${lang} needs no expr; it is ignored`,
      hint: 'remove expr, or set lang to the language of expr',
      rule: 'SPEC-V-01',
    },
  ]
}

function error(
  code: Code,
  pointer: string,
  message: string,
  hint: string | undefined,
  rule: string,
): Finding {
  return { severity: 'error', code, pointer, message, hint, rule }
}
