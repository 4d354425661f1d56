import type { Code } from '../../document/codes.ts'
import { defined } from '../../document/defined.ts'
import { type Fault, WaybillError } from '../../document/issue.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { messageOf } from '../../document/message-of.ts'
import { readLogins } from '../../settings/logins.ts'
import { homeFolder } from '../home.ts'
import type { Io } from '../io.ts'
import { usageError } from '../usage-error.ts'

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
}

/**
 * Returns the server that `--server` names, or the one that `waybill login` keeps; undefined without either. Its token is
 * in `WAYBILL_TOKEN`, or was kept by `login`.
 */
export function serverOf(given: string | undefined, io: Io): ServerClient | undefined {
  const logins = readLogins(homeFolder(io))
  const url = given === undefined ? logins.current : serverUrl(given)
  if (url === null) return undefined
  const token = io.env.WAYBILL_TOKEN || logins.tokens[url]
  if (token === undefined)
    throw usageError(
      `there is no token for ${url}`,
      `set WAYBILL_TOKEN, or give the token to \`waybill login ${url}\``,
    )
  return serverClient(url, token)
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

export function serverClient(url: string, token: string): ServerClient {
  return {
    url,
    async send(method, path, body) {
      let response: Response
      let text: string
      try {
        response = await fetch(`${url}${path}`, {
          method,
          // A redirect would carry the token to another server.
          redirect: 'error',
          headers: {
            authorization: `Bearer ${token}`,
            accept: 'application/json',
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        })
        text = await response.text()
      } catch (cause) {
        throw unreachable(url, cause)
      }
      const value = jsonOf(text)
      if (response.ok && value !== undefined) return value
      throw isObject(value) && typeof value.code === 'string'
        ? errorOf(value, response.status)
        : notWaybill(url, response.status)
    },
  }
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

const NEW_TOKEN = 'give a valid token to `waybill login`, or set WAYBILL_TOKEN'

/** The error of a server has the same code as if it had happened here. */
function errorOf(problem: JsonObject, status: number): WaybillError {
  const textOf = (member: string) => (typeof problem[member] === 'string' ? problem[member] : undefined)
  const fault: Fault =
    status >= 500 ? 'failed' : status === 403 || status === 409 || status === 422 ? 'refused' : 'usage'
  return new WaybillError(problem.code as Code, {
    fault,
    message: textOf('detail') ?? 'the server refused the request',
    ...defined({
      hint: problem.code === 'TOKEN_REFUSED' ? NEW_TOKEN : textOf('hint'),
      rule: textOf('rule'),
      at: textOf('pointer'),
    }),
  })
}

function unreachable(url: string, cause: unknown): WaybillError {
  const reason =
    cause instanceof Error && cause.cause !== undefined ? messageOf(cause.cause) : messageOf(cause)
  return new WaybillError('SERVER_UNREACHABLE', {
    fault: 'failed',
    message: `the server ${url} does not answer: ${reason}`,
    hint: 'check the URL, and that the server runs (`waybill doctor` on its machine)',
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
