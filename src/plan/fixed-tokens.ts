import type { Plan } from './plan.ts'
import { requestTokens } from './request-tokens.ts'

/** Returns a function that estimates the tokens contained in every model request of a plan. Computed once, on demand. */
export function fixedTokens(plan: Plan): () => number {
  let tokens: number | undefined
  return () => {
    if (tokens === undefined) {
      const { system_prompt, tools } = requestTokens(plan)
      tokens = system_prompt + tools
    }
    return tokens
  }
}
