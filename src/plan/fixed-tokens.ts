import { estimateTokenCount } from 'tokenx'
import type { Plan } from './plan.ts'

/** Returns a function that estimates the tokens contained in every model request of a plan. Computed once, on demand. */
export function fixedTokens(plan: Plan): () => number {
  let tokens: number | undefined
  return () => {
    tokens ??= estimate(plan)
    return tokens
  }
}

/** Returns the system prompt, and the tools as they are described to the model. */
function estimate({ system_prompt, tools }: Plan): number {
  let tokens = estimateTokenCount(system_prompt)
  for (const { name, description, parameters_schema, gate } of tools) {
    if (gate !== 'deny')
      tokens += estimateTokenCount(JSON.stringify({ name, description, parameters_schema }))
  }
  return tokens
}
