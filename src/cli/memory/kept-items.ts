import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { KeptItem } from '../../run/record/records.ts'
import { shownItem } from '../../run/record/shown-item.ts'
import type { Home } from '../../session/home.ts'
import { type Io, isInteractive } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { type PlaceOptions, placeName, withRecords } from '../remote/with-records.ts'
import { count } from '../terminal/amounts.ts'
import { jsonText, plainLine, plainText } from '../terminal/plain-text.ts'
import { table } from '../terminal/table.ts'
import { usageError } from '../usage-error.ts'

interface Options extends PlaceOptions {
  readonly agent?: string
  readonly user?: string
  readonly session?: string
  readonly json?: boolean
  readonly format?: string
}

/** Prints the memory items (`waybill memory list`). */
export async function listItems(options: Options, io: Io): Promise<void> {
  const json = wantsJson(options)
  const { items, names } = await withRecords(options, io, async (records) => {
    const kept = await records.memory.list(filterOf(options), Date.now())
    return { items: kept, names: json ? new Map<string, string>() : await agentNames(records, kept) }
  })
  if (json) return io.out(`${jsonText({ items: items.map(jsonOf) })}\n`)
  if (items.length === 0) return io.err(`no memory items in ${placeName(options, io)}\n`)
  io.out(
    table(
      items,
      [
        { head: 'key', text: ({ key }) => plainLine(key, 60), tone: () => 'strong' },
        { head: 'agent', text: ({ agent_id }) => plainLine(names.get(agent_id) ?? agent_id, 40), drop: 2 },
        { head: 'scope', text: ({ scope }) => plainLine(scope, 20), drop: 3 },
        { head: 'owner', text: (item) => plainLine(ownerOf(item), 60), drop: 1 },
        { head: 'content', text: ({ content }) => plainLine(content, 200) },
      ],
      io,
    ),
  )
}

/** Prints one memory item with its content (`waybill memory show`). */
export async function showItem(key: string, options: Options, io: Io): Promise<void> {
  const items = await itemsOf({ ...options, key }, io)
  const [item] = items
  if (item === undefined) throw notFound(key)
  if (items.length > 1) throw ambiguous(items)
  if (wantsJson(options)) return io.out(`${jsonText(jsonOf(item))}\n`)
  io.err(`${lineOf(item)}\n`)
  io.out(`${plainText(item.content)}\n`)
}

const FORGET_HINT = 'waybill memory forget KEY, or waybill memory forget --all --user ID'

/** Deletes memory items (`waybill memory forget`). */
export async function forgetItems(
  key: string | undefined,
  options: Options & { readonly all?: boolean },
  io: Io,
): Promise<void> {
  const { agent, user, session, all } = options
  if ((key === undefined) === (all !== true)) throw usageError('give either a key or --all', FORGET_HINT)
  if (all === true && agent === undefined && user === undefined && session === undefined)
    throw usageError('--all needs --agent, --user or --session', FORGET_HINT)
  const forgotten = await withRecords(options, io, async ({ memory }) => {
    const filter = filterOf({ ...options, key })
    const items = key === undefined ? [] : await memory.list(filter, Date.now())
    if (ownersOf(items) > 1) await confirmSeveral(items, options, io)
    return memory.forget(filter)
  })
  if (forgotten === 0 && key !== undefined) throw notFound(key)
  if (wantsJson(options)) return io.out(`${jsonText({ forgotten })}\n`)
  io.err(`${count(forgotten, 'memory item')} deleted\n`)
}

/** Returns how many agents, users and sessions own the items. */
function ownersOf(items: readonly KeptItem[]): number {
  return new Set(
    items.map(({ definition, agent_id, scope, user, session }) =>
      JSON.stringify([definition, agent_id, scope, user, session]),
    ),
  ).size
}

/**
 * Asks a person at the terminal whether to delete the items of several owners.
 * @throws MEMORY_AMBIGUOUS without a terminal, INTERRUPTED if the answer is not yes
 */
async function confirmSeveral(items: readonly KeptItem[], options: Options, io: Io): Promise<void> {
  if (!isInteractive(io, wantsJson(options))) throw ambiguous(items)
  for (const item of items) io.err(`${lineOf(item)}\n`)
  const { confirmDeliberately } = await import('../terminal/choose-deliberately.ts')
  const message = `Delete all ${count(items.length, 'memory item')}, of ${ownersOf(items)} owners?`
  if (await confirmDeliberately(message, io)) return
  throw new WaybillError('INTERRUPTED', { message: 'nothing was deleted', hint: narrowingHint(items) })
}

function ambiguous(items: readonly KeptItem[]): WaybillError {
  return new WaybillError('MEMORY_AMBIGUOUS', {
    fault: 'usage',
    message: `${items.length} items have the key ${items[0]?.key}:\n  ${items.map(lineOf).join('\n  ')}`,
    hint: narrowingHint(items),
  })
}

/** Names the options that tell the items apart. */
function narrowingHint(items: readonly KeptItem[]): string {
  const differ = (value: (item: KeptItem) => string) => new Set(items.map(value)).size > 1
  const flags = [
    ...(differ(({ agent_id }) => agent_id) ? ['--agent'] : []),
    ...(differ(({ user }) => user) ? ['--user'] : []),
    ...(differ(({ session }) => session) ? ['--session'] : []),
  ]
  return `select one with ${flags.length === 0 ? '--agent, --user or --session' : flags.join(' and ')}`
}

/** Ends a session: deletes its memory items (`waybill memory end-session`). */
export async function endSession(session: string, options: Options, io: Io): Promise<void> {
  const forgotten = await withRecords(options, io, ({ memory }) =>
    memory.endSession(session, filterOf(options)),
  )
  if (wantsJson(options)) return io.out(`${jsonText({ session, forgotten })}\n`)
  io.err(`session ended: ${count(forgotten, 'memory item')} deleted\n`)
}

async function itemsOf(options: Options & { readonly key?: string }, io: Io): Promise<readonly KeptItem[]> {
  return withRecords(options, io, ({ memory }) => memory.list(filterOf(options), Date.now()))
}

function filterOf({
  agent,
  user,
  session,
  key,
}: {
  readonly agent?: string
  readonly user?: string
  readonly session?: string
  readonly key?: string | undefined
}) {
  return defined({ agent_id: agent, user, session, key })
}

function jsonOf(item: KeptItem) {
  return { definition: item.definition, ...shownItem(item) }
}

function lineOf({ agent_id, scope, user, session, key, content }: KeptItem): string {
  const owner = ownerOf({ user, session })
  const whose = owner === '' ? scope : `${scope} ${owner}`
  return [agent_id, whose, key, content].map((part) => plainLine(part, 60)).join('  ')
}

function ownerOf({ user, session }: Pick<KeptItem, 'user' | 'session'>): string {
  return [user, session].filter((part) => part !== '').join('/')
}

/** Returns the names of the agents of items, from their newest runs. */
async function agentNames(
  { runs }: Pick<Home, 'runs'>,
  items: readonly KeptItem[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for (const agent_id of new Set(items.map((item) => item.agent_id))) {
    const [newest] = (await runs.list({ agent_id }, { limit: 1 })).items
    if (newest?.header?.agent_id === agent_id) names.set(agent_id, newest.header.agent_name)
  }
  return names
}

function notFound(key: string): WaybillError {
  return new WaybillError('MEMORY_NOT_FOUND', {
    fault: 'usage',
    message: `no memory item has the key ${key}`,
    hint: '`waybill memory list` shows the keys',
  })
}
