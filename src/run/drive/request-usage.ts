import { estimateTokenCount } from 'tokenx'
import { limitsUsage } from '../decide/budget.ts'
import { continuationOf } from '../decide/continue-answer.ts'
import { promptLength } from '../decide/prompt-tokens.ts'
import type { ModelFailure, ReportedUsage } from '../ports.ts'
import type { Usage } from '../state.ts'
import type { EffectContext } from './effect-context.ts'

/** The texts of a request, to estimate tokens that its provider did not report. */
export interface RequestTexts {
  /** Returns the estimated tokens of the question. */
  readonly question: () => number
  /** The part of the answer that was received. */
  readonly answer: string
}

/**
 * Returns the usage of a request. A count that the provider did not report is estimated while a budget of tokens or
 * money is in force, and else counts as 0. A provider that reports 0 or no number must not switch a budget off, so
 * such a count is estimated, too. A rehearsal uses no tokens.
 */
export function usageOf(
  { input_tokens, output_tokens }: ReportedUsage,
  { question, answer }: RequestTexts,
  { program, state }: Pick<EffectContext, 'program' | 'state'>,
): Usage {
  const input = reported(input_tokens)
  const output = reported(output_tokens)
  const complete = input > 0 && (output > 0 || answer === '')
  if (complete || program.plan.rehearsal || !limitsUsage(program, state))
    return { input_tokens: input, output_tokens: output }
  return {
    input_tokens: input > 0 ? input : question(),
    output_tokens: output > 0 ? output : estimateTokenCount(answer),
    estimated: true,
  }
}

function reported(tokens: number | undefined): number {
  return tokens !== undefined && Number.isFinite(tokens) ? Math.max(0, tokens) : 0
}

/** Returns what is recorded of a failed request: that it was not sent, or what it used if it may be billed. */
export function usageOfFailure(
  { outcome, usage }: ModelFailure,
  texts: RequestTexts,
  context: Pick<EffectContext, 'program' | 'state'>,
): { readonly unsent?: true; readonly usage?: Usage } {
  if (outcome === 'unsent') return { unsent: true }
  if (usage === undefined && outcome === 'answered') return {}
  const used = usageOf(usage ?? {}, texts, context)
  return used.input_tokens + used.output_tokens === 0 ? {} : { usage: used }
}

/** Returns the estimated tokens of the run's next question to its own model. */
export function questionTokens({ program, state }: Pick<EffectContext, 'program' | 'state'>): () => number {
  return () => promptLength(program, state, state.counted, continuationOf(state)).estimate()
}
