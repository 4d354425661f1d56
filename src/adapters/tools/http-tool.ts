import { exactText } from '../../document/exact-numbers.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import { callFingerprint, grantsForUse } from '../../policy/call-fingerprint.ts'
import type { SecretGrant } from '../../policy/secret-grant.ts'
import { type Secrets, ToolFailure, type ToolPort } from '../../run/ports.ts'
import { redactor } from '../net/shorten.ts'
import { untilAborted } from '../net/until-aborted.ts'
import { callOverHttp } from './http-answer.ts'
import { authorizeTool } from './tool-auth.ts'

export interface HttpToolOptions {
  /** Must be the guarded fetch, because endpoints come from documents. */
  readonly fetch: typeof globalThis.fetch
  readonly secrets: Secrets
  readonly secretGrants: readonly SecretGrant[]
}

/**
 * Calls tools over HTTP: the arguments are the JSON body of a POST, or of the method that the operator set; with GET
 * and HEAD they are the query (AAIF §4.4). Sends the key of the call as `Idempotency-Key`.
 */
export function createHttpTool({ fetch, secrets, secretGrants }: HttpToolOptions): ToolPort {
  return {
    async call({ tool, args, key, headers: along }, { signal }) {
      signal.throwIfAborted()
      const method = (tool.method ?? 'POST').toUpperCase()
      const url = URL.parse(tool.endpoint ?? '')
      if (url === null) {
        throw new ToolFailure('TOOL_ENDPOINT_INVALID', `${tool.name} has no valid endpoint`, 'unsent')
      }
      const headers = new Headers({ accept: 'application/json, text/*;q=0.8', 'idempotency-key': key })
      const granted = grantsForUse(secretGrants, callFingerprint(tool))
      const secret = await untilAborted(authorizeTool(tool, url, headers, secrets, granted), signal)
      const redact = redactor(
        secret === undefined ? [] : [secret, headers.get('authorization')?.split(' ')[1]],
      )
      // Set after the headers of the tool: a trace context never replaces a credential.
      for (const [name, value] of Object.entries(along ?? {})) {
        if (!headers.has(name)) headers.set(name, value)
      }
      const inQuery = method === 'GET' || method === 'HEAD'
      if (inQuery) putInQuery(tool.name, url, args)
      else headers.set('content-type', 'application/json')
      const init = { method, headers, signal, ...(!inQuery && { body: exactText(args) }) }
      return callOverHttp({ tool, url, init, fetch, redact })
    },
  }
}

/** Lists repeat their name; objects are written as JSON. Throws for arguments that the endpoint already fixes. */
function putInQuery(tool: string, url: URL, args: JsonObject): void {
  const fixed = new Set(url.searchParams.keys())
  for (const [name, value] of Object.entries(args)) {
    if (fixed.has(name)) {
      throw new ToolFailure(
        'TOOL_ARGUMENTS_INVALID',
        `${tool} was not called: its endpoint fixes ${name}`,
        'unsent',
      )
    }
    for (const item of Array.isArray(value) ? (value as readonly Json[]) : [value]) {
      url.searchParams.append(name, typeof item === 'string' ? item : exactText(item))
    }
  }
}
