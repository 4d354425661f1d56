/**
 * Why a model ended its answer. `content_filter`: the provider withheld the answer, or a part of it; `refusal`: the model
 * declined; `error`: the provider failed in the middle of the answer; `other`: no reason, or one that is not known.
 */
export type Finish = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'refusal' | 'error' | 'other'

export interface FinishMeaning {
  /** Whether the calls of the answer are made. */
  readonly calls: 'made' | 'dropped'
  /**
   * What the text is. `whole`: the answer; `unsure`: the answer, perhaps without its end; `cut`: its beginning;
   * `withheld`: no answer at all; `failed`: the request has failed and may be repeated.
   */
  readonly text: 'whole' | 'unsure' | 'cut' | 'withheld' | 'failed'
}

/**
 * What each reason means for the calls and the text of an answer. This is the only place that decides it, for agents,
 * sub-agents and judges, and for answers that are streamed or not. Only a model that completed its answer has
 * decided to call a tool.
 */
export const FINISHES: Readonly<Record<Finish, FinishMeaning>> = {
  stop: { calls: 'made', text: 'whole' },
  tool_calls: { calls: 'made', text: 'whole' },
  length: { calls: 'dropped', text: 'cut' },
  content_filter: { calls: 'dropped', text: 'withheld' },
  refusal: { calls: 'dropped', text: 'withheld' },
  error: { calls: 'dropped', text: 'failed' },
  other: { calls: 'dropped', text: 'unsure' },
}
