import { createHash } from 'node:crypto'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { Dialect } from '../../policy/model-providers.ts'

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
  /** For an API that accepts only call ids of a certain form; the mapping is deterministic. */
  readonly callId?: (id: string) => string
}

/** The libraries require a key; the wire fetch removes this placeholder and adds the key to send. */
const NO_KEY = 'none'

const bearer = (headers: Headers, key: string) => headers.set('authorization', `Bearer ${key}`)

/**
 * Uses the chat completions API of OpenAI, not the responses API, which stores conversations at the provider. The
 * record is kept here, and the same API works with every OpenAI-compatible server.
 */
export const DIALECTS: Readonly<Record<Dialect, DialectEntry>> = {
  openai: {
    authorize: bearer,
    async open({ model, baseUrl, fetch }) {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI({ baseURL: baseUrl, apiKey: NO_KEY, fetch }).chat(model)
    },
  },
  anthropic: {
    authorize: (headers, key) => headers.set('x-api-key', key),
    async open({ model, baseUrl, fetch }) {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ baseURL: baseUrl, apiKey: NO_KEY, fetch }).messages(model)
    },
  },
  google: {
    authorize: (headers, key) => headers.set('x-goog-api-key', key),
    async open({ model, baseUrl, fetch }) {
      const { createGoogle } = await import('@ai-sdk/google')
      return createGoogle({ baseURL: baseUrl, apiKey: NO_KEY, fetch }).chat(model)
    },
  },
  mistral: {
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
    authorize: bearer,
    async open({ model, baseUrl, fetch }) {
      const { createGroq } = await import('@ai-sdk/groq')
      return createGroq({ baseURL: baseUrl, apiKey: NO_KEY, fetch }).languageModel(model)
    },
  },
  'openai-compatible': {
    authorize: bearer,
    async open({ model, baseUrl, name, fetch, jsonModeOnly }) {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const supportsStructuredOutputs = !jsonModeOnly
      const settings = { baseURL: baseUrl, name, fetch, includeUsage: true, supportsStructuredOutputs }
      return createOpenAICompatible(settings).chatModel(model)
    },
  },
}
