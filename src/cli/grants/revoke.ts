import { WaybillError } from '../../document/issue.ts'
import { revokeGrants } from '../../settings/change-grants.ts'
import { type Grant, readGrants } from '../../settings/grants-file.ts'
import type { Io } from '../io.ts'
import { personName } from '../person-name.ts'
import { wantsJson } from '../run-options.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'

interface Options {
  readonly all?: boolean
  readonly by?: string
  readonly json?: boolean
  readonly format?: string
}

/** `waybill grants revoke`: takes grants back. A run that is under way asks again from its next call on. */
export function revoke(wanted: readonly string[], options: Options, io: Io): void {
  const grants = readGrants(io.env)
  const found = options.all === true ? grants : [...new Set(wanted.map((id) => grantNamed(id, grants)))]
  if (options.all !== true && wanted.length === 0) {
    throw new WaybillError('USAGE', {
      fault: 'usage',
      message: 'name the grants to take back, or all of them with --all',
      hint: '`waybill grants list` shows their ids',
    })
  }
  revokeGrants(io.env, found, { by: options.by ?? personName(io.env), at: new Date().toISOString() })
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
