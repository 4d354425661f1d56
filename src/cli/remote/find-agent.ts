import { readdirSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { WaybillError } from '../../document/issue.ts'
import { suggest } from '../../document/suggest.ts'
import type { Agents, AgentView } from '../../platform/agents/agent.ts'
import { readNamedFile } from '../files/read-any-document.ts'
import type { Io } from '../io.ts'
import { plainLine } from '../terminal/plain-text.ts'
import type { ServerClient } from './server-client.ts'

/** The agents of a server, or of the database of this machine. */
export type AgentsThere = Pick<Agents, 'list' | 'read' | 'versions' | 'activate' | 'deprecate' | 'label'>

/** How many agents with the same name an error names, and how many names are compared with a mistyped one. */
const NAMED = 10
const COMPARED = 1000

/** Returns the agents of a server. */
export function agentsAt(server: ServerClient): AgentsThere {
  const pathOf = (agent: string, rest = '') => `/v1/agents/${encodeURIComponent(agent)}${rest}`
  const queryOf = (query: object) => {
    const given = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value))
    return given.size === 0 ? '' : `?${given}`
  }
  const view = (answer: unknown) => answer as AgentView
  return {
    list: async (query) =>
      (await server.send('GET', `/v1/agents${queryOf(query)}`)) as unknown as ReturnType<Agents['list']>,
    read: async (agent, version) => view(await server.send('GET', pathOf(agent, queryOf({ version })))),
    versions: async (agent, query) =>
      (await server.send('GET', pathOf(agent, `/versions${queryOf(query)}`))) as unknown as ReturnType<
        Agents['versions']
      >,
    activate: async (agent, version) =>
      view(await server.send('POST', pathOf(agent, '/activate'), version === undefined ? {} : { version })),
    deprecate: async (agent, version) =>
      view(await server.send('POST', pathOf(agent, '/deprecate'), version === undefined ? {} : { version })),
    label: async (agent, label, version) => {
      const path = pathOf(agent, `/labels/${encodeURIComponent(label)}`)
      return view(
        version === null ? await server.send('DELETE', path) : await server.send('PUT', path, { version }),
      )
    },
  }
}

/**
 * Returns the agent with this id, else the only one with this name. Of several with the name, the only active one.
 * @throws AGENT_NOT_FOUND, AGENT_AMBIGUOUS; FILE_UNREADABLE if the text looks like the path of a file
 */
export async function findAgent(agents: AgentsThere, wanted: string, io: Io): Promise<AgentView> {
  try {
    return await agents.read(wanted)
  } catch (error) {
    if (!(error instanceof WaybillError && error.code === 'AGENT_NOT_FOUND')) throw error
  }
  const { items, next } = await agents.list({ name: wanted, limit: NAMED })
  const active = items.filter(({ status }) => status === 'active')
  const [only, ...others] = active.length > 0 ? active : items
  if (only !== undefined && others.length === 0 && next === null) return only
  if (only !== undefined) throw ambiguous(wanted, items, next !== null)
  if (isPath(wanted)) throw noFile(wanted, io)
  const known = await agents.list({ limit: COMPARED })
  throw notFound(wanted, known.items, io)
}

function ambiguous(wanted: string, agents: readonly AgentView[], more: boolean): WaybillError {
  const named = agents.map(({ agent_id, version, status }) => `${agent_id} (${version}, ${status})`)
  return new WaybillError('AGENT_AMBIGUOUS', {
    fault: 'usage',
    message: `${more ? `more than ${named.length}` : named.length} agents have the name ${plainLine(wanted, 100)}: ${plainLine(named.join(', '), 1000)}`,
    hint: 'give the id of one of them; `waybill agents list` shows all agents',
  })
}

function isPath(text: string): boolean {
  return /[/\\]/.test(text) || /\.(?:json|ya?ml|cbor)$/i.test(text)
}

/** Returns the error of a file that is not there, with the file that was probably meant. */
function noFile(file: string, io: Io): WaybillError {
  try {
    const near = suggest(basename(file), readdirSync(resolve(io.cwd, dirname(file))))
    const hint = near === undefined ? 'check the path' : `did you mean ${near}?`
    readNamedFile(file, io, { what: 'the definition', hint })
  } catch (error) {
    if (error instanceof WaybillError) return error
  }
  return new WaybillError('FILE_UNREADABLE', {
    fault: 'usage',
    file,
    message: 'there is no such file',
    hint: 'check the path',
  })
}

function notFound(wanted: string, agents: readonly AgentView[], io: Io): WaybillError {
  const near = suggest(
    wanted,
    agents.map(({ name }) => name),
  )
  const file = suggest(wanted, readdirSync(io.cwd))
  const meant = near ?? file
  return new WaybillError('AGENT_NOT_FOUND', {
    fault: 'usage',
    message: `there is no file ${plainLine(wanted, 200)} here, and the server has no agent with this id or name`,
    hint: `${meant === undefined ? '' : `did you mean ${plainLine(meant, 100)}? `}\`waybill agents list\` shows the agents of the server`,
  })
}
