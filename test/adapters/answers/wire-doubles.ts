import type { Json, JsonObject } from '../../../src/document/json.ts'
import type { PlannedModel } from '../../../src/plan/plan.ts'
import { ask, portTo } from '../model-fixture.ts'

/** What a double answers, independent of the API. */
export interface Reported {
  readonly text?: string
  readonly calls?: readonly { readonly id?: string; readonly tool: string; readonly input: string }[]
  /** The finish reason, as the API writes it. */
  readonly finish: string | null
}

/** The double of one API dialect. */
export interface Wire {
  readonly name: string
  readonly route: PlannedModel
  /** The finish reasons of the API: each with our name, or `failed`. */
  readonly reasons: Readonly<Record<string, string>>
  readonly whole: (reported: Reported) => JsonObject
  /** The events of a stream, without what ends it. */
  readonly events: (reported: Reported) => readonly JsonObject[]
  /** What ends a stream, after its events. */
  readonly last: string
}

const BASE = 'https://models.test/v1'

const route = (provider: string, changes: Partial<PlannedModel> = {}): PlannedModel => ({
  provider,
  model: 'test-model',
  base_url: BASE,
  eligible: true,
  ...changes,
})

const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }

const CHAT_REASONS = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
  refusal: 'refusal',
  error: 'failed',
  other: 'other',
  eos: 'stop',
  something_new: 'other',
}

function chat(name: string, provider: PlannedModel, more: Readonly<Record<string, string>> = {}): Wire {
  const call = ({ id, tool, input }: { id?: string; tool: string; input: string }) => ({
    ...(id !== undefined && { id }),
    type: 'function',
    function: { name: tool, arguments: input },
  })
  const head = (object: string) => ({ id: 'c1', object, created: 1, model: 'test-model' })
  return {
    name,
    route: provider,
    reasons: { ...CHAT_REASONS, ...more },
    whole: ({ text = null, calls = [], finish }) => ({
      ...head('chat.completion'),
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: text,
            ...(calls.length > 0 && { tool_calls: calls.map(call) }),
          },
          finish_reason: finish,
        },
      ],
      usage,
    }),
    events: ({ text = '', calls = [], finish }) => {
      const chunk = (delta: JsonObject, finish_reason: string | null = null): JsonObject => ({
        ...head('chat.completion.chunk'),
        choices: [{ index: 0, delta, finish_reason }],
      })
      return [
        chunk({ role: 'assistant', content: '' }),
        ...halves(text).map((content) => chunk({ content })),
        ...calls.flatMap(({ id, tool, input }, index) => [
          chunk({ tool_calls: [{ index, ...call({ ...(id !== undefined && { id }), tool, input: '' }) }] }),
          ...halves(input).map((part) => chunk({ tool_calls: [{ index, function: { arguments: part } }] })),
        ]),
        chunk({}, finish),
        { ...head('chat.completion.chunk'), choices: [], usage },
      ]
    },
    last: 'data: [DONE]\n\n',
  }
}

function halves(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)].filter((part) => part !== '')
}

const inputOf = (input: string): Json => {
  try {
    return JSON.parse(input) as Json
  } catch {
    return input
  }
}

