import type {
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
  SharedV4Warning,
} from '@ai-sdk/provider'
import { defined } from '../../document/defined.ts'
import { isObject, type JsonObject } from '../../document/json.ts'
import { ownMember } from '../../document/own-member.ts'
import { type ModelAnswer, ModelFailure, type ReportedUsage } from '../../run/ports.ts'
import type { Message, ToolCall } from '../../run/state.ts'
import { toJsonData } from '../tools/json-data.ts'
import { type AnswerPiece, opaqueParts } from './opaque-parts.ts'

/** An answer as received, complete or streamed. */
export interface GatheredAnswer {
  readonly pieces: readonly AnswerPiece[]
  readonly finish: LanguageModelV4FinishReason
  readonly usage: LanguageModelV4Usage
  readonly warnings: readonly SharedV4Warning[]
  /** The ids of calls in the response. The library generates an id for a call without one. */
  readonly wireIds: ReadonlySet<string>
}

export function gatherGenerated(result: LanguageModelV4GenerateResult): GatheredAnswer {
  const wireIds = new Set<string>()
  collectWireIds(result.response?.body, wireIds)
  return {
    pieces: result.content.flatMap(pieceOf),
    finish: result.finishReason,
    usage: result.usage,
    warnings: result.warnings,
    wireIds,
  }
}

/** Returns the parts of the content that the run keeps: text, reasoning and calls. */
export function pieceOf(part: LanguageModelV4Content): AnswerPiece[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text }]
    case 'reasoning':
      return [{ type: 'reasoning', text: part.text, ...attached(part.providerMetadata) }]
    case 'tool-call': {
      // A call that the provider executes and answers is ignored.
      if (part.providerExecuted === true) return []
      const { toolCallId: id, toolName: tool, input } = part
      return [{ type: 'call', id, tool, input: input ?? '', ...attached(part.providerMetadata) }]
    }
    default:
      return []
  }
}

function attached(metadata: SharedV4ProviderMetadata | undefined): { metadata?: JsonObject } {
  return metadata === undefined ? {} : { metadata: metadata as JsonObject }
}

/** Adds the call ids of a raw answer or a raw stream chunk. */
export function collectWireIds(raw: unknown, ids: Set<string>): void {
  const body = raw as {
    choices?: { message?: { tool_calls?: { id?: unknown }[] }; delta?: { tool_calls?: { id?: unknown }[] } }[]
    content?: { id?: unknown }[]
    content_block?: { id?: unknown }
    candidates?: { content?: { parts?: { functionCall?: { id?: unknown } }[] } }[]
  } | null
  const choice = body?.choices?.[0]
  const blocks = Array.isArray(body?.content) ? body.content : []
  for (const item of [
    ...(choice?.message?.tool_calls ?? []),
    ...(choice?.delta?.tool_calls ?? []),
    ...blocks,
    body?.content_block,
    ...(body?.candidates?.[0]?.content?.parts ?? []).map((part) => part.functionCall),
  ]) {
    if (typeof item?.id === 'string' && item.id !== '') ids.add(item.id)
  }
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
  const finish = toFinish(answer.finish, calls.length > 0)
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
      { usage: reportedUsage(answer) },
    )
  }
  const parts = opaqueParts(answer.pieces)
  return {
    message: { role: 'assistant', text, calls, ...(parts !== null && { opaque: { provider, parts } }) },
    finish,
    usage: reportedUsage(answer),
    warnings: answer.warnings.map(describeWarning),
  }
}

function reportedUsage({ usage }: GatheredAnswer): ReportedUsage {
  return defined({
    input_tokens: counted(usage.inputTokens.total),
    output_tokens: counted(usage.outputTokens.total),
  })
}

/** A negative count would increase the remaining budget. */
function counted(tokens: number | undefined): number | undefined {
  return tokens === undefined || !Number.isFinite(tokens) ? undefined : Math.max(0, tokens)
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
    const value = toJsonData(JSON.parse(input))
    if (isObject(value)) return { args: value }
  } catch {
    // Not JSON, or nested too deeply: the run reports this to the model.
  }
  return { args: {}, malformed: input }
}

function toFinish({ unified }: LanguageModelV4FinishReason, hasCalls: boolean): ModelAnswer['finish'] {
  switch (unified) {
    case 'length':
      return 'length'
    case 'content-filter':
      return 'content_filter'
    case 'tool-calls':
      return 'tool_calls'
    case 'stop':
      // Some servers finish an answer with calls with "stop".
      return hasCalls ? 'tool_calls' : 'stop'
    default:
      return hasCalls ? 'tool_calls' : 'other'
  }
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
