import { type Dirent, existsSync, readdirSync } from 'node:fs'
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import { sha256OfCanonical } from '../document/canonical.ts'
import { defined } from '../document/defined.ts'
import { asJson, isObject, type Json } from '../document/json.ts'
import { messageOf } from '../document/message-of.ts'
import { readDocument } from '../document/read-document.ts'
import { readFileWithin } from '../document/read-file.ts'
import { locateInside } from '../document/read-inside.ts'
import { whyUnreadable } from '../document/why-unreadable.ts'
import { type AuditedAgent, auditedAgent } from '../policy/audited-agent.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import { parseAgentDefinition } from '../spec/aaif/parse-agent-definition.ts'
import type { FindAgent, FoundAgent } from './read-members.ts'

export interface FindAgentOptions {
  /** The folder of sub-agents; absent: sub-agents come only from granted URLs. */
  readonly folder?: string | undefined
  /** Finds agents that are not named by URLs, instead of the folder. */
  readonly lookUp?: FindAgent | undefined
  /** A fetch function that checks the grants first. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Registries whose values are also permitted (AAIF §10). */
  readonly registries?: readonly Json[] | undefined
}

type Words = Pick<FindAgentOptions, 'registries'>

/** A file that looks like a definition, and is not valid. */
interface Refused {
  readonly reason: string
  readonly refused?: AuditedAgent
  readonly agent_id?: string
  /** Real path. */
  readonly file?: string
}

type Invalid = Refused & { readonly name: string }

interface Indexed {
  readonly definition: AgentDefinition
  /** Real path. */
  readonly file: string
  /** The file name without extension; that of the link if it was found by a link. */
  readonly name: string
}

const LARGEST_BYTES = 8 * 1024 * 1024
const FETCH_TIMEOUT_MS = 15_000

/**
 * Finds sub-agents by agent_id, by relative path, by file name without extension, by agent name, or by URL, in this order
 * (AAIF §3 "Composable"). Searches only the given folder: paths and links that lead outside of it are refused.
 */
