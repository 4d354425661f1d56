import { dirname, resolve } from 'node:path'
import { defined } from '../../document/defined.ts'
import { type Issue, WaybillError } from '../../document/issue.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { readDocument } from '../../document/read-document.ts'
import type { AgentView, ShortPlan } from '../../platform/agents/agent.ts'
import { readAll } from '../files/read-all.ts'
import { readNamedFile } from '../files/read-any-document.ts'
import type { Io } from '../io.ts'
import { plainLine } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'
import type { ServerClient } from './server-client.ts'

/** An agent on the server. */
export interface UploadedAgent {
  readonly agent_id: string
  readonly version: string
  readonly name: string
  readonly hasInputSchema: boolean
}

const MEDIA_TYPES = { json: 'application/json', yaml: 'application/yaml', cbor: 'application/cbor' } as const

/** A definition and the bytes that are uploaded. */
interface Local {
  /** The file that has these bytes; absent if they were changed. */
  readonly file?: string
  readonly value: JsonObject
  readonly bytes: Uint8Array
  readonly mediaType: string
}

/**
 * Uploads a definition and the sub-agents that it names as files, those first. Bytes that the server knows are not a new
 * version. A definition that names files is uploaded as JSON that names the ids of their agents, because the files do not
 * exist on the server. A file that differs from the version of the server is a draft: no other run uses it.
 * @param tools the option `--tools`: functions of this machine cannot run there
 * @throws FUNCTIONS_LOCAL, USAGE; errors of the server, such as VERSION_EXISTS
 */
export async function uploadAgent(
  server: ServerClient,
  file: string,
  options: { readonly tools?: string; readonly agents?: string },
  io: Io,
): Promise<UploadedAgent> {
  const { view, value } = await uploadFamily(server, file, { ...options, draft: true }, io)
  assertActive(view)
  if (view.status === 'draft')
    io.err(
      `the file differs from version ${plainLine(String(agentVersion(value)))} on the server: this run uses it as a draft (${view.digest.slice(0, 19)})\n`,
    )
  const own = isObject(value.agent) ? value.agent.io : undefined
  return {
    agent_id: view.agent_id,
    version: view.version,
    name: view.name,
    hasInputSchema: isObject(own) && own.input_schema !== undefined,
  }
}

/** Uploads a definition like {@link uploadAgent}, also one that waits for a review. */
export async function uploadDefinition(
  server: ServerClient,
  file: string,
  options: { readonly tools?: string; readonly agents?: string },
  io: Io,
): Promise<AgentView & { readonly plan?: ShortPlan | null }> {
  return (await uploadFamily(server, file, options, io)).view
}

async function uploadFamily(
  server: ServerClient,
  file: string,
  { draft, ...options }: { readonly tools?: string; readonly agents?: string; readonly draft?: boolean },
  io: Io,
): Promise<{ readonly view: AgentView; readonly value: JsonObject }> {
  const { root, family } = await collected(file, options, io)
  for (const local of family.values()) assertActive(await uploaded(server, local))
  // A sub-agent is found by its id, which leads to its active version, so only the agent itself can be a draft.
  return { view: await uploaded(server, root, draft), value: root.value }
}

/** Returns the bytes of a definition as it is uploaded, without uploading anything. @throws as {@link uploadAgent} */
export async function definitionToSend(
  file: string,
  options: { readonly tools?: string; readonly agents?: string },
  io: Io,
): Promise<{ readonly bytes: Uint8Array; readonly mediaType: string }> {
  return (await collected(file, options, io)).root
}

async function collected(
  file: string,
  { tools, agents }: { readonly tools?: string; readonly agents?: string },
  io: Io,
): Promise<{ readonly root: Local; readonly family: ReadonlyMap<string, Local> }> {
  const family = new Map<string, Local>()
  const root = await collect(file, agents, io, family, [])
  if (tools !== undefined)
    throw functionsLocal([...family.values(), root].flatMap(({ value }) => functionNames(value)))
  return { root, family }
}

function agentVersion({ agent }: JsonObject): Json | undefined {
  return isObject(agent) ? agent.version : undefined
}

function assertActive({ status, version, name, agent_id }: AgentView): void {
  if (status === 'pending')
    throw usageError(
      `version ${version} of ${name} waits for a review on the server`,
      `an author activates it: waybill agents activate ${agent_id} ${version}`,
    )
}

