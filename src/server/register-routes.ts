import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { exactText } from '../document/exact-numbers.ts'
import type { WaybillError } from '../document/issue.ts'
import { MAX_BYTES } from '../document/read-document.ts'
import { counting, type Limiter } from '../http/limits.ts'
import { problemOf } from '../http/problem.ts'
import type { Answer, Call, DescribedRoute, EventSource, Route } from '../http/route.ts'
import type { Tenant } from '../platform/platform.ts'
import { inPlatformWords } from '../policy/hints/platform-words.ts'
import type { Principal } from '../session/principal.ts'
import { type StreamTiming, sendEventStream } from './event-stream.ts'
import { answerOnce, idempotencyKey } from './idempotent.ts'
import { bodyReader } from './read-body.ts'
import { queryReader, readParams } from './read-query.ts'
import { withinIdle } from './request-time.ts'
import type { Sockets } from './sockets.ts'

/** Largest body of a route that sets no other limit, in bytes. */
const MAX_BODY_BYTES = 1024 * 1024

const JSON_TYPE = 'application/json; charset=utf-8'

/** What all routes share. */
export interface Serving {
  tenantOf(request: FastifyRequest): Tenant
  principalOf(request: FastifyRequest): Principal | undefined
  isEncrypted(request: FastifyRequest): boolean
  mayCarryStates(request: FastifyRequest): boolean
  readonly limiter: Limiter
  /** Of requests with a key, which may be repeated when the limits are reached: they only read the first answer. */
  readonly repeats: Limiter
  readonly streams: StreamTiming
  readonly sockets: Pick<Sockets, 'accept'>
  /** How long the next part of a streamed body may take, in milliseconds. */
  readonly idleMs: number
  /** Aborted when the server shuts down, and when the rights of the request end. */
  endOf(request: FastifyRequest): AbortSignal
  /** Returns any error as one that may be shown: that of a stream, which has no status any more, is its last event. */
  readonly shownError: (error: unknown) => WaybillError
}

/** Registers the routes in a scope of their own, in which a body is bytes: each route reads its own. */
export function registerRoutes(
  app: FastifyInstance,
  routes: readonly Route<Tenant>[],
  serving: Serving,
): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) => body)
  const streamed = routes.flatMap(({ body }) => (body?.kind === 'stream' ? [body.mediaType] : []))
  for (const type of streamed)
    app.addContentTypeParser(type, async (_request: FastifyRequest, payload: AsyncIterable<Uint8Array>) =>
      withinIdle(payload, serving.idleMs),
    )
  for (const route of routes) {
    const handle = handlerOf(route, serving)
    app.route({
      method: route.method,
      url: fastifyPath(route.path),
      bodyLimit: bodyLimitOf(route),
      config: {
        access: route.access,
        scope: scopeOf(route),
        streams: route.body?.kind === 'stream',
        ...(route.alsoScope !== undefined && { alsoScope: route.alsoScope }),
      },
      handler: (request, reply) => handle(request, reply),
    })
  }
}

/** Returns the scope that a token with scopes needs. */
export function scopeOf({ tag, method, writes }: Pick<DescribedRoute, 'tag' | 'method' | 'writes'>): string {
  return `${tag}:${method === 'GET' && writes !== true ? 'read' : 'write'}`
}

/** Returns a path with parameters as Fastify writes them: `/v1/runs/:run`. */
function fastifyPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** Returns the largest body that a route accepts, in bytes. */
export function bodyLimitOf({ body }: DescribedRoute): number {
  if (body?.kind === 'definition') return MAX_BYTES
  return (body?.kind === 'json' ? body.maxBytes : undefined) ?? MAX_BODY_BYTES
}

/** Returns whether a request of the route may be repeated by its key, which belongs to a principal. */
export function takesKey({ method, access, body }: DescribedRoute): boolean {
  return method === 'POST' && access !== 'public' && body?.kind !== 'stream'
}

