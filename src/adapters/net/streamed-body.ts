/**
 * Returns the body of a request that is pulled when the connection takes it, so a slow receiver slows down the sender.
 * The other members are those with which fetch sends the stream itself: otherwise it sends a copy, and keeps all that it
 * has sent for a redirect or a repetition (Fetch Standard, HTTP-network-or-cache fetch). A redirect rejects.
 */
export function streamedBody(texts: AsyncIterable<string>): RequestInit {
  const iterator = texts[Symbol.asyncIterator]()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done === true) controller.close()
      else controller.enqueue(Buffer.from(value))
    },
    async cancel() {
      await iterator.return?.()
    },
  })
  return { body, duplex: 'half', redirect: 'error', window: null } as RequestInit
}
