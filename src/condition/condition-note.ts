import type { Condition } from './condition.ts'

/** Returns a condition for people: its sentence in natural language, or else its expression. */
export function conditionNote(condition: Condition): string {
  if (typeof condition === 'string') return `"${condition}" (a plain text: never true)`
  const { lang, expr, nl } = condition
  if (nl !== undefined && nl.trim() !== '') return nl
  return expr === undefined ? lang : typeof expr === 'string' ? expr : JSON.stringify(expr)
}
