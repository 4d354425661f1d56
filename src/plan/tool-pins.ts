import { canonicalize, sha256 } from '../document/canonical.ts'
import { defined } from '../document/defined.ts'
import { asJson } from '../document/json.ts'
import type { AgentDefinition, Tool } from '../spec/aaif/generated/agent.ts'
import type { DiscoveredTool, Discovery } from './snapshot.ts'
import type { LockedOffer, LockedTool, ToolLock } from './tool-lock.ts'

/** `moved`: the definition's endpoint is another one; `gone`: the server no longer offers it. */
export type PinState = 'pinned' | 'unpinned' | 'new' | 'changed' | 'moved' | 'gone'

export interface PinnedTool {
  readonly declared: string
  readonly name: string
  readonly state: PinState
  readonly before?: LockedOffer
  readonly after?: LockedOffer
}

/** SHA-256 (hex) of the canonical form of all that a model is told about a tool. */
export function pinOf({ name, description, parameters_schema, output_schema }: DiscoveredTool): string {
  const told = { name, description, parameters_schema, ...defined({ output_schema }) }
  return sha256(canonicalize(asJson(told)))
}

/** How one tool that a server offers stands to what was pinned. */
export function pinState(lock: ToolLock, declared: Tool, found: DiscoveredTool): PinState {
  const locked = own(lock.tools, declared.name)
  if (locked === undefined) return 'unpinned'
  if (locked.endpoint !== declared.endpoint) return 'moved'
  const offer = own(locked.offers, found.name)
  if (offer === undefined) return 'new'
  return offer.sha256 === pinOf(found) ? 'pinned' : 'changed'
}

/** Every tool that a server offers or offered, in the order of the definition. */
export function comparePins(
  definition: AgentDefinition,
  discovered: Readonly<Record<string, Discovery>>,
  lock: ToolLock,
): readonly PinnedTool[] {
  return (definition.agent.tools ?? []).flatMap((tool): PinnedTool[] => {
    const discovery = own(discovered, tool.name)
    if (discovery?.found !== true) return []
    const offers = own(lock.tools, tool.name)?.offers ?? {}
    const here = new Set(discovery.tools.map(({ name }) => name))
    const gone = Object.keys(offers).filter((name) => !here.has(name))
    return [
      ...discovery.tools.map((found) => {
        const before = own(offers, found.name)
        return {
          declared: tool.name,
          name: found.name,
          state: pinState(lock, tool, found),
          ...defined({ before }),
          after: offerOf(found),
        }
      }),
      ...gone.map((name) => ({
        declared: tool.name,
        name,
        state: 'gone' as const,
        before: offers[name] as LockedOffer,
      })),
    ]
  })
}

/**
 * The lock with what is accepted as it is now.
 * @param accepts decides for each tool that is not as it was pinned
 */
export function acceptTools(
  definition: AgentDefinition,
  discovered: Readonly<Record<string, Discovery>>,
  lock: ToolLock,
  accepts: (tool: PinnedTool) => boolean,
): ToolLock {
  const tools: Record<string, LockedTool> = { ...lock.tools }
  const compared = comparePins(definition, discovered, lock)
  for (const { name, endpoint } of definition.agent.tools ?? []) {
    const all = compared.filter(({ declared }) => declared === name)
    const changes = all.filter(({ state }) => state !== 'pinned')
    const accepted = changes.filter(accepts)
    if (accepted.length === 0) continue
    const moved = changes.some(({ state }) => state === 'moved')
    // Behind another endpoint nothing is what it was, so what is not accepted is not kept either.
    const offers = new Map(moved ? [] : Object.entries(own(tools, name)?.offers ?? {}))
    for (const { name: offered, after } of accepted) {
      if (after === undefined) offers.delete(offered)
      else offers.set(offered, after)
    }
    const sorted = [...offers].sort(([a], [b]) => (a < b ? -1 : 1))
    tools[name] = { ...defined({ endpoint }), offers: Object.fromEntries(sorted) }
  }
  return { v: 1, tools }
}

function offerOf(found: DiscoveredTool): LockedOffer {
  return { sha256: pinOf(found), description: found.description }
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
