import { defined } from '../../document/defined.ts'
import type { Erasure, TenantRemoval } from '../../platform/removal/removal.ts'
import * as routes from '../../platform/removal/routes.ts'
import { type Io, isInteractive } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { type OnPlatformOptions, onPlatform } from '../remote/on-platform.ts'
import type { ServerClient } from '../remote/server-client.ts'
import { count } from '../terminal/amounts.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'

interface EraseOptions extends OnPlatformOptions, FormatOptions {
  readonly list?: boolean
  readonly yes?: boolean
  readonly json?: boolean
}

/** Erases the data of a user, or lists the erasures (`waybill erase`). */
export async function erase(user: string | undefined, options: EraseOptions, io: Io): Promise<void> {
  if ((user === undefined) !== (options.list === true))
    throw usageError('give either a user or --list', '`waybill erase USER`, or `waybill erase --list`')
  if (user === undefined) return listErasures(options, io)
  if (options.yes !== true) await confirm(user, options, io)
  const erasure = await withRemoval(options, io, (removal) => removal.erase(user))
  if (wantsJson(options)) io.out(`${jsonText({ ...erasure })}\n`)
  else
    io.err(
      `requested: erasure ${erasure.id}; a worker removes the data, and \`waybill erase --list\` shows how far it is\n`,
    )
}

async function listErasures(options: EraseOptions, io: Io): Promise<void> {
  const items: Erasure[] = []
  await withRemoval(options, io, async (removal) => {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await removal.erasures(defined({ cursor }))
      items.push(...page.items)
      cursor = page.next
    }
  })
  if (wantsJson(options)) return io.out(`${jsonText({ items })}\n`)
  if (items.length === 0) return io.err('no erasures\n')
  for (const erasure of items) io.out(`${lineOf(erasure)}\n`)
}

/** The digest names a user whose data is removed. */
function lineOf({ id, user, subject, state, runs, items, requested_by, requested_at }: Erasure): string {
  const amounts = `${count(runs, 'run')}, ${count(items, 'memory item')}`
  const whose = user ?? `subject ${subject.slice(0, 12)}`
  const asked = `requested ${requested_at} by ${requested_by}`
  return [id, whose, STATES[state], amounts, asked].map((part) => plainLine(part, 100)).join('  ')
}

const STATES: Readonly<Record<Erasure['state'], string>> = {
  pending: 'pending',
  removed: 'removed; still in older backups until the next one is taken',
  complete: 'complete',
}

async function confirm(user: string, options: EraseOptions, io: Io): Promise<void> {
  if (!isInteractive(io, wantsJson(options)))
    throw usageError('erasing the data of a user needs a confirmation', 'add --yes')
  const { confirmDeliberately } = await import('../terminal/choose-deliberately.ts')
  const message = `Erase all runs, sessions and memory of ${plainLine(user, 200)} for good?`
  if (await confirmDeliberately(message, io)) return
  throw usageError('nothing was erased', 'confirm with yes, or add --yes')
}

function withRemoval<T>(
  options: EraseOptions,
  io: Io,
  act: (removal: Pick<TenantRemoval, 'erase' | 'erasures'>) => Promise<T>,
): Promise<T> {
  return onPlatform(
    options,
    io,
    (server, org) => {
      if (org !== undefined)
        throw usageError(
          'a server erases in the organisation of the token',
          'leave --org out, and log in as an admin of it',
        )
      return act(removalAt(server))
    },
    async (tenant, org) => act(await tenant.removal(org)),
  )
}

function removalAt(server: ServerClient): Pick<TenantRemoval, 'erase' | 'erasures'> {
  return {
    erase: (user) => server.call(routes.eraseUser, { params: {}, body: { user } }),
    erasures: (query) => server.call(routes.listErasures, { params: {}, query }),
  }
}
