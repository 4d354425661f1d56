import { randomUUID } from 'node:crypto'
import type { OnFailure, Task } from './generated/task.ts'
import { ANONYMOUS, IAP_VERSION } from './vocabulary.ts'

/** A task with all defaults filled in. */
export type CompleteTask = Task & {
  readonly iap_version: string
  readonly task_id: string
  readonly sender: { readonly agent_id: string }
  readonly delivery: { readonly method: 'sync' | 'async' | 'email' }
  readonly output: { readonly format: string }
  readonly on_failure: { readonly action: NonNullable<OnFailure['action']> }
}

/**
 * Returns the task with defaults for absent members: version 0.2, a new id, an anonymous sender, synchronous delivery,
 * output of any form, and the partial result on failure. `retry` defaults to two retries, `escalate` to a human.
 * Without output.deliver_to, the delivery decides the destination.
 */
export function withTaskDefaults(task: Task, newId: () => string = randomUUID): CompleteTask {
  return {
    ...task,
    iap_version: task.iap_version ?? IAP_VERSION,
    task_id: task.task_id ?? newId(),
    sender: { ...task.sender, agent_id: task.sender?.agent_id ?? ANONYMOUS },
    delivery: { ...task.delivery, method: task.delivery?.method ?? 'sync' },
    output: { ...task.output, format: task.output?.format ?? 'freeform' },
    on_failure: withFailureDefaults(task.on_failure ?? {}),
  }
}

function withFailureDefaults(given: OnFailure): CompleteTask['on_failure'] {
  const action = given.action ?? 'return_partial'
  return {
    ...given,
    action,
    ...(action === 'retry' && { max_retries: given.max_retries ?? 2 }),
    ...(action === 'escalate' && { escalate_to: given.escalate_to ?? 'human' }),
  }
}
