import type { Grants } from '../../policy/endpoint-gate.ts'
import { createGuardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts'

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
      ...(body !== undefined && bodyOf(body)),
    })
    return { status: response.status, text: await response.text() }
  }
}

/** Texts are pulled when the connection takes them, so a slow receiver slows down the sender. */
function bodyOf(body: string | Uint8Array | AsyncIterable<string>): RequestInit {
  if (typeof body === 'string' || body instanceof Uint8Array) return { body: body as string }
  const texts = body[Symbol.asyncIterator]()
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await texts.next()
      if (done === true) controller.close()
      else controller.enqueue(Buffer.from(value))
    },
    async cancel() {
      await texts.return?.()
    },
  })
  return { body: stream, duplex: 'half' } as RequestInit
}
