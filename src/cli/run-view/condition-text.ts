import type { Condition } from '../../condition/condition.ts'
import { plainLine } from '../terminal/plain-text.ts'

/** Returns a condition as one line: its language and its expression. */
export function conditionText(condition: Condition): string {
  if (typeof condition === 'string') return `"${plainLine(condition, 120)}" (a plain text: never true)`
  const { lang, expr, nl } = condition
  const expression = expr === undefined ? (nl ?? '') : typeof expr === 'string' ? expr : JSON.stringify(expr)
  return plainLine(`${lang} ${expression}`.trim(), 160)
}