const anthropic: Wire = {
  name: 'anthropic',
  route: route('anthropic', { model: 'claude-sonnet-4-5' }),
  reasons: {
    end_turn: 'stop',
    stop_sequence: 'stop',
    max_tokens: 'length',
    model_context_window_exceeded: 'length',
    tool_use: 'tool_calls',
    refusal: 'refusal',
    pause_turn: 'other',
    compaction: 'other',
    error: 'failed',
    something_new: 'other',
  },
  whole: ({ text, calls = [], finish }) => ({
    id: 'm1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map(({ id = 'toolu', tool, input }) => ({
        type: 'tool_use',
        id,
        name: tool,
        input: inputOf(input),
      })),
    ],
    stop_reason: finish,
    stop_sequence: null,
    usage: { input_tokens: 7, output_tokens: 3 },
  }),
  events: ({ text = '', calls = [], finish }) => [
    {
      type: 'message_start',
      message: {
        id: 'm1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        usage: { input_tokens: 7, output_tokens: 1 },
      },
    },
    ...(text === ''
      ? []
      : [
          { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
          ...halves(text).map((part) => ({
            type: 'content_block_delta',
            index: 0,
            delta: { type: 'text_delta', text: part },
          })),
          { type: 'content_block_stop', index: 0 },
        ]),
    ...calls.flatMap(({ id = 'toolu', tool, input }, at): JsonObject[] => {
      const index = at + 1
      return [
        {
          type: 'content_block_start',
          index,
          content_block: { type: 'tool_use', id, name: tool, input: {} },
        },
        ...halves(input).map((partial_json) => ({
          type: 'content_block_delta',
          index,
          delta: { type: 'input_json_delta', partial_json },
        })),
        { type: 'content_block_stop', index },
      ]
    }),
    {
      type: 'message_delta',
      delta: { stop_reason: finish, stop_sequence: null },
      usage: { output_tokens: 3 },
    },
  ],
  last: 'event: message_stop\ndata: {"type":"message_stop"}\n\n',
}

const gemini = (parts: JsonObject[], finishReason?: string | null): JsonObject => ({
  candidates: [
    { content: { role: 'model', parts }, index: 0, ...(finishReason !== undefined && { finishReason }) },
  ],
  usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 },
  modelVersion: 'm',
  responseId: 'r1',
})
const geminiCalls = (calls: Reported['calls'] = []): JsonObject[] =>
  calls.map(({ id, tool, input }) => ({
    functionCall: { name: tool, args: inputOf(input), ...(id !== undefined && { id }) },
  }))

const google: Wire = {
  name: 'google',
  route: route('google', { model: 'gemini-2.5-pro' }),
  reasons: {
    STOP: 'stop',
    MAX_TOKENS: 'length',
    SAFETY: 'content_filter',
    RECITATION: 'content_filter',
    PROHIBITED_CONTENT: 'content_filter',
    BLOCKLIST: 'content_filter',
    SPII: 'content_filter',
    MALFORMED_FUNCTION_CALL: 'failed',
    OTHER: 'other',
    FINISH_REASON_UNSPECIFIED: 'other',
  },
  whole: ({ text, calls, finish }) =>
    gemini([...(text === undefined ? [] : [{ text }]), ...geminiCalls(calls)], finish),
  events: ({ text = '', calls, finish }) => [
    ...halves(text).map((part) => gemini([{ text: part }])),
    ...geminiCalls(calls).map((part) => gemini([part])),
    gemini([], finish),
  ],
  last: '',
}

export const WIRES: readonly Wire[] = [
  chat('openai', route('openai', { model: 'gpt-4o-mini' })),
  chat('custom', route('custom', { provider_id: 'acme' })),
  chat('mistral', route('mistral'), { model_length: 'length' }),
  chat('groq', route('groq')),
  anthropic,
  google,
]

export const CHAT_WIRES = WIRES.filter(({ last }) => last.includes('[DONE]'))

export function sse(events: readonly unknown[], last = ''): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') + last
}

export const eventStream = (text: string): Response =>
  new Response(text, { headers: { 'content-type': 'text/event-stream' } })

export function responseOf(wire: Wire, reported: Reported, streamed: boolean): Response {
  return streamed ? eventStream(sse(wire.events(reported), wire.last)) : Response.json(wire.whole(reported))
}

/** Asks a model whose provider answers with these responses, one after the other, and returns what it was sent. */
export function doubled(answer: (count: number) => Response | Promise<Response>) {
  const bodies: JsonObject[] = []
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    bodies.push(JSON.parse(String(init?.body)) as JsonObject)
    return answer(bodies.length)
  }
  return { bodies, port: portTo({ fetch }) }
}

export function askFor(response: Response, { route: to }: Wire, streamed: boolean, deltas: string[] = []) {
  const { port } = doubled(() => response)
  return ask(port, to, streamed ? { onText: (delta) => deltas.push(delta) } : {})
}
