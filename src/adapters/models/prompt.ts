import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { rawNumbers } from '../../document/exact-numbers.ts'
import { wellFormed } from '../../document/well-formed.ts'
import type { AssistantMessage, Message, ToolMessage } from '../../run/state.ts'
import { type AssistantPart, withOpaqueParts } from './opaque-parts.ts'

/**
 * Converts conversations to prompts for one provider. Each message is mapped once and cached, so that an iteration does
 * not map the whole conversation again.
 */
export function createPromptMapper(
  provider: string,
  callId: (id: string) => string = (id) => id,
): (system: string, messages: readonly Message[]) => LanguageModelV4Prompt {
  const mapped = new WeakMap<Message, LanguageModelV4Message>()
  return (system, messages) => {
    const prompt: LanguageModelV4Prompt = system === '' ? [] : [{ role: 'system', content: system }]
    for (const message of messages) {
      let entry = mapped.get(message)
      if (entry === undefined) {
        entry = mapMessage(withCallIds(wellFormed(message), callId), provider)
        mapped.set(message, entry)
      }
      prompt.push(entry)
    }
    return prompt
  }
}

function withCallIds(message: Message, callId: (id: string) => string): Message {
  switch (message.role) {
    case 'user':
      return message
    case 'assistant':
      return { ...message, calls: message.calls.map((call) => ({ ...call, id: callId(call.id) })) }
    case 'tool':
      return { ...message, call_id: callId(message.call_id) }
  }
}

function mapMessage(message: Message, provider: string): LanguageModelV4Message {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.text }] }
    case 'assistant':
      return { role: 'assistant', content: mapAnswer(message, provider) }
    case 'tool':
      return {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: message.call_id,
            toolName: message.tool,
            output: mapResult(message),
          },
        ],
      }
  }
}

function mapAnswer(message: AssistantMessage, provider: string): AssistantPart[] {
  const opaque = message.opaque?.provider === provider ? message.opaque.parts : null
  return withOpaqueParts(message, opaque)
}

type ToolOutput = Extract<
  Extract<LanguageModelV4Message, { role: 'tool' }>['content'][number],
  { type: 'tool-result' }
>['output']

function mapResult({ result, error }: ToolMessage): ToolOutput {
  if (typeof result === 'string') return { type: error === true ? 'error-text' : 'text', value: result }
  // The provider's type requires mutable arrays, but only serialises them.
  const value = rawNumbers(result) as Extract<ToolOutput, { type: 'json' }>['value']
  return { type: error === true ? 'error-json' : 'json', value }
}
