import { defined } from '../../document/defined.ts'
import type { JsonObject } from '../../document/json.ts'
import { withExtended } from '../../policy/extended-params.ts'
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
}

/** Placeholder for the real schema while the library of a provider builds the request. */
export const SCHEMA_STAND_IN = { type: 'object' } as const

/**
 * Completes a model request. Provider libraries drop unknown parameters, and rewrite or refuse unusual JSON Schemas. So
 * both are inserted into the final body as they are in the definition (AAIF §4.2 extended, §4.4 parameters_schema), and
 * the key is added, only for its own origin.
 */
export function createWireFetch(options: WireFetchOptions): typeof globalThis.fetch {
  const verbatim = options.toolSchemas.size > 0 || Object.keys(options.extended).length > 0
  return async (input, init = {}) => {
    const headers = new Headers(init.headers)
    headers.delete('authorization')
    headers.delete('x-api-key')
    headers.delete('x-goog-api-key')
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.origin === options.origin) options.authorize?.(headers)
    const body = verbatim && typeof init.body === 'string' ? completeBody(init.body, options) : init.body
    return assertNoPage(await options.fetch(url, { ...init, headers, ...defined({ body }) }))
  }
}

interface WireBody {
  tools?: {
    name?: string
    input_schema?: unknown
    function?: { name: string; parameters?: unknown }
    functionDeclarations?: { name: string; parametersJsonSchema?: unknown }[]
  }[]
}

function completeBody(text: string, { extended, toolSchemas }: WireFetchOptions): string {
  const body: WireBody = JSON.parse(text)
  for (const tool of body.tools ?? []) {
    for (const declared of tool.functionDeclarations ?? []) {
      const schema = toolSchemas.get(declared.name)
      if (schema !== undefined) declared.parametersJsonSchema = schema
    }
    const schema = toolSchemas.get(tool.function?.name ?? tool.name ?? '')
    if (schema === undefined) continue
    if (tool.function !== undefined) tool.function.parameters = schema
    else if (tool.input_schema !== undefined) tool.input_schema = schema
  }
  return JSON.stringify(withExtended(body, extended))
}
