import { realpathSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { sha256OfCanonical } from '../document/canonical.ts'
import { asJson } from '../document/json.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import type { FamilyMember } from './resolve-family.ts'

/** Where the root definition came from: its file, or what the caller names its source. */
export interface DefinitionSource {
  /** Absolute path. */
  readonly file?: string | undefined
  /** Of a definition given in code. */
  readonly source?: string | undefined
}

/**
 * The identities under which a home knows the agents of a family, by definition hash. Memory, grants and secrets
 * belong to an identity: `agent_id` is only what a document claims of itself.
 *
 * - A definition from a file is its real path, so that it may be edited; links and aliases lead to the same one.
 * - A definition without a source (standard input, code) is its content.
 * - A sub-agent is known only below its root, by its file, or by its URL and content: what was given to a definition
 *   that a person starts is never inherited by one that another definition names.
 */
export function definitionIdentities(
  members: readonly FamilyMember[],
  { file, source }: DefinitionSource,
): Readonly<Record<string, string>> {
  const [root, ...others] = members
  if (root === undefined) return {}
  const own = identityOf(root.definition_hash, { file, source })
  const below = others.map((member) => [member.definition_hash, `${own} > ${subIdentity(member)}`] as const)
  return Object.fromEntries([...below, [root.definition_hash, own]])
}

/** The identity of a definition that a person starts. */
export function sourceIdentity(definition: AgentDefinition, source: DefinitionSource): string {
  return identityOf(sha256OfCanonical(asJson(definition)), source)
}

function identityOf(definition_hash: string, { file, source }: DefinitionSource): string {
  if (file !== undefined) return fileIdentity(file)
  return source === undefined ? `sha256:${definition_hash}` : `source:${source}`
}

function subIdentity({ file, url, definition_hash }: FamilyMember): string {
  if (file !== undefined) return fileIdentity(file)
  return url === undefined ? `sha256:${definition_hash}` : `${url} sha256:${definition_hash}`
}

function fileIdentity(path: string): string {
  try {
    return pathToFileURL(realpathSync(path)).href
  } catch {
    return pathToFileURL(path).href
  }
}
