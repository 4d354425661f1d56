import { estimateTokenCount } from 'tokenx'
import type { Plan, PlannedTool } from './plan.ts'

/** Estimated tokens that every request of a plan to a model contains, besides the conversation. */
export interface RequestTokens {
  readonly system_prompt: number
  readonly tools: number
}

/** Tools that a search has to find first are not counted: a request contains those that were found. */
export function requestTokens({
  system_prompt,
  tools,
}: Pick<Plan, 'system_prompt' | 'tools'>): RequestTokens {
  const shown = tools.filter(({ gate, found_by }) => gate !== 'deny' && found_by === undefined)
  return {
    system_prompt: estimateTokenCount(system_prompt),
    tools: shown.reduce((sum, tool) => sum + toolTokens(tool), 0),
  }
}

function toolTokens({ name, description, parameters_schema }: PlannedTool): number {
  return estimateTokenCount(JSON.stringify({ name, description, parameters_schema }))
}
