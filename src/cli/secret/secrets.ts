import { defined } from '../../document/defined.ts'
import * as routes from '../../platform/secrets/routes.ts'
import type { SecretView, TenantSecrets } from '../../platform/secrets/secret.ts'
import type { PageOf } from '../../run/record/records.ts'
import { readAll } from '../files/read-all.ts'
import { utf8Text } from '../files/utf8-text.ts'
import { type Io, isInteractive } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import type { PlatformCommandOptions } from '../platform/platform-options.ts'
import { type OnPlatformOptions, onPlatform, withOpened } from '../remote/on-platform.ts'
import type { ServerClient } from '../remote/server-client.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { table } from '../terminal/table.ts'
import { usageError } from '../usage-error.ts'

interface SecretOptions extends OnPlatformOptions, FormatOptions {
  readonly json?: boolean
}

const NEEDED = 'pipe it in, for example `waybill secret set NAME --host HOST < key-file`'

/** Sets a secret (`waybill secret set`). */
export async function setSecret(
  name: string,
  options: SecretOptions & { readonly host: readonly string[] },
  io: Io,
): Promise<void> {
  // Not repeated in the error: it may be the value.
  if (!/^[A-Za-z_]\w{0,127}$/.test(name))
    throw usageError(
      'the name of a secret has letters, digits and `_`, at most 128, and does not begin with a digit',
      'write the name that definitions refer to, such as CRM_KEY; the value is read from standard input',
    )
  const value = await readValue(name, options, io)
  const view = await withSecrets(options, io, (secrets) => secrets.set(name, { value, hosts: options.host }))
  if (wantsJson(options)) io.out(`${jsonText({ ...view })}\n`)
  else io.err(`set: ${plainLine(name)}, for ${view.hosts.map((host) => plainLine(host)).join(', ')}\n`)
}

/** Prints the names, hosts and times of the secrets (`waybill secret list`). */
export async function listSecrets(options: SecretOptions, io: Io): Promise<void> {
  const items: SecretView[] = []
  await withSecrets(options, io, async (secrets) => {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: PageOf<SecretView> = await secrets.list(defined({ cursor, limit: 100 }))
      items.push(...page.items)
      cursor = page.next
    }
  })
  if (wantsJson(options)) return io.out(`${jsonText({ items })}\n`)
  if (items.length === 0) return io.err('no secrets\n')
  io.out(
    table(
      items,
      [
        { head: 'name', text: ({ name }) => plainLine(name, 128), tone: () => 'strong' },
        { head: 'used', text: ({ used_at }) => used_at ?? 'never', drop: 2 },
        { head: 'set', text: ({ set_at, set_by }) => plainLine(`${set_at} by ${set_by}`, 100), drop: 1 },
        { head: 'hosts', text: ({ hosts }) => plainLine(hosts.join(','), 300) },
      ],
      io,
    ),
  )
}

/** Removes a secret (`waybill secret remove`). */
export async function removeSecret(name: string, options: SecretOptions, io: Io): Promise<void> {
  await withSecrets(options, io, (secrets) => secrets.remove(name))
  if (wantsJson(options)) io.out(`${jsonText({ name })}\n`)
  else io.err(`removed: ${plainLine(name)}\n`)
}

/** Exchanges the key of the installation (`waybill secret rotate`). */
export async function rotateKey(options: PlatformCommandOptions & FormatOptions, io: Io): Promise<void> {
  const { key_id, keys } = await withOpened(options, io, (opened) => opened.rotateSecrets('admin'))
  if (wantsJson(options)) io.out(`${jsonText({ key_id, keys })}\n`)
  else
    io.err(
      `rotated: the key ${key_id} protects the secrets of ${keys} organisations; copy keys/secrets/ to the other machines\n`,
    )
}

async function readValue(name: string, options: FormatOptions, io: Io): Promise<string> {
  if (io.stdin.isTTY !== true) return checked(utf8Text(await readAll(io.stdin), '-', 'the value'))
  if (!isInteractive(io, wantsJson(options))) throw usageError('the value is missing', NEEDED)
  const { openPrompts } = await import('../terminal/prompts.ts')
  const { prompts, streams } = await openPrompts(io)
  const answer = await prompts.password({ message: `value of ${name}`, ...streams })
  if (prompts.isCancel(answer)) throw usageError('no value was given', NEEDED)
  return checked(answer)
}

/** A file usually ends with a line break, which is not a part of the value. */
function checked(text: string): string {
  const value = text.replace(/\r?\n$/, '')
  if (value === '') throw usageError('the value is empty', NEEDED)
  return value
}

function withSecrets<T>(
  options: SecretOptions,
  io: Io,
  act: (secrets: TenantSecrets) => Promise<T>,
): Promise<T> {
  return onPlatform(
    options,
    io,
    (server, org) => act(secretsAt(server, org)),
    async (tenant, org) => act(await tenant.secrets(org)),
  )
}

function secretsAt(server: ServerClient, organisation: string | undefined): TenantSecrets {
  const query = defined({ organisation })
  return {
    list: (page) => server.call(routes.listSecrets, { params: {}, query: { ...page, ...query } }),
    read: (name) => server.call(routes.readSecret, { params: { name }, query }),
    set: (name, body) => server.call(routes.setSecret, { params: { name }, query, body }),
    async remove(name) {
      await server.call(routes.removeSecret, { params: { name }, query })
    },
  }
}
