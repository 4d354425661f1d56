import { shownTools } from '../../plan/defer-tools.ts'
import { foundIn } from '../../plan/find-tools.ts'
import type { Plan } from '../../plan/plan.ts'
import type { ModelRequest } from '../ports.ts'
import type { Message } from '../state.ts'

/** Returns which tools a request contains, if the model has to search some of them; see `deferTools`. */
export function toolsIn(
  { tools }: Plan,
  messages: { toArray(): readonly Message[] },
): Pick<ModelRequest, 'shown'> {
  const searches = new Set(tools.flatMap(({ found_by }) => found_by ?? []))
  if (searches.size === 0) return {}
  const found: string[] = []
  for (const message of messages.toArray())
    if (message.role === 'tool' && searches.has(message.tool)) found.push(...foundIn(message.result))
  return { shown: shownTools(tools, found).map(({ name }) => name) }
}
