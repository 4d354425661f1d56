import { sha256OfCanonical } from '../document/canonical.ts'
import { defined } from '../document/defined.ts'
import { asJson, type JsonObject } from '../document/json.ts'
import type { ResolvedSubagent } from '../plan/snapshot.ts'
import type { AuditedAgent } from '../policy/audited-agent.ts'
import { bundleUserSchema, type FindSchema, noOtherSchemas } from '../schema/user-schema-bundle.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'

/** Finds the definition of a reference. */
export type FindAgent = (ref: string) => Promise<FoundAgent>

export type FoundAgent =
  | {
      readonly definition: AgentDefinition
      readonly folder?: string
      /** Absolute path; absent if it does not come from a file. */
      readonly file?: string
      /** Its source if it comes neither from a file nor from a URL; see `DefinitionSource`. */
      readonly source?: string
      /** The URL that it was fetched from. */
      readonly url?: string
      /** Where redirects led to, if they did. */
      readonly finalUrl?: string
    }
  | {
      readonly reason: string
      /** What the audit log must say about an invalid definition. */
      readonly refused?: AuditedAgent
    }

export interface FamilyMember {
  readonly definition: AgentDefinition
  readonly definition_hash: string
  /** The folder of its own files and references. */
  readonly folder: string | undefined
  /** Its file; absent for the root, and for a definition that does not come from a file. */
  readonly file?: string
  /** Its source if it comes neither from a file nor from a URL. */
  readonly source?: string
  /** The URL that it was fetched from. */
  readonly url?: string
  /** All files and URLs that it was found at; empty for a definition without a source. */
  readonly places: readonly string[]
  readonly subagents: readonly ResolvedSubagent[]
}

/** Limit against definitions with an unlimited number of agents; a real family has only a few. */
const LARGEST_FAMILY = 500

export interface MemberSources {
  /** The folder of the root's own files. */
  readonly folder: string | undefined
  readonly find: FindAgent
  /**
   * Returns a replacement for an agent that was not found, with the output schema of its caller; absent: the agent is
   * missing.
   */
  readonly standIn?: ((ref: string, outputSchema: JsonObject | undefined) => AgentDefinition) | undefined
  /** Returns, for the folder of a definition, the documents that its schemas refer to. */
  readonly findSchema?: (folder: string | undefined) => FindSchema
}

/**
 * Reads all agents that may take part in a run of `root`, each once, the root first. Agents may call each other in
 * cycles: each definition is read only once.
 */
export async function readMembers(
  root: AgentDefinition,
  { folder, find, standIn, findSchema = () => noOtherSchemas }: MemberSources,
): Promise<readonly FamilyMember[]> {
  const members: FamilyMember[] = []
  const known = new Set<string>()
  const pending: Omit<FamilyMember, 'subagents' | 'places'>[] = []
  const places = new Map<string, Set<string>>()
  // Each agent once: a swarm may reference one agent a thousand times.
  const summaries = new WeakMap<AgentDefinition, NonNullable<ResolvedSubagent['found']>>()
  const join = (
    member: Omit<FamilyMember, 'subagents' | 'definition_hash' | 'places'>,
    foundAt: readonly (string | undefined)[] = [],
  ) => {
    const summary =
      summaries.get(member.definition) ?? summaryOf(member.definition, findSchema(member.folder))
    summaries.set(member.definition, summary)
    const { definition_hash } = summary
    if (!known.has(definition_hash)) pending.push({ ...member, definition_hash })
    known.add(definition_hash)
    const before = places.get(definition_hash) ?? []
    places.set(definition_hash, new Set([...before, ...foundAt.filter((place) => place !== undefined)]))
    return summary
  }
  join({ definition: root, folder })
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const subagents: ResolvedSubagent[] = []
    for (const { ref, index } of referencesOf(next.definition)) {
      const at = index === undefined ? {} : { index }
      if (known.size >= LARGEST_FAMILY) {
        subagents.push({ ref, ...at, reason: `more than ${LARGEST_FAMILY} agents take part` })
        continue
      }
      const found = await find(ref)
      if ('reason' in found) {
        const written = next.definition.agent.io?.output_schema as JsonObject | undefined
        const double = standIn?.(ref, whole(written, findSchema(next.folder)))
        subagents.push({
          ref,
          ...at,
          reason: found.reason,
          ...defined({ refused: found.refused }),
          ...(double !== undefined && {
            found: { ...join({ definition: double, folder: undefined }), doubled: true as const },
          }),
        })
        continue
      }
      const { definition, folder, file, source, url, finalUrl } = found
      const member = { definition, folder, ...defined({ file, source, url }) }
      subagents.push({ ref, ...at, found: join(member, [file, url, finalUrl]) })
    }
    members.push({ ...next, places: [], subagents })
  }
  return members.map((member) => ({ ...member, places: [...(places.get(member.definition_hash) ?? [])] }))
}

/** Returns the declared sub-agents in order, then agents that only a hand-off or the consensus names. */
function referencesOf({ agent }: AgentDefinition): { readonly ref: string; readonly index?: number }[] {
  const declared = (agent.orchestration?.subagents ?? []).map(({ ref }, index) => ({ ref, index }))
  const known = new Set((agent.orchestration?.subagents ?? []).flatMap(({ ref, alias }) => [ref, alias]))
  const others = [
    ...(agent.orchestration?.handoff ?? []).map((rule) => rule.target_agent),
    agent.orchestration?.consensus?.referee_agent,
  ].filter((ref): ref is string => ref !== undefined && !known.has(ref))
  return [...declared, ...[...new Set(others)].map((ref) => ({ ref }))]
}

function summaryOf(definition: AgentDefinition, find: FindSchema): NonNullable<ResolvedSubagent['found']> {
  const { agent } = definition
  return {
    definition_hash: hashOf(definition),
    name: agent.name,
    purpose: agent.description ?? agent.goal,
    ...defined({ role: agent.orchestration?.role }),
    ...defined({ input_schema: whole(agent.io?.input_schema as JsonObject | undefined, find) }),
  }
}

function whole(schema: JsonObject | undefined, find: FindSchema): JsonObject | undefined {
  return schema === undefined ? undefined : bundleUserSchema(schema, find).schema
}

function hashOf(definition: AgentDefinition): string {
  return sha256OfCanonical(asJson(definition))
}
