import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { NoticedCopy } from '../adapters/records/sqlite/notice-copy.ts'
import type { AnyCode } from '../document/codes.ts'
import { defined } from '../document/defined.ts'
import { WaybillError } from '../document/issue.ts'
import { makeFolder } from '../document/make-folder.ts'
import type { Secrets } from '../run/ports.ts'
import type { Home } from '../session/home.ts'
import type { HomeMoves } from '../session/moves/home-moves.ts'
import type { Principal } from '../session/principal.ts'
import { homeKeys } from './home-keys.ts'

export interface LocalHomeOptions {
  readonly principal: Principal
  readonly secrets: Secrets
  /** The folder of the stamps of all homes; see `stampsPath`. */
  readonly stampFolder?: string | undefined
  /** Called with a warning if the home is a copy, or was put back from one. */
  readonly onCopy?: (warning: { readonly code: AnyCode; readonly message: string }) => void
}

/** A home on this machine, which exchanges runs with platforms. */
export interface LocalHome extends Home {
  readonly moves: HomeMoves
  /** Returns how often the home was noticed to be a copy, from 1. */
  readonly generation: () => Promise<number>
}

/**
 * Opens a local folder as a home. Creates no files before the first write.
 * @throws HOME_LAYOUT_OLD, HOME_UNREADABLE, HOME_NETWORK_FILE_SYSTEM, SQLITE_TOO_OLD, RECORD_NEWER, RECORD_DAMAGED
 */
export async function localHome(
  folder: string,
  { principal, secrets, stampFolder, onCopy }: LocalHomeOptions,
): Promise<LocalHome> {
  assertLayout(folder)
  const { openSqliteRecords } = await import('../adapters/records/sqlite/open-sqlite-records.ts')
  const { signAudit, piiKeys, sign, trust, signingKey, jwks, places } = homeKeys(folder)
  const records = openSqliteRecords(folder, {
    signAudit,
    ...defined({ stampFolder }),
    onCopy: (noticed) => onCopy?.({ code: 'HOME_COPIED', message: copyText(folder, noticed) }),
  })
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
      makeFolder(own, 0o700)
      return own
    },
    generation: () => records.generation(),
    close: () => records.close(),
  }
}

function copyText(folder: string, { generation, runs, why }: NoticedCopy): string {
  return `the database of ${folder} is a copy or was put back from one (${why}; generation ${generation}): what a newer one has sent is not known, so its active runs (${runs}) ask before a write that must not be repeated`
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
