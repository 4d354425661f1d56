import { setTimeout as sleep } from 'node:timers/promises'
import { defined } from '../../document/defined.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import { messageOf } from '../../document/message-of.ts'
import type { PlannedTool } from '../../plan/plan.ts'
import type { DiscoveredTool, Discovery } from '../../plan/snapshot.ts'
import { ToolFailure } from '../../run/ports.ts'
import { causeOf, GateRefusal } from '../net/gate-refusal.ts'
import { untilAborted } from '../net/until-aborted.ts'
import { type McpConnections, type McpOptions, startMsOf } from './connections.ts'
import { type McpReference, type McpTarget, readEndpoint } from './endpoint.ts'
import { whyOf } from './failure.ts'
import { readHeaderParameters } from './header-parameters.ts'
import type { McpConnection } from './open-connection.ts'
import { type ListedTool, readListedTool } from './read-listed-tool.ts'
import { LISTED_TOOLS } from './repair-results.ts'

/** The declared tool before discovery. */
export interface McpDeclaration extends Pick<PlannedTool, 'name' | 'auth'> {
  readonly endpoint?: string | undefined
}

type DiscoveryOptions = Pick<McpOptions, 'servers' | 'connectMs' | 'discoverMs' | 'onWaiting'>

/** When a caller is informed about a server that has not answered yet, in milliseconds. */
const NOTICE_MS = 1000
/** How long an aborted start may take to report what the server wrote, in milliseconds. */
const QUOTE_MS = 500
const MOST_PAGES = 64
const MOST_TOOLS = 1000
/** Longer descriptions are truncated: they are untrusted text, and every request would include them. */
const LONGEST_DESCRIPTION = 8000

/** Discovers the tools of an MCP server (AAIF §4.4). Never throws: errors are part of the result. */
export async function discoverTools(
  tool: McpDeclaration,
  options: DiscoveryOptions,
  connections: McpConnections,
  signal?: AbortSignal,
): Promise<Discovery> {
  const read = readEndpoint(tool.endpoint, options.servers)
  if (!read.ok) return missed(read.reason, read.rule)
  const { reference } = read
  let connection: McpConnection | undefined
  const soFar: PagesSoFar = {}
  try {
    const listed = await withinStart(reference.target, options, signal, async (until) => {
      connection = await connections.open(reference.target, tool, until)
      return listTools(connection, until, soFar)
    }).catch((error: unknown) => {
      // A page that does not arrive costs only itself. A caller that has left needs no list.
      if (soFar.without === undefined || signal?.aborted === true) throw error
      return soFar.without(connection?.redact(whyOf(error)) ?? whyOf(error))
    })
    const { tools, notes } = listed
    const wanted = tools.filter(
      ({ name }) => reference.capability === undefined || name === reference.capability,
    )
    if (wanted.length === 0) return missed([notOffered(reference, tools), ...notes].join('; '), 'AAIF-4.4-04')
    return {
      found: true,
      tools: wanted.map((each) => discovered(each, reference.target)),
      ...(notes.length > 0 && { notes: { texts: firstOf(notes), rule: 'AAIF-4.4-04' } }),
    }
  } catch (error) {
    const refusal = causeOf(error, GateRefusal)
    if (refusal !== undefined) return missed(`${refusal.reason}; ${refusal.hint}`, 'AAIF-12-02')
    const reason = whyOf(error)
    const text = connection?.redact(reason) ?? reason
    if (error instanceof ToolFailure) {
      return missed(
        text.replace(/^.* was not called: /, ''),
        error.code === 'SECRET_MISSING' ? 'AAIF-4.4-11' : 'AAIF-12-02',
      )
    }
    return missed(
      `the MCP server ${nameOf(reference.target)} returned no list of tools: ${text}`,
      'AAIF-4.4-04',
    )
  }
}

/** The signal ends a request earlier; a timer of Node lasts at most this long, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * Starts a server and lists its tools within its time. A silent server is reported when the time is over, also if a
 * library reacts to the abort later.
 */
async function withinStart<T>(
  target: McpTarget,
  { connectMs, discoverMs, onWaiting }: DiscoveryOptions,
  signal: AbortSignal | undefined,
  work: (until: AbortSignal) => Promise<T>,
): Promise<T> {
  const limitMs = startMsOf(target, { connectMs: discoverMs ?? connectMs ?? 30_000 })
  const over = new AbortController()
  const timers = [
    setTimeout(() => over.abort(new Error(notAnswered(target, limitMs))), limitMs),
    setTimeout(() => onWaiting?.(nameOf(target), limitMs), NOTICE_MS),
  ]
  const until = signal === undefined ? over.signal : AbortSignal.any([signal, over.signal])
  const begun = work(until)
  try {
    return await untilAborted(begun, until)
  } catch (error) {
    if (!over.signal.aborted) throw error
    // The error of the start itself also quotes what the server wrote.
    const own = begun.then(
      () => error,
      (cause: unknown) => (messageOf(cause).startsWith(messageOf(error)) ? cause : error),
    )
    throw await Promise.race([own, sleep(QUOTE_MS, error)])
  } finally {
    for (const timer of timers) clearTimeout(timer)
  }
}

function notAnswered({ server }: McpTarget, limitMs: number): string {
  const setting = 'start_timeout_seconds: N'
  const longer =
    server === undefined
      ? `mcp_servers: { NAME: { url: …, ${setting} } }`
      : `mcp_servers: { ${server}: { ${setting} } }`
  return `it has not answered within ${limitMs / 1000} s; if it needs longer, set in the config: ${longer}`
}

type ReadTool = ReturnType<typeof readListedTool>

