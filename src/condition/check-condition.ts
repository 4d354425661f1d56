import type { Finding } from '../document/finding.ts'
import { readCondition } from './read-condition.ts'

/**
 * Says what is wrong with a Condition (AAIF §5, SPECIFICATION §V), its expression compiled, without a payload.
 * @returns findings whose pointers are relative to the condition: `''`, `/lang`, `/expr`, or a place in a rule
 */
export function checkCondition(condition: unknown): readonly Finding[] {
  return readCondition(condition).findings
}
