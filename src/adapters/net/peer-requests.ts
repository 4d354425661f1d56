import type { Grants } from '../../policy/endpoint-gate.ts'
import { createGuardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts'
import { requestBody } from './request-body.ts'

/** The largest answer of another platform, in bytes: a fidelity report, or a manifest. */
const MOST_BYTES = 4 * 1024 * 1024

/** Returns a function that sends a request to another platform through the endpoint gate. Follows no redirect. */
export function createPeerRequests(
  grants: Grants,
  options: Pick<GuardedFetchOptions, 'lookup'> = {},
): (
  url: string,
  options: {
    readonly method: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string | Uint8Array | AsyncIterable<string>
    readonly signal: AbortSignal
  },
) => Promise<{ readonly status: number; readonly text: string }> {
  const fetch = createGuardedFetch({ grants, maxResponseBytes: MOST_BYTES, ...options })
  return async (url, { method, headers, body, signal }) => {
    const response = await fetch(url, {
      method,
      headers,
      signal,
      ...(body !== undefined && requestBody(body)),
    })
    return { status: response.status, text: await response.text() }
  }
}
