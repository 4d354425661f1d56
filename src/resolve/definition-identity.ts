import { realpathSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { sha256OfCanonical } from '../document/canonical.ts'
import { asJson } from '../document/json.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import type { FamilyMember } from './read-members.ts'

/** The source of the root definition: its file, or the source that the caller gives. */
export interface DefinitionSource {
  /** Absolute path. */
  readonly file?: string | undefined
  /** The real path that was read; absent: that of `file` now, which may have been replaced since then. */
  readonly real?: string | undefined
  /** The source of a definition given in code. */
  readonly source?: string | undefined
}

/**
 * Returns the identities of the agents of a family in the home, by definition hash. Memory, grants and secrets belong to
 * an identity, because `agent_id` is only a claim of the document.
 *
 * - The identity of a file is its real path, so that the file may be edited; links have the same identity.
 * - The identity of a definition without a source (standard input, code) is its content.
 * - A sub-agent has an identity only below its root: its file, its source, or its URL and content. So grants to a definition that a
 *   person starts never apply when another definition references it.
 */
export function definitionIdentities(
  members: readonly FamilyMember[],
  source: DefinitionSource,
): Readonly<Record<string, string>> {
  const [root, ...others] = members
  if (root === undefined) return {}
  const own = identityOf(root.definition_hash, source)
  const below = others.map((member) => [member.definition_hash, `${own} > ${subIdentity(member)}`] as const)
  return Object.fromEntries([...below, [root.definition_hash, own]])
}

/** Returns the identity of a definition that a person starts. */
export function sourceIdentity(definition: AgentDefinition, source: DefinitionSource): string {
  return identityOf(sha256OfCanonical(asJson(definition)), source)
}

function identityOf(definition_hash: string, { file, real, source }: DefinitionSource): string {
  if (real !== undefined) return pathToFileURL(real).href
  if (file !== undefined) return fileIdentity(file)
  return source === undefined ? `sha256:${definition_hash}` : givenIdentity(source)
}

/** Escaped, so that a source cannot look like a sub-agent below another source. */
function givenIdentity(source: string): string {
  return `source:${source.replaceAll(/[%>]/g, encodeURIComponent)}`
}

function subIdentity({ file, source, url, definition_hash }: FamilyMember): string {
  if (file !== undefined) return fileIdentity(file)
  if (source !== undefined) return givenIdentity(source)
  return url === undefined
    ? `sha256:${definition_hash}`
    : `${URL.parse(url)?.href ?? url} sha256:${definition_hash}`
}

function fileIdentity(path: string): string {
  try {
    return pathToFileURL(realpathSync(path)).href
  } catch {
    return pathToFileURL(path).href
  }
}
