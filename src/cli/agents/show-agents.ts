import type { Json } from '../../document/json.ts'
import type { AgentView } from '../../platform/agents/agent.ts'
import type { Page, PageOf } from '../../run/record/records.ts'
import type { Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { findAgent } from '../remote/find-agent.ts'
import type { Tone } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { type Column, table } from '../terminal/table.ts'
import { type AgentOptions, withAgents } from './with-agents.ts'

const PAGE = 1000

/** Prints the agents (`waybill agents list`). */
export async function listAgents(options: AgentOptions, io: Io): Promise<void> {
  const items = await withAgents(options, io, ({ list }) => allOf(list))
  if (wantsJson(options)) return io.out(`${jsonText({ items } as unknown as Json)}\n`)
  if (items.length === 0)
    return io.err('no agents yet\n  next waybill agents upload FILE, or waybill run FILE\n')
  io.out(table(items, [NAME, ...COLUMNS, ID], io))
}

/** Prints the versions of an agent (`waybill agents versions`). */
export async function listVersions(agent: string, options: AgentOptions, io: Io): Promise<void> {
  const items = await withAgents(options, io, async (agents) => {
    const { agent_id } = await findAgent(agents, agent, io)
    return allOf((page) => agents.versions(agent_id, page))
  })
  if (wantsJson(options)) io.out(`${jsonText({ items } as unknown as Json)}\n`)
  else io.out(table(items, [...COLUMNS, DIGEST, UPLOADED], io))
}

/** Prints one version of an agent (`waybill agents show`). */
export async function showAgent(
  agent: string,
  version: string | undefined,
  options: AgentOptions,
  io: Io,
): Promise<void> {
  const found = await withAgents(options, io, async (agents) => {
    const view = await findAgent(agents, agent, io)
    return version === undefined ? view : agents.read(view.agent_id, version)
  })
  if (wantsJson(options)) io.out(`${jsonText(found as unknown as Json)}\n`)
  else io.out(textOf(found))
}

/** Returns an agent as lines. */
export function textOf(view: AgentView): string {
  const { agent_id, name, version, status, labels, digest, uploaded_by, created_at, issues } = view
  const rows: readonly (readonly [string, string])[] = [
    ['name', name],
    ['id', agent_id],
    ['version', `${version} (${status})`],
    ['labels', labels.join(', ')],
    ['digest', digest],
    ['uploaded', `${created_at} by ${uploaded_by}`],
    ...issues.map(({ severity, code, message }): [string, string] => [severity, `${code} ${message}`]),
  ]
  return rows
    .filter(([, text]) => text !== '')
    .map(([head, text]) => `${head.padEnd(9)} ${plainLine(text, 1000)}\n`)
    .join('')
}

/** Reads all pages. */
async function allOf(list: (page: Page) => Promise<PageOf<AgentView>>): Promise<readonly AgentView[]> {
  const items: AgentView[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await list({ limit: PAGE, ...(cursor !== undefined && { cursor }) })
    items.push(...page.items)
    if (page.next === null) return items
    cursor = page.next
  }
}

const TONES: Readonly<Record<string, Tone>> = { active: 'good', pending: 'warn' }
const NAME: Column<AgentView> = {
  head: 'name',
  text: ({ name }) => plainLine(name, 40),
  tone: () => 'strong',
}
const ID: Column<AgentView> = { head: 'id', text: ({ agent_id }) => plainLine(agent_id, 100), drop: 2 }
const COLUMNS: readonly Column<AgentView>[] = [
  { head: 'version', text: ({ version }) => plainLine(version, 40) },
  { head: 'status', text: ({ status }) => status, tone: ({ status }) => TONES[status] ?? 'plain' },
  { head: 'labels', text: ({ labels }) => plainLine(labels.join(', '), 60), drop: 1 },
]
const DIGEST: Column<AgentView> = { head: 'digest', text: ({ digest }) => digest.slice(0, 19), drop: 3 }
const UPLOADED: Column<AgentView> = {
  head: 'uploaded',
  text: ({ created_at, uploaded_by }) =>
    plainLine(`${created_at.slice(0, 16).replace('T', ' ')} by ${uploaded_by}`, 80),
  drop: 2,
}
