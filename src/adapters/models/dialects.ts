import { createHash } from 'node:crypto'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Dialect } from '../../policy/model-providers.ts'
import type { AnswerReader, AnswerSink } from './answers/answer-reader.ts'
import { AnthropicAnswer } from './answers/anthropic-answer.ts'
import { ChatAnswer } from './answers/chat-answer.ts'
import { GoogleAnswer } from './answers/google-answer.ts'

export interface DialectSettings {
  readonly model: string
  readonly baseUrl: string
  /** The provider's name in the metadata that is sent back to it. */
  readonly name: string
  readonly fetch: typeof globalThis.fetch
  readonly jsonModeOnly: boolean
}

/** An API dialect: the header of its key, and the model object, whose library is loaded on first use. */
export interface DialectEntry {
  readonly authorize: (headers: Headers, key: string) => void
  readonly open: (settings: DialectSettings) => Promise<LanguageModelV4>
  /**
   * Reads its answers, which the library never sees.
   * @param jsonTool the tool by which the library asks for an answer in JSON, if it does
   */
  readonly reader: (sink: AnswerSink, jsonTool?: string) => AnswerReader
  /** The members that the provider needs back are added to the messages of the request. */
  readonly keepsMembers?: true
  /** A complete answer without content, for the library, and the same as a stream. */
  readonly blank: { readonly whole: object; readonly stream: string }
  /** For an API that accepts only call ids of a certain form; the mapping is deterministic. */
  readonly callId?: (id: string) => string
}

/** The libraries require a key; the wire fetch removes this placeholder and adds the key to send. */
const NO_KEY = 'none'

const chat = {
  keepsMembers: true,
  reader: (sink: AnswerSink) => new ChatAnswer(sink),
  blank: {
    whole: {
      id: '',
      object: 'chat.completion',
      created: 0,
      model: '',
      choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    },
    stream: 'data: [DONE]\n\n',
  },
} as const

const bearer = (headers: Headers, key: string) => headers.set('authorization', `Bearer ${key}`)

/**
 * Uses the chat completions API of OpenAI, not the responses API, which stores conversations at the provider. The
 * record is kept here, and the same API works with every OpenAI-compatible server.
 */
export const DIALECTS: Readonly<Record<Dialect, DialectEntry>> = {
  openai: {
    ...chat,
    authorize: bearer,
    async open({ model, baseUrl, fetch }) {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI({ baseURL: baseUrl, apiKey: NO_KEY, fetch }).chat(model)
    },
  },
  anthropic: {
    reader: (sink, jsonTool) => new AnthropicAnswer(sink, jsonTool),
    blank: {
      whole: {
        type: 'message',
        id: '',
        model: '',
        content: [],
        stop_reason: 'end_turn',
        usage: { input_tokens: 0, output_tokens: 0 },
      },
      stream: 'data: {"type":"message_stop"}\n\n',
    },
    authorize: (headers, key) => headers.set('x-api-key', key),
    async open({ model, baseUrl, fetch }) {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ baseURL: baseUrl, apiKey: NO_KEY, fetch }).messages(model)
    },
  },
  google: {
    reader: (sink, jsonTool) => new GoogleAnswer(sink, jsonTool),
    blank: { whole: { candidates: [] }, stream: 'data: {}\n\n' },
    authorize: (headers, key) => headers.set('x-goog-api-key', key),
    async open({ model, baseUrl, fetch }) {
      const { createGoogle } = await import('@ai-sdk/google')
      return createGoogle({ baseURL: baseUrl, apiKey: NO_KEY, fetch }).chat(model)
    },
  },
  mistral: {
    ...chat,
    authorize: bearer,
    async open({ model, baseUrl, fetch }) {
      const { createMistral } = await import('@ai-sdk/mistral')
      return createMistral({ baseURL: baseUrl, apiKey: NO_KEY, fetch }).chat(model)
    },
    // It refuses other ids (400), such as those of another provider earlier in the conversation.
    callId: (id) =>
      /^[A-Za-z0-9]{9}$/.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 9),
  },
  groq: {
    ...chat,
    authorize: bearer,
    async open({ model, baseUrl, fetch }) {
      const { createGroq } = await import('@ai-sdk/groq')
      return createGroq({ baseURL: baseUrl, apiKey: NO_KEY, fetch }).languageModel(model)
    },
  },
  'openai-compatible': {
    ...chat,
    authorize: bearer,
    async open({ model, baseUrl, name, fetch, jsonModeOnly }) {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const supportsStructuredOutputs = !jsonModeOnly
      const settings = { baseURL: baseUrl, name, fetch, includeUsage: true, supportsStructuredOutputs }
      return createOpenAICompatible(settings).chatModel(model)
    },
  },
}
