import type { Finding } from '../../../document/finding.ts'
import { isObject, type JsonObject } from '../../../document/json.ts'
import type { JudgeOptions } from '../../kinds.ts'
import { objectAt } from '../../loose-members.ts'
import { IAP_VERSION } from '../vocabulary.ts'

/** Members that strict receivers require in a block, if the block is present. */
const OF_BLOCKS = [
  ['delivery', 'method'],
  ['output', 'format'],
  ['on_failure', 'action'],
] as const

/**
 * Checks members that strict receivers require in addition to task.intent: a warning for readers, an error for writers
 * (IAP-task-03).
 */
export function* checkStrictReceivers(
  task: JsonObject,
  { authoring = false }: JudgeOptions,
): Iterable<Finding> {
  const absent = ['iap_version', 'task_id'].filter((member) => !Object.hasOwn(task, member))
  if (!Object.hasOwn(objectAt(task, 'sender'), 'agent_id')) absent.push('sender.agent_id')
  for (const [block, member] of OF_BLOCKS) {
    if (isObject(task[block]) && !Object.hasOwn(objectAt(task, block), member))
      absent.push(`${block}.${member}`)
  }
  const base = { severity: authoring ? 'error' : 'warning', rule: 'IAP-task-03' } as const
  if (absent.length > 0) {
    yield {
      ...base,
      code: 'STRICT_RECEIVERS_ASK_MORE',
      pointer: '',
      message: `strict receivers refuse a task without ${absent.join(', ')}`,
      hint: 'add them; other receivers use the defaults',
    }
  }
  if (authoring && Object.hasOwn(task, 'iap_version') && task.iap_version !== IAP_VERSION) {
    yield {
      ...base,
      code: 'STRICT_RECEIVERS_ASK_MORE',
      pointer: '/iap_version',
      message: `strict receivers accept only version ${IAP_VERSION}`,
      hint: `write "${IAP_VERSION}"`,
    }
  }
}
