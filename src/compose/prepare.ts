import type { ToolModule } from '../adapters/tools/tool-module.ts'
import { defined } from '../document/defined.ts'
import { compileProgram } from '../plan/compile-program.ts'
import { inheritance } from '../plan/inherited.ts'
import { makePlan } from '../plan/make-plan.ts'
import type { OperatorSettings } from '../plan/operator-settings.ts'
import type { Plan, Program } from '../plan/plan.ts'
import { planFamily } from '../plan/plan-family.ts'
import { isFunction } from '../plan/plan-tools.ts'
import type { FunctionTraits, Snapshot, UnusedFunction } from '../plan/snapshot.ts'
import { type DefinitionSource, definitionIdentities } from '../resolve/definition-identity.ts'
import { createFindAgent } from '../resolve/find-agent.ts'
import { createFindSchema } from '../resolve/find-schema.ts'
import { resolveDefinition } from '../resolve/resolve-definition.ts'
import { type FamilyMember, type FindAgent, resolveFamily } from '../resolve/resolve-family.ts'
import { standInFor } from '../resolve/stand-in.ts'
import { lockFileOf, type PinOptions, pinNewTools } from '../resolve/tool-lock-file.ts'
import type { Secrets } from '../run/ports.ts'
import { redactedSecrets } from '../run/redacted-secrets.ts'
import { createRedactor } from '../secret/redact.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import { discoverAdded, discoverMcp, discoverOpenApi } from './discover-tools.ts'
import { addedTo, withAddedKeys } from './extensions.ts'
import { hostFacts } from './host-facts.ts'
import { guardedUrlFetch, lazily, lazyMcp, withinMs } from './lazy-network.ts'
import type { Parts } from './parts.ts'
import { planWithSecrets, SecretAnswers } from './plan-with-secrets.ts'

export interface Prepared {
  readonly program: Program
  /** The plans of all agents that may take part, including the root. */
  readonly family: readonly Plan[]
  /** The snapshot that the root's plan was made from. */
  readonly snapshot: Snapshot
  /** Identities of the agents in the home, by definition hash. */
  readonly definitions: Readonly<Record<string, string>>
  /** Pins new tools of servers, which `Places.pin` does before planning. */
  pinTools(): void
}

export interface Places extends DefinitionSource {
  /** The folder of the definition, which its files must be in. */
  readonly folder: string | undefined
  /** The folder of its sub-agents; absent: the folder of the definition. */
  readonly agents?: string | undefined
  /** Finds its sub-agents that are not named by URLs, instead of a folder. */
  readonly findAgent?: FindAgent | undefined
  /**
   * The lock file of its tools; null if it cannot have one, which the plan reports. Absent: its tools, and those of its
   * sub-agents, are not pinned.
   */
  readonly lock?: string | null | undefined
  /** Whether new tools are pinned. */
  readonly pin?: boolean | undefined
}

