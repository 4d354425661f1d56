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
import { type Operation, operationsOf, readsOnly } from './operations.ts'
import { selectOperations } from './select-operations.ts'

export interface DiscoveryOptions extends DocumentSource {
  /** Which server of a document is called: the operator's grants decide. */
  readonly grants: Grants
  /** The place by which a path of the definition is found again later; absent: files cannot be read again. */
  readonly absolute?: (path: string) => string
}

/** A declared tool, as far as its operations depend on it. */
export interface DeclaredApi {
  readonly name: string
  readonly description: string
  readonly endpoint?: string
  readonly auth?: DeclaredAuth
}

/** More operations than these are searched instead of listed: their schemas would fill the model's window. */
const MOST_LISTED = 40

/** The operations that a declared tool of protocol openapi offers (AAIF §4.4). Calls nothing but the document's own URL. */
export async function discoverOperations(
  tool: DeclaredApi,
  options: DiscoveryOptions,
  signal?: AbortSignal,
): Promise<Discovery> {
  const missed = (reason: string, rule = 'AAIF-4.4-06'): Discovery => ({ found: false, reason, rule })
  if (tool.endpoint === undefined) return missed('an openapi tool needs an endpoint', 'SPEC-G-01')
  const [address = '', fragment = ''] = splitOnce(tool.endpoint, '#')
  const loaded = await loadDocument(address, options, signal)
  if (!loaded.ok) return missed(loaded.reason, loaded.rule)
  const { document } = loaded
  const selected = selectOperations(operationsOf(document), fragment)
  if (!selected.ok) return missed(selected.reason)
  const { operations } = selected
  if (operations.length > MOST_LISTED) {
    const place = isUrl(address) ? address : (options.absolute?.(address) ?? address)
    const binding = { document: place, sha256: loaded.sha256, fragment }
    return { found: true, tools: searched(tool, document, operations, binding, options.grants) }
  }
  const tools: DiscoveredTool[] = []
  for (const operation of operations) {
    const bound = bindOperation(document, operation, tool.auth, options.grants)
    if (!bound.ok) return missed(bound.reason)
    const { binding, parameters_schema, note } = bound
    tools.push({
      name: operation.name,
      description: describe(operation),
      parameters_schema,
      read_only: readsOnly(operation),
      // PUT and DELETE may be repeated by HTTP, but not every server keeps to it, and others act in between.
      idempotent: false,
      url: binding.server + binding.path,
      method: binding.method,
      signs_in: binding.sign_in !== undefined,
      ...defined({ note }),
      binding: binding as unknown as JsonObject,
    })
  }
  return { found: true, tools }
}

/** Three tools for a document of any size. Reading and writing are apart, so that only writes ask and are kept to once. */
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
    query: { type: 'string', description: 'words about what is to be done, or the name of an operation' },
    limit: { type: 'integer', minimum: 1, maximum: 20, description: 'how many at most; 5 when absent' },
  },
  required: ['query'],
  additionalProperties: false,
}

const CALL: JsonObject = {
  type: 'object',
  properties: {
    operation: { type: 'string', description: 'the name of the operation, as it was found' },
    arguments: { type: 'object', description: 'what its parameters_schema says' },
  },
  required: ['operation'],
  additionalProperties: false,
}

const LONGEST_DESCRIPTION = 1000

function describe({ summary, description, method, path, deprecated }: Operation): string {
  const said = description.startsWith(summary)
    ? description
    : [summary.replace(/\.\s*$/, ''), description].filter(Boolean).join('. ')
  const text = said === '' ? `${method} ${path}` : said
  const cut = text.length > LONGEST_DESCRIPTION ? `${text.slice(0, LONGEST_DESCRIPTION)}…` : text
  return deprecated ? `Deprecated. ${cut}` : cut
}

function splitOnce(text: string, by: string): readonly [string, string] {
  const at = text.indexOf(by)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
