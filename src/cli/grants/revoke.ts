import { WaybillError } from '../../document/issue.ts'
import type { Grant } from '../../run/record/grant.ts'
import { revokeGrants } from '../../settings/remembered-grants.ts'
import type { Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { personName } from '../person-name.ts'
import { type PlaceOptions, withRecords } from '../remote/with-records.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'

interface Options extends PlaceOptions {
  readonly all?: boolean
  readonly by?: string
  readonly json?: boolean
  readonly format?: string
}

/** Revokes grants (`waybill grants revoke`). An active run asks for approval again from its next call. */
export async function revoke(wanted: readonly string[], options: Options, io: Io): Promise<void> {
  if (options.all !== true && wanted.length === 0) {
    throw usageError('no grant given: give ids of grants, or --all', '`waybill grants list` shows the ids')
  }
  const found = await withRecords(options, io, async (home, server) => {
    const grants = await home.grants.list()
    const selected = options.all === true ? grants : wanted.map((id) => grantNamed(id, grants))
    if (server !== undefined) {
      for (const { id } of selected) await server.send('DELETE', `/v1/rules/${encodeURIComponent(id)}`)
      return selected
    }
    const at = new Date().toISOString()
    const by = options.by ?? personName(io.env)
    return revokeGrants(home.grants, new Set(selected.map(({ id }) => id)), { by, at })
  })
  if (wantsJson(options)) {
    io.out(`${jsonText({ revoked: found.map(({ id }) => id) })}\n`)
    return
  }
  const paint = painter(io.color)
  for (const { id, what } of found) io.err(`${paint('good', '✓')} revoked ${id}: ${plainLine(what, 200)}\n`)
  if (found.length === 0) io.err('no grants to revoke\n')
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
        ? `no grant has the id ${wanted}`
        : `${near.length} grants begin with ${wanted}: ${near.map(({ id }) => id).join(', ')}`,
    hint: '`waybill grants list` shows the ids; to revoke a grant of config.yaml, edit that file',
  })
}