/** Resolves and plans a definition that has been validated, and the agents that it may call. */
export async function prepare(
  definition: AgentDefinition,
  given: Parts,
  places: Places,
  signal?: AbortSignal,
): Promise<Prepared> {
  const parts = { ...given, secrets: redactedSecrets(given.secrets, createRedactor(new Map())) }
  const added = await addedTo(parts.extensions)
  const settings = withAddedKeys(parts.settings, added.facts)
  const agents = places.agents ?? places.folder
  const find = createFindAgent({
    ...defined({ folder: agents, lookUp: places.findAgent, fetch: fetchOver(settings, parts) }),
    registries: added.registries,
  })
  const members = await resolveFamily(
    definition,
    places.folder,
    find,
    settings.rehearsal ? standInFor : undefined,
    (folder) => createFindSchema(settings.schemas, folder),
  )
  const answers = new SecretAnswers(withAssumed(parts))
  const host = await hostFacts(
    members.map((member) => member.definition),
    parts,
    added.facts,
    answers,
  )
  const functions = traitsOf(parts.tools)
  const family: Plan[] = []
  const snapshots: Snapshot[] = []
  const pinning: (() => void)[] = []
  const inherited = inheritance(members)
  // Grants for the started definition do not apply to the definitions that it references.
  const below = withoutRemembered(settings)
  const open = (granted: OperatorSettings) => ({
    settings: granted,
    fetch: fetchOver(granted, parts),
    mcp: granted.rehearsal ? undefined : lazyMcp({ ...parts, settings: granted }),
  })
  const ofRoot = open(settings)
  const ofOthers = open(below)
  try {
    for (const member of members) {
      const isRoot = family.length === 0
      const own = pinsOf(member, isRoot, places, settings)
      const { settings: granted, fetch, mcp } = isRoot ? ofRoot : ofOthers
      const snapshot = await resolveDefinition(member.definition, {
        ...defined({ folder: member.folder, fetch }),
        discover: {
          openapi: discoverOpenApi(member.folder, fetch, granted),
          ...(mcp !== undefined && { mcp: discoverMcp(mcp.open) }),
          ...(!settings.rehearsal && discoverAdded(member.folder, parts, granted)),
        },
        ...own,
        ...defined({ signal }),
        ...(parts.checkSignature !== undefined && {
          signature: parts.checkSignature(member.definition, ...placesOf(member, isRoot, places)),
        }),
        ...defined({ schemas: settings.schemas }),
        functions,
        ...(isRoot && parts.reportUnused === true && { unused: unusedOf(parts.tools, members) }),
        hooks: [...(parts.tools?.hooks.keys() ?? [])],
        subagents: member.subagents,
      })
      snapshots.push(snapshot)
      const { pins } = own
      if (pins !== undefined)
        pinning.push(() => pinNewTools(member.definition, snapshot.discovered, { ...pins, record: true }))
      family.push(
        await planWithSecrets(answers, () =>
          makePlan(snapshot, granted, host, inherited.get(member.definition_hash)),
        ),
      )
    }
  } finally {
    // Servers that were started for discovery are stopped, so that planning leaves no processes.
    await Promise.all([ofRoot.mcp?.close(), ofOthers.mcp?.close()])
  }
  const judged = planFamily(family)
  const [plan] = judged
  const [snapshot] = snapshots
  if (plan === undefined || snapshot === undefined) throw new Error('a family has a root')
  return {
    program: compileProgram(plan, judged),
    family: judged,
    snapshot,
    definitions: definitionIdentities(members, places),
    pinTools: () => {
      for (const pin of pinning) pin()
    },
  }
}

/** Returns what fetches the references of a definition; undefined in a rehearsal. */
function fetchOver(
  settings: OperatorSettings,
  { discovery }: Pick<Parts, 'discovery'>,
): typeof globalThis.fetch | undefined {
  if (settings.rehearsal) return undefined
  return withinMs(
    lazily(() => guardedUrlFetch(settings)),
    discovery?.discoverMs,
  )
}

function withAssumed({ secrets, assumed = [] }: Parts): Pick<Secrets, 'has'> {
  return { has: (name, to) => assumed.includes(name) || secrets.has(name, to) }
}

function withoutRemembered(settings: OperatorSettings): OperatorSettings {
  const { grants, secret_grants } = settings
  return {
    ...settings,
    grants: { ...grants, hosts: grants.hosts.filter(({ bound }) => bound !== true) },
    secret_grants: secret_grants.filter(({ bound }) => bound !== true),
  }
}

/** Returns the files and URLs that a definition came from, for the policy of its signature. */
function placesOf(
  { places }: FamilyMember,
  isRoot: boolean,
  { file }: Places,
): readonly (string | undefined)[] {
  return isRoot ? [file, ...places] : places
}

/** Returns the lock file of a sub-agent, next to its own definition. A rehearsal pins no tools. */
function pinsOf(
  { file }: Pick<FamilyMember, 'file'>,
  isRoot: boolean,
  { lock, pin = false }: Places,
  { rehearsal }: OperatorSettings,
): { readonly pins?: PinOptions } {
  if (lock === undefined || rehearsal) return {}
  const own = file === undefined ? null : lockFileOf(file)
  return { pins: { file: isRoot ? lock : own, record: pin } }
}

/** Returns the functions of a module that no agent of a family calls. */
function unusedOf(
  module: ToolModule | undefined,
  members: readonly FamilyMember[],
): readonly UnusedFunction[] {
  const called = new Set(
    members.flatMap(({ definition }) =>
      (definition.agent.tools ?? []).filter(isFunction).map(({ name }) => name),
    ),
  )
  return [...(module?.tools ?? [])]
    .filter(([name]) => !called.has(name))
    .map(([name, { description, parameters }]) => ({ name, ...defined({ description, parameters }) }))
}

function traitsOf(module: ToolModule | undefined): Record<string, FunctionTraits> {
  return Object.fromEntries(
    [...(module?.tools ?? [])].map(([name, tool]) => [
      name,
      {
        read_only: tool.readOnly,
        idempotent: tool.idempotent,
        ...defined({ parameters: tool.parameters }),
      },
    ]),
  )
}
