import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyContextConfig,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import { WaybillError } from '../document/issue.ts'
import type { Json } from '../document/json.ts'
import { messageOf } from '../document/message-of.ts'
import { DEFAULT_LIMITS, Limiter, type Limits } from '../http/limits.ts'
import { internalError, PROBLEM_JSON, problemOf } from '../http/problem.ts'
import type { DescribedRoute, Route } from '../http/route.ts'
import { compileCheck, requestInvalid } from '../http/schema-check.ts'
import type { Platform, Tenant } from '../platform/platform.ts'
import type { Principal } from '../session/principal.ts'
import type { Schema } from '../spec/schema-builder.ts'
import { assertUnambiguous, originForm } from './assert-unambiguous.ts'
import {
  authenticate,
  FailedAttempts,
  identify,
  RETRY_SECONDS,
  requireRole,
  requireScope,
  tokenRefused,
} from './authenticate.ts'
import { checkHost } from './check-host.ts'
import { docsRoute } from './docs-page/docs-page.ts'
import { type Door, doorOf } from './door.ts'
import { DEFAULT_STREAM_TIMING, type StreamTiming } from './event-stream.ts'
import { clientProblem, errorOf } from './http-errors.ts'
import { nameScopes } from './name-scopes.ts'
import { openapiOf } from './openapi.ts'
import { OutageLog } from './outage-log.ts'
import { assertEncrypted, isEncrypted, withinRanges } from './public-address.ts'
import { registerRoutes } from './register-routes.ts'
import { limitArrival, STREAM_REQUEST_MS } from './request-time.ts'
import { documentRoutes, type OwnDocuments } from './routes/document-routes.ts'
import { HANDOFF_PATH, MOVE_ROUTES } from './routes/move-routes.ts'
import { operationRoutes } from './routes/operation-routes.ts'
import { RECORD_ROUTES } from './routes/record-routes.ts'
import { RunMetrics } from './run-metrics.ts'
import { TAG_DESCRIPTIONS } from './schemas/tag-descriptions.ts'
import { Sockets } from './sockets.ts'
import { watchRights } from './standing-rights.ts'
import { mayCarryStates, type PlaintextStates, type StateArrival } from './state-channel.ts'
import { isShadowed, methodNotAllowed, routeNotFound } from './unknown-route.ts'

export interface ServerOptions extends OwnDocuments {
  /** Of the product. */
  readonly version: string
  /** The URL under which clients reach the server, if it is not the one that it listens on. */
  readonly publicUrl?: string
  readonly tls?: { readonly cert: string; readonly key: string }
  /** Addresses or CIDR ranges of the proxies whose headers `x-forwarded-*` count. */
  readonly trustedProxies?: readonly string[]
  /** Whether an Agent State may cross a plaintext connection within this machine; default `loopback`. */
  readonly plaintextStates?: PlaintextStates
  readonly limits?: Partial<Limits>
  readonly streams?: Partial<StreamTiming>
  /** Milliseconds in which the headers, and the whole request, must arrive; default 10,000 and 30,000. */
  readonly timeouts?: { readonly headersMs?: number; readonly requestMs?: number }
  /** The measurements of runs that this process drives. */
  readonly runMetrics?: RunMetrics
  /** Whether `/metrics` needs no token. */
  readonly publicMetrics?: boolean
  /** Writes one line of the server's log. Never gets a header, a token or a body. */
  readonly log: (line: LogLine) => void
  /** The further routes, for the OpenAPI document. */
  readonly furtherOperations?: readonly DescribedRoute[]
  /** Registers further routes, such as those of another protocol, behind the same checks. */
  readonly register?: (app: FastifyInstance, server: RegisteredServer) => Promise<void> | void
}

/** What the server logs: an unexpected error of a request with its id, or an outage, once. */
export interface LogLine {
  readonly level: 'warn' | 'error'
  readonly id?: string
  readonly message: string
  readonly error: unknown
}

/** What further routes use of the server. */
export interface RegisteredServer {
  /** Returns the tenant of a request. Its route needs a token, unless its `config` has `access: 'public'`. */
  tenantOf(request: FastifyRequest): Tenant
  /** Aborted when the server shuts down, and when the rights of the request end. */
  endOf(request: FastifyRequest): AbortSignal
  readonly limiter: Limiter
  readonly streams: StreamTiming
  /** Declares the form of errors of all requests below a path. */
  addDoor(door: Door): void
  /** Returns any error as one that may be shown. An unexpected one is written to the log, an outage once. */
  shownError(error: unknown): WaybillError
}

export interface ServerApp {
  /** For tests: requests without a socket. */
  readonly app: FastifyInstance
  /** @returns the URL that the server listens on */
  listen(address: { readonly host: string; readonly port: number }): Promise<string>
  /**
   * Stops accepting requests, cuts the event streams without `end`, so that their clients reconnect, and finishes the
   * requests under way. Does not close the platform.
   * @param graceMs milliseconds after which open connections are destroyed
   */
  close(graceMs?: number): Promise<void>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Default: any principal. */
    access?: Route['access']
    /** What a token with scopes needs, such as `runs:write`. Every route that is not public has one. */
    scope?: string
    /** A narrower scope that also permits the route. */
    alsoScope?: string
    /** Its body is read as it arrives, and may take long. */
    streams?: boolean
  }
  interface FastifyRequest {
    principal: Principal | null
    /** Aborted when the rights of the principal end, with the error that the same request would get then. */
    rights: AbortSignal | null
  }
}

