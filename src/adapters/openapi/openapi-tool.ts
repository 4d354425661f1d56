import type { Code } from '../../document/codes.ts'
import { defined } from '../../document/defined.ts'
import type { JsonObject } from '../../document/json.ts'
import { suggest } from '../../document/suggest.ts'
import type { PlannedTool } from '../../plan/plan.ts'
import { callFingerprint, grantsForUse } from '../../policy/call-fingerprint.ts'
import type { Grants } from '../../policy/endpoint-gate.ts'
import type { SecretGrant } from '../../policy/secret-grant.ts'
import { type Secrets, ToolFailure, type ToolPort, type ToolRequest } from '../../run/ports.ts'
import { openUnusableParts } from '../../schema/open-unusable-parts.ts'
import { compileUserSchema } from '../../schema/user-schema.ts'
import { redactor } from '../net/shorten.ts'
import { untilAborted } from '../net/until-aborted.ts'
import { callOverHttp } from '../tools/http-answer.ts'
import { authorizeTool } from '../tools/tool-auth.ts'
import type { ApiDocument } from './api-document.ts'
import { bindOperation } from './bind-operation.ts'
import type { IndexBinding, OperationBinding, SignIn } from './binding.ts'
import { type BuiltRequest, buildRequest, UnusableArguments } from './build-request.ts'
import { chooseServer } from './choose-server.ts'
import { findOperations } from './find-operations.ts'
import { joinAuth } from './join-auth.ts'
import { type DocumentSource, loadDocument } from './load-document.ts'
import { type Operation, operationsOf, readsOnly } from './operations.ts'
import { selectOperations } from './select-operations.ts'
import { percentEncode } from './serialize.ts'

export interface OpenApiToolOptions extends DocumentSource {
  /** Must be the guarded fetch, because servers come from documents. */
  readonly fetch: typeof globalThis.fetch
  readonly grants: Grants
  readonly secrets: Secrets
  readonly secretGrants: readonly SecretGrant[]
}

/** Calls the operations of OpenAPI documents, as the plan binds them (AAIF §4.4). */
export function createOpenApiTool(options: OpenApiToolOptions): ToolPort {
  const opened = new Map<string, Promise<Opened>>()
  return {
    async call(request, { signal }) {
      signal.throwIfAborted()
      const { tool, args } = request
      const binding = tool.binding as unknown as OperationBinding | IndexBinding | undefined
      if (binding === undefined)
        throw unsent(tool, 'TOOL_ENDPOINT_INVALID', 'the plan does not bind it to an operation')
      if (!('part' in binding)) return send(request, binding, args, options, signal)
      const index = await open(tool, binding, options, opened, signal)
      if (binding.part === 'find') {
        const { document, operations } = index
        const limit = typeof args.limit === 'number' ? args.limit : undefined
        return findOperations(document, operations, String(args.query), limit, {
          signInOf: (operation) => joinAuth(document, operation, authOf(tool)).signIn,
          whyNot(operation) {
            const server = chooseServer(document, operation, options.grants)
            return server.ok ? undefined : server.reason
          },
        })
      }
      const { bound, given } = chosen(request, binding, index, options.grants)
      return send(request, bound, given, options, signal)
    },
  }
}

interface Opened {
  readonly document: ApiDocument
  readonly operations: readonly Operation[]
}

function authOf({ auth }: PlannedTool) {
  return auth === undefined ? undefined : { type: auth.type, ...defined({ header: auth.header }) }
}

function unsent(tool: PlannedTool, code: Code, why: string): ToolFailure {
  return new ToolFailure(code, `${tool.name} was not called: ${why}`, 'unsent')
}

/**
 * Returns the planned document, and throws if it has changed: a server must not change the callable operations after
 * planning.
 */
async function open(
  tool: PlannedTool,
  binding: IndexBinding,
  source: DocumentSource,
  opened: Map<string, Promise<Opened>>,
  signal: AbortSignal,
): Promise<Opened> {
  const key = `${binding.sha256}#${binding.fragment}`
  const reading =
    opened.get(key) ??
    (async () => {
      const loaded = await loadDocument(binding.document, source, signal)
      if (!loaded.ok) throw unsent(tool, 'TOOL_DOCUMENT_UNREADABLE', loaded.reason)
      if (loaded.sha256 !== binding.sha256) {
        const why = `${binding.document} has changed since it was planned; start a new run to use it, or keep a copy in the folder of the definition`
        throw unsent(tool, 'TOOL_DOCUMENT_CHANGED', why)
      }
      const { document } = loaded
      const selected = selectOperations(operationsOf(document), binding.fragment)
      if (!selected.ok) throw unsent(tool, 'TOOL_DOCUMENT_UNREADABLE', selected.reason)
      return { document, operations: selected.operations }
    })()
  opened.set(key, reading)
  try {
    return await reading
  } catch (error) {
    opened.delete(key)
    throw error
  }
}

