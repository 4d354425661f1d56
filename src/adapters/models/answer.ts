import type { SharedV4Warning } from '@ai-sdk/provider'
import { parseExact } from '../../document/exact-numbers.ts'
import { isObject } from '../../document/json.ts'
import { ownMember } from '../../document/own-member.ts'
import type { Finish } from '../../run/finish.ts'
import { type ModelAnswer, ModelFailure } from '../../run/ports.ts'
import type { Message, ToolCall } from '../../run/state.ts'
import { toJsonData } from '../tools/json-data.ts'
import type { WireAnswer } from './answers/answer-reader.ts'
import { opaqueParts } from './opaque-parts.ts'

/** An answer as received, with what the library of the provider noted about the request. */
export interface GatheredAnswer extends WireAnswer {
  readonly warnings: readonly SharedV4Warning[]
}

/**
 * @param provider the provider of the opaque parts.
 * @throws ModelFailure if the answer is empty
 */
export function toModelAnswer(
  answer: GatheredAnswer,
  provider: string,
  earlier: readonly Message[],
): ModelAnswer {
  const text = answer.pieces.map((piece) => (piece.type === 'text' ? piece.text : '')).join('')
  const calls = toCalls(answer, earlier)
  const finish = withCalls(answer.finish, calls.length > 0)
  if (
    text === '' &&
    calls.length === 0 &&
    (finish === 'stop' || finish === 'other' || finish === 'tool_calls')
  ) {
    throw new ModelFailure(
      'malformed',
      'MODEL_ANSWER_EMPTY',
      'the answer of the model has neither text nor a tool call',
      undefined,
      undefined,
      { usage: answer.usage },
    )
  }
  const parts = opaqueParts(answer.pieces, answer.kept)
  return {
    message: { role: 'assistant', text, calls, ...(parts !== null && { opaque: { provider, parts } }) },
    finish,
    usage: answer.usage,
    warnings: answer.warnings.map(describeWarning),
  }
}

/**
 * Ids are member names in records and shown to people: names of inherited members and control characters are not
 * allowed.
 */
const USABLE_ID = /^[\x21-\x7e]{1,256}$/

/**
 * Returns calls with ids that are unique in the conversation; a missing, repeated or unusable id is replaced with one
 * made from the position of the call.
 */
function toCalls({ pieces, wireIds }: GatheredAnswer, earlier: readonly Message[]): ToolCall[] {
  const calls = pieces.filter((piece) => piece.type === 'call')
  if (calls.length === 0) return []
  const taken = new Set<string>()
  for (const message of earlier)
    if (message.role === 'assistant') for (const call of message.calls) taken.add(call.id)
  return calls.map((call, index) => {
    let id = call.id
    if (!wireIds.has(id) || taken.has(id) || !USABLE_ID.test(id) || id in {}) {
      const made = `call_${earlier.length}_${index}`
      id = made
      for (let n = 2; taken.has(id); n += 1) id = `${made}_${n}`
    }
    taken.add(id)
    return { id, tool: call.tool, ...readArguments(call.input) }
  })
}

function readArguments(input: string): Pick<ToolCall, 'args' | 'malformed'> {
  // Several servers write a call without arguments as an empty string.
  if (input.trim() === '') return { args: {} }
  try {
    const value = toJsonData(parseExact(input))
    if (isObject(value)) return { args: value }
  } catch {
    // Not JSON, or nested too deeply: the run reports this to the model.
  }
  return { args: {}, malformed: input }
}

/** Some servers end an answer with calls with "stop". */
function withCalls(finish: Finish, hasCalls: boolean): Finish {
  return finish === 'stop' && hasCalls ? 'tool_calls' : finish
}

/** Parameter names of the library that differ from those in a definition. */
const OWN_NAMES: Readonly<Record<string, string>> = {
  maxOutputTokens: 'max_tokens',
  topP: 'top_p',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  stopSequences: 'stop',
  responseFormat: 'response_format',
}

function describeWarning(warning: SharedV4Warning): string {
  switch (warning.type) {
    case 'unsupported':
    case 'compatibility': {
      const name = ownMember(OWN_NAMES, warning.feature) ?? warning.feature
      const details = warning.details === undefined ? '' : ` (${warning.details})`
      return warning.type === 'unsupported'
        ? `the provider does not support ${name}: not sent as asked${details}`
        : `${name} was adapted to the provider${details}`
    }
    case 'deprecated':
      return `${warning.setting} is deprecated: ${warning.message}`
    case 'other':
      return warning.message
  }
}
