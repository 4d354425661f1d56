import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Arrivals } from './kill-world.ts'

/** Behaviour of the server; members may be changed while it is running. */
export interface WorldChoices {
  /** Writes of an agent before its last answer; default 2. */
  rounds: (model: string) => number
  /** Latency of a model's answer, in milliseconds. */
  modelMs: number
  /** Latency of the answer to a write, in milliseconds. */
  writeMs: number
  /** Bytes that are added to the answer of each write. */
  padding: number
  /** Whether the model's answer is delayed further; checked every 10 ms. */
  holds: (model: string) => boolean
  /** Whether the answer to a write is delayed further; checked every 10 ms. */
  holdsWrite: () => boolean
}

/** Models and a service that outlive the processes under test. A model is a pure function of its conversation. */
export interface FaultWorld {
  readonly url: string
  readonly choices: WorldChoices
  /** How often each write took effect, by its name: `model/input/round`. */
  readonly writes: ReadonlyMap<string, number>
  readonly keys: ReadonlyMap<string, ReadonlySet<string>>
  /** Requests to models. */
  readonly modelCalls: () => number
  readonly arrivals: Arrivals
  /** The module with the function `write`. */
  readonly tools: string
}

export async function openFaultWorld(t: TestContext, given: Partial<WorldChoices> = {}): Promise<FaultWorld> {
  const choices: WorldChoices = {
    rounds: () => 2,
    modelMs: 2,
    writeMs: 2,
    padding: 0,
    holds: () => false,
    holdsWrite: () => false,
    ...given,
  }
  const writes = new Map<string, number>()
  const keys = new Map<string, Set<string>>()
  const arrivals = new Arrivals()
  let modelCalls = 0
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request))
    arrivals.arrived()
    response.setHeader('content-type', 'application/json')
    if (request.url?.endsWith('/chat/completions') === true) {
      modelCalls++
      while (choices.holds(body.model) && !response.destroyed) await sleep(10)
      await sleep(choices.modelMs)
      response.end(JSON.stringify(completion(body, choices.rounds(body.model))))
      return
    }
    const { n, key } = body as { n: string; key: string }
    writes.set(n, (writes.get(n) ?? 0) + 1)
    keys.set(n, (keys.get(n) ?? new Set()).add(key))
    while (choices.holdsWrite() && !response.destroyed) await sleep(10)
    await sleep(choices.writeMs)
    response.end(JSON.stringify({ done: n, padding: 'x'.repeat(choices.padding) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, choices, writes, keys, modelCalls: () => modelCalls, arrivals, tools: toolsOf(url) }
}

function toolsOf(url: string): string {
  return `
    export const tools = {
      write: async ({ n }, { idempotencyKey }) => {
        const body = JSON.stringify({ n, key: idempotencyKey })
        for (let tries = 0; ; tries++) {
          try {
            return await (await fetch('${url}/write', { method: 'POST', body })).json()
          } catch (error) {
            // No connection could be opened, so the write was not sent.
            if (error.cause?.code !== 'EMFILE' || tries === 100) throw error
            await new Promise((resolve) => setTimeout(resolve, 10))
          }
        }
      },
    }
  `
}

interface ChatRequest {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[]
}

/** The name of a write is in the arguments of its call, so the same conversation requests the same write. */
function completion({ model, messages }: ChatRequest, rounds: number): object {
  const round = messages.filter(({ role }) => role === 'assistant').length
  const input = String(messages.find(({ role }) => role === 'user')?.content)
  const call = {
    id: `call_${round}`,
    type: 'function',
    function: { name: 'write', arguments: JSON.stringify({ n: `${model}/${input}/${round}` }) },
  }
  const message =
    round >= rounds
      ? { role: 'assistant', content: `yes ${input}` }
      : { role: 'assistant', content: null, tool_calls: [call] }
  return {
    id: `c${round}`,
    object: 'chat.completion',
    created: 0,
    model,
    choices: [{ index: 0, finish_reason: round >= rounds ? 'stop' : 'tool_calls', message }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  }
}

async function text(request: IncomingMessage): Promise<string> {
  let all = ''
  for await (const chunk of request) all += chunk
  return all
}
