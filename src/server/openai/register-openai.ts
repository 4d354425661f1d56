import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { counting } from '../../http/limits.ts'
import { OPERATORS, READERS } from '../../http/route.ts'
import type { AgentView } from '../../platform/agents/agent.ts'
import type { RunView } from '../../platform/records/run-view.ts'
import type { RegisteredServer } from '../create-server.ts'
import { sendTexts } from '../event-stream.ts'
import { idempotencyKey } from '../idempotent.ts'
import { bodyReader } from '../read-body.ts'
import { type ChatEnd, chatEnd } from './chat-end.ts'
import { settledRun, startChatRun, waitingText } from './chat-run.ts'
import { type ChatPart, chatParts } from './chat-stream.ts'
import { OPENAI_DOOR, type OpenAiError, openAiErrorOf, runError, stillRunning } from './openai-error.ts'
import { openAiModel, openAiModels } from './openai-models.ts'
import { MAX_CHAT_BYTES } from './openai-operations.ts'
import { type ChatRequest, readChatRequest } from './read-chat-request.ts'

export interface OpenAiOptions {
  /** The URL under which clients reach the server, for links. Default: that of the request. */
  readonly publicUrl?: string
  /** How long after the end of a run the same request is answered by it, in milliseconds. Default 60,000. */
  readonly sameRunMs?: number
  /** How long a request waits for its run, in milliseconds. Default 540,000: official clients wait for ten minutes. */
  readonly waitMs?: number
}

/**
 * Registers the endpoint for clients of the OpenAI API, below `/openai/v1`: models and chat completions. A run
 * continues when its client goes away, and the same request then finds it again.
 */
export async function registerOpenAi(
  app: FastifyInstance,
  server: RegisteredServer,
  options: OpenAiOptions = {},
): Promise<void> {
  server.addDoor(OPENAI_DOOR)
  const routes: FastifyPluginAsync = async (scope) => addRoutes(scope, server, options)
  await app.register(routes, { prefix: OPENAI_DOOR.prefix })
}

function addRoutes(scope: FastifyInstance, server: RegisteredServer, options: OpenAiOptions): void {
  const { sameRunMs = 60_000, waitMs = 540_000, publicUrl } = options
  const readJson = bodyReader({ kind: 'json', schema: {}, maxBytes: MAX_CHAT_BYTES })

  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => body,
  )
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('x-request-id', randomUUID())
  })
  scope.get('/models', { config: { access: READERS, scope: 'openai:read' } }, (request, reply) =>
    limited(server, request, async () => {
      const models = await openAiModels(server.tenantOf(request).agents)
      return reply.send({ object: 'list', data: models.map(({ id, agent }) => modelObject(id, agent)) })
    }),
  )
  scope.get<{ Params: { model: string } }>(
    '/models/:model',
    { config: { access: READERS, scope: 'openai:read' } },
    (request, reply) =>
      limited(server, request, async () => {
        const { model } = request.params
        return reply.send(modelObject(model, await openAiModel(server.tenantOf(request).agents, model)))
      }),
  )
  scope.post(
    '/chat/completions',
    { bodyLimit: MAX_CHAT_BYTES, config: { access: OPERATORS, scope: 'openai:write' } },
    async (request, reply) => {
      const tenant = server.tenantOf(request)
      const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array()
      const chat = readChatRequest(readJson(bytes, request.headers))
      const key = idempotencyKey(request.headers['idempotency-key'])
      const gone = new AbortController()
      reply.raw.once('close', () => gone.abort())
      const signal = AbortSignal.any([gone.signal, server.endOf(request)])
      return limited(server, request, async () => {
        const agent = await openAiModel(tenant.agents, chat.model)
        const runId = await startChatRun(tenant, agent, chat, bytes, {
          sameRunMs,
          signal,
          ...(key !== undefined && { key }),
        })
        reply.header('x-waybill-run', runId)
        const baseUrl = publicUrl ?? `${request.protocol}://${request.host}`
        const settled = settledRun(tenant, runId, waitMs, signal)
        if (chat.stream) {
          // The stream handles it, if the stream begins.
          settled.catch(() => undefined)
          const parts = (until: AbortSignal) => chatParts(tenant, runId, settled, baseUrl, until)
          return stream(server, request, reply, chat, runId, parts)
        }
        const run = await settled
        request.rights?.throwIfAborted()
        if (run === null) return sendError(reply, stillRunning(runId))
        const waiting = waitingText(run, baseUrl)
        const end =
          waiting === null ? chatEnd(run) : { text: waiting, refusal: null, finish_reason: 'stop' as const }
        return end === null ? sendError(reply, runError(run)) : reply.send(completion(chat, run, end))
      })
    },
  )
}