/** Binds the operation that the model named, and checks its arguments like those of a listed operation. */
function chosen(
  { tool, args }: ToolRequest,
  { part }: IndexBinding,
  { document, operations }: Opened,
  grants: Grants,
): { readonly bound: OperationBinding; readonly given: JsonObject } {
  const refuse = (why: string) => unsent(tool, 'TOOL_ARGUMENTS_INVALID', why)
  const name = String(args.operation)
  const operation = operations.find((each) => each.name === name) ?? operations.find(({ id }) => id === name)
  if (operation === undefined) {
    const near = suggest(
      name,
      operations.map((each) => each.name),
    )
    throw refuse(
      `there is no operation ${name}${near === undefined ? '; search for it first' : `; did you mean ${near}?`}`,
    )
  }
  if (readsOnly(operation) !== (part === 'read')) {
    const right = readsOnly(operation) ? 'read' : 'write'
    throw refuse(`${operation.name} is ${operation.method}; call it with the tool that ends in _${right}`)
  }
  const bound = bindOperation(document, operation, authOf(tool), grants)
  if (!bound.ok) throw refuse(bound.reason)
  // The plan was made for one server: its grants, secrets and regions do not apply to others.
  const planned = URL.parse(tool.endpoint ?? '')?.origin
  if (URL.parse(bound.binding.server)?.origin !== planned) {
    throw refuse(`${operation.name} is called at ${bound.binding.server}, but the plan is for ${planned}`)
  }
  const given = (args.arguments ?? {}) as JsonObject
  const breach = compileUserSchema(openUnusableParts(bound.parameters_schema).schema)(given)
  if (breach !== null) throw refuse(`the arguments do not match the operation's schema: ${breach}`)
  return { bound: bound.binding, given }
}

async function send(
  { tool, key, headers: along }: ToolRequest,
  binding: OperationBinding,
  args: JsonObject,
  { fetch, secrets, secretGrants }: OpenApiToolOptions,
  signal: AbortSignal,
) {
  let built: BuiltRequest
  try {
    built = await buildRequest(binding, args)
  } catch (error) {
    if (error instanceof UnusableArguments) throw unsent(tool, 'TOOL_ARGUMENTS_INVALID', error.message)
    throw error
  }
  const { url, headers, body } = built
  headers.set('accept', 'application/json, text/*;q=0.8, */*;q=0.1')
  headers.set('idempotency-key', key)
  const cookies = [...built.cookies]
  // The sign-in may change the kind of credential, but the grant is for the planned call.
  const granted = grantsForUse(secretGrants, callFingerprint(tool))
  const authorize: Authorize = (as, to) => authorizeTool(as, url, to, secrets, granted)
  const secret = await untilAborted(signIn(tool, binding.sign_in, url, headers, cookies, authorize), signal)
  if (cookies.length > 0) headers.set('cookie', cookies.join('; '))
  // Set after the headers of the operation: a trace context never replaces a credential or a parameter.
  for (const [name, value] of Object.entries(along ?? {})) {
    if (!headers.has(name)) headers.set(name, value)
  }
  // Servers often repeat a refused URL, in different encodings.
  const spellings =
    secret === undefined
      ? []
      : [
          secret,
          headers.get('authorization')?.split(' ')[1],
          percentEncode(secret),
          encodeURIComponent(secret),
          encodeURIComponent(secret).replaceAll('%20', '+'),
        ]
  const redact = redactor(spellings)
  const init = { method: binding.method, headers, signal, ...defined({ body }) }
  return callOverHttp({ tool, url, init, fetch, redact })
}

/** Adds the credential of a tool to the headers, if it may be sent; returns the secret. */
type Authorize = (tool: PlannedTool, headers: Headers) => Promise<string | undefined>

/** @returns the secret, so that it can be removed from errors */
async function signIn(
  tool: PlannedTool,
  place: SignIn | undefined,
  url: URL,
  headers: Headers,
  cookies: string[],
  authorize: Authorize,
): Promise<string | undefined> {
  const { auth } = tool
  if (place === undefined || auth === undefined) return undefined
  if (place.as === 'declared') return authorize(tool, headers)
  const as = (changes: Partial<typeof auth>) => ({ ...tool, auth: { ...auth, ...changes } })
  if (place.as !== 'key') return authorize(as({ type: place.as }), headers)
  if (place.in === 'header') {
    return authorize(as({ type: 'api_key', header: place.name }), headers)
  }
  // That function also decides whether it may be sent; this one where.
  const secret = await authorize(tool, new Headers())
  if (secret === undefined) return undefined
  if (place.in === 'query') {
    const pair = `${percentEncode(place.name)}=${percentEncode(secret)}`
    url.search = url.search === '' ? pair : `${url.search}&${pair}`
  } else cookies.push(`${place.name}=${percentEncode(secret)}`)
  return secret
}
