import { canonicalize, sha256 } from '../document/canonical.ts'
import { defined } from '../document/defined.ts'
import { asJson } from '../document/json.ts'
import type { AgentDefinition, Tool } from '../spec/aaif/generated/agent.ts'
import type { DiscoveredTool, Discovery } from './snapshot.ts'
import type { LockedOffer, LockedTool, ToolLock } from './tool-lock.ts'

/** `moved`: the endpoint in the definition changed; `gone`: the server no longer offers the tool. */
export type PinState = 'pinned' | 'unpinned' | 'new' | 'changed' | 'moved' | 'gone'

export interface PinnedTool {
  readonly declared: string
  readonly name: string
  readonly state: PinState
  readonly before?: LockedOffer
  readonly after?: LockedOffer
}

/** Returns the SHA-256 (hex) of the canonical form of everything that a model sees of a tool. */
export function pinOf({ name, description, parameters_schema, output_schema }: DiscoveredTool): string {
  const shown = { name, description, parameters_schema, ...defined({ output_schema }) }
  return sha256(canonicalize(asJson(shown)))
}

/**
 * Returns what a pin records of the effect of a tool's calls. It is what the server or the document claims: whether a
 * claim counts is decided by the configuration of the operator.
 */
export function pinnedActs(
  found: DiscoveredTool,
): Required<Pick<LockedOffer, 'effect' | 'idempotent' | 'acts'>> {
  const { read_only, claims_read_only, idempotent, annotations = {}, method, url, binding } = found
  // Paths differ from machine to machine, and each operation of a large document is checked when it is called.
  const { document: _path, sha256: _text, file: _file, ...operation } = binding
  return {
    effect: read_only || claims_read_only === true ? 'read' : 'write',
    idempotent: idempotent || annotations.idempotentHint === true,
    acts: sha256(canonicalize(asJson(defined({ annotations, method, url, operation })))),
  }
}

/** Returns whether a tool's calls do what they did when it was pinned. */
export function actsAsPinned(offer: LockedOffer, found: DiscoveredTool): boolean {
  // An older pin does not say what was accepted: a person looks again before a call is made without a question.
  if (offer.acts === undefined) return !found.read_only && !found.idempotent
  const { effect, idempotent, acts } = pinnedActs(found)
  return offer.effect === effect && offer.idempotent === idempotent && offer.acts === acts
}

/** The comparison of one tool of a server with the lock. */
export function pinState(lock: ToolLock, declared: Tool, found: DiscoveredTool): PinState {
  const locked = own(lock.tools, declared.name)
  if (locked === undefined) return 'unpinned'
  if (locked.endpoint !== declared.endpoint) return 'moved'
  const offer = own(locked.offers, found.name)
  if (offer === undefined) return 'new'
  return offer.sha256 === pinOf(found) && actsAsPinned(offer, found) ? 'pinned' : 'changed'
}

/** Compares all tools that servers offer or offered with the lock, in the order of the definition. */
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
 * Returns the lock with the accepted changes.
 * @param accepts decides on each tool that differs from the lock
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
    // After a change of the endpoint, old entries do not apply, so tools that are not accepted are removed.
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
  return { sha256: pinOf(found), description: found.description, ...pinnedActs(found) }
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
