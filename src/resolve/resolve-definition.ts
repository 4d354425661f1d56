import { sha256, sha256OfCanonical } from '../document/canonical.ts'
import { decodeResponse } from '../document/decode-response.ts'
import { defined } from '../document/defined.ts'
import { asJson } from '../document/json.ts'
import { messageOf } from '../document/message-of.ts'
import { readDocument } from '../document/read-document.ts'
import { readInside } from '../document/read-inside.ts'
import type {
  Discovery,
  FunctionTraits,
  ResolvedContext,
  ResolvedSubagent,
  Snapshot,
  UnusedFunction,
} from '../plan/snapshot.ts'
import type { SignatureState } from '../policy/signature-policy.ts'
import type { MappedSchemas } from '../schema/mapped-schemas.ts'
import { checkUserSchema } from '../schema/user-schema.ts'
import { redactFormats } from '../secret/redact.ts'
import type { AgentDefinition, ContextItem, Tool } from '../spec/aaif/generated/agent.ts'
import { createFindSchema } from './find-schema.ts'
import { resolveSchemas } from './resolve-schemas.ts'
import { type PinOptions, pinNewTools } from './tool-lock-file.ts'

export interface ResolveOptions {
  /** The folder of the definition; files outside of it are not read. Absent: no files are read. */
  readonly folder?: string | undefined
  /** A fetch function that checks the grants first. Absent: no URL is fetched. */
  readonly fetch?: typeof globalThis.fetch | undefined
  readonly functions?: Readonly<Record<string, FunctionTraits>>
  /** See `Snapshot`. */
  readonly unused?: readonly UnusedFunction[] | undefined
  readonly hooks?: readonly string[]
  /** Discovers the tools of a protocol; a protocol without an entry has no discovery. */
  readonly discover?: Discoverers
  /** Compares the discovered tools with the lock file; absent: they are not compared. */
  readonly pins?: PinOptions | undefined
  /** The sub-agents of the definition; see `readMembers`. */
  readonly subagents?: readonly ResolvedSubagent[]
  readonly signal?: AbortSignal | undefined
  readonly signature?: SignatureState | undefined
  /** Schema documents by address, as the operator maps them. */
  readonly schemas?: MappedSchemas | undefined
}

/** Discovers the tools of a declaration. Never throws: the answer contains any error. */
export type Discover = (tool: Tool, signal: AbortSignal | undefined) => Promise<Discovery>
/** Discovery by protocol. */
export type Discoverers = Readonly<Record<string, Discover>>

/** Limit of a context text in bytes. A longer text is a mistake or an attack. */
const LARGEST_TEXT_BYTES = 1024 * 1024
const FETCH_TIMEOUT_MS = 15_000

/**
 * Fetches everything that a definition references, once, each with its hash. No other module does this. If something is
 * not available, the snapshot contains the reason, and the plan decides about the consequence.
 */
export async function resolveDefinition(
  definition: AgentDefinition,
  options: ResolveOptions = {},
): Promise<Snapshot> {
  const items = definition.agent.context ?? []
  const schemas = resolveSchemas(definition, createFindSchema(options.schemas, options.folder))
  const discovered = await discover(definition, options.discover ?? {}, options.signal)
  return {
    definition,
    definition_hash: sha256OfCanonical(asJson(definition)),
    ...defined({ signature: options.signature }),
    ...(Object.keys(schemas).length > 0 && { schemas }),
    context: await Promise.all(items.map((item) => resolveItem(item, options))),
    subagents: options.subagents ?? [],
    discovered,
    ...(options.pins !== undefined && { pins: pinNewTools(definition, discovered, options.pins) }),
    functions: options.functions ?? {},
    ...defined({ unused: options.unused }),
    hooks: options.hooks ?? [],
  }
}

async function discover(
  definition: AgentDefinition,
  discoverers: Discoverers,
  signal: AbortSignal | undefined,
): Promise<Readonly<Record<string, Discovery>>> {
  const found = (definition.agent.tools ?? []).map(async (tool) => {
    const { protocol = '' } = tool
    const ask = Object.hasOwn(discoverers, protocol) ? discoverers[protocol] : undefined
    return ask === undefined ? [] : [[tool.name, await ask(tool, signal)] as const]
  })
  return Object.fromEntries((await Promise.all(found)).flat())
}

