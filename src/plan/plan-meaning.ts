import { defined } from '../document/defined.ts'
import type { JsonObject } from '../document/json.ts'
import { escapeStep } from '../document/json-pointer.ts'
import { SEALED } from '../policy/pii/sealed-value.ts'
import type { SignatureState } from '../policy/signature-policy.ts'
import { type OperatorParts, operatorMeaning } from './operator-meaning.ts'
import type { Degradation, Plan, PlannedMemory, PlannedModel, PlannedTool } from './plan.ts'
import { portable } from './portable.ts'

/** What a person reviews of a plan: all that decides what runs may do, and nothing that depends on time or machine. */
export interface PlanMeaning {
  /** By the aliases that lead to an agent, such as `editor/writer`; the started agent is `''`. */
  readonly agents: Readonly<Record<string, JsonObject>>
  readonly operator: JsonObject
}

export interface MeaningParts extends OperatorParts {
  /** The plans of all agents that may take part, the root's first. */
  readonly family: readonly Plan[]
  /** Rules of the home for calls that need no approval, by agent in the order of `family`. */
  readonly standing: readonly (readonly string[])[]
}

/** Returns the meaning of the plans of an agent and of the operator's settings for its runs. */
export function planMeaning(parts: MeaningParts): PlanMeaning {
  const { family, standing } = parts
  const [root] = family
  if (root === undefined) throw new Error('a family has a root')
  const known = new Map(family.map((plan, index) => [plan.definition_hash, { plan, index }]))
  // Agents may call each other in cycles, and be called by several aliases: the first path names each.
  const paths = new Map<string, string>()
  const visit = (path: string, hash: string) => {
    const found = known.get(hash)
    if (found === undefined || paths.has(hash)) return
    paths.set(hash, path)
    for (const { alias, agent } of found.plan.subagents)
      if (agent !== undefined) visit(pathBelow(path, alias, new Set(paths.values())), agent)
  }
  visit('', root.definition_hash)
  const agents = [...paths].map(([hash, path]): [string, JsonObject] => {
    const { plan, index } = known.get(hash) as { readonly plan: Plan; readonly index: number }
    const rules = [...(standing[index] ?? [])].sort()
    const meaning = agentMeaning(plan, parts, paths)
    return [path, { ...meaning, ...(rules.length > 0 && { unasked_calls: rules }) }]
  })
  // The names come from definitions: unlike an assignment, this also keeps `__proto__`.
  return { agents: Object.fromEntries(agents), operator: operatorMeaning(parts) }
}

/** Returns a path that no other agent has, although an alias may contain any text and occur twice. */
function pathBelow(path: string, alias: string, taken: ReadonlySet<string>): string {
  const name = escapeStep(alias)
  const wanted = path === '' ? name : `${path}/${name}`
  let free = wanted
  for (let n = 2; taken.has(free); n += 1) free = `${wanted}~${n}`
  return free
}

/** @param paths by definition hash, the path that names each agent */
function agentMeaning(plan: Plan, { folder }: MeaningParts, paths: ReadonlyMap<string, string>): JsonObject {
  const { v: _v, definition_hash: hash, agent_id, routing, degradations, refusals, ...most } = plan
  const { judge, signature, ...rest } = most
  const unnamed = agent_id === `unnamed:${hash.slice(0, 16)}`
  const meaning = {
    ...rest,
    ...(!unnamed && { agent_id }),
    ...(signature !== undefined && { signature: signatureMeaning(signature) }),
    models: plan.models.map(modelMeaning),
    ...defined({ routing_strategy: routing?.strategy, judge: judge && modelMeaning(judge) }),
    tools: plan.tools.map(toolMeaning),
    subagents: plan.subagents.map(({ agent, reason: _reason, ...subagent }) => ({
      ...subagent,
      found: agent !== undefined,
      // Which agent an alias leads to: several aliases may lead to the same one.
      ...(agent !== undefined && defined({ leads_to: paths.get(agent) })),
    })),
    memory: plan.memory.map(memoryMeaning),
    ...(plan.triggers !== undefined && {
      triggers: plan.triggers.map(({ reason, ...trigger }) => ({ ...trigger, works: reason === undefined })),
    }),
    not_applied: notApplied(degradations),
    refusals: refusals.map(({ code, pointer }) => `${code} ${pointer}`).sort(),
  }
  return portable(meaning, folder) as JsonObject
}

/** Prices, ranks and context windows come from data that changes without a decision of the operator. */
function modelMeaning(model: PlannedModel) {
  const {
    price: _price,
    similar: _similar,
    context_window: _window,
    quality: _quality,
    reason: _reason,
    ...meaning
  } = model
  return meaning
}

function signatureMeaning({ reason: _reason, ...meaning }: SignatureState) {
  return meaning
}

function toolMeaning(tool: PlannedTool) {
  const {
    reason: _reason,
    rule: _rule,
    claims_read_only: _claims,
    max_result_chars: _chars,
    ...meaning
  } = tool
  return meaning
}

function memoryMeaning({ reason: _reason, rule: _rule, content, ...entry }: PlannedMemory) {
  return { ...entry, content: content.replaceAll(SEALED, '[sealed]') }
}

/** The first run pins the tools of servers, so whether they are pinned is not compared. Denied tools are compared. */
const PINNING = 'AAIF-12-01'

function notApplied(degradations: readonly Degradation[]): readonly string[] {
  const kept = degradations.filter(({ path, rule }) => rule !== PINNING && !path.startsWith('/agent/tools/'))
  return [...new Set(kept.map(({ path, rule }) => `${path} ${rule}`))].sort()
}
