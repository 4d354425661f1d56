import { defined } from '../../document/defined.ts'
import type { Json } from '../../document/json.ts'
import { itemsAt, memberOf, objectAt, textAt } from '../../spec/loose-members.ts'
import { fact, type Inspection, section } from './inspection.ts'

/** Describes the result of a task. */
export function inspectResult(value: Json): Inspection {
  const metadata = objectAt(value, 'metadata')
  const status = textAt(value, 'status')
  const facts = defined({
    task_id: textAt(value, 'task_id'),
    status,
    error: memberOf(value, 'error'),
    criteria_met: itemsAt(value, 'criteria_met').length,
    criteria_unmet: itemsAt(value, 'criteria_unmet').length,
    agent_id: textAt(metadata, 'agent_id'),
    completed_at: textAt(metadata, 'completed_at'),
    tokens_used: memberOf(metadata, 'tokens_used'),
  })
  return {
    facts,
    headline: `task result: ${status ?? 'no status'}`,
    sections: [
      section('Result', [
        fact('task', facts.task_id),
        fact('by', facts.agent_id),
        fact('at', facts.completed_at),
        fact('tokens', facts.tokens_used),
        fact('error', facts.error),
        fact('criteria', `${facts.criteria_met} met, ${facts.criteria_unmet} unmet`),
      ]),
    ],
  }
}