async function resolveItem(item: ContextItem, options: ResolveOptions): Promise<ResolvedContext> {
  const label = item.label === undefined ? {} : { label: item.label }
  switch (item.type) {
    case 'text':
      return {
        found: true,
        source: 'the definition',
        ...label,
        text: item.value,
        sha256: sha256(item.value),
        untrusted: false,
      }
    case 'file': {
      const read = readInside(options.folder, item.value, LARGEST_TEXT_BYTES)
      return read.ok
        ? {
            found: true,
            source: `the file ${item.value}`,
            ...label,
            ...foreign(read.text),
          }
        : { found: false, reason: `the file ${item.value} was not read: ${read.reason}`, rule: 'SPEC-D-12' }
    }
    case 'url':
      return fetchText(item.value, label, options)
    case 'schema_ref':
      return readSchema(item.value, label, options)
    case 'dataset':
      return {
        found: false,
        reason: `context of type ${item.type} is not supported`,
        rule: 'SPEC-D-12',
      }
  }
}

/** Reads a JSON Schema (JSON or YAML) from the folder of the definition or a granted URL. The model gets it as JSON. */
async function readSchema(
  ref: string,
  label: { readonly label?: string },
  options: ResolveOptions,
): Promise<ResolvedContext> {
  const missed = (reason: string): ResolvedContext => ({
    found: false,
    reason: `the schema ${ref} was not read: ${reason}`,
    rule: 'SPEC-D-12',
  })
  const remote = /^https?:/i.test(ref) ? await fetchText(ref, label, options) : undefined
  if (remote?.found === false) return remote
  const read = remote ?? readInside(options.folder, ref, LARGEST_TEXT_BYTES)
  if ('ok' in read && !read.ok) return missed(read.reason)
  const { document, issues } = readDocument(read.text)
  if (document === undefined) return missed(issues[0]?.message ?? 'it is not a document')
  const wrong = checkUserSchema(document.value).find(({ severity }) => severity === 'error')
  if (wrong !== undefined) return missed(`it is not a JSON Schema: ${wrong.message}`)
  return {
    found: true,
    source: `the schema ${ref}`,
    ...label,
    ...foreign(JSON.stringify(document.value, null, 2)),
  }
}

/** Returns an external text without keys, so that no key in it reaches a model, a plan or a record. */
function foreign(read: string): { readonly text: string; readonly sha256: string; readonly untrusted: true } {
  const text = redactFormats(read)
  return { text, sha256: sha256(text), untrusted: true }
}

/** Fetches a text from a granted URL. Never throws: the answer contains any error. */
export async function fetchText(
  url: string,
  label: { readonly label?: string },
  options: Pick<ResolveOptions, 'fetch' | 'signal'>,
): Promise<ResolvedContext> {
  const missed = (reason: string): ResolvedContext => ({
    found: false,
    reason: `the URL ${url} was not fetched: ${reason}`,
    rule: 'AAIF-12-05',
  })
  if (options.fetch === undefined) return missed('fetching URLs is not enabled')
  const limit = AbortSignal.timeout(FETCH_TIMEOUT_MS)
  const signal = options.signal === undefined ? limit : AbortSignal.any([options.signal, limit])
  try {
    const response = await options.fetch(url, {
      signal,
      headers: { accept: 'text/*, application/json' },
    })
    if (!response.ok) return missed(`HTTP status ${response.status}`)
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (bytes.byteLength > LARGEST_TEXT_BYTES) return missed('it is larger than 1 MiB')
    const text = decodeResponse(bytes, response.headers.get('content-type'))
    if (text === null) return missed('it is not text, or its encoding is unknown')
    return { found: true, source: url, ...label, ...foreign(text) }
  } catch (error) {
    return missed(limit.aborted ? 'no answer within 15 s' : messageOf(error))
  }
}