async function collect(
  file: string,
  agents: string | undefined,
  io: Io,
  family: Map<string, Local>,
  above: readonly string[],
): Promise<Local> {
  const path = file === '-' ? file : resolve(io.cwd, file)
  if (above.includes(path))
    throw usageError(`the sub-agents name one another in a circle: ${path}`, 'remove one of the references')
  const bytes = file === '-' ? await readAll(io.stdin) : readNamedFile(file, io, { what: 'the definition' })
  const { document: read, issues = [] } = readDocument(bytes, path === '-' ? {} : { file: path })
  const document = read?.value
  if (read === undefined || !isObject(document)) throw unreadable(file, issues[0])
  const folder = agents === undefined ? (path === '-' ? io.cwd : dirname(path)) : resolve(io.cwd, agents)
  const ids = new Map<string, string>()
  for (const ref of fileRefs(document)) {
    const child = await collect(resolve(folder, ref), undefined, io, family, [...above, path])
    family.set(resolve(folder, ref), child)
    ids.set(ref, String(child.value.agent_id))
  }
  const mediaType = MEDIA_TYPES[read.encoding as keyof typeof MEDIA_TYPES] ?? 'application/yaml'
  if (ids.size === 0) return { value: document, bytes, mediaType, ...(path !== '-' && { file }) }
  if (isObject(document.provenance) && document.provenance.signature !== undefined)
    throw usageError(
      `${file} is signed and names files: ${[...ids.keys()].join(', ')}`,
      'upload the sub-agents first, and sign a definition that names their ids',
    )
  const value = withRefs(document, ids)
  return { value, bytes: Buffer.from(JSON.stringify(value)), mediaType: 'application/json' }
}

async function uploaded(server: ServerClient, local: Local, draft = false): Promise<AgentView> {
  const path = draft ? '/v1/agents?draft=true' : '/v1/agents'
  try {
    return (await server.upload(path, local.bytes, local.mediaType)) as unknown as AgentView
  } catch (error) {
    throw inFile(error, local)
  }
}

/** Names the file in the error of an upload, as if it had been read here. */
function inFile(error: unknown, { file }: Local): unknown {
  if (!(error instanceof WaybillError) || error.details.at === undefined) return error
  const { line: _line, column: _column, ...rest } = error.details
  return new WaybillError(error.code, file === undefined ? rest : { ...error.details, file })
}

function unreadable(file: string, problem: Issue | undefined): WaybillError {
  return new WaybillError('DEFINITION_INVALID', {
    fault: 'usage',
    message: problem?.message ?? 'the file does not contain an object',
    file,
    ...defined({ line: problem?.line, column: problem?.column }),
    hint: `waybill validate ${file}`,
  })
}

/** Returns the references of sub-agents that are paths of files. */
function fileRefs(document: JsonObject): readonly string[] {
  return subagentsOf(document).flatMap(({ ref }) =>
    typeof ref === 'string' &&
    (/^\.{0,2}\//.test(ref) || /\.(json|ya?ml|cbor)$/i.test(ref)) &&
    !/^[a-z][a-z0-9+.-]*:/i.test(ref)
      ? [ref]
      : [],
  )
}

function subagentsOf({ agent }: JsonObject): readonly JsonObject[] {
  const orchestration = isObject(agent) ? agent.orchestration : undefined
  const subagents = isObject(orchestration) ? orchestration.subagents : undefined
  return Array.isArray(subagents) ? subagents.filter((one): one is JsonObject => isObject(one)) : []
}

function withRefs(document: JsonObject, ids: ReadonlyMap<string, string>): JsonObject {
  const agent = document.agent as JsonObject
  const orchestration = agent.orchestration as JsonObject
  const subagents = (orchestration.subagents as readonly Json[]).map((one) =>
    isObject(one) && typeof one.ref === 'string' && ids.has(one.ref)
      ? { ...one, ref: ids.get(one.ref) ?? '' }
      : one,
  )
  return { ...document, agent: { ...agent, orchestration: { ...orchestration, subagents } } }
}

/** Functions are tools without an endpoint, and hooks. */
function functionNames({ agent }: JsonObject): readonly string[] {
  if (!isObject(agent) || !Array.isArray(agent.tools)) return []
  return agent.tools.flatMap((tool) =>
    isObject(tool) && tool.endpoint === undefined && typeof tool.name === 'string' ? [tool.name] : [],
  )
}

function functionsLocal(names: readonly string[]): WaybillError {
  const list = names.length === 0 ? '' : `: ${names.join(', ')}`
  return new WaybillError('FUNCTIONS_LOCAL', {
    fault: 'usage',
    message: `functions of this machine cannot be used on a server${list}`,
    hint: 'the operator installs a module with `functions` in the configuration; leave --tools out, or run it here with --local',
  })
}
