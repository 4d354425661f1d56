import { setTimeout as sleep } from 'node:timers/promises'
import { causeOf, GateRefusal, networkCodeOf } from '../../adapters/net/gate-refusal.ts'
import { requestBody } from '../../adapters/net/request-body.ts'
import type { Code } from '../../document/codes.ts'
import { defined } from '../../document/defined.ts'
import { exactText, parseExact } from '../../document/exact-numbers.ts'
import { type Fault, WaybillError } from '../../document/issue.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { messageOf } from '../../document/message-of.ts'
import { ownMember } from '../../document/own-member.ts'
import type { ExchangeOf, Route } from '../../http/route.ts'
import type { PeerPort } from '../../platform/moves/peer-client.ts'
import { mapHints } from '../../policy/hints/map-hints.ts'
import { type LoginUser, readLogins } from '../../settings/logins.ts'
import { homeFolder } from '../home.ts'
import type { Io } from '../io.ts'
import { fetchOfHost } from '../network/command-fetch.ts'
import { usageError } from '../usage-error.ts'
import { commandHint } from './command-words.ts'

/** How long an answer may take, in milliseconds. */
const TIMEOUT_MS = 60_000

/** A server of the platform, as a command uses it. */
export interface ServerClient {
  readonly url: string
  /**
   * Sends a request. @returns the JSON value of the answer
   * @throws the error of the server; SERVER_UNREACHABLE, SERVER_ANSWER_INVALID
   */
  send(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: Json): Promise<Json>
  /**
   * Sends the request of a route of the platform, with the types that its schemas say.
   * @throws as `send`
   */
  call<R extends Route<never>>(route: R, request: RequestOf<R>): Promise<ExchangeOf<R>['answer']>
  /** Sends bytes of another type. */
  upload(path: string, bytes: Uint8Array, mediaType: string): Promise<Json>
  /** Returns an answer that is not JSON. */
  text(path: string, accept: string): Promise<string>
  /** Yields server-sent events after a number. It ends with the stream, also if that was cut. */
  follow(path: string, after: number, signal: AbortSignal): AsyncGenerator<ServerEvent>
}

/** What a client of a route sends. */
export interface RequestOf<R> {
  readonly params: ExchangeOf<R>['params']
  readonly query?: ExchangeOf<R>['query']
  readonly body?: ExchangeOf<R>['body']
}

/** A server-sent event with the JSON value of its data. */
export interface ServerEvent {
  readonly event: string
  readonly data: Json
  readonly id?: string
}

/** A server, the token for it, and how requests reach it. */
export interface Login {
  readonly url: string
  readonly token: string
  /** Who the token acts for, as `waybill login` learned it; absent with `WAYBILL_TOKEN`. */
  readonly user?: LoginUser
  readonly fetch: typeof globalThis.fetch
}

/**
 * Returns the server that `--server` names, else `WAYBILL_SERVER`, else the one that `waybill login` keeps; undefined
 * without any, and if `WAYBILL_SERVER` is empty. Its token is in `WAYBILL_TOKEN`, or was kept by `login`.
 * @param config the file of `--config`
 */
export function loginOf(given: string | undefined, io: Io, config?: string): Login | undefined {
  const named = given ?? io.env.WAYBILL_SERVER
  if (given === undefined && named === '') return undefined
  const logins = readLogins(homeFolder(io))
  const url = named === undefined ? logins.current : serverUrl(named)
  if (url === null) return undefined
  const fetch = serverFetch(url, io, config)
  if (io.env.WAYBILL_TOKEN) return { url, token: io.env.WAYBILL_TOKEN, fetch }
  const token = Object.hasOwn(logins.tokens, url) ? logins.tokens[url] : undefined
  if (token === undefined)
    throw usageError(
      `there is no token for ${url}`,
      `set WAYBILL_TOKEN, or give the token to \`waybill login ${url}\``,
    )
  const user = Object.hasOwn(logins.users, url) ? logins.users[url] : undefined
  return { url, token, fetch, ...defined({ user }) }
}

