import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../document/issue.ts'
import type { Secrets } from '../run/ports.ts'
import type { Home } from '../session/home.ts'
import type { HomeMoves } from '../session/moves/home-moves.ts'
import type { Principal } from '../session/principal.ts'
import { homeKeys } from './home-keys.ts'

export interface LocalHomeOptions {
  readonly principal: Principal
  readonly secrets: Secrets
}

/** A home on this machine, which exchanges runs with platforms. */
export interface LocalHome extends Home {
  readonly moves: HomeMoves
}

/**
 * Opens a local folder as a home. Creates no files before the first write.
 * @throws HOME_LAYOUT_OLD, HOME_UNREADABLE, HOME_NETWORK_FILE_SYSTEM, SQLITE_TOO_OLD, RECORD_NEWER, RECORD_DAMAGED
 */
export async function localHome(
  folder: string,
  { principal, secrets }: LocalHomeOptions,
): Promise<LocalHome> {
  assertLayout(folder)
  const { openSqliteRecords } = await import('../adapters/records/sqlite/open-sqlite-records.ts')
  const { signAudit, piiKeys, sign, trust, signingKey, jwks, places } = homeKeys(folder)
  const records = openSqliteRecords(folder, { signAudit })
  return {
    principal,
    secrets,
    runs: records.runs,
    slots: records.slots,
    grants: records.grants,
    memory: records.memory,
    audit: records.audit,
    routes: records.routes,
    moves: { records: records.moves, signingKey, jwks, places },
    piiKeys,
    sign,
    trust,
    extensionFolder: (name) => {
      const own = join(folder, 'extensions', name)
      mkdirSync(own, { recursive: true, mode: 0o700 })
      return own
    },
    close: () => records.close(),
  }
}

/** Names of files in homes of the old layout, before the database. */
const OLD_LAYOUT = ['runs', 'audit', 'slots', 'grants.yaml', 'memory.sqlite', 'routes.json']

/** @throws HOME_LAYOUT_OLD */
function assertLayout(folder: string): void {
  if (existsSync(join(folder, 'waybill.db'))) return
  const old = OLD_LAYOUT.filter((name) => existsSync(join(folder, name)))
  if (old.length === 0) return
  throw new WaybillError('HOME_LAYOUT_OLD', {
    fault: 'usage',
    file: folder,
    message: `${folder} was written by a version of Waybill before its first release (${old.join(', ')})`,
    hint: 'move that folder, or use another home with WAYBILL_HOME; keys/, trust/ and config.yaml can be copied',
  })
}
