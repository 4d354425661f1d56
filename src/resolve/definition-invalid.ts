import { defined } from '../document/defined.ts'
import { type UnplacedIssue, WaybillError } from '../document/issue.ts'
import type { AuditedAgent } from '../policy/audited-agent.ts'

/** A definition that is refused. */
interface RefusedDefinition {
  /** Its path as shown in messages; absent: it was given as data. */
  readonly file?: string | undefined
  /** What the audit log must say about it. */
  readonly refused?: AuditedAgent | undefined
}

/**
 * Returns DEFINITION_INVALID with the first error of a definition, the number of others, and all of its issues.
 * @param issues at least one of them is an error
 */
export function definitionInvalid(
  issues: readonly UnplacedIssue[],
  { file, refused }: RefusedDefinition,
): WaybillError {
  const errors = issues.filter(({ severity }) => severity === 'error')
  const [first] = errors
  const more = errors.length - 1
  const others = more > 0 ? ` (and ${more} more error${more > 1 ? 's' : ''})` : ''
  return new WaybillError('DEFINITION_INVALID', {
    message: `${first?.message ?? 'it is not a valid agent definition'}${others}`,
    ...defined({ file, at: first?.pointer, line: first?.line, column: first?.column }),
    ...defined({ rule: first?.rule, refused }),
    hint: first?.hint ?? `\`waybill validate ${file ?? 'FILE'}\` shows all problems`,
    issues,
  })
}