/** Returns the `fetch` of a server: its host is the only one that is reached. */
export function serverFetch(url: string, io: Io, config?: string): typeof globalThis.fetch {
  return fetchOfHost(url, { maxResponseBytes: LARGEST, config }, io)
}

/** Sends the requests of moves to a server that the user has named. */
export function serverPort({ url: server, fetch }: Pick<Login, 'url' | 'fetch'>): PeerPort {
  return {
    async request(url, { body, ...init }) {
      try {
        const response = await fetch(url, {
          ...init,
          ...(body !== undefined && requestBody(body)),
          // A redirect would carry the token to another server.
          redirect: 'error',
        })
        return { status: response.status, text: await response.text() }
      } catch (cause) {
        throw certificateError(server, cause) ?? cause
      }
    },
  }
}

/** Checks the URL of a server. A token is sent to it, so a connection to another machine must be encrypted. */
export function serverUrl(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (
    url === undefined ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.username !== '' ||
    url.search !== ''
  )
    throw usageError(
      'the server is not named by a URL such as https://waybill.example',
      'write only scheme, host and port',
    )
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol === 'http:' && !isHere)
    throw usageError(`the token would be sent to ${url.host} without encryption`, 'use https')
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

/** Puts parameters into the path of a route. */
function pathOf(path: string, params: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ownMember(params, name) ?? ''))
}

