import { FINISHES } from '../finish.ts'
import { type ModelAnswer, ModelFailure } from '../ports.ts'

/**
 * Returns the answer of a model, of any adapter.
 * @throws ModelFailure MODEL_ANSWER_BROKEN if the provider failed in the middle of it: the request may be repeated
 */
export function checkAnswer(answer: ModelAnswer): ModelAnswer {
  if (FINISHES[answer.finish].text !== 'failed') return answer
  const text = 'the provider failed in the middle of its answer, and ended the answer with an error'
  throw new ModelFailure('unavailable', 'MODEL_ANSWER_BROKEN', text, undefined, undefined, {
    outcome: 'unknown',
    usage: answer.usage,
  })
}
