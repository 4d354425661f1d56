import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { sha256OfCanonical } from '../document/canonical.ts'
import { asJson, type Json } from '../document/json.ts'
import { messageOf } from '../document/message-of.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import { parseAgentDefinition } from '../spec/aaif/parse-agent-definition.ts'
import type { FindAgent, FoundAgent } from './resolve-family.ts'

export interface FindAgentOptions {
  /** The folder of sub-agents; absent: sub-agents come only from granted URLs. */
  readonly folder?: string
  /** A fetch function that checks the grants first. */
  readonly fetch?: typeof fetch
  /** Registries whose values are also permitted (AAIF §10). */
  readonly registries?: readonly Json[]
}

type Words = Pick<FindAgentOptions, 'registries'>

interface Indexed {
  readonly definition: AgentDefinition
  readonly file: string
}

const LARGEST_BYTES = 8 * 1024 * 1024
const FETCH_TIMEOUT_MS = 15_000

/**
 * Finds sub-agents by agent_id, by relative path, by file name without extension, by agent name, or by URL, in this order
 * (AAIF §3 "Composable"). Searches only the given folder; a path outside of it is refused.
 */
export function createFindAgent(options: FindAgentOptions): FindAgent {
  let index: readonly Indexed[] | undefined
  const looked = new Map<string, Promise<FoundAgent>>()
  const look = async (ref: string): Promise<FoundAgent> => {
    if (/^https?:\/\//i.test(ref)) return fetchAgent(ref, options)
    if (options.folder === undefined) return { reason: 'no folder of sub-agents is given (--agents DIR)' }
    index ??= readFolder(options.folder, options)
    const byId = index.filter(({ definition }) => definition.agent_id === ref)
    // One agent may exist in two encodings. Two different agents with one id are a mistake or an attack.
    if (new Set(byId.map(({ definition }) => sha256OfCanonical(asJson(definition)))).size > 1)
      return { reason: `${byId.length} definitions in the folder have this id` }
    if (byId[0] !== undefined) return found(byId[0])
    const byPath = findByPath(options.folder, ref, options)
    if (byPath !== null) return byPath
    const byName = index.filter(
      ({ definition, file }) => basename(file, extname(file)) === ref || definition.agent.name === ref,
    )
    const [only] = byName
    if (byName.length > 1) return { reason: `${byName.length} definitions in the folder have this name` }
    return only === undefined
      ? { reason: `no definition in ${options.folder} has this id, path or name` }
      : found(only)
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
  const root = realpathSync(folder)
  const candidate = [ref, `${ref}.yaml`, `${ref}.yml`, `${ref}.json`]
    .map((path) => resolve(root, path))
    .find((path) => existsSync(path))
  if (candidate === undefined) return null
  const file = realpathSync(candidate)
  const inside = relative(root, file)
  if (inside.startsWith(`..${sep}`) || inside === '..' || isAbsolute(inside)) {
    return { reason: 'it is outside the folder of the agents' }
  }
  return readAgent(file, words)
}

function readAgent(file: string, { registries = [] }: Words): FoundAgent {
  try {
    return {
      definition: parseAgentDefinition(readFileSync(file), { file, registries }),
      folder: dirname(file),
      file,
    }
  } catch (error) {
    return { reason: `${basename(file)} is not a valid definition: ${messageOf(error)}` }
  }
}

/** Returns the definitions in a folder and its subfolders. Skips other files. */
function readFolder(folder: string, words: Words, depth = 0): readonly Indexed[] {
  if (depth > 3) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry): readonly Indexed[] => {
    const path = join(folder, entry.name)
    if (entry.isDirectory())
      return entry.name.startsWith('.') || entry.name === 'node_modules'
        ? []
        : readFolder(path, words, depth + 1)
    if (!/\.(json|ya?ml)$/i.test(entry.name)) return []
    const read = readAgent(path, words)
    return 'definition' in read ? [{ definition: read.definition, file: path }] : []
  })
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
    return { definition: parseAgentDefinition(bytes, { file: new URL(url).pathname, registries }), url }
  } catch (error) {
    return { reason: limit.aborted ? 'no answer within 15 s' : messageOf(error) }
  }
}
