import type { Finding } from '../../../document/finding.ts'
import { isObject, type JsonObject } from '../../../document/json.ts'
import type { JudgeOptions } from '../../kinds.ts'
import { objectAt } from '../../loose-members.ts'
import { IAP_VERSION } from '../vocabulary.ts'

/** Members that a block must have for strict receivers, once the block is there. */
const OF_BLOCKS = [
  ['delivery', 'method'],
  ['output', 'format'],
  ['on_failure', 'action'],
] as const

/**
 * Only task.intent may be demanded, but there are receivers that demand more. Readers are told, writers held to it
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
      hint: 'add them; whoever reads without them takes defaults',
    }
  }
  if (authoring && Object.hasOwn(task, 'iap_version') && task.iap_version !== IAP_VERSION) {
    yield {
      ...base,
      code: 'STRICT_RECEIVERS_ASK_MORE',
      pointer: '/iap_version',
      message: `strict receivers read version ${IAP_VERSION} only`,
      hint: `write "${IAP_VERSION}"`,
    }
  }
}
