import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Rounds of the scripted model; each makes one write, every second one also a read. */
export const ROUNDS = 6

/** The world that survives when a run is killed: a model that is a pure function of the conversation, and a ledger of effects. */
export interface KillWorld {
  readonly url: string
  /** How often each write took effect, by its number. */
  readonly writes: ReadonlyMap<number, number>
  readonly keys: ReadonlyMap<number, ReadonlySet<string>>
  readonly modelCalls: () => number
  /** Resolves with the next request that arrives. */
  nextRequest(): Promise<void>
  close(): Promise<void>
}

export interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[]
}

/**
 * @param random in [0, 1)
 * @param answer what the model says; of the conversation alone, so that it can be asked again
 */
export async function openKillWorld(
  random: () => number,
  answer: (request: ChatRequest) => object = completion,
): Promise<KillWorld> {
  const writes = new Map<number, number>()
  const keys = new Map<number, Set<string>>()
  let modelCalls = 0
  let arrived: (() => void)[] = []
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, random() * ms))

  const server: Server = createServer(async (request, response) => {
    const waiting = arrived
    arrived = []
    for (const tell of waiting) tell()
    const body = JSON.parse(await text(request))
    response.setHeader('content-type', 'application/json')
    if (request.url?.endsWith('/chat/completions') === true) {
      modelCalls++
      await pause(30)
      response.end(JSON.stringify(answer(body as ChatRequest)))
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
    nextRequest: () =>
      new Promise((resolve) => {
        arrived.push(resolve)
      }),
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
  return chatAnswer(round, round >= ROUNDS ? 'all written' : calls)
}

/** @param says a final text, or calls */
export function chatAnswer(round: number, says: string | readonly object[]): object {
  const done = typeof says === 'string'
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
          ? { role: 'assistant', content: says }
          : { role: 'assistant', content: null, tool_calls: says },
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
