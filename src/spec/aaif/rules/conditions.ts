import { createRequire } from 'node:module'
import type * as Check from '../../../condition/check-condition.ts'
import type { Finding } from '../../../document/finding.ts'
import { lazyModule } from '../../../document/lazy-module.ts'
import { conditionsOf } from '../conditions-of.ts'
import type { AgentDefinition, Condition } from '../generated/agent.ts'
import { CONDITION_LANGUAGES } from '../vocabulary.ts'

const require = createRequire(import.meta.url)
const loadCheck = lazyModule<typeof Check>(() => require('../../../condition/check-condition.ts'))

/**
 * Compiles every Condition of a definition and returns its errors with their pointers (AAIF §5). An expression that
 * cannot be compiled is only a warning: it may be right for another platform, and here it is unevaluable.
 */
export function* checkConditions(definition: AgentDefinition): Iterable<Finding> {
  for (const { pointer, condition, undecided } of conditionsOf(definition)) {
    if (typeof condition !== 'string' && !isOurs(condition.lang)) continue
    // Most definitions have no Conditions, and then the languages are not loaded.
    const { checkCondition } = loadCheck()
    for (const finding of checkCondition(condition)) {
      yield {
        ...finding,
        pointer: pointer + finding.pointer,
        hint: finding.hint ?? TRY_OUT,
        ...(finding.code === 'EXPR_INVALID' && {
          severity: 'warning',
          message: `${finding.message}; it cannot be evaluated here: ${undecided}`,
        }),
      }
    }
    yield* checkNaturalLanguage(pointer, condition)
  }
}

/** The hint if the language gives none. */
const TRY_OUT = 'correct it; test it with `waybill condition LANG EXPR --payload FILE`'

/** A registry may add languages whose syntax is not known; only these reach this line. */
function isOurs(lang: string): boolean {
  return (CONDITION_LANGUAGES as readonly string[]).includes(lang)
}

/** Warns about a value that `nl` names but `expr` does not test: `nl` is for people, and `expr` decides. */
function* checkNaturalLanguage(pointer: string, condition: Condition): Iterable<Finding> {
  if (typeof condition === 'string' || condition.nl === undefined || condition.expr === undefined) return
  const expr = JSON.stringify(condition.expr).toLowerCase()
  const values = [...condition.nl.matchAll(/["'`]([^"'`]+)["'`]|\b(\w+_\w+|\d+(?:\.\d+)?)\b/g)].map(
    (match) => match[1] ?? match[2] ?? '',
  )
  const missing = values.find((value) => !expr.includes(value.toLowerCase()))
  if (missing === undefined) return
  yield {
    severity: 'info',
    code: 'CONDITION_SAYS_MORE',
    pointer: `${pointer}/nl`,
    message: `nl names "${missing}", but expr does not test it; only expr decides`,
    hint: 'test the value in expr, or remove it from nl',
    rule: 'AAIF-5-09',
  }
}
