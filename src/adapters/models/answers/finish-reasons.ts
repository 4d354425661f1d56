import { ownMember } from '../../../document/own-member.ts'
import type { Finish } from '../../../run/finish.ts'

/** The finish reasons of all API dialects, in lower case. No name has two meanings. */
const REASONS: Readonly<Record<Finish, string>> = {
  // OpenAI and compatible servers; Anthropic; Google; text-generation servers; Cohere.
  stop: 'stop end_turn stop_sequence eos eos_token end_of_text complete completed',
  tool_calls: 'tool_calls tool_call tool_use function_call',
  length:
    'length max_tokens max_output_tokens model_length model_context_window_exceeded context_length_exceeded continuation error_limit',
  content_filter:
    'content_filter content_filtered safety recitation blocklist prohibited_content spii language sensitive guardrail_intervened model_armor jailbreak error_toxic image_safety image_prohibited_content image_recitation image_other prompt_blocked',
  refusal: 'refusal',
  error:
    'error malformed_function_call malformed_response unexpected_tool_call too_many_tool_calls missing_thought_signature network_error insufficient_system_resource abort aborted cancelled user_cancel timeout',
  other: 'other unknown finish_reason_unspecified pause_turn compaction',
}

const BY_NAME: Readonly<Record<string, Finish>> = Object.fromEntries(
  Object.entries(REASONS).flatMap(([finish, names]) =>
    names.split(' ').map((name) => [name, finish as Finish]),
  ),
)

/** Returns the meaning of a finish reason as a provider writes it. An unknown or missing one is `other`. */
export function finishOf(reason: string | undefined): Finish {
  return ownMember(BY_NAME, (reason ?? '').toLowerCase().replaceAll('-', '_')) ?? 'other'
}
