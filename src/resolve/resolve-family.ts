import { sha256OfCanonical } from '../document/canonical.ts'
import { defined } from '../document/defined.ts'
import { asJson, type JsonObject } from '../document/json.ts'
import type { ResolvedSubagent } from '../plan/snapshot.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'

/** Finds the definition that a reference means. */
export type FindAgent = (ref: string) => Promise<FoundAgent>

export type FoundAgent =
  | {
      readonly definition: AgentDefinition
      readonly folder?: string
      /** Absolute; absent when it did not come from a file. */
      readonly file?: string
      /** The URL that it was fetched from. */
      readonly url?: string
    }
  | { readonly reason: string }

export interface FamilyMember {
  readonly definition: AgentDefinition
  readonly definition_hash: string
  /** Where its own files and references are looked up. */
  readonly folder: string | undefined
  /** The file that it came from; absent for the root, and for what came from elsewhere. */
  readonly file?: string
  /** The URL that it was fetched from. */
  readonly url?: string
  readonly subagents: readonly ResolvedSubagent[]
}

/** A guard against definitions that grow agents without end; a real family has a handful. */
const LARGEST_FAMILY = 500

/**
 * Every agent that may take part in a run of `root`, each once, the root first. Agents may call one another in
 * circles: a definition that was met before is not followed again.
 * @param standIn what is put in the place of an agent that was not found; absent: nothing is
 */
export async function resolveFamily(
  root: AgentDefinition,
  folder: string | undefined,
  find: FindAgent,
  standIn?: (ref: string, caller: AgentDefinition) => AgentDefinition,
): Promise<readonly FamilyMember[]> {
  const members: FamilyMember[] = []
  const known = new Set<string>()
  const pending: Omit<FamilyMember, 'subagents'>[] = []
  // Each once, however often it is named: a swarm may let one agent work a thousand times.
  const summaries = new WeakMap<AgentDefinition, NonNullable<ResolvedSubagent['found']>>()
  const join = (member: Omit<FamilyMember, 'subagents' | 'definition_hash'>) => {
    const summary = summaries.get(member.definition) ?? summaryOf(member.definition)
    summaries.set(member.definition, summary)
    const { definition_hash } = summary
    if (!known.has(definition_hash)) pending.push({ ...member, definition_hash })
    known.add(definition_hash)
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
        const double = standIn?.(ref, next.definition)
        subagents.push({
          ref,
          ...at,
          reason: found.reason,
          ...(double !== undefined && {
            found: { ...join({ definition: double, folder: undefined }), doubled: true as const },
          }),
        })
        continue
      }
      const { definition, folder, file, url } = found
      subagents.push({
        ref,
        ...at,
        found: join({
          definition,
          folder,
          ...defined({ file, url }),
        }),
      })
    }
    members.push({ ...next, subagents })
  }
  return members
}

/** Declared sub-agents in their order, then what only a hand-off or the consensus names. */
function referencesOf({ agent }: AgentDefinition): { readonly ref: string; readonly index?: number }[] {
  const declared = (agent.orchestration?.subagents ?? []).map(({ ref }, index) => ({ ref, index }))
  const known = new Set((agent.orchestration?.subagents ?? []).flatMap(({ ref, alias }) => [ref, alias]))
  const others = [
    ...(agent.orchestration?.handoff ?? []).map((rule) => rule.target_agent),
    agent.orchestration?.consensus?.referee_agent,
  ].filter((ref): ref is string => ref !== undefined && !known.has(ref))
  return [...declared, ...[...new Set(others)].map((ref) => ({ ref }))]
}

function summaryOf(definition: AgentDefinition): NonNullable<ResolvedSubagent['found']> {
  const { agent } = definition
  return {
    definition_hash: hashOf(definition),
    name: agent.name,
    purpose: agent.description ?? agent.goal,
    ...defined({ role: agent.orchestration?.role }),
    ...(agent.io?.input_schema !== undefined && { input_schema: agent.io.input_schema as JsonObject }),
  }
}

function hashOf(definition: AgentDefinition): string {
  return sha256OfCanonical(asJson(definition))
}
