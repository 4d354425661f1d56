import type { FastifyReply, FastifyRequest } from 'fastify'
import { WaybillError } from '../document/issue.ts'

/** How long a request may take whose body is read as it arrives, in milliseconds: no migration token is valid longer. */
export const STREAM_REQUEST_MS = 900_000

/**
 * Ends a request whose body has not arrived within a time. The server itself only limits the time of a stream, which may
 * be long as long as it makes progress; see {@link withinIdle}.
 * @param tooSlow answers it, and closes the connection
 */
export function limitArrival(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  withinMs: number,
  tooSlow: () => void,
): void {
  if (raw.complete) return
  const timer = setTimeout(() => {
    if (!raw.complete) tooSlow()
  }, withinMs)
  const clear = () => clearTimeout(timer)
  raw.once('end', clear)
  raw.once('close', clear)
  reply.raw.once('finish', clear)
}

/** Passes the parts of a body on. @throws REQUEST_TOO_SLOW if the next one does not arrive in time */
export async function* withinIdle(
  body: AsyncIterable<Uint8Array>,
  idleMs: number,
): AsyncGenerator<Uint8Array> {
  const parts = body[Symbol.asyncIterator]()
  const ignored = () => {}
  let fail: (error: Error) => void = ignored
  const timer = setTimeout(() => fail(tooSlow()), idleMs)
  try {
    for (;;) {
      timer.refresh()
      const { done, value } = await new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
        fail = reject
        parts.next().then(resolve, reject)
      })
      // Only the sender can be late: what is done with a part may take longer.
      fail = ignored
      if (done === true) return
      yield value
    }
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the error of a request that does not arrive in time. */
export function tooSlow(): WaybillError {
  return new WaybillError('REQUEST_TOO_SLOW', {
    fault: 'usage',
    message: 'the request did not arrive in time',
    hint: 'send it again on a faster connection',
  })
}
