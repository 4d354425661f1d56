import { createServer, request as send } from 'node:https'
import type { TestContext } from 'node:test'

/** What happens to a message between two platforms. */
export type MessageFault =
  | 'lose request'
  | 'lose answer'
  | 'cut request'
  | 'cut answer'
  | 'repeat'
  | 'repeat at once'
  | 'repeat later'
  | 'delay'
  | 'answer 503'
  | 'hold'
  // The caller gets a refusal that the receiver did not give; the request arrives nevertheless: before, or later.
  | 'refused, arrives first'
  | 'refused, arrives later'

/** A fault that is applied to the next request that matches. */
export interface AppliedFault {
  readonly path: RegExp
  readonly method: string
  readonly fault: MessageFault
  /** Called when the request has arrived, before it is passed on. */
  readonly before?: () => Promise<unknown>
  /**
   * Of `hold`: called when the answer has arrived, before it is passed on. Of `refused, arrives later`: called before the
   * request is passed on.
   */
  readonly after?: () => Promise<unknown>
  /** Changes what is passed on. */
  readonly edit?: (body: Buffer) => Buffer
  /** Of `hold`: changes the answer. */
  readonly editAnswer?: (body: Buffer) => Buffer
}

export interface Relay {
  /** Applied to the next requests that match, one each. */
  readonly faults: AppliedFault[]
  /** Faults that were applied. */
  applied: number
  /** Awaited before a request is passed on. */
  before: (path: string, body: Buffer) => Promise<void> | void
  /** Resolves when copies that were sent later have arrived. */
  settled(): Promise<unknown>
}

/** As a proxy in front of a platform answers. */
const REFUSAL = {
  status: 413,
  type: 'application/problem+json',
  body: Buffer.from('{"code":"BODY_TOO_LARGE","detail":"the proxy does not pass it on"}'),
}

/** Ends TLS in front of a platform and passes requests on, with faults. */
export async function moveRelay(
  t: Pick<TestContext, 'after'>,
  { port, inner, tls, ca }: { port: number; inner: number; tls: { key: string; cert: string }; ca: string },
): Promise<Relay> {
  const later: Promise<unknown>[] = []
  const relay: Relay = { faults: [], applied: 0, before: () => {}, settled: () => Promise.all(later) }
  const server = createServer(tls, (incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('error', () => {})
    outgoing.on('error', () => {})
    incoming.on('end', async () => {
      const at = relay.faults.findIndex(
        ({ path, method }) => incoming.method === method && path.test(incoming.url ?? ''),
      )
      const [found] = at < 0 ? [] : relay.faults.splice(at, 1)
      if (found !== undefined) relay.applied++
      await found?.before?.()
      const arrived = Buffer.concat(chunks)
      const body = found?.edit?.(arrived) ?? arrived
      await relay.before(incoming.url ?? '', body)
      const length = incoming.headers['content-length'] === undefined ? {} : { 'content-length': body.length }
      const pass = (bytes = body): Promise<{ status: number; type: string; body: Buffer } | null> =>
        new Promise((resolve) => {
          const passed = send(
            {
              host: 'localhost',
              port: inner,
              ca,
              agent: false,
              method: incoming.method,
              path: incoming.url,
              // An answer is passed on as text.
              headers: { ...incoming.headers, ...length, 'accept-encoding': 'identity', connection: 'close' },
            },
            (answer) => {
              const parts: Buffer[] = []
              answer.on('data', (chunk: Buffer) => parts.push(chunk))
              answer.on('error', () => resolve(null))
              answer.on('end', () =>
                resolve({
                  status: answer.statusCode ?? 0,
                  type: String(answer.headers['content-type'] ?? ''),
                  body: Buffer.concat(parts),
                }),
              )
            },
          )
          passed.on('error', () => resolve(null))
          passed.write(bytes)
          // A cut request never ends.
          if (bytes === body) passed.end()
          else setTimeout(() => passed.destroy(), 20)
        })
      const cut = () => incoming.socket.destroy()
      const answer = (given: Awaited<ReturnType<typeof pass>>, isCut = false) => {
        if (given === null) return cut()
        outgoing.writeHead(given.status, { 'content-type': given.type, 'content-length': given.body.length })
        outgoing.write(isCut ? given.body.subarray(0, given.body.length >> 1) : given.body)
        if (isCut) setTimeout(cut, 20)
        else outgoing.end()
      }
      switch (found?.fault) {
        case 'lose request':
          return cut()
        case 'cut request':
          await pass(body.subarray(0, body.length >> 1))
          return cut()
        case 'lose answer':
          await pass()
          return cut()
        case 'cut answer':
          return answer(await pass(), true)
        case 'repeat':
          await pass()
          return answer(await pass())
        case 'repeat at once': {
          const [first] = await Promise.all([pass(), pass()])
          return answer(first ?? null)
        }
        case 'repeat later':
          later.push(new Promise((resolve) => setTimeout(() => resolve(pass()), 400)))
          return cut()
        case 'delay':
          await new Promise((resolve) => setTimeout(resolve, 300))
          return answer(await pass())
        case 'answer 503':
          return answer({ status: 503, type: 'text/plain', body: Buffer.from('away') })
        case 'refused, arrives first':
          await pass()
          return answer(REFUSAL)
        case 'refused, arrives later':
          later.push(Promise.resolve(found.after?.()).then(() => pass()))
          return answer(REFUSAL)
        case 'hold': {
          const given = await pass()
          await found.after?.()
          if (given === null || found.editAnswer === undefined) return answer(given)
          return answer({ ...given, body: found.editAnswer(given.body) })
        }
        default:
          return answer(await pass())
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return relay
}