/** A request is checked completely before anything happens: limits, parameters, body, key. */
function handlerOf(route: Route<Tenant>, serving: Serving) {
  const readBody = bodyReader(route.body)
  const readQuery = queryReader(route.query)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const principal = serving.principalOf(request)
    const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array()
    const [path = '', search = ''] = splitUrl(request.raw.url ?? '')
    const contentType = request.headers['content-type']
    const key = takesKey(route) ? idempotencyKey(request.headers['idempotency-key']) : undefined
    const answer = async (): Promise<Answer | Replayed> => {
      const call: Call<Tenant> = {
        get tenant() {
          return serving.tenantOf(request)
        },
        params: readParams(request.params),
        query: readQuery(search),
        body: readBody(bytes, request.headers),
        bytes,
        input: isStream(request.body) ? withinRights(request.body, request) : NO_INPUT,
        headers: request.headers,
        encrypted: serving.isEncrypted(request),
        carriesStates: serving.mayCarryStates(request),
        get stopping() {
          return serving.endOf(request)
        },
      }
      if (key === undefined) return route.handle(call)
      const repeatable = { key, method: route.method, path, contentType, bytes }
      let first: Answer | undefined
      const act = async (resourceId: string) => {
        first = await counting(serving.limiter.request(principal), async () =>
          route.handle(withResource(call, resourceId)),
        )
        return storable(first)
      }
      const { status, body, repeated } = await answerOnce(
        call.tenant,
        repeatable,
        act,
        serving.endOf(request),
      )
      return first === undefined || repeated ? { status, replayed: body } : first
    }
    // Before the body is read, which takes time.
    const limiter = key === undefined ? serving.limiter : serving.repeats
    const answered = await counting(limiter.request(principal), answer)
    // Who has lost the rights while the request waited gets no answer.
    request.rights?.throwIfAborted()
    if (!('replayed' in answered)) return send(answered, request, reply, serving)
    reply.header('idempotency-replayed', 'true')
    return reply.code(answered.status).type(JSON_TYPE).send(answered.replayed)
  }
}

/** The first answer to a request that is repeated, as text. */
interface Replayed {
  readonly status: number
  readonly replayed: string
}

async function* withinRights(
  body: AsyncIterable<Uint8Array>,
  { rights }: FastifyRequest,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    rights?.throwIfAborted()
    yield chunk
  }
}

const NO_INPUT: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} }

function isStream(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

/** Not by spreading: that would open the tenant of a public route. */
function withResource(call: Call<Tenant>, resourceId: string): Call<Tenant> {
  return Object.create(call, { resourceId: { value: resourceId, enumerable: true } }) as Call<Tenant>
}

function splitUrl(url: string): readonly [string, string] {
  const at = url.indexOf('?')
  return at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)]
}

/** Every answer to a POST is JSON. */
function storable(answer: Answer): { readonly status: number; readonly body: string } {
  if (!('json' in answer)) throw new TypeError('the answer to a POST must be JSON')
  return { status: answer.status, body: exactText(inPlatformWords(answer.kept ?? answer.json)) }
}

async function send(
  answer: Answer,
  request: FastifyRequest,
  reply: FastifyReply,
  serving: Serving,
): Promise<FastifyReply> {
  if ('socket' in answer) {
    const principal = serving.principalOf(request)
    const admit = () => serving.limiter.stream(principal)
    return serving.sockets.accept(request, reply, answer.socket, { admit, stopping: serving.endOf(request) })
  }
  if ('stream' in answer) return stream(answer.stream, request, reply, serving)
  if ('json' in answer) {
    const { status, json, signed, headers: own = {} } = answer
    return reply
      .code(status)
      .headers(own)
      .type(JSON_TYPE)
      .send(signed === true ? JSON.stringify(inPlatformWords(json)) : exactText(inPlatformWords(json)))
  }
  if (!('bytes' in answer)) {
    const headers = { ...reply.getHeaders(), ...answer.headers }
    // Not by Fastify: to HEAD, it would add a length of 0, which is not that of the document (RFC 9110 §8.6).
    reply.hijack()
    reply.raw.writeHead(answer.status, headers as Record<string, string>).end()
    return reply
  }
  const { status, bytes, mediaType, headers = {} } = answer
  return reply.code(status).headers(headers).type(mediaType).send(bytes)
}

async function stream(
  source: EventSource,
  request: FastifyRequest,
  reply: FastifyReply,
  { limiter, principalOf, streams, endOf, shownError }: Serving,
): Promise<FastifyReply> {
  const headers = {
    ...reply.getHeaders(),
    'content-type': 'text/event-stream; charset=utf-8',
    // A proxy that buffers would hold events back.
    'x-accel-buffering': 'no',
  }
  if (request.method === 'HEAD') return reply.headers(headers).send()
  const principal = principalOf(request)
  const done = limiter.stream(principal)
  reply.hijack()
  try {
    reply.raw.writeHead(200, headers as Record<string, string>)
    await sendEventStream(reply.raw, source, endOf(request), {
      ...streams,
      failed: (error) => `event: problem\ndata: ${JSON.stringify(problemOf(shownError(error)))}\n\n`,
    })
  } finally {
    done()
  }
  return reply
}
