import { setTimeout as sleep } from 'node:timers/promises'
import type { Grants } from '../../policy/endpoint-gate.ts'
import { GateRefusal, networkCodeOf } from './gate-refusal.ts'
import { createGuardedFetch, type GuardedFetchOptions } from './guarded-fetch.ts'

/** How much of an answer is read, in bytes, and for how long, in milliseconds: only its status has a meaning. */
const READ_BYTES = 64 * 1024
const READ_MS = 1000

/** What became of a message: the status of the answer, or a code that says why there is none. */
export type PostOutcome = { readonly status: number } | { readonly error: string }

/**
 * Returns a function that posts messages through the endpoint gate. Follows no redirect. Codes of errors name no
 * address, because their readers must not explore the network of this machine.
 */
export function createMessagePoster(
  grants: Grants,
  options: Pick<GuardedFetchOptions, 'lookup'> = {},
): (
  url: string,
  message: { readonly headers: Record<string, string>; readonly body: string; readonly signal: AbortSignal },
) => Promise<PostOutcome> {
  // The limit of the guarded fetch would hide the status of a longer answer.
  const fetch = createGuardedFetch({ grants, maxResponseBytes: Number.MAX_SAFE_INTEGER, ...options })
  return async (url, message) => {
    try {
      const { status, body } = await fetch(url, { method: 'POST', ...message })
      if (body !== null) await readAndDrop(body)
      return { status }
    } catch (error) {
      if (error instanceof GateRefusal) return { error: error.code }
      if (message.signal.aborted) return { error: 'TIMEOUT' }
      return { error: networkCodeOf(error) ?? 'NO_ANSWER' }
    }
  }
}

/** Reads an answer, so that its connection can be used again, and gives up one that is long or slow. */
async function readAndDrop(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader()
  const late = new AbortController()
  const read = async () => {
    for (let size = 0; size <= READ_BYTES; ) {
      const { done, value } = await reader.read()
      if (done) return
      size += value.byteLength
    }
  }
  try {
    await Promise.race([read(), sleep(READ_MS, undefined, { signal: late.signal })])
  } catch {
    // The status has arrived; the rest is not used.
  } finally {
    late.abort()
    // Not awaited: a stream that is being read may not end.
    reader.cancel().catch(() => {})
  }
}
