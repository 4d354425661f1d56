import { defined } from '../../document/defined.ts'
import type { JsonObject } from '../../document/json.ts'
import type { DiscoveredTool, Discovery } from '../../plan/snapshot.ts'
import { type Grants, judgeUrl } from '../../policy/endpoint-gate.ts'
import type { ApiDocument } from './api-document.ts'
import { bindOperation } from './bind-operation.ts'
import type { IndexBinding } from './binding.ts'
import { chooseServer } from './choose-server.ts'
import { type DeclaredAuth, joinAuth } from './join-auth.ts'
import { type DocumentSource, isUrl, loadDocument } from './load-document.ts'
import { partsOf } from './operation-parts.ts'
import { type Operation, operationsOf, readsOnly, unreadPaths } from './operations.ts'
import { selectOperations } from './select-operations.ts'

export interface DiscoveryOptions extends DocumentSource {
  /** The server of a document; the operator's grants decide. */
  readonly grants: Grants
  /** Returns the path under which a file of the definition can be read later; absent: files cannot be read again. */
  readonly absolute?: (path: string) => string
}

/** The members of a declared tool that affect its operations. */
export interface DeclaredApi {
  readonly name: string
  readonly description: string
  readonly endpoint?: string
  readonly auth?: DeclaredAuth
}

/**
 * Above these limits, operations are searched instead of listed: every request to a model would contain their schemas.
 * 40,000 characters are about 10,000 tokens.
 */
const MOST_LISTED = 40
const LARGEST_LIST = 40_000

const RULE = 'AAIF-4.4-06'

/**
 * Discovers the operations of a declared tool of protocol openapi (AAIF §4.4). Requests only the URL of the document. An
 * operation that can never be called is not available, with the reason; the others are.
 */
export async function discoverOperations(
  tool: DeclaredApi,
  options: DiscoveryOptions,
  signal?: AbortSignal,
): Promise<Discovery> {
  const missed = (reason: string, rule = RULE): Discovery => ({ found: false, reason, rule })
  if (tool.endpoint === undefined) return missed('an openapi tool needs an endpoint', 'SPEC-G-01')
  const [address = '', fragment = ''] = splitOnce(tool.endpoint, '#')
  const loaded = await loadDocument(address, options, signal)
  if (!loaded.ok) return missed(loaded.reason, loaded.rule)
  const { document } = loaded
  const selected = selectOperations(operationsOf(document), fragment)
  if (!selected.ok) return missed(selected.reason)
  const { operations } = selected
  const servers = operations.map((operation) => chooseServer(document, operation, options.grants))
  const [first] = servers
  if (first?.ok === false && servers.every(({ ok }) => !ok)) return missed(first.reason)
  const odd = [...(document.notes ?? []), ...someOf(unreadPaths(document), 'parts of its paths')]
  const listed =
    operations.length > MOST_LISTED ? null : listedTools(tool, document, operations, options.grants)
  if (listed !== null && (listed.length === 1 || sizeOf(listed) <= LARGEST_LIST))
    return { found: true, tools: listed, ...noted(odd) }
  const place = isUrl(address) ? address : (options.absolute?.(address) ?? address)
  const binding = { document: place, sha256: loaded.sha256, fragment }
  const tools = searched(tool, document, operations, binding, options.grants)
  const size = listed === null ? [] : [tooLong(listed)]
  const notes = [...odd, ...size, ...notCallable(tool, document, operations, options.grants)]
  return { found: true, tools, ...noted(notes) }
}

function noted(texts: readonly string[]) {
  return texts.length === 0 ? {} : { notes: { texts, rule: RULE } }
}

function listedTools(
  tool: DeclaredApi,
  document: ApiDocument,
  operations: readonly Operation[],
  grants: Grants,
): readonly DiscoveredTool[] {
  return operations.map((operation): DiscoveredTool => {
    const described = {
      name: operation.name,
      description: describe(operation),
      read_only: readsOnly(operation),
      // PUT and DELETE are idempotent in HTTP, but not on every server, and other clients may act in between.
      idempotent: false,
      method: operation.method,
    }
    const bound = bindOperation(document, operation, tool.auth, grants)
    if (!bound.ok)
      return {
        ...described,
        parameters_schema: NOTHING,
        signs_in: false,
        unavailable: bound.reason,
        binding: {},
      }
    const { binding, parameters_schema, note } = bound
    return {
      ...described,
      parameters_schema,
      url: binding.server + binding.path,
      signs_in: binding.sign_in !== undefined,
      ...defined({ note }),
      binding: binding as unknown as JsonObject,
    }
  })
}

const NOTHING: JsonObject = { type: 'object', properties: {}, additionalProperties: false }

