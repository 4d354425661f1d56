import { isDeepStrictEqual } from 'node:util'
import type { ConstraintRule } from './constraint-rule.ts'

/** Returns whether everything that satisfies the first rule satisfies the second. False also if this is not proved. */
export function impliesRule(strict: ConstraintRule, rule: ConstraintRule): boolean {
  // Also of a rule whose value cannot be compared, such as a limit that is not a number.
  if (isDeepStrictEqual(strict, rule)) return true
  // A tool that is never called satisfies every rule about its calls.
  if (strict.kind === 'never_call' && 'tool' in rule && rule.tool === strict.tool) return true
  switch (rule.kind) {
    case 'length':
      return strict.kind === 'length' && strict.unit === rule.unit && strict.max <= rule.max
    case 'contains':
      return strict.kind === 'contains' && strict.must === rule.must && strict.phrase === rule.phrase
    case 'format':
      return strict.kind === 'format' && strict.format === rule.format
    case 'never_call':
      return false
    case 'call_after':
      return strict.kind === 'call_after' && strict.tool === rule.tool && strict.first === rule.first
    case 'call_count':
      return strict.kind === 'call_count' && strict.tool === rule.tool && strict.max <= rule.max
    case 'call_time':
      return strict.kind === 'call_time' && strict.tool === rule.tool && isWithin(strict, rule)
    case 'items':
      return (
        strict.kind === 'items' &&
        strict.tool === rule.tool &&
        strict.argument === rule.argument &&
        strict.max <= rule.max
      )
    case 'argument':
      return (
        strict.kind === 'argument' &&
        strict.tool === rule.tool &&
        strict.argument === rule.argument &&
        impliesTest(strict, rule)
      )
  }
}

type CallTime = Extract<ConstraintRule, { kind: 'call_time' }>
type Argument = Extract<ConstraintRule, { kind: 'argument' }>

/** A window that spans midnight is compared only with an equal one. */
function isWithin(strict: CallTime, rule: CallTime): boolean {
  if (rule.weekdays && !strict.weekdays) return false
  if (strict.from === rule.from && strict.to === rule.to) return true
  return strict.from <= strict.to && rule.from <= strict.from && strict.to <= rule.to
}

/** Which texts begin or end as wanted depends on the form of the text, so only equal texts are compared. */
function impliesTest(strict: Argument, rule: Argument): boolean {
  if (strict.test !== rule.test) return false
  if (rule.test === 'below') return Number(strict.value) <= Number(rule.value)
  return strict.value.trim().toLowerCase() === rule.value.trim().toLowerCase()
}
