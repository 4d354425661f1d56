import type { JsonObject } from '../document/issue.ts'

/**
 * The members of a request body that the runtime writes, under the names that provider APIs give them, and those
 * that would bring a prompt or tools past the plan. `params.extended` may hold anything else.
 */
const RUNTIME_OWNED: ReadonlySet<string> = new Set([
  // The question itself.
  'model',
  'messages',
  'system',
  'prompt',
  'input',
  'instructions',
  'contents',
  'system_instruction',
  'systemInstruction',
  'previous_response_id',
  // What the model may do.
  'tools',
  'toolConfig',
  'tool_config',
  'functions',
  'function_call',
  'mcp_servers',
  // How the answer comes back.
  'stream',
  'stream_options',
  'response_format',
  'output_format',
  'output_config',
  'n',
  // Parameters that the definition has members of its own for.
  'temperature',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'stop',
  'stop_sequences',
  'seed',
  'generationConfig',
  'generation_config',
  'inferenceConfig',
])

/**
 * The members of `params.extended` that collide with what the runtime itself sends, in their own order. Extended
 * parameters go out verbatim and unvalidated (AAIF §4.2), so one that collides closes the route instead of being
 * dropped or renamed: nothing in a definition can replace the prompt or the tools.
 */
export function extendedCollisions(extended: JsonObject | undefined): string[] {
  return Object.keys(extended ?? {}).filter((name) => RUNTIME_OWNED.has(name))
}