interface Listing {
  readonly tools: readonly ListedTool[]
  /** What of the list could not be used. */
  readonly notes: readonly string[]
}

/** The result is read by `readListedTool`, so the library need not judge it. */
const ANY_RESULT = {
  '~standard': {
    version: 1 as const,
    vendor: 'waybill',
    validate: (value: unknown) => ({ value }),
  },
}

interface ToolPage {
  readonly nextCursor?: string
  readonly _meta?: { readonly [LISTED_TOOLS]?: Json }
}

/** The pages that have arrived, for a list whose time is over. */
interface PagesSoFar {
  /** Returns the list without the page that is awaited. */
  without?: (why: string) => Listing
}

/**
 * Reads all pages of a list. A list that goes wrong after its first page is used as far as it was read, with a note that
 * it may not be complete.
 */
async function listTools(
  { client, redact, sendsParameters }: McpConnection,
  signal: AbortSignal,
  soFar: PagesSoFar,
): Promise<Listing> {
  const tools = new Map<string, ListedTool>()
  const notes: string[] = []
  const seen = new Set<string>()
  const incomplete = (why: string) => ({
    tools: [...tools.values()],
    notes: [...notes, `the list of tools may not be complete: ${why}`],
  })
  let cursor: string | undefined
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    let answer: ToolPage
    try {
      // Not `client.listTools`: it writes to standard output, and compiles untrusted schemas.
      answer = (await client.request(
        { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
        ANY_RESULT,
        { timeout: LONGEST_MS, signal },
      )) as ToolPage
    } catch (error) {
      if (signal.aborted || tools.size === 0) throw error
      return incomplete(notRead(page, redact(whyOf(error))))
    }
    const listed = answer._meta?.[LISTED_TOOLS] ?? null
    if (!Array.isArray(listed)) notes.push(`page ${page} of the list of tools contains no list`)
    for (const [index, value] of (Array.isArray(listed) ? listed : []).entries()) {
      const tool = usable(readListedTool(value as Json, index + 1), sendsParameters)
      if ('why' in tool) notes.push(`a tool of the server is not offered: ${redact(tool.why)}`)
      else if (tools.has(tool.name)) continue
      else if (tools.size < MOST_TOOLS) tools.set(tool.name, tool)
      else return incomplete(`it has more than ${MOST_TOOLS} tools`)
    }
    cursor = answer.nextCursor
    if (cursor === undefined || cursor === '') return { tools: [...tools.values()], notes }
    if (seen.has(cursor)) return incomplete('it repeats a cursor')
    seen.add(cursor)
    if (tools.size > 0) soFar.without = (why) => incomplete(notRead(page + 1, why))
  }
  return incomplete(`it has more than ${MOST_PAGES} pages`)
}

function notRead(page: number, why: string): string {
  return `page ${page} was not read: ${why}`
}

/** A server of the 2026 revision refuses calls without the headers that it has declared. */
function usable(tool: ReadTool, sendsParameters: boolean): ReadTool {
  if ('why' in tool || !sendsParameters) return tool
  const read = readHeaderParameters(tool.inputSchema)
  return 'why' in read ? { why: `${tool.name}: ${read.why}` } : tool
}

const MOST_NOTES = 5

/** Returns the first notes; the last one counts the others. */
function firstOf(notes: readonly string[]): readonly string[] {
  const others = notes.length - MOST_NOTES
  return others <= 0
    ? notes
    : [...notes.slice(0, MOST_NOTES), `${others} more parts of the list cannot be used`]
}

/** Hints are claims of the server, so only those of a trusted server apply; all other tools count as writing. */
function discovered(tool: ListedTool, target: McpTarget): DiscoveredTool {
  const { description, note } = tool
  return {
    name: tool.name,
    description:
      description.length > LONGEST_DESCRIPTION
        ? `${description.slice(0, LONGEST_DESCRIPTION)}…`
        : description,
    parameters_schema: tool.inputSchema,
    ...defined({ output_schema: tool.outputSchema }),
    read_only: target.trusted && tool.annotations?.readOnlyHint === true,
    ...(!target.trusted && tool.annotations?.readOnlyHint === true && { claims_read_only: true as const }),
    idempotent: target.trusted && tool.annotations?.idempotentHint === true,
    ...annotationsOf(tool),
    ...defined({ note }),
    binding: bindingOf(tool.name, target),
  }
}

/** Returns all that a server says of a tool for people and for clients: a change of it is a change of the tool. */
function annotationsOf({ title, annotations }: ListedTool): { readonly annotations?: JsonObject } {
  const said = {
    ...annotations,
    ...(title !== undefined && { title: { tool: title } }),
  }
  return Object.keys(said).length === 0 ? {} : { annotations: said }
}

function bindingOf(tool: string, target: McpTarget): JsonObject {
  if (target.server !== undefined) return { server: target.server, tool }
  return { url: (target as Extract<McpTarget, { kind: 'address' }>).url, tool }
}

function notOffered({ target, capability }: McpReference, listed: readonly ListedTool[]): string {
  if (capability === undefined) return `the MCP server ${nameOf(target)} offers no tools`
  const names = listed.map(({ name }) => name)
  const some = names.length > 12 ? `${names.slice(0, 12).join(', ')}, …` : names.join(', ')
  return `the MCP server ${nameOf(target)} has no tool ${capability}; it has: ${some === '' ? 'none' : some}`
}

function nameOf(target: McpTarget): string {
  return target.server ?? (target as Extract<McpTarget, { kind: 'address' }>).url
}

function missed(reason: string, rule: string): Discovery {
  return { found: false, reason, rule }
}
