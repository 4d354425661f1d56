import {
  Client,
  ProtocolError,
  ProtocolErrorCode,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { defined } from '../../document/defined.ts'
import type { JsonObject } from '../../document/json.ts'
import { messageOf } from '../../document/message-of.ts'
import type { GuardedTransport } from '../net/guarded-fetch.ts'
import { type Redact, redactor, shorten } from '../net/shorten.ts'
import { untilAborted } from '../net/until-aborted.ts'
import { CLOSE_MS, within } from '../net/within.ts'
import { CallsInFlight } from './calls-in-flight.ts'
import type { McpTarget } from './endpoint.ts'
import { LOST_CODE } from './failure.ts'
import { OpenRequests } from './open-requests.ts'
import { repairResults } from './repair-results.ts'
import { settlingFetch } from './settling-fetch.ts'

/** A connection to one MCP server. */
export interface McpConnection {
  readonly client: Client
  /** False after it was closed by either side. */
  alive(): boolean
  close(): Promise<void>
  /** Removes the secrets of this connection from a text. */
  readonly redact: Redact
  /** Sends declared arguments as headers too: Streamable HTTP of the 2026 revision. */
  readonly sendsParameters: boolean
  /** Of the 2025 revisions: the server asks with requests of its own. Absent: it asks in place of a result. */
  readonly calls?: CallsInFlight
}

export interface OpenOptions {
  /** The environment variables of a process. */
  readonly env: Readonly<Record<string, string>>
  /** Includes the credential, if there is one; for network connections. */
  readonly headers: Headers
  readonly secrets: readonly (string | undefined)[]
  /** Both apply the endpoint gate. */
  readonly fetch: typeof globalThis.fetch
  readonly guarded: (onConnectError: (error: Error) => void) => Promise<GuardedTransport>
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** Client name and version sent to servers; kept constant because servers may match on it. */
const CLIENT = { name: 'waybill', version: '1' }
/** Sampling and roots are not declared: a model answers nothing that a server asks. */
const CAPABILITIES = { elicitation: { form: { applyDefaults: true }, url: {} } }
/** Status codes of a server without streamable HTTP for the first POST. */
const NO_STREAMABLE_HTTP = new Set([400, 404, 405, 406, 415])

/** Connects to a server and performs the handshake. Rejects with the error of the transport or the client. */
export async function openConnection(target: McpTarget, options: OpenOptions): Promise<McpConnection> {
  if (target.kind === 'process') return openProcess(target, options)
  const url = new URL(target.url)
  switch (target.transport) {
    case 'ws': {
      const { SocketTransport } = await import('./socket-transport.ts')
      const { headers, guarded } = options
      let why: Error | undefined
      const { dispatcher } = await guarded((error) => {
        why = error
      })
      return inEitherEra((era) => {
        const transport = new SocketTransport(target.url, { headers, dispatcher, why: () => why })
        return connect(transport, options, era)
      })
    }
    case 'sse':
      return openSse(url, options)
    case 'http':
      try {
        return await openHttp(url, options)
      } catch (error) {
        const status = error instanceof SdkHttpError ? error.status : undefined
        if (!target.fallback || status === undefined || !NO_STREAMABLE_HTTP.has(status)) throw error
        return openSse(url, options)
      }
  }
}

async function openProcess(
  target: Extract<McpTarget, { kind: 'process' }>,
  options: OpenOptions,
): Promise<McpConnection> {
  const { ProcessTransport } = await import('./process-transport.ts')
  const { env } = options
  const { command, args, cwd } = target
  let transport: InstanceType<typeof ProcessTransport> | undefined
  try {
    return await inEitherEra((era) => {
      transport = new ProcessTransport({ command, args, env, ...defined({ cwd }) })
      return connect(transport, options, era)
    })
  } catch (error) {
    // What it wrote last may arrive after its end.
    await transport?.close()
    const redact = redactor(options.secrets)
    const notes = shorten(redact(transport?.stderr ?? ''))
    const noise = shorten(redact(transport?.noise ?? ''))
    const wrote = [
      ...(notes === '' ? [] : [`it wrote: ${notes}`]),
      ...(noise === '' ? [] : [`its standard output is not MCP: ${noise}`]),
    ]
    throw new Error([messageOf(error), ...wrote].join('; '), { cause: error })
  }
}

/** `legacy`: the initialize handshake of the 2025 revisions; `auto`: the version negotiation of the 2026 revision. */
type Era = 'legacy' | 'auto'

/**
 * Over a single channel the older handshake is tried first: a server without version negotiation may not answer, or
 * end. Over HTTP every server answers, so the newer one is tried first.
 */
async function inEitherEra(open: (era: Era) => Promise<McpConnection>): Promise<McpConnection> {
  try {
    return await open('legacy')
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    return open('auto')
  }
}

function openHttp(url: URL, { fetch, headers, ...options }: OpenOptions): Promise<McpConnection> {
  const transport = new StreamableHTTPClientTransport(url, {
    fetch: settlingFetch({ fetch, open: new OpenRequests(), answersInPost: true }),
    requestInit: { headers: Object.fromEntries(headers) },
  })
  const send = transport.send.bind(transport)
  // Without this error, the caller of an interrupted answer would wait until the timeout.
  transport.send = (message, given) =>
    send(message, {
      ...given,
      onRequestStreamEnd: () => {
        given?.onRequestStreamEnd?.()
        if (Array.isArray(message) || !('method' in message) || !('id' in message)) return
        const { id } = message
        if (id === undefined || id === null) return
        transport.onmessage?.({
          jsonrpc: '2.0',
          id,
          error: { code: LOST_CODE, message: 'the answer was interrupted' },
        })
      },
    })
  return connect(transport, { fetch, headers, ...options }, 'auto', async () => {
    await transport.terminateSession()
  })
}

async function openSse(url: URL, options: OpenOptions): Promise<McpConnection> {
  const transport = new SSEClientTransport(url, {
    fetch: settlingFetch({ fetch: options.fetch, open: new OpenRequests(), answersInPost: false }),
    requestInit: { headers: Object.fromEntries(options.headers) },
  })
  const connection = await connect(transport, options, 'legacy')
  // The stream would be reopened as another session, which has no answers to the requests of this one.
  connection.client.onerror = (error) => {
    if (error instanceof SseError) void connection.close()
  }
  return connection
}

async function connect(
  transport: Transport,
  { timeoutMs, signal, secrets }: OpenOptions,
  mode: Era,
  farewell?: () => Promise<void>,
): Promise<McpConnection> {
  repairResults(transport)
  const client = new Client(CLIENT, { capabilities: CAPABILITIES, versionNegotiation: { mode } })
  const calls = new CallsInFlight()
  // Not `setRequestHandler`: it would drop a question that does not match its schemas.
  client.fallbackRequestHandler = async ({ method, params }) => {
    if (method !== 'elicitation/create')
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found')
    return { ...(await calls.asked((params ?? {}) as JsonObject)) }
  }
  let alive = true
  client.onclose = () => {
    alive = false
  }
  try {
    const connected = client.connect(transport, { timeout: timeoutMs, ...defined({ signal }) })
    // The client ends some of its first requests only at their timeout.
    await (signal === undefined ? connected : untilAborted(connected, signal))
  } catch (error) {
    await transport.close().catch(() => {})
    throw signal?.aborted === true ? signal.reason : error
  }
  let closing: Promise<void> | undefined
  return {
    client,
    alive: () => alive,
    ...(client.getProtocolEra() !== 'modern' && { calls }),
    redact: redactor(secrets),
    sendsParameters:
      transport instanceof StreamableHTTPClientTransport && client.getProtocolEra() === 'modern',
    close() {
      closing ??= (async () => {
        if (alive && farewell !== undefined) await within(CLOSE_MS, farewell())
        alive = false
        await client.close().catch(() => {})
      })()
      return closing
    },
  }
}
