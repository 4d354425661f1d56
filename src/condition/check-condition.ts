import type { Finding } from '../document/finding.ts'
import { readCondition } from './read-condition.ts'

/**
 * Validates a Condition (AAIF §5, SPECIFICATION §V) and compiles its expression, without a payload.
 * @returns findings with pointers relative to the condition: `''`, `/lang`, `/expr`, or a place in a rule
 */
export function checkCondition(condition: unknown): readonly Finding[] {
  return readCondition(condition).findings
}
