import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../document/issue.ts'
import { readFileWithin } from '../document/read-file.ts'
import type { PiiKeys } from '../run/drive/pii-values.ts'
import type { Secrets } from '../run/ports.ts'
import type { Home } from '../session/home.ts'
import type { Principal } from '../session/principal.ts'
import { auditKeyWrong } from '../trust/audit-chain.ts'
import { keyIdOf } from '../trust/ed25519.ts'
import { createKey, openPrivateKey } from '../trust/key-file.ts'
import { signStatement } from '../trust/signed-statement.ts'
import { readTrustedKeys } from '../trust/trust-store.ts'

/** Name of the own key that signs audit logs. It is created with the first entry. */
export const AUDIT_KEY = 'audit'

export interface LocalHomeOptions {
  readonly principal: Principal
  readonly secrets: Secrets
}

/**
 * Opens a local folder as a home. Creates no files before the first write.
 * @throws HOME_LAYOUT_OLD, HOME_UNREADABLE, HOME_NETWORK_FILE_SYSTEM, SQLITE_TOO_OLD, RECORD_NEWER, RECORD_DAMAGED
 */
export async function localHome(folder: string, { principal, secrets }: LocalHomeOptions): Promise<Home> {
  assertLayout(folder)
  const { openSqliteRecords } = await import('../adapters/records/sqlite/open-sqlite-records.ts')
  const keys = join(folder, 'keys')
  const auditKey = () => {
    if (!existsSync(join(keys, `${AUDIT_KEY}.key`))) {
      if (existsSync(join(keys, `${AUDIT_KEY}.pub`))) throw auditKeyWrong('keys/audit.key is missing')
      createKey(keys, AUDIT_KEY)
    }
    return openPrivateKey(keys, AUDIT_KEY)
  }
  const signAudit = () => {
    const key = auditKey()
    const id = keyIdOf(key)
    const { revokedAt } = readTrustedKeys(folder).find(({ keyId }) => keyId === id) ?? {}
    if (revokedAt !== undefined) throw auditKeyWrong(`its key was revoked at ${revokedAt}`)
    return key
  }
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
    piiKeys: piiKeysIn(join(keys, 'pii')),
    sign: (statement) => signStatement(statement, auditKey()),
    trust: { keys: () => readTrustedKeys(folder) },
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

/** Stores one key file for each run whose record contains placeholders for personal data. */
function piiKeysIn(folder: string): PiiKeys {
  const pathOf = (runId: string) => join(folder, `${runId}.key`)
  return {
    read: (runId) =>
      existsSync(pathOf(runId))
        ? Buffer.from(readFileWithin(pathOf(runId), 1024).toString('utf8').trim(), 'base64')
        : undefined,
    create(runId) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32)))
      const fd = openSync(pathOf(runId), 'wx', 0o600)
      try {
        writeFileSync(fd, `${key.toString('base64')}\n`)
        fsyncSync(fd)
      } finally {
        closeSync(fd)
      }
      return key
    },
    remove: (runId) => rmSync(pathOf(runId), { force: true }),
    describe: pathOf,
  }
}
