import type { Fact } from '../event.ts'
import { askJudge } from './ask-judge.ts'
import { askModel } from './ask-model.ts'
import { askPerson } from './ask-person.ts'
import { callAgent } from './call-agent.ts'
import { callTool } from './call-tool.ts'
import { recallForTurn } from './drive-memory.ts'
import type { EffectContext, Performed } from './effect-context.ts'

/**
 * Performs one effect and returns the fact that it leads to, or null if there is none. A failure outside is a fact
 * as well.
 * @throws RecordFailure, and whatever else prevents the run from being driven
 */
export function perform(effect: Performed, context: EffectContext): Promise<Fact | null> {
  switch (effect.type) {
    case 'recall':
      return recallForTurn(context)
    case 'model':
      return askModel(effect.attempt, context)
    case 'tool':
      return callTool(effect.call, context)
    case 'agent':
      return callAgent(effect.call, effect.cancelled === true, context)
    case 'judge':
      return askJudge(effect.review, context)
    case 'ask':
      return askPerson(effect.call, context)
  }
}