const DEFAULT_GRACE_MS = 10_000

/** For a client that does not read its answer. Longer than any request waits for a run, and than a heartbeat. */
const IDLE_CONNECTION_MS = 900_000

/** Creates the HTTP server of a platform. It does not listen yet. */
export async function createServer(platform: Platform, options: ServerOptions): Promise<ServerApp> {
  const stop = new AbortController()
  const { headersMs = 10_000, requestMs = 30_000 } = options.timeouts ?? {}
  const proxies = options.trustedProxies ?? []
  const isProxy = withinRanges(proxies)
  const sockets = new Sockets([HANDOFF_PATH], (error) => problemOf(shownError(error)))
  const timing = {
    headersTimeout: headersMs,
    connectionsCheckingInterval: 500,
    // Node.js would refuse it without a body; `assertUnambiguous` does with one.
    requireHostHeader: false,
    shouldUpgradeCallback: (request: IncomingMessage) => sockets.isWanted(request),
  }
  const streams = { ...DEFAULT_STREAM_TIMING, ...options.streams }
  const app = Fastify({
    ...(options.tls === undefined ? { http: timing } : { https: { ...options.tls, ...timing } }),
    requestTimeout: Math.max(requestMs, STREAM_REQUEST_MS),
    ...(proxies.length > 0 && { trustProxy: [...proxies] }),
    connectionTimeout: IDLE_CONNECTION_MS,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 1024, ignoreTrailingSlash: false, caseSensitive: true },
    rewriteUrl: ({ url = '' }) => originForm(url),
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) =>
      sendProblem(error, request as FastifyRequest, reply as FastifyReply),
  }) as FastifyInstance
  let listening = 'http://localhost'

  const logFailure = (error: unknown): string => {
    const id = randomUUID()
    options.log({ level: 'error', id, message: messageOf(error), error })
    return id
  }
  const doors: Door[] = []
  const outages = new OutageLog(
    () => performance.now(),
    (error) => options.log({ level: 'warn', message: error.message, error }),
  )
  /** Returns any error as one that is shown; an unexpected one is logged, an outage once. */
  const shownError = (error: unknown): WaybillError => {
    const known = errorOf(error)
    if (known !== null) outages.note(known)
    return known ?? internalError(logFailure(error))
  }
  const sendProblem = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    // The client has gone.
    if (reply.sent || reply.raw.destroyed) return
    const error = request.rights?.aborted === true ? request.rights.reason : thrown
    const known = shownError(error)
    const { status, mediaType, body, headers = {} } = doorOf(doors, request.raw.url ?? '').failed(known)
    if (known.code === 'TOKEN_REFUSED') reply.header('www-authenticate', 'Bearer realm="waybill"')
    // RFC 9110 §15.5.22.
    if (status === 426) reply.headers({ upgrade: 'TLS/1.2, HTTP/1.1', connection: 'upgrade' })
    if (known.code === 'ATTEMPTS_EXCEEDED') reply.header('retry-after', String(RETRY_SECONDS))
    else if (status === 429 || status === 503) reply.header('retry-after', '1')
    // The rest of a body that was refused is not read.
    if (status === 413 || known.code === 'REQUEST_MALFORMED' || (hasBody(request) && !request.raw.complete))
      reply.header('connection', status === 426 ? 'upgrade, close' : 'close')
    // As bytes: to a text, Fastify would add a charset, which the media type does not have.
    return reply.code(status).headers(headers).type(mediaType).send(Buffer.from(body))
  }
  const tenantOf = (request: FastifyRequest): Tenant => {
    if (request.principal === null) throw new TypeError('a public route has no tenant')
    return platform.tenant(request.principal)
  }

  // Further routes may have schemas. The default compilers would drop members that they do not name.
  app.setSerializerCompiler(() => JSON.stringify)
  app.setValidatorCompiler<Schema>(({ schema }) => {
    const check = compileCheck(schema)
    return (value: Json) => {
      const [first] = check(value)
      return first === undefined ? { value } : { error: requestInvalid(first) }
    }
  })
  app.setErrorHandler(sendProblem)
  const described = (): readonly DescribedRoute[] => [...routes, ...further]
  const answerUnknown = (request: FastifyRequest, reply: FastifyReply) => {
    const allowed = methodNotAllowed(described(), request)
    if (allowed === undefined) return sendProblem(routeNotFound(request), request, reply)
    return sendProblem(allowed.error, request, reply.header('allow', allowed.methods.join(', ')))
  }
  const attempts = new FailedAttempts(() => performance.now())
  app.decorateRequest('principal', null)
  app.decorateRequest('rights', null)
  app.addHook('onRoute', assertScope)
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.streams !== true)
      limitArrival(request, reply, requestMs, () => answerBrokenRequest(TOO_SLOW, request.raw.socket))
    reply.headers(SECURITY_HEADERS)
    assertUnambiguous(request.raw, request.originalUrl)
    if (proxies.length > 0) assertEncrypted(arrivalOf(request), isProxy)
    checkHost(request.host, options.publicUrl)
    // Before its body is read, whose size and type only a route can judge.
    if (request.is404 || isShadowed(described(), request)) return answerUnknown(request, reply)
    const { access } = request.routeOptions.config
    if (access === 'public') return
    const { method, headers, host, ip } = request
    const assertPermitted = (principal: Principal) => {
      if (access !== undefined) requireRole(principal, { access })
      const { scope, alsoScope } = request.routeOptions.config
      requireScope(principal, scope, alsoScope)
    }
    const principal = await authenticate(platform, { method, headers, host, ip }, attempts)
    request.principal = principal
    assertPermitted(principal)
    request.rights = watchRights({
      principal,
      response: reply.raw,
      socket: request.raw.socket,
      everyMs: streams.heartbeatMs,
      now: () => Date.now(),
      look: async () => {
        const now = await identify(platform, { headers })
        if (now === null || now.user !== principal.user || now.organisation !== principal.organisation)
          throw tokenRefused()
        assertPermitted(now)
      },
    })
  })

  const own: readonly Route<Tenant>[] = [
    ...platform.features.flatMap(({ routes = [] }) => routes as readonly Route<Tenant>[]),
    ...platform.publicRoutes,
    ...MOVE_ROUTES,
    ...RECORD_ROUTES,
    ...operationRoutes(
      platform,
      { runs: options.runMetrics ?? new RunMetrics(), public: options.publicMetrics ?? false },
      stop.signal,
    ),
    ...documentRoutes(
      options,
      () => platform.jwks(),
      () => openapi,
      () => options.publicUrl ?? listening,
    ),
    docsRoute(() => openapi),
  ]
  const further = options.furtherOperations ?? []
  const routes = nameScopes(own, further)
  const openapi = openapiOf(
    described(),
    options.version,
    options.publicUrl,
    Object.assign({}, TAG_DESCRIPTIONS, ...platform.features.map(({ tags }) => tags)),
  )
  app.setNotFoundHandler(answerUnknown)
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const serving = {
    tenantOf,
    limiter: new Limiter(limits, () => performance.now()),
    repeats: new Limiter(limits, () => performance.now()),
    streams,
    sockets,
    idleMs: requestMs,
    endOf: ({ rights }: FastifyRequest) =>
      rights === null ? stop.signal : AbortSignal.any([stop.signal, rights]),
    shownError,
    addDoor: (door: Door) => void doors.push(door),
  }
  const ownRoutes: FastifyPluginAsync = async (scope) =>
    registerRoutes(scope, routes, {
      ...serving,
      principalOf: ({ principal }) => principal ?? undefined,
      isEncrypted: (request) => isEncrypted(arrivalOf(request), isProxy),
      mayCarryStates: (request) =>
        mayCarryStates(arrivalOf(request), isProxy, options.plaintextStates ?? 'loopback'),
    })
  // The page had this address before.
  app.get('/docs/', { config: { access: 'public' } }, (_request, reply) => reply.redirect('/docs', 308))
  const furtherRoutes: FastifyPluginAsync = async (scope) => options.register?.(scope, serving)
  for (const scope of [ownRoutes, furtherRoutes]) await app.register(scope)
  await app.ready()
  sockets.serve(app)

  return {
    app,
    async listen(address) {
      listening = await app.listen(address)
      return listening
    },
    async close(graceMs = DEFAULT_GRACE_MS) {
      stop.abort(new WaybillError('SERVER_STOPPING', STOPPING))
      const late = setTimeout(() => app.server.closeAllConnections(), graceMs)
      await app.close().finally(() => clearTimeout(late))
    },
  }
}

const STOPPING = {
  fault: 'failed',
  message: 'the server is shutting down',
  hint: 'send the request again, with the same Idempotency-Key',
} as const

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

function arrivalOf({ raw, protocol }: FastifyRequest): StateArrival {
  const { socket, headers } = raw
  const peer = socket.remoteAddress ?? ''
  return {
    peer,
    // A connection that has ended has no addresses, and takes no answer.
    local: socket.localAddress ?? peer,
    headers,
    encrypted: 'encrypted' in socket && socket.encrypted === true,
    protocol,
  }
}

/** A route without a scope would be open to tokens that are limited to others. @throws TypeError */
function assertScope({
  url,
  config,
}: {
  readonly url: string
  readonly config?: FastifyContextConfig
}): void {
  if (config?.access === 'public' || config?.scope !== undefined) return
  throw new TypeError(`the route ${url} names no scope`)
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

const TOO_SLOW = Object.assign(new Error('timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

/** Answers a request that the HTTP parser refused, or that did not arrive in time. It has no Fastify reply. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { statusLine, body } = clientProblem(error)
  socket.end(
    `HTTP/1.1 ${statusLine}\r\ncontent-type: ${PROBLEM_JSON}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}
