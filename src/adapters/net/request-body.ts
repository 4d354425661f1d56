/**
 * Returns the body of a request. Texts that come one by one are pulled when the connection takes them, so a slow receiver
 * slows down the sender. The other members are those with which fetch sends this stream itself: otherwise it sends a copy,
 * and keeps all that it has sent for a redirect or a repetition (Fetch Standard, HTTP-network-or-cache fetch). A redirect
 * rejects.
 */
export function requestBody(body: string | Uint8Array | AsyncIterable<string>): RequestInit {
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
  return { body: stream, duplex: 'half', redirect: 'error', window: null } as RequestInit
}
