import type { ToolModule } from '../adapters/tools/tool-module.ts'
import { defined } from '../document/defined.ts'
import { ownMember } from '../document/own-member.ts'
import { settingsBelow } from '../plan/plan-family.ts'
import { isFunction } from '../plan/plan-tools.ts'
import type { FunctionTraits, Snapshot, UnusedFunction } from '../plan/snapshot.ts'
import type { FamilyMember } from '../resolve/read-members.ts'
import { type ResolveOptions, resolveDefinition } from '../resolve/resolve-definition.ts'
import { lockFileOf, type PinOptions, pinNewTools } from '../resolve/tool-lock-file.ts'
import { type OpenedDiscovery, openDiscovery } from './open-discovery.ts'
import type { Preparation } from './preparation.ts'

/** A family with everything that its definitions reference. */
export interface ResolvedFamily {
  readonly members: readonly FamilyMember[]
  /** One of each member, in the same order. */
  readonly snapshots: readonly Snapshot[]
}

/**
 * The second step of a preparation: fetches everything that the definitions of a family reference, and discovers their
 * tools. Servers that it starts are stopped again. New tools are pinned if `Places.pin` says so.
 * @param earlier the same family before a person has granted further hosts to its root: what these cannot change is kept
 */
export async function resolveFamily(
  members: readonly FamilyMember[],
  preparation: Preparation,
  earlier?: ResolvedFamily,
): Promise<ResolvedFamily> {
  const { parts } = preparation
  const ofRoot = openDiscovery(preparation, parts.settings)
  // What other agents are granted is not fetched with the grants of the root.
  const ofOthers = openDiscovery({ ...preparation, fetched: undefined }, settingsBelow(parts.settings))
  try {
    const snapshots: Snapshot[] = []
    for (const [index, member] of members.entries()) {
      const network = index === 0 ? ofRoot : ofOthers
      snapshots.push(
        (earlier && keptOf(member, index === 0, earlier)) ??
          (await resolveDefinition(
            member.definition,
            optionsOf(member, { ...preparation, members, network, isRoot: index === 0 }),
          )),
      )
    }
    return { members, snapshots }
  } finally {
    await Promise.all([ofRoot.close(), ofOthers.close()])
  }
}

/** Writes the tools of a family that are new to their lock files, as a run with `Places.pin` does. */
export function pinFamily(
  { members, snapshots }: ResolvedFamily,
  preparation: Pick<Preparation, 'places' | 'parts'>,
): void {
  for (const [index, { definition, discovered }] of snapshots.entries()) {
    const member = members[index]
    const pins = member && pinsOf(member, index === 0, preparation)
    if (pins !== undefined) pinNewTools(definition, discovered, { ...pins, record: true })
  }
}

/** Returns the snapshot of a member that further grants to the root cannot change. */
function keptOf(member: FamilyMember, isRoot: boolean, earlier: ResolvedFamily): Snapshot | undefined {
  const known = earlier.snapshots.find(({ definition_hash: hash }) => hash === member.definition_hash)
  if (known === undefined || (isRoot && dependsOnGrants(known))) return undefined
  return { ...known, subagents: member.subagents }
}

/** A document that was fetched may name several servers, of which the grants choose one. */
function dependsOnGrants({ definition, discovered, context }: Snapshot): boolean {
  const isFixed = (name: string, protocol: string | undefined) => {
    const discovery = ownMember(discovered, name)
    return discovery === undefined || (discovery.found && protocol !== 'openapi')
  }
  return (
    context.some(({ found }) => !found) ||
    (definition.agent.tools ?? []).some(({ name, protocol }) => !isFixed(name, protocol))
  )
}

interface ResolvedWith extends Preparation {
  readonly members: readonly FamilyMember[]
  readonly network: OpenedDiscovery
  readonly isRoot: boolean
}

function optionsOf(member: FamilyMember, given: ResolvedWith): ResolveOptions {
  const { parts, network, members, isRoot, signal } = given
  const { tools, checkSignature, settings, reportUnused } = parts
  const { definition, folder, subagents } = member
  return {
    discover: network.discoverersIn(folder),
    functions: traitsOf(tools),
    hooks: [...(tools?.hooks.keys() ?? [])],
    subagents,
    folder,
    signal,
    fetch: network.fetch,
    schemas: settings.schemas,
    pins: pinsOf(member, isRoot, given),
    signature: checkSignature?.(definition, ...placesOf(member, isRoot, given)),
    unused: isRoot && reportUnused === true ? unusedOf(tools, members) : undefined,
  }
}

/** Returns the files and URLs that a definition came from, for the policy of its signature. */
function placesOf(
  { places }: FamilyMember,
  isRoot: boolean,
  { places: { file } }: Preparation,
): readonly (string | undefined)[] {
  return isRoot ? [file, ...places] : places
}

/** Returns the lock file of a definition; that of a sub-agent is next to it. A rehearsal pins no tools. */
function pinsOf(
  { file }: FamilyMember,
  isRoot: boolean,
  { places: { lock, pin = false }, parts: { settings } }: Pick<Preparation, 'places' | 'parts'>,
): PinOptions | undefined {
  if (lock === undefined || settings.rehearsal) return undefined
  const own = file === undefined ? null : lockFileOf(file)
  return { file: isRoot ? lock : own, record: pin }
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
