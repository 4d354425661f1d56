import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'

/** The member of `_meta` with the tools of a list as the server described them. */
export const LISTED_TOOLS = 'waybill/listed-tools'

/** The results that are repaired before the library reads them, by the method of the request. */
const REPAIRED: Readonly<Record<string, (result: JsonObject, params: JsonObject) => JsonObject>> = {
  initialize: handshake,
  'server/discover': discovery,
  'tools/list': listOfTools,
}

/**
 * Completes the results of handshakes and lists of tools on their way to the library, which refuses a result as a whole
 * for one member of another type: servers without a version, with `capabilities: null` or one odd tool would offer
 * nothing. Members without a use are removed; tools travel unchanged in `_meta`, and `list-tools.ts` reads them.
 */
export function repairResults(transport: Transport): void {
  const asked = new Map<string | number, { readonly method: string; readonly params: JsonObject }>()
  const send = transport.send.bind(transport)
  transport.send = (message, options) => {
    if ('method' in message && 'id' in message && Object.hasOwn(REPAIRED, message.method))
      asked.set(message.id, { method: message.method, params: (message.params ?? {}) as JsonObject })
    return send(message, options)
  }
  const repaired = <T extends JSONRPCMessage>(message: T): T => {
    if (!('id' in message) || message.id === undefined || 'method' in message) return message
    const request = asked.get(message.id)
    if (request === undefined) return message
    asked.delete(message.id)
    if (!('result' in message)) return message
    const result = message.result as unknown as Json
    const repair = REPAIRED[request.method] as (typeof REPAIRED)[string]
    return { ...message, result: repair(isObject(result) ? result : {}, request.params) }
  }
  let handler = transport.onmessage
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    enumerable: true,
    get: () => handler,
    set(given: Transport['onmessage']) {
      handler = given === undefined ? undefined : (message, extra) => given(repaired(message), extra)
    },
  })
}

function handshake(result: JsonObject, { protocolVersion }: JsonObject): JsonObject {
  const { instructions, _meta, serverInfo } = result
  return {
    ...(isObject(_meta) && { _meta }),
    ...(typeof instructions === 'string' && { instructions }),
    // A server that names no version answers in the version that it was asked for.
    protocolVersion:
      typeof result.protocolVersion === 'string' ? result.protocolVersion : (protocolVersion ?? ''),
    capabilities: capabilitiesOf(result.capabilities),
    serverInfo: identityOf(serverInfo),
  }
}

function discovery(result: JsonObject): JsonObject {
  const { supportedVersions, instructions, _meta, ...rest } = result
  return {
    ...rest,
    ...complete(result),
    ...(isObject(_meta) && { _meta }),
    ...(typeof instructions === 'string' && { instructions }),
    supportedVersions: Array.isArray(supportedVersions)
      ? supportedVersions.filter((version: Json) => typeof version === 'string')
      : [],
    capabilities: capabilitiesOf(result.capabilities),
  }
}

function listOfTools(result: JsonObject): JsonObject {
  const { nextCursor, _meta, tools } = result
  const isCursor = typeof nextCursor === 'string' || typeof nextCursor === 'number'
  return {
    ...complete(result),
    tools: Array.isArray(tools) ? tools.flatMap(plainTool) : [],
    ...(isCursor && { nextCursor: String(nextCursor) }),
    _meta: { ...(isObject(_meta) && _meta), [LISTED_TOOLS]: tools ?? null },
  }
}

/** Returns what the library needs of a tool: its name, and the arguments with what they say about headers. */
function plainTool(tool: Json): readonly JsonObject[] {
  if (!isObject(tool) || typeof tool.name !== 'string') return []
  const { $schema, properties, required, ...rest } = isObject(tool.inputSchema) ? tool.inputSchema : {}
  const isNames = Array.isArray(required) && required.every((name: Json) => typeof name === 'string')
  const inputSchema = {
    ...rest,
    ...(typeof $schema === 'string' && { $schema }),
    ...(isObject(properties) && { properties }),
    ...(isNames && { required }),
    type: 'object',
  }
  return [{ name: tool.name, inputSchema }]
}

/** The members that the 2026 revision requires of a result that can be cached. */
function complete({ resultType, ttlMs, cacheScope }: JsonObject): JsonObject {
  return {
    resultType: typeof resultType === 'string' ? resultType : 'complete',
    ttlMs: Number.isInteger(ttlMs) && (ttlMs as number) >= 0 ? (ttlMs as number) : 0,
    cacheScope: cacheScope === 'public' ? 'public' : 'private',
  }
}

/** A capability is an object; servers also write true, and null for one that they do not have. */
function capabilitiesOf(given: Json | undefined): JsonObject {
  if (!isObject(given)) return { tools: {} }
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      if (value === true) return [[name, {}]]
      if (!isObject(value)) return []
      return [[name, Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))]]
    }),
  )
}

function identityOf(given: Json | undefined): JsonObject {
  const { name, version } = isObject(given) ? given : {}
  return { name: textOr(name, 'unnamed'), version: textOr(version, 'unknown') }
}

function textOr(value: Json | undefined, otherwise: string): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : otherwise
}