export function createFindAgent(options: FindAgentOptions): FindAgent {
  let all: readonly (Indexed | Invalid)[] | undefined
  const looked = new Map<string, Promise<FoundAgent>>()
  const look = async (ref: string): Promise<FoundAgent> => {
    if (/^https?:\/\//i.test(ref)) return fetchAgent(ref, options)
    if (options.lookUp !== undefined) return options.lookUp(ref)
    if (options.folder === undefined) return { reason: 'no folder of sub-agents is given (--agents DIR)' }
    try {
      all ??= readFolder(options.folder, options)
    } catch (error) {
      return { reason: `the folder ${options.folder} cannot be read: ${whyUnreadable(error)}` }
    }
    const index = all.filter((entry) => 'definition' in entry)
    const byId = index.filter(({ definition }) => definition.agent_id === ref)
    // One agent may exist in two encodings. Two different agents with one id are a mistake or an attack.
    if (new Set(byId.map(({ definition }) => sha256OfCanonical(asJson(definition)))).size > 1)
      return { reason: `${byId.length} definitions in the folder have this id` }
    if (byId[0] !== undefined) return found(byId[0])
    const byPath = findByPath(options.folder, ref, options)
    if (byPath !== null) return byPath
    const byName = index.filter(({ definition, name }) => name === ref || definition.agent.name === ref)
    const [only] = byName
    const files = new Set(byName.map(({ file }) => file)).size
    if (files > 1) return { reason: `${files} definitions in the folder have this name` }
    if (only !== undefined) return found(only)
    const invalid = all.find(
      (entry) => !('definition' in entry) && (entry.agent_id === ref || entry.name === ref),
    ) as Invalid | undefined
    return invalid ?? { reason: `no definition in ${options.folder} has this id, path or name` }
  }
  return (ref) => {
    const known = looked.get(ref) ?? look(ref)
    looked.set(ref, known)
    return known
  }
}

function found({ definition, file }: Indexed): FoundAgent {
  return { definition, folder: dirname(file), file }
}

function findByPath(folder: string, ref: string, words: Words): FoundAgent | null {
  const path = [ref, `${ref}.yaml`, `${ref}.yml`, `${ref}.json`].find((name) =>
    existsSync(resolve(folder, name)),
  )
  return path === undefined ? null : readAgent(folder, path, words)
}

/** @param path relative to the folder, which it must not leave */
function readAgent(
  folder: string,
  path: string,
  { registries = [] }: Words,
): Exclude<FoundAgent, { readonly reason: string }> | Refused {
  const located = locateInside(folder, path, { hidden: true, named: 'the folder of the agents' })
  if (!located.ok) return { reason: `${basename(path)} was not read: ${located.reason}` }
  const { file } = located
  let bytes: Buffer
  try {
    bytes = readFileWithin(file, LARGEST_BYTES, 'placed')
  } catch (error) {
    return { reason: `${basename(file)} was not read: ${whyUnreadable(error)}` }
  }
  try {
    return { definition: parseAgentDefinition(bytes, { file, registries }), folder: dirname(file), file }
  } catch (error) {
    const reason = `${basename(file)} is not a valid definition: ${messageOf(error)}`
    return { file, ...refusalOf(bytes, reason) }
  }
}

/** Returns why the bytes of a definition were refused. */
function refusalOf(bytes: Uint8Array, reason: string): Refused {
  const value = readDocument(bytes).document?.value
  const agent_id = value !== undefined && isObject(value) ? value.agent_id : undefined
  return {
    reason,
    ...defined({
      refused: auditedAgent(value),
      agent_id: typeof agent_id === 'string' ? agent_id : undefined,
    }),
  }
}

/**
 * Returns the files in a folder and its subfolders that are, or may be meant as, definitions. Skips other files, links to folders, and subfolders that this
 * user may not read. Throws if the folder itself cannot be read.
 */
function readFolder(root: string, words: Words, folder = root, depth = 0): readonly (Indexed | Invalid)[] {
  if (depth > 3) return []
  return entriesOf(folder, depth).flatMap((entry): readonly (Indexed | Invalid)[] => {
    const path = join(folder, entry.name)
    if (entry.isDirectory())
      return entry.name.startsWith('.') || entry.name === 'node_modules'
        ? []
        : readFolder(root, words, path, depth + 1)
    if (!/\.(json|ya?ml)$/i.test(entry.name)) return []
    const read = readAgent(root, relative(root, path), words)
    const name = basename(entry.name, extname(entry.name))
    if (!('definition' in read)) return [{ ...read, name }]
    if (read.file === undefined) return []
    return [{ definition: read.definition, file: read.file, name }]
  })
}

function entriesOf(folder: string, depth: number): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (depth > 0) return []
    throw error
  }
}

async function fetchAgent(url: string, { fetch, registries = [] }: FindAgentOptions): Promise<FoundAgent> {
  if (fetch === undefined) return { reason: 'fetching URLs is not enabled' }
  const limit = AbortSignal.timeout(FETCH_TIMEOUT_MS)
  try {
    const response = await fetch(url, {
      signal: limit,
      headers: { accept: 'application/json, application/yaml' },
    })
    if (!response.ok) return { reason: `HTTP status ${response.status}` }
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (bytes.byteLength > LARGEST_BYTES) return { reason: 'it is larger than 8 MiB' }
    const finalUrl = response.url === '' ? url : response.url
    try {
      const definition = parseAgentDefinition(bytes, { file: new URL(url).pathname, registries })
      return { definition, url, finalUrl }
    } catch (error) {
      return refusalOf(bytes, messageOf(error))
    }
  } catch (error) {
    return { reason: limit.aborted ? 'no answer within 15 s' : messageOf(error) }
  }
}
