import { memoryRecords } from '../../adapters/records/memory/memory-records.ts'
import { defined } from '../../document/defined.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import type { Grant } from '../../run/record/grant.ts'
import type { MovedTo } from '../../run/record/moved-to.ts'
import type { KeptItem, ListedRecord, MemoryFilter, RunFilter } from '../../run/record/records.ts'
import type { Replay } from '../../run/record/run-header.ts'
import { readExportedRun } from '../../session/export-run.ts'
import type { Home } from '../../session/home.ts'
import { usageError } from '../usage-error.ts'
import type { ServerClient } from './server-client.ts'

/** How many items a page has that is only part of a list. */
const PAGE = 100

/**
 * Returns the records of the own organisation on a server, as commands read them. A run is read as its export and folded
 * here, so commands show it as they show a local one. What a server does not offer in this form is refused.
 */
export function remoteRecords(server: ServerClient): Home {
  const listed = async (runId: string): Promise<ListedRecord> =>
    recordOf((await server.send('GET', `/v1/runs/${encodeURIComponent(runId)}`)) as JsonObject)
  const load = async (runId: string) => {
    const text = await server.text(`/v1/runs/${encodeURIComponent(runId)}/record`, 'application/x-ndjson')
    const records = memoryRecords()
    await records.runs.import(readExportedRun(text, { keys: () => [] }).runs)
    return records.runs
  }
  const runs = {
    listed,
    read: async (runId: string) => (await load(runId)).read(runId),
    events: async (runId: string, after = 0) => (await load(runId)).events(runId, after),
    // A decision takes effect at once: a worker continues the run.
    decisions: async () => [],
    has: async (runId: string) => (await runs.find(runId, 1)).length > 0,
    async find(part: string, limit: number) {
      const found: string[] = []
      for await (const { run_id } of each(server, '/v1/runs', {}))
        if (
          typeof run_id === 'string' &&
          (run_id === part || run_id.startsWith(part) || run_id.endsWith(part))
        ) {
          found.push(run_id)
          if (run_id === part || found.length === limit) return run_id === part ? [run_id] : found
        }
      return found
    },
    async list(filter: RunFilter = {}, { limit = PAGE, cursor }: { limit?: number; cursor?: string } = {}) {
      if (filter.root !== undefined) return { items: await familyOf(filter.root), next: null }
      const query = {
        ...statusOf(filter),
        limit: String(Math.min(limit, PAGE)),
        ...defined({ cursor, agent_id: filter.agent_id }),
      }
      const page = (await server.send(
        'GET',
        `/v1/runs?${new URLSearchParams(query)}`,
      )) as unknown as ServerPage
      return { items: page.items.map(recordOf), next: page.next }
    },
  }
  /** The runs of sub-agents are part of the export of their root. */
  const familyOf = async (root: string): Promise<readonly ListedRecord[]> => {
    const loaded = await load(root)
    return (await loaded.list({ root }, { limit: 1000 })).items
  }
  const memory = {
    async list({ definition: _definition, ...filter }: MemoryFilter): Promise<readonly KeptItem[]> {
      const items: KeptItem[] = []
      for await (const item of each(server, '/v1/memory', defined({ ...filter }))) items.push(itemOf(item))
      return items
    },
    async forget(filter: MemoryFilter): Promise<number> {
      const query = new URLSearchParams(defined({ ...filter }) as Record<string, string>)
      const { removed } = (await server.send('DELETE', `/v1/memory?${query}`)) as JsonObject
      return Number(removed)
    },
    endSession: () => {
      throw usageError(
        'a session cannot be ended on a server',
        'forget its items: waybill memory forget --all --session ID',
      )
    },
  }
  const audit = {
    async lines(after = 0, limit = PAGE): Promise<readonly string[]> {
      const query = new URLSearchParams({ cursor: String(after), limit: String(limit) })
      if (after === 0) query.delete('cursor')
      const { items } = (await server.send('GET', `/v1/audit?${query}`)) as unknown as ServerPage
      return items.map((entry) => JSON.stringify(entry))
    },
  }
  const grants = {
    async list(): Promise<readonly Grant[]> {
      const items: Grant[] = []
      for await (const item of each(server, '/v1/rules', {})) items.push(item as unknown as Grant)
      return items
    },
  }
  // The other members of a home belong to a process that drives runs, which no command does on a server.
  return { runs, memory, audit, grants, trust: { keys: () => [] } } as unknown as Home
}

