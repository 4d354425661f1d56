import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import * as routes from '../../platform/people/routes.ts'
import type { Tokens, TokenView } from '../../platform/people/token.ts'
import type { PageOf } from '../../run/record/records.ts'
import type { Role } from '../../session/principal.ts'
import type { Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { type OnPlatformOptions, onPlatform } from '../remote/on-platform.ts'
import type { ServerClient } from '../remote/server-client.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { table } from '../terminal/table.ts'
import { usageError } from '../usage-error.ts'

interface TokenOptions extends OnPlatformOptions, FormatOptions {
  readonly json?: boolean
}

interface NewTokenOptions extends TokenOptions {
  readonly role?: readonly Role[]
  readonly scope?: readonly string[]
  readonly user?: string
  readonly expires?: string
}

/** Creates a token and prints it (`waybill token new`). */
export async function createToken(name: string | undefined, options: NewTokenOptions, io: Io): Promise<void> {
  const request = {
    ...defined({ name, user: options.user, roles: options.role, scopes: options.scope }),
    ...(options.expires !== undefined && { expires_at: timeOf(options.expires) }),
  }
  const created = await withTokens(options, io, (tokens) => tokens.create(request))
  const { id, token, organisation, user, roles, expires_at } = created
  if (wantsJson(options)) {
    const one = roles.length === 1 ? roles[0] : roles
    io.out(`${jsonText({ id, token, org: organisation, role: one, user, expires_at })}\n`)
    return
  }
  io.err(
    `token ${id} of ${plainLine(user)} in ${organisation}: ${roles.join(', ')}; ${expiryOf(created)}. It is shown once:\n`,
  )
  io.out(`${token}\n`)
}

/** Prints the valid tokens (`waybill token list`). */
export async function listTokens(options: TokenOptions, io: Io): Promise<void> {
  const items: TokenView[] = []
  await withTokens(options, io, async (tokens) => {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: PageOf<TokenView> = await tokens.list(defined({ cursor, limit: 100 }))
      items.push(...page.items)
      cursor = page.next
    }
  })
  if (wantsJson(options)) return io.out(`${jsonText({ items })}\n`)
  if (items.length === 0) return io.err('no valid tokens\n')
  io.out(
    table(
      items,
      [
        { head: 'id', text: ({ id }) => plainLine(id, 60), tone: () => 'accent' },
        { head: 'user', text: ({ user }) => plainLine(user, 60), drop: 1 },
        { head: 'roles', text: ({ roles }) => plainLine(roles.join(','), 60), drop: 4 },
        { head: 'expires', text: (one) => expiryOf(one).replace('expires ', ''), drop: 3 },
        {
          head: 'used',
          text: (one) => usedOf(one).replace('used ', '').replace('never used', 'never'),
          drop: 2,
        },
        { head: 'name', text: ({ name }) => plainLine(name, 60) },
      ],
      io,
    ),
  )
}

/** Revokes a token (`waybill token revoke`). */
export async function revokeToken(id: string, options: TokenOptions, io: Io): Promise<void> {
  if (id.startsWith('wbt_'))
    throw usageError(
      'this is the token itself, and may be in the history of your shell now',
      'give its id: `waybill token list`',
    )
  await withTokens(options, io, (tokens) => tokens.revoke(id, { evenLast: options.server === undefined }))
  if (wantsJson(options)) io.out(`${jsonText({ id })}\n`)
  else io.err(`revoked: ${plainLine(id)}\n`)
}

/** Acts on the tokens of a server, or of the database of this machine. */
function withTokens<T>(options: TokenOptions, io: Io, act: (tokens: Tokens) => Promise<T>): Promise<T> {
  return onPlatform(
    options,
    io,
    (server, org) => act(tokensAt(server, org)),
    async (tenant, org) => act(await tenant.tokens(org)),
  )
}

function tokensAt(server: ServerClient, organisation: string | undefined): Tokens {
  const query = defined({ organisation })
  return {
    async create(request) {
      const { token, ...created } = await server.call(routes.createToken, {
        params: {},
        body: { ...request, ...query },
      })
      if (token === undefined) throw tokenLost(created.id)
      return { ...created, token }
    },
    list: (page) => server.call(routes.listTokens, { params: {}, query: { ...page, ...query } }),
    async revoke(id) {
      await server.call(routes.revokeToken, { params: { token: id }, query })
    },
  }
}

/** The request was repeated because its answer did not arrive, and the server shows a token once. */
function tokenLost(id: string): WaybillError {
  return new WaybillError('SERVER_ANSWER_INVALID', {
    fault: 'failed',
    message: `the token ${id} was created, but the answer that contained it was lost`,
    hint: `revoke it with \`waybill token revoke ${id}\`, and create another one`,
  })
}

function timeOf(given: string): string | null {
  if (given === 'never') return null
  if (!Number.isNaN(Date.parse(given))) return new Date(given).toISOString()
  throw usageError(`--expires ${JSON.stringify(given)} is not a time`, 'write 2027-01-31T00:00:00Z, or never')
}

function expiryOf({ expires_at }: Pick<TokenView, 'expires_at'>): string {
  return expires_at === null ? 'does not expire' : `expires ${expires_at}`
}

function usedOf({ used_at }: TokenView): string {
  return used_at === null ? 'never used' : `used ${used_at}`
}
