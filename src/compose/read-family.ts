import { createFindAgent } from '../resolve/find-agent.ts'
import { createFindSchema } from '../resolve/find-schema.ts'
import { type FamilyMember, readMembers } from '../resolve/read-members.ts'
import { standInFor } from '../resolve/stand-in.ts'
import { fetchOf } from './open-discovery.ts'
import type { Preparation } from './preparation.ts'

/** The first step of a preparation: reads the definitions of all agents that may take part, the root first. */
export function readFamily(preparation: Preparation): Promise<readonly FamilyMember[]> {
  const { definition, places, parts, added } = preparation
  const { settings } = parts
  const find = createFindAgent({
    folder: places.agents ?? places.folder,
    lookUp: places.findAgent,
    fetch: fetchOf(preparation, settings),
    registries: added.registries,
  })
  return readMembers(definition, {
    folder: places.folder,
    find,
    findSchema: (folder) => createFindSchema(settings.schemas, folder),
    standIn: settings.rehearsal ? standInFor : undefined,
  })
}

/** Returns whether further grants to the root cannot add a member: all agents at URLs were found. */
export function isFamilyComplete(members: readonly FamilyMember[]): boolean {
  return members.every(({ subagents }) =>
    subagents.every(({ ref, reason }) => reason === undefined || !/^https?:/i.test(ref)),
  )
}