/** Counts the request against the limits of its principal. */
async function limited(
  { limiter, tenantOf }: RegisteredServer,
  request: FastifyRequest,
  act: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  return counting(limiter.request(tenantOf(request).principal), act)
}

function sendError(reply: FastifyReply, { status, body, retry }: OpenAiError): FastifyReply {
  if (retry === false) reply.header('x-should-retry', 'false')
  return reply.code(status).send(body)
}

function modelObject(id: string, { created_at }: AgentView) {
  return { id, object: 'model', created: seconds(created_at), owned_by: 'waybill' }
}

function completion({ model }: ChatRequest, run: RunView, { text, refusal, finish_reason }: ChatEnd) {
  return {
    ...head('chat.completion', model, run.run_id, seconds(run.created_at)),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' && finish_reason !== 'stop' ? null : text,
          refusal,
        },
        logprobs: null,
        finish_reason,
      },
    ],
    usage: usageOf(run),
  }
}

function head(object: string, model: string, runId: string, created: number) {
  return { id: `chatcmpl-${runId}`, object, created, model }
}

function usageOf({ usage }: RunView) {
  const { input_tokens = 0, output_tokens = 0 } = usage ?? {}
  return {
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    total_tokens: input_tokens + output_tokens,
  }
}

function seconds(time: string): number {
  return Math.floor(Date.parse(time) / 1000)
}

async function stream(
  { limiter, tenantOf, endOf, streams, shownError }: RegisteredServer,
  request: FastifyRequest,
  reply: FastifyReply,
  chat: ChatRequest,
  runId: string,
  parts: (signal: AbortSignal) => AsyncIterable<ChatPart>,
): Promise<FastifyReply> {
  const done = limiter.stream(tenantOf(request).principal)
  const headers = {
    ...reply.getHeaders(),
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
  }
  reply.hijack()
  try {
    reply.raw.writeHead(200, headers as Record<string, string>)
    // Their clients take an ordinary end for the whole answer.
    const failed = (error: unknown) => data(openAiErrorOf(shownError(error)).body)
    const texts = (signal: AbortSignal) => chunks(chat, runId, parts(signal))
    await sendTexts(reply.raw, texts, endOf(request), { ...streams, failed }, 'destroy')
  } finally {
    done()
  }
  return reply
}

/** Encodes the parts of an answer as the events of a streamed chat completion. */
async function* chunks(
  { model, includeUsage }: ChatRequest,
  runId: string,
  parts: AsyncIterable<ChatPart>,
): AsyncGenerator<string, void, undefined> {
  const start = head('chat.completion.chunk', model, runId, Math.floor(Date.now() / 1000))
  const chunk = (delta: object, finish_reason: ChatEnd['finish_reason'] | null = null) =>
    data({
      ...start,
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      ...(includeUsage && { usage: null }),
    })
  yield chunk({ role: 'assistant', content: '' })
  let isOver = false
  for await (const part of parts) {
    if (part.type === 'text') yield chunk({ content: part.text })
    else if (part.type === 'refusal') yield chunk({ refusal: part.text })
    else if (part.type === 'error') {
      yield data(part.body)
      isOver = true
    } else {
      yield chunk({}, part.finish_reason)
      if (includeUsage) yield data({ ...start, choices: [], usage: usageOf(part.run) })
      yield 'data: [DONE]\n\n'
      isOver = true
    }
  }
  // The run takes longer than a request may wait: the client must not take the text so far for the answer.
  if (!isOver) yield data(stillRunning(runId).body)
}

function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`
}
