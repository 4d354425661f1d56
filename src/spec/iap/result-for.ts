import { defined } from '../../document/defined.ts'
import type { Json } from '../../document/json.ts'
import type { ResultMetadata, TaskResult } from './generated/result.ts'
import type { Task } from './generated/task.ts'

/** The outcome of the work on a task, for `resultFor`. */
export interface TaskOutcome {
  readonly status: TaskResult['status']
  readonly result?: Json
  readonly error?: string
  /** The criteria of the task that were met; all others count as not met. */
  readonly criteriaMet?: readonly string[]
  readonly metadata?: ResultMetadata
}

/**
 * Returns the result of a task, with the same task_id and each criterion listed once, as met or unmet. Work in progress
 * lists no criteria.
 */
export function resultFor(task: Task & { readonly task_id: string }, outcome: TaskOutcome): TaskResult {
  const { status, result, error, criteriaMet = [], metadata } = outcome
  const criteria = [...new Set(task.success_criteria)]
  const isMet = (criterion: string) => criteriaMet.includes(criterion)
  return {
    task_id: task.task_id,
    status,
    ...defined({ result, error }),
    ...(status !== 'in_progress' && {
      criteria_met: criteria.filter(isMet),
      criteria_unmet: criteria.filter((criterion) => !isMet(criterion)),
    }),
    ...defined({ metadata }),
  }
}
