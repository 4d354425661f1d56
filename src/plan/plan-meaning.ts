import { isAbsolute, relative, sep } from 'node:path'
import { sha256OfCanonical } from '../document/canonical.ts'
import { defined } from '../document/defined.ts'
import type { Json, JsonObject } from '../document/json.ts'
import { callRuleText } from '../policy/approval/call-rule.ts'
import type { HostGrant } from '../policy/endpoint-gate.ts'
import { SEALED } from '../policy/pii/sealed-value.ts'
import type { SignatureState } from '../policy/signature-policy.ts'
import type { McpServers, OperatorSettings } from './operator-settings.ts'
import type { Degradation, Plan, PlannedMemory, PlannedModel, PlannedTool } from './plan.ts'
import type { FunctionTraits } from './snapshot.ts'

/** What a person reviews of a plan: all that decides what runs may do, and nothing that depends on time or machine. */
export interface PlanMeaning {
  /** By the aliases that lead to an agent, such as `editor/writer`; the started agent is `''`. */
  readonly agents: Readonly<Record<string, JsonObject>>
  readonly operator: JsonObject
}

export interface MeaningParts {
  /** The plans of all agents that may take part, the root's first. */
  readonly family: readonly Plan[]
  readonly settings: OperatorSettings
  readonly functions: Readonly<Record<string, FunctionTraits>>
  readonly hooks: readonly string[]
  /** Rules of the home for calls that need no approval, by agent in the order of `family`. */
  readonly standing: readonly (readonly string[])[]
  /** The folder of the definition: paths are relative to it. */
  readonly folder: string | undefined
}

/** Returns the meaning of the plans of an agent and of the operator's settings for its runs. */
export function planMeaning(parts: MeaningParts): PlanMeaning {
  const { family, standing } = parts
  const [root] = family
  if (root === undefined) throw new Error('a family has a root')
  const known = new Map(family.map((plan, index) => [plan.definition_hash, { plan, index }]))
  const agents = new Map<string, JsonObject>()
  const seen = new Set<string>()
  const visit = (path: string, hash: string) => {
    const found = known.get(hash)
    // Agents may call each other in cycles; the first path names each.
    if (found === undefined || seen.has(hash)) return
    seen.add(hash)
    const rules = [...(standing[found.index] ?? [])].sort()
    agents.set(path, {
      ...agentMeaning(found.plan, parts),
      ...(rules.length > 0 && { unasked_calls: rules }),
    })
    for (const { alias, agent } of found.plan.subagents)
      if (agent !== undefined) visit(pathBelow(path, alias, agents), agent)
  }
  visit('', root.definition_hash)
  // The names come from definitions: unlike an assignment, this also keeps `__proto__`.
  return { agents: Object.fromEntries(agents), operator: operatorMeaning(parts) }
}

/** Returns a path that no other agent has, although an alias may contain any text and occur twice. */
function pathBelow(path: string, alias: string, taken: ReadonlyMap<string, unknown>): string {
  const name = alias.replaceAll('~', '~0').replaceAll('/', '~1')
  const wanted = path === '' ? name : `${path}/${name}`
  let free = wanted
  for (let n = 2; taken.has(free); n += 1) free = `${wanted}~${n}`
  return free
}

function agentMeaning(plan: Plan, { folder }: MeaningParts): JsonObject {
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

function operatorMeaning({ settings, functions, hooks, family, folder }: MeaningParts): JsonObject {
  const { grants, secret_grants, allowed_calls = [], key_bindings, telemetry, mcp_servers } = settings
  const meaning = {
    hosts: unique(grants.hosts.map(hostText)),
    denied_hosts: unique((grants.denied ?? []).map(hostText)),
    secret_grants: unique(secret_grants.map(({ name, host }) => `${name}@${host}`)),
    unasked_calls: unique(allowed_calls.map(callRuleText)),
    key_bindings: Object.fromEntries(
      Object.entries(key_bindings)
        .map(([provider, urls]): [string, readonly string[]] => [provider, unique(urls)])
        .filter(([, urls]) => urls.length > 0),
    ),
    mcp_servers: serverMeanings(family, mcp_servers, folder),
    functions: Object.fromEntries(
      Object.entries(functions).map(([name, { read_only, idempotent }]) => [name, { read_only, idempotent }]),
    ),
    hooks: unique(hooks),
    ...defined({ otlp_endpoint: telemetry?.otlp_endpoint }),
  }
  return portable(meaning, undefined) as JsonObject
}

function hostText({ host, port, ...more }: Pick<HostGrant, 'host' | 'port'> & Partial<HostGrant>): string {
  return `${host}${port === undefined ? '' : `:${port}`}${more.private === true ? ' (private addresses too)' : ''}`
}

/** Returns the servers that the plans use, each as a hash: its arguments and URL may contain credentials. */
function serverMeanings(
  family: readonly Plan[],
  servers: McpServers = {},
  folder: string | undefined,
): Record<string, string> {
  const used = new Set(family.flatMap(({ tools }) => tools.map(({ binding }) => binding?.server)))
  return Object.fromEntries(
    Object.entries(servers).flatMap(([name, { start_timeout_seconds: _time, ...server }]) =>
      used.has(name) ? [[name, sha256OfCanonical(portable(server, folder))]] : [],
    ),
  )
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort()
}

/** Makes all absolute paths relative to the folder of the definition, so that the folder can be moved. */
function portable(value: unknown, folder: string | undefined): Json {
  const { stringify, parse } = JSON
  return parse(
    stringify(value, (_, member: unknown) =>
      folder !== undefined &&
      typeof member === 'string' &&
      isAbsolute(member) &&
      member.length < 4096 &&
      !member.includes('\n')
        ? relativePath(folder, member)
        : member,
    ),
  ) as Json
}

function relativePath(folder: string, path: string): string {
  const inside = relative(folder, path).split(sep).join('/')
  return inside === '..' || inside.startsWith('../') ? path : `./${inside}`
}
