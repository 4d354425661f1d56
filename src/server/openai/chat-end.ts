import type { RunView } from '../../platform/records/run-view.ts'
import { answerOf } from './chat-run.ts'

/** How a run ended, in the words of a chat completion. */
export interface ChatEnd {
  readonly text: string
  readonly refusal: string | null
  readonly finish_reason: 'stop' | 'length' | 'content_filter'
}

/**
 * Returns the end of a run as clients of the OpenAI API know it; null for a run that failed in another way. An answer that
 * was cut or withheld does not fail there, and has its own finish reason. The model's refusal has `content_filter` too, so
 * that a client that does not read `refusal` takes no empty answer for a complete one.
 */
export function chatEnd(run: RunView): ChatEnd | null {
  const { error, warnings = [] } = run
  const text = answerOf(run)
  if (text !== null) {
    const isCut = warnings.some(({ code }) => code === 'OUTPUT_TRUNCATED')
    return { text, refusal: null, finish_reason: isCut ? 'length' : 'stop' }
  }
  if (run.status !== 'failed') return null
  switch (error?.code) {
    case 'MODEL_ANSWER_CUT':
      return { text: '', refusal: null, finish_reason: 'length' }
    case 'CONTENT_FILTERED':
      return { text: '', refusal: null, finish_reason: 'content_filter' }
    case 'MODEL_REFUSED':
      return { text: '', refusal: error.message, finish_reason: 'content_filter' }
    default:
      return null
  }
}