function searchOf(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`
}

/** How often a request is sent again that the server could not take, and the first pause, in milliseconds. */
const TRIES = 4
const FIRST_PAUSE_MS = 250

/** The largest answer that is read, in bytes. */
const LARGEST = 256 * 1024 * 1024

/** Statuses of a server that stops or is overloaded: the same request may succeed a moment later. */
const TRANSIENT: ReadonlySet<number> = new Set([502, 503, 504])

export function serverClient({ url, token, fetch }: Login): ServerClient {
  const request = async (path: string, init: RequestInit): Promise<Response> => {
    try {
      return await fetch(`${url}${path}`, {
        ...init,
        // A redirect would carry the token to another server.
        redirect: 'error',
        headers: { authorization: `Bearer ${token}`, accept: 'application/json', ...init.headers },
      })
    } catch (cause) {
      throw unreachable(url, cause)
    }
  }
  const inCommandWords = (answer: Json) => mapHints(answer, (hint) => commandHint(hint, url))
  /** A POST has a key, so that the server performs it once. Other methods may be repeated. */
  const text = async (path: string, init: RequestInit): Promise<string> => {
    const headers = {
      ...(init.method === 'POST' && { 'idempotency-key': crypto.randomUUID() }),
      ...init.headers,
    }
    for (let tried = 1; ; tried++) {
      const last = tried === TRIES
      try {
        const response = await request(path, { ...init, headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
        if (last || !TRANSIENT.has(response.status)) return await bodyOf(response, url)
        await response.body?.cancel()
      } catch (error) {
        if (last || !(error instanceof WaybillError && error.code === 'SERVER_UNREACHABLE')) throw error
      }
      await sleep(FIRST_PAUSE_MS * 2 ** (tried - 1))
    }
  }
  const client: ServerClient = {
    url,
    // The server checks the request, and answers with what the schema of the route says.
    call: async ({ method, path }, { params, query = {}, body }) =>
      (await client.send(
        method,
        `${pathOf(path, params)}${searchOf(query)}`,
        body as Json | undefined,
      )) as never,
    async send(method, path, body) {
      const answer = await text(path, {
        method,
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: exactText(body),
        }),
      })
      const value = jsonOf(answer)
      if (value === undefined) throw notWaybill(url, 200)
      return inCommandWords(value)
    },
    upload: async (path, bytes, mediaType) => {
      const init = { method: 'POST', headers: { 'content-type': mediaType }, body: Buffer.from(bytes) }
      return jsonOf(await text(path, init)) ?? null
    },
    text: (path, accept) => text(path, { method: 'GET', headers: { accept } }),
    async *follow(path, after, signal) {
      const { EventSourceParserStream } = await import('eventsource-parser/stream')
      const response = await request(path, {
        headers: { accept: 'text/event-stream', 'last-event-id': String(after) },
        signal,
      })
      if (!response.ok || response.body === null) {
        await bodyOf(response, url)
        throw notWaybill(url, response.status)
      }
      const events = response.body
        .pipeThrough(new TextDecoderStream())
        .pipeThrough(new EventSourceParserStream())
      for await (const { id, event, data } of events) {
        const value = jsonOf(data)
        if (value !== undefined)
          yield { event: event ?? 'message', data: inCommandWords(value), ...(id !== undefined && { id }) }
      }
    },
  }
  return client
}

/** @throws the error of the server, SERVER_ANSWER_INVALID, SERVER_UNREACHABLE */
async function bodyOf(response: Response, url: string): Promise<string> {
  let text: string
  try {
    text = await response.text()
  } catch (cause) {
    throw unreachable(url, cause)
  }
  if (response.ok) return text
  const value = jsonOf(text)
  throw isObject(value) && typeof value.code === 'string'
    ? errorOf(value, response.status, url)
    : notWaybill(url, response.status)
}

function jsonOf(text: string): Json | undefined {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}

/** The line and column of the first problem of an uploaded definition. */
function placeOf({ issues }: JsonObject): { readonly line?: number; readonly column?: number } {
  const [first] = Array.isArray(issues) ? issues : []
  if (!isObject(first)) return {}
  const { line, column } = first
  return typeof line === 'number' && typeof column === 'number' ? { line, column } : {}
}

const NEW_TOKEN = 'give a valid token to `waybill login`, or set WAYBILL_TOKEN'

/** The error of a server has the same code as if it had happened here. */
function errorOf(problem: JsonObject, status: number, url: string): WaybillError {
  const textOf = (member: string) => (typeof problem[member] === 'string' ? problem[member] : undefined)
  const hint = textOf('hint')
  const fault: Fault =
    status >= 500 ? 'failed' : status === 403 || status === 409 || status === 422 ? 'refused' : 'usage'
  return new WaybillError(problem.code as Code, {
    fault,
    message: textOf('detail') ?? 'the server refused the request',
    ...placeOf(problem),
    ...defined({
      hint: problem.code === 'TOKEN_REFUSED' ? NEW_TOKEN : hint && commandHint(hint, url),
      rule: textOf('rule'),
      at: textOf('pointer'),
    }),
  })
}

function unreachable(url: string, cause: unknown): WaybillError {
  const certificate = certificateError(url, cause)
  if (certificate !== undefined) return certificate
  const reason =
    cause instanceof Error && cause.cause !== undefined ? messageOf(cause.cause) : messageOf(cause)
  return new WaybillError('SERVER_UNREACHABLE', {
    fault: 'failed',
    message: `the server ${url} does not answer: ${reason}`,
    hint: networkCodeOf(cause)?.startsWith('ERR_SSL') ? NO_TLS : UNANSWERED,
    cause,
  })
}

const UNANSWERED =
  'check the URL, and that the server runs (`waybill doctor` on its machine); --local works on this machine, and `waybill logout` forgets the server'
const NO_TLS =
  'the port does not speak TLS as expected: check the scheme (http or https) and the port of the URL'

/** Returns the error for a certificate that is not trusted: nothing was sent. */
function certificateError(url: string, cause: unknown): WaybillError | undefined {
  const refusal = causeOf(cause, GateRefusal)
  if (refusal?.code !== 'ENDPOINT_CERTIFICATE_REFUSED') return undefined
  return new WaybillError('ENDPOINT_CERTIFICATE_REFUSED', {
    fault: 'failed',
    message: `the server ${url} is not trusted: ${refusal.reason}`,
    hint: refusal.hint,
    cause,
  })
}

function notWaybill(url: string, status: number): WaybillError {
  return new WaybillError('SERVER_ANSWER_INVALID', {
    fault: 'failed',
    message: `${url} answers ${status} in a form that Waybill does not use`,
    hint: 'check that the URL is that of a Waybill server, without a further path',
  })
}
