import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Rounds of the scripted model; each makes one write, every second one also a read. */
export const ROUNDS = 6

/**
 * The services that survive the kill of a run: a model that is a pure function of the conversation, and a ledger of
 * effects.
 */
export interface KillWorld {
  readonly url: string
  /** How often each write took effect, by its number. */
  readonly writes: ReadonlyMap<number, number>
  readonly keys: ReadonlyMap<number, ReadonlySet<string>>
  readonly modelCalls: () => number
  /** Number of requests of any kind. */
  readonly arrivals: Arrivals
  close(): Promise<void>
}

/** Resolves when this many requests have arrived. */
export class Arrivals {
  #count = 0
  #waiting: { readonly at: number; readonly notify: () => void }[] = []

  arrived(): void {
    const count = ++this.#count
    for (const { at, notify } of this.#waiting) if (at === count) notify()
    this.#waiting = this.#waiting.filter(({ at }) => at > count)
  }

  /** Resolves with the n-th request from now on. */
  next(n = 1): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ at: this.#count + n, notify: resolve })
    })
  }
}

interface ChatRequest {
  readonly messages: readonly { readonly role: string }[]
}

/** @param random in [0, 1) */
export async function openKillWorld(random: () => number): Promise<KillWorld> {
  const writes = new Map<number, number>()
  const keys = new Map<number, Set<string>>()
  let modelCalls = 0
  const arrivals = new Arrivals()
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, random() * ms))

  const server: Server = createServer(async (request, response) => {
    arrivals.arrived()
    const body = JSON.parse(await text(request))
    response.setHeader('content-type', 'application/json')
    if (request.url?.endsWith('/chat/completions') === true) {
      modelCalls++
      await pause(30)
      response.end(JSON.stringify(completion(body as ChatRequest)))
      return
    }
    const { n, key } = body as { n: number; key: string }
    await pause(30)
    if (request.url === '/write') {
      writes.set(n, (writes.get(n) ?? 0) + 1)
      keys.set(n, (keys.get(n) ?? new Set()).add(key))
    }
    await pause(30)
    response.end(JSON.stringify({ done: n }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    writes,
    keys,
    modelCalls: () => modelCalls,
    arrivals,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function completion({ messages }: ChatRequest): object {
  const round = messages.filter((message) => message.role === 'assistant').length
  const call = (name: string) => ({
    id: `call_${name}_${round}`,
    type: 'function',
    function: { name, arguments: JSON.stringify({ n: round }) },
  })
  const calls = round % 2 === 0 ? [call('write'), call('read')] : [call('write')]
  const done = round >= ROUNDS
  return {
    id: `c${round}`,
    object: 'chat.completion',
    created: 0,
    model: 'm',
    choices: [
      {
        index: 0,
        finish_reason: done ? 'stop' : 'tool_calls',
        message: done
          ? { role: 'assistant', content: 'all written' }
          : { role: 'assistant', content: null, tool_calls: calls },
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  }
}

async function text(request: IncomingMessage): Promise<string> {
  let all = ''
  for await (const chunk of request) all += chunk
  return all
}
