import { defined } from '../../document/defined.ts'
import { isObject, type Json } from '../../document/json.ts'
import type { Task } from '../../spec/iap/generated/task.ts'
import { withTaskDefaults } from '../../spec/iap/with-task-defaults.ts'
import { itemsAt, objectAt, textAt } from '../../spec/loose-members.ts'
import { count } from '../terminal/amounts.ts'
import { fact, type Inspection, section } from './inspection.ts'

/** Describes a task: intent, constraints, success criteria and which members are defaults. */
export function inspectTask(value: Json): Inspection {
  const intent = textAt(objectAt(value, 'task'), 'intent')
  const given = new Set(isObject(value) ? Object.keys(value) : [])
  const complete = isObject(value) ? completed(value as unknown as Task) : undefined
  const constraints = objectAt(value, 'constraints')
  const assumed = ['iap_version', 'task_id', 'sender', 'delivery', 'output', 'on_failure'].filter(
    (member) => !given.has(member),
  )
  const facts = defined({
    name: intent,
    task_id: textAt(value, 'task_id'),
    sender: textAt(objectAt(value, 'sender'), 'agent_id'),
    delivery: complete?.delivery.method,
    output: complete?.output.format,
    on_failure: complete?.on_failure.action,
    assumed,
    constraints,
    success_criteria: itemsAt(value, 'success_criteria'),
    parent_task_id: textAt(value, 'parent_task_id'),
  })
  return {
    facts: facts as Inspection['facts'],
    headline: intent ?? '(no intent)',
    sections: [
      section('Task', [
        fact('from', complete?.sender.agent_id),
        fact('id', facts.task_id),
        fact('delivery', withNote(complete?.delivery.method, assumed.includes('delivery'))),
        fact('output', withNote(complete?.output.format, assumed.includes('output'))),
        fact('on failure', withNote(complete?.on_failure.action, assumed.includes('on_failure'))),
      ]),
      section(
        'Within',
        Object.entries(constraints).map(([name, limit]) => fact(name, limit)),
      ),
      section(
        `Done when (${count(itemsAt(value, 'success_criteria').length, 'criterion', 'criteria')})`,
        itemsAt(value, 'success_criteria').map((text) => ({ text: String(text) })),
      ),
    ],
  }
}

/** Returns the task with its defaults, or undefined if the task is invalid. */
function completed(task: Task) {
  try {
    return withTaskDefaults(task, () => '(none)')
  } catch {
    return undefined
  }
}

function withNote(value: string | undefined, assumed: boolean): string | undefined {
  return value === undefined ? undefined : `${value}${assumed ? ' (the default)' : ''}`
}
