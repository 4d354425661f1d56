import { WaybillError } from '../../document/issue.ts'
import type { Grant } from '../../run/record/grant.ts'
import { revokeGrants } from '../../settings/remembered-grants.ts'
import { withHome } from '../home.ts'
import type { Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { personName } from '../person-name.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'

interface Options {
  readonly all?: boolean
  readonly by?: string
  readonly json?: boolean
  readonly format?: string
}

/** `waybill grants revoke`: takes grants back. A run that is under way asks again from its next call on. */
export async function revoke(wanted: readonly string[], options: Options, io: Io): Promise<void> {
  if (options.all !== true && wanted.length === 0) {
    throw new WaybillError('USAGE', {
      fault: 'usage',
      message: 'name the grants to take back, or all of them with --all',
      hint: '`waybill grants list` shows their ids',
    })
  }
  const found = await withHome(io, async (home) => {
    const grants = await home.grants.list()
    const meant = options.all === true ? grants : wanted.map((id) => grantNamed(id, grants))
    const at = new Date().toISOString()
    const by = options.by ?? personName(io.env)
    return revokeGrants(home.grants, new Set(meant.map(({ id }) => id)), { by, at })
  })
  if (wantsJson(options)) {
    io.out(`${jsonText({ revoked: found.map(({ id }) => id) })}\n`)
    return
  }
  const paint = painter(io.color)
  for (const { id, what } of found)
    io.err(`${paint('good', '✓')} ${id} is revoked: ${plainLine(what, 200)}\n`)
  if (found.length === 0) io.err('there was nothing to revoke\n')
}

function grantNamed(wanted: string, grants: readonly Grant[]): Grant {
  const found = grants.filter(({ id }) => id === wanted)
  const near = found.length > 0 ? found : grants.filter(({ id }) => id.startsWith(wanted))
  const [only] = near
  if (only !== undefined && near.length === 1) return only
  throw new WaybillError(near.length === 0 ? 'GRANT_NOT_FOUND' : 'GRANT_AMBIGUOUS', {
    fault: 'usage',
    message:
      near.length === 0
        ? `there is no grant ${wanted}`
        : `${near.length} grants begin with ${wanted}: ${near.map(({ id }) => id).join(', ')}`,
    hint: '`waybill grants list` shows them; what config.yaml allows is taken back by editing it',
  })
}