/** Returns the characters that every request to a model contains for these tools. */
function sizeOf(tools: readonly DiscoveredTool[]): number {
  return tools
    .filter(({ unavailable }) => unavailable === undefined)
    .reduce(
      (sum, { name, description, parameters_schema }) =>
        sum + name.length + description.length + JSON.stringify(parameters_schema).length,
      0,
    )
}

function tooLong(listed: readonly DiscoveredTool[]): string {
  const size = Math.ceil(sizeOf(listed) / 1024)
  return `its ${listed.length} operations are searched, not listed: their descriptions are ${size} KB in every request; select some of them by the fragment of the endpoint to list them`
}

const MOST_NAMED = 5

/** Returns notes about operations of a searched document that can never be called. */
function notCallable(
  tool: DeclaredApi,
  document: ApiDocument,
  operations: readonly Operation[],
  grants: Grants,
): readonly string[] {
  const never = operations.flatMap((operation) => {
    const server = chooseServer(document, operation, grants)
    const { signIn } = joinAuth(document, operation, tool.auth)
    const { unavailable } = partsOf(document, operation, signIn)
    const reason = server.ok ? unavailable : server.reason
    return reason === undefined ? [] : [`${operation.name} can never be called: ${reason}`]
  })
  return someOf(never, 'operations that can never be called')
}

/** Returns the first of some notes; the last one counts the others. */
function someOf(notes: readonly string[], what: string): readonly string[] {
  const others = notes.length - MOST_NAMED
  return others <= 0 ? notes : [...notes.slice(0, MOST_NAMED), `${others} more ${what}`]
}

/**
 * Three tools for a document of any size. Reads and writes are separate, so that only writes need approval and are sent
 * at most once.
 */
function searched(
  tool: DeclaredApi,
  document: ApiDocument,
  operations: readonly Operation[],
  binding: Omit<IndexBinding, 'part'>,
  grants: Grants,
): readonly DiscoveredTool[] {
  const part = (name: IndexBinding['part'], description: string, parameters_schema: JsonObject) => ({
    name: `${tool.name.slice(0, 58)}_${name}`,
    description,
    parameters_schema,
    read_only: name !== 'write',
    idempotent: false,
    binding: { part: name, ...binding } as unknown as JsonObject,
  })
  const about = `${tool.description} (${operations.length} operations)`
  const find = `${tool.name}_find`
  const call = (name: 'read' | 'write', chosen: readonly Operation[]) => {
    const [first] = chosen
    if (first === undefined) return []
    const servers = chosen.flatMap((operation) => {
      const server = chooseServer(document, operation, grants)
      return server.ok ? [server.base] : []
    })
    const server = servers.find((url) => judgeUrl(url, grants).allowed) ?? servers[0]
    const methods = [...new Set(chosen.map(({ method }) => method))].join(', ')
    const auth = chosen.map((operation) => joinAuth(document, operation, tool.auth))
    const note = auth.find((each) => each.note !== undefined)?.note
    return [
      {
        ...part(name, `Calls an operation (${methods}) that ${find} found. ${about}`, CALL),
        ...defined({ url: server }),
        signs_in: auth.some(({ signIn }) => signIn !== undefined),
        ...defined({ note }),
      },
    ]
  }
  return [
    part('find', `Finds operations by words, with the arguments that each takes. ${about}`, FIND),
    ...call('read', operations.filter(readsOnly)),
    ...call(
      'write',
      operations.filter((operation) => !readsOnly(operation)),
    ),
  ]
}

const FIND: JsonObject = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'keywords for the task, or the name of an operation' },
    limit: { type: 'integer', minimum: 1, maximum: 20, description: 'maximum number of results; default 5' },
  },
  required: ['query'],
  additionalProperties: false,
}

const CALL: JsonObject = {
  type: 'object',
  properties: {
    operation: { type: 'string', description: 'the name of the operation, as returned by the search' },
    arguments: { type: 'object', description: 'arguments that match its parameters_schema' },
  },
  required: ['operation'],
  additionalProperties: false,
}

const LONGEST_DESCRIPTION = 1000

function describe({ summary, description, method, path, deprecated }: Operation): string {
  const sentence = description.startsWith(summary)
    ? description
    : [summary.replace(/\.\s*$/, ''), description].filter(Boolean).join('. ')
  const text = sentence === '' ? `${method} ${path}` : sentence
  const cut = text.length > LONGEST_DESCRIPTION ? `${text.slice(0, LONGEST_DESCRIPTION)}…` : text
  return deprecated ? `Deprecated. ${cut}` : cut
}

function splitOnce(text: string, by: string): readonly [string, string] {
  const at = text.indexOf(by)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
