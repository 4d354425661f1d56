import { LLMock } from '@copilotkit/aimock'
import { type KillWorld, openKillWorld } from '../../fault/kill-world.ts'
import type { AgentCase, Player } from './case.ts'
import { type Asked, conversationOf } from './conversation.ts'

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

/** The services that outlive a killed run: the models of all agents, and the server that they write to. */
export interface AgentWorld extends Pick<KillWorld, 'writes' | 'keys' | 'arrivals'> {
  /** URL of the models. */
  readonly models: string
  /** URL of the tools. */
  readonly ledger: string
  /** Returns the last request to the model of an agent. */
  lastAsked(name: string): Asked | undefined
  /** Returns how often models were asked. */
  asked(): number
  close(): Promise<void>
}

/**
 * Starts the services.
 * @param random in [0, 1): decides the latencies
 */
export async function openAgentWorld({ players }: AgentCase, random: () => number): Promise<AgentWorld> {
  const ledger = await openKillWorld(random)
  const server = new LLMock({ port: 0, host: '127.0.0.1' })
  const last = new Map<string, Asked>()
  const broken = new Set<string>()
  let asked = 0
  const allBroken = async (names: readonly string[]) => {
    for (let tries = 0; tries < 100 && !names.every((name) => broken.has(name)); tries++) await pause(20)
    // Until they have received it.
    await pause(100)
  }
  for (const [index, [name, player]] of Object.entries(players).entries()) {
    server.addFixture({
      match: { predicate: (request) => request.model === name },
      response: async (request) => {
        asked++
        last.set(name, request as Asked)
        ledger.arrivals.arrived()
        await pause(2 + random() * 15 + (player.slowMs ?? 0))
        if (player.after !== undefined && player.after.length > 0) await allBroken(player.after)
        const answer = answerOf(player, index, request as Asked)
        if ('error' in answer) broken.add(name)
        return answer
      },
    })
  }
  const models = await server.start()
  return {
    writes: ledger.writes,
    keys: ledger.keys,
    arrivals: ledger.arrivals,
    models: `${models}/v1`,
    ledger: ledger.url,
    lastAsked: (name) => last.get(name),
    asked: () => asked,
    async close() {
      // It stops when interrupted connections have timed out; the test need not wait for that.
      void server.stop()
      await ledger.close()
    },
  }
}

/** The agent's number is the content of its write and a part of its call ids. */
function answerOf(player: Player, n: number, asked: Asked) {
  const said = player.says?.(conversationOf(asked)) ?? null
  if (said === null) return { error: { message: 'it is broken', type: 'invalid_request_error' }, status: 400 }
  if (typeof said === 'string') return { content: said, usage }
  const toolCalls = said.calls.map(([name, args], index) => ({
    id: `call_${name}_${index}_${n}`,
    name,
    arguments: JSON.stringify(name === 'write' ? { n, ...args } : args),
  }))
  return { toolCalls, usage }
}

/** A timer that keeps no process alive. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
