import { defined } from '../../document/defined.ts'
import { exactText, parseExact } from '../../document/exact-numbers.ts'
import type { JsonObject } from '../../document/json.ts'
import { withExtended } from '../../policy/extended-params.ts'
import { addSentBack, type SentBack } from './opaque-parts.ts'
import { assertNoPage } from './quoted.ts'

export interface WireFetchOptions {
  readonly fetch: typeof globalThis.fetch
  /** Sets the header of the key; absent if no key may be sent. */
  readonly authorize?: (headers: Headers) => void
  /** Origins to which the key may be sent. */
  readonly origin: string
  /** Merged into the body unchanged. */
  readonly extended: JsonObject
  /** By tool name. */
  readonly toolSchemas: ReadonlyMap<string, JsonObject>
  /** The names of all tools that are offered. */
  readonly toolNames: ReadonlySet<string>
}

/** One request, and its answer. */
export interface Exchange {
  /** What goes back with each assistant message, in the form of chat completions; absent in other dialects. */
  readonly back?: readonly (SentBack | null)[]
  /** What the library reads instead of the answer. */
  readonly blank: () => Response
  /** The answer, once it has arrived. */
  response?: Response
  /** The tool by which the library asks for an answer in JSON. */
  jsonTool?: string
}

/** Placeholder for the real schema while the library of a provider builds the request. */
export const SCHEMA_STAND_IN = { type: 'object' } as const

/**
 * Completes a model request. Provider libraries drop unknown parameters, and rewrite or refuse unusual JSON Schemas. So
 * both are inserted into the final body as they are in the definition (AAIF §4.2 extended, §4.4 parameters_schema), and
 * the key is added, only for its own origin. The libraries also read answers by a closed schema, and lose a whole answer
 * for one odd member: the answer is kept for our own reader, and the library reads a blank one.
 */
export function createWireFetch(options: WireFetchOptions, exchange: Exchange): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const headers = new Headers(init.headers)
    headers.delete('authorization')
    headers.delete('x-api-key')
    headers.delete('x-goog-api-key')
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin === options.origin) options.authorize?.(headers)
    const body = typeof init.body === 'string' ? completeBody(init.body, options, exchange) : init.body
    const response = await assertNoPage(await options.fetch(url, { ...init, headers, ...defined({ body }) }))
    if (!response.ok) return response
    exchange.response = response
    return exchange.blank()
  }
}

interface WireBody {
  messages?: Parameters<typeof addSentBack>[0]
  tools?: {
    name?: string
    input_schema?: unknown
    function?: { name: string; parameters?: unknown }
    functionDeclarations?: { name: string; parametersJsonSchema?: unknown }[]
  }[]
}

function completeBody(text: string, options: WireFetchOptions, exchange: Exchange): string {
  const { extended, toolSchemas, toolNames } = options
  const { back = [] } = exchange
  const isComplete = Object.keys(extended).length === 0 && back.every((entry) => entry === null)
  if (isComplete && !text.includes('"tools":')) return text
  const body = parseExact(text) as WireBody
  if (body.messages !== undefined && back.some((entry) => entry !== null)) addSentBack(body.messages, back)
  for (const tool of body.tools ?? []) {
    for (const declared of tool.functionDeclarations ?? []) {
      const schema = toolSchemas.get(declared.name)
      if (schema !== undefined) declared.parametersJsonSchema = schema
      if (!toolNames.has(declared.name)) exchange.jsonTool = declared.name
    }
    const name = tool.function?.name ?? tool.name
    if (name !== undefined && !toolNames.has(name)) exchange.jsonTool = name
    const schema = toolSchemas.get(name ?? '')
    if (schema === undefined) continue
    if (tool.function !== undefined) tool.function.parameters = schema
    else if (tool.input_schema !== undefined) tool.input_schema = schema
  }
  return exactText(withExtended(body, extended))
}
