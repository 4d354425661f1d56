import { createRequire } from 'node:module'
import type * as Check from '../../../condition/check-condition.ts'
import type { Finding } from '../../../document/finding.ts'
import { lazyModule } from '../../../document/lazy-module.ts'
import { conditionsOf } from '../conditions-of.ts'
import type { AgentDefinition, Condition } from '../generated/agent.ts'
import { CONDITION_LANGUAGES } from '../vocabulary.ts'

const require = createRequire(import.meta.url)
const loadCheck = lazyModule<typeof Check>(() => require('../../../condition/check-condition.ts'))

/** Compiles every condition of a definition, and says what is wrong at its place (AAIF §5). */
export function* checkConditions(definition: AgentDefinition): Iterable<Finding> {
  for (const { pointer, condition } of conditionsOf(definition)) {
    if (typeof condition !== 'string' && !isOurs(condition.lang)) continue
    // Most definitions have none, and then the languages are not loaded.
    const { checkCondition } = loadCheck()
    for (const finding of checkCondition(condition)) {
      yield { ...finding, pointer: pointer + finding.pointer, hint: finding.hint ?? TRY_OUT }
    }
    yield* saysMore(pointer, condition)
  }
}

/** The way out where the language itself has no advice. */
const TRY_OUT = 'correct it; `waybill condition LANG EXPR --payload FILE` tries it out'

/** A registry may add languages, and only it knows how those are written: no other gets here. */
function isOurs(lang: string): boolean {
  return (CONDITION_LANGUAGES as readonly string[]).includes(lang)
}

/** `nl` is for people and `expr` decides: a value that only `nl` names was probably meant to be tested. */
function* saysMore(pointer: string, condition: Condition): Iterable<Finding> {
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
    message: `nl speaks of "${missing}", and expr does not test it; expr decides`,
    hint: 'test the value in expr, or take it out of nl',
    rule: 'AAIF-5-09',
  }
}
