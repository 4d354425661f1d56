import type { AnyCode } from '../../document/codes.ts'
import { exactText } from '../../document/exact-numbers.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import { messageOf } from '../../document/message-of.ts'
import type { MemoryScope, Plan } from '../../plan/plan.ts'
import type { Fact } from '../event.ts'
import { entriesToSearch, itemToSave, memoryAct, usableMemory } from '../kept-items.ts'
import { type Clock, HostFailure, type MemoryPort, type Recalled, ToolFailure } from '../ports.ts'
import type { AgentCall, CallEntry, MemoryItem, RunState } from '../state.ts'
import type { EffectContext } from './effect-context.ts'

interface MemoryPorts {
  readonly memory?: MemoryPort
  readonly clock: Clock
}

/** Searches the memory for the input of a turn. A failure is a warning and never ends the run. */
export async function recallForTurn({
  program: { plan },
  state,
  ports,
  signal,
}: EffectContext): Promise<Fact | null> {
  const started = ports.clock.now()
  const { input } = state
  const { items, warnings } = await reading(ports, (memory) =>
    memory.recall({
      agent_id: plan.agent_id,
      definition_hash: plan.definition_hash,
      entries: usableMemory(plan),
      held: state.memory,
      at: started,
      query: typeof input === 'string' ? input : exactText(input),
    }),
  )
  if (signal.aborted) return null
  return {
    type: 'memory.read',
    turn: state.turn,
    items,
    ...(warnings.length > 0 && { warnings }),
    latency_ms: ports.clock.now() - started,
  }
}

/**
 * Performs a call of `memory_save` or `memory_search`. Items in the run's own record are stored by the event that
 * records the answer, so nothing is done for them here.
 * @throws ToolFailure, HostFailure
 */
export async function callMemory(
  call: CallEntry,
  { program: { plan, tool }, state, ports }: EffectContext,
): Promise<Json> {
  const at = ports.clock.now()
  const { agent_id, definition_hash } = plan
  try {
    if (memoryAct(tool.get(call.tool)) === 'save') {
      const { entry, item } = itemToSave(plan, call.args, at)
      if (entry.kept_in !== 'in_memory')
        await present(ports).save({
          agent_id,
          definition_hash,
          entry,
          item,
          call_key: call.key,
          run_id: state.run_id,
        })
      return { saved: item.key, scope: item.scope }
    }
    const entries = entriesToSearch(plan, call.args)
    const query = String(call.args.query)
    const found = await present(ports).recall({
      agent_id,
      definition_hash,
      entries,
      held: state.memory,
      at,
      query,
    })
    return searchResult(found)
  } catch (error) {
    if (error instanceof HostFailure) throw error
    const { code, message } = warningOf(error)
    // The same key prevents a second try from counting twice.
    throw new ToolFailure(code, message, 'answered')
  }
}

function searchResult({ items, warnings }: Recalled): JsonObject {
  return {
    items: items.map(({ scope, key, content }) => ({ scope, key, content })),
    ...(warnings.length > 0 && { warnings: warnings.map(({ code, message }) => `${code}: ${message}`) }),
  }
}

/** If a key exists in several scopes, the narrowest scope is used. */
const NARROWEST_FIRST: readonly MemoryScope[] = ['task', 'session', 'user', 'long_term']

/**
 * Returns the memory items that a parent passes to a sub-agent (AAIF §4.3): the listed keys, or in a hand-off the
 * items of permanent scopes.
 */
export async function memoryToPass(
  plan: Plan,
  state: RunState,
  passed: NonNullable<AgentCall['memory']>,
  ports: MemoryPorts,
): Promise<Recalled> {
  const longTerm = passed.type === 'long_term'
  const { items, warnings } = await reading(ports, (memory) =>
    memory.collect({
      agent_id: plan.agent_id,
      definition_hash: plan.definition_hash,
      entries: usableMemory(plan).filter(({ scope }) => !longTerm || scope === 'long_term'),
      held: state.memory.filter(({ scope }) => !longTerm || scope === 'long_term'),
      at: ports.clock.now(),
      ...(passed.type === 'keys' && { keys: passed.keys }),
    }),
  )
  const byKey = new Map<string, MemoryItem>()
  for (const scope of NARROWEST_FIRST)
    for (const item of items) if (item.scope === scope && !byKey.has(item.key)) byKey.set(item.key, item)
  return { items: [...byKey.values()], warnings }
}

async function reading(
  ports: MemoryPorts,
  read: (memory: MemoryPort) => Promise<Recalled>,
): Promise<Recalled> {
  try {
    return await read(present(ports))
  } catch (error) {
    if (error instanceof HostFailure) throw error
    return { items: [], warnings: [warningOf(error)] }
  }
}

function present({ memory }: MemoryPorts): MemoryPort {
  if (memory !== undefined) return memory
  throw new ToolFailure('MEMORY_UNAVAILABLE', 'this host gives runs no memory', 'unsent')
}

function warningOf(error: unknown): { readonly code: AnyCode; readonly message: string } {
  const code = (error as { readonly code?: AnyCode } | null)?.code
  const known = typeof code === 'string' && /^MEMORY_[A-Z_]+$/.test(code)
  const hint = (error as { readonly details?: { readonly hint?: string } }).details?.hint
  const message = messageOf(error)
  return {
    code: known ? code : 'MEMORY_FAILED',
    message: hint === undefined ? message : `${message}; ${hint}`,
  }
}