interface ServerPage {
  readonly items: readonly JsonObject[]
  readonly next: string | null
}

/** Yields the items of all pages of a list. */
export async function* each(
  server: ServerClient,
  path: string,
  filter: Readonly<Record<string, string>>,
): AsyncGenerator<JsonObject> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = new URLSearchParams({ ...filter, limit: String(PAGE), ...defined({ cursor }) })
    const page = (await server.send('GET', `${path}?${query}`)) as unknown as ServerPage
    yield* page.items
    cursor = page.next
  }
}

const STATUS: Readonly<Record<string, string>> = {
  running: 'running',
  waiting: 'awaiting_approval',
  paused: 'paused',
  completed: 'completed',
  failed: 'failed',
  refused: 'refused',
  cancelled: 'cancelled',
}

function statusOf({ status, questions }: RunFilter): Record<string, string> {
  const wanted = questions === true ? 'awaiting_approval' : status === undefined ? undefined : STATUS[status]
  return defined({ status: wanted }) as Record<string, string>
}

/** Returns where a run of a server is being moved, or was moved. An older server does not say it in lists. */
export function movedIn({ status, moved_to }: JsonObject): MovedTo {
  const { owner, run_id, receiver } = isObject(moved_to) ? moved_to : {}
  return {
    phase: status === 'moving' ? 'moving' : 'moved',
    owner: typeof owner === 'string' ? owner : 'another platform',
    run_id: typeof run_id === 'string' ? run_id : null,
    ...(receiver === 'unknown' && { receiver }),
  }
}

/** A run that waits in a queue, for a time or for a slot is one that runs. */
function recordOf(view: JsonObject): ListedRecord {
  const [status] =
    Object.entries(STATUS).find(([, shown]) => shown === view.status) ?? (['running', ''] as const)
  const text = (name: string) => (typeof view[name] === 'string' ? (view[name] as string) : undefined)
  const header = {
    v: 1 as const,
    run_id: text('run_id') ?? '',
    agent_id: text('agent_id') ?? '',
    agent_name: text('agent_name') ?? '',
    created_at: text('created_at') ?? '',
    plan_hash: '',
    rehearsal: view.rehearsal === true,
    ...(isObject(view.replay) && { replay: view.replay as unknown as Replay }),
    ...defined({ user: text('user'), session: text('session'), on_behalf_of: text('on_behalf_of') }),
  }
  return {
    run_id: header.run_id,
    header,
    status: status as ListedRecord['status'],
    ...defined({ stop_reason: text('stop_reason') }),
    seq: 1,
    questions: Array.isArray(view.waiting) ? view.waiting.length : 0,
    live: view.status !== 'interrupted',
    imported: false,
    ...((view.status === 'moving' || view.status === 'moved') && { moved: movedIn(view) }),
    created_at: Date.parse(header.created_at),
    updated_at: Date.parse(text('updated_at') ?? header.created_at),
  }
}

function itemOf(item: JsonObject): KeptItem {
  const time = (value: Json | undefined) => (typeof value === 'string' ? Date.parse(value) : null)
  return {
    ...(item as unknown as KeptItem),
    definition: typeof item.definition === 'string' ? item.definition : '',
    user: typeof item.user === 'string' ? item.user : '',
    session: typeof item.session === 'string' ? item.session : '',
    saved_at: time(item.saved_at) ?? 0,
    expires_at: time(item.expires_at),
  }
}

/** Returns the object of an answer. */
export function objectOf(value: Json): JsonObject {
  return isObject(value) ? value : {}
}
