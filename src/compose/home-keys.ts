import type { KeyObject } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../document/json.ts'
import { makeFolder } from '../document/make-folder.ts'
import { readFileWithin } from '../document/read-file.ts'
import type { MessageKeys } from '../platform/webhooks/sign-message.ts'
import type { PiiKeys } from '../run/drive/pii-values.ts'
import type { Home } from '../session/home.ts'
import type { HomeMoves } from '../session/moves/home-moves.ts'
import { homePlace } from '../trust/home-place.ts'
import { openSealed, type SealedAbout, sealedFor } from '../trust/seal-for.ts'
import { signStatement } from '../trust/signed-statement.ts'
import { readTrustedKeys } from '../trust/trust-store.ts'
import { auditKeys, ownAuditKeys } from './audit-keys.ts'
import { messageKeys } from './message-keys.ts'

/** The keys of a home, which are files: never in its database. */
export interface HomeKeys extends Pick<Home, 'piiKeys' | 'sign' | 'trust'>, Omit<HomeMoves, 'records'> {
  /** Returns the key that signs audit entries. @throws AUDIT_KEY_WRONG if it is missing or was revoked */
  signAudit(keyId?: string): KeyObject
  /**
   * Opens what was sealed for one of the keys that sign audit entries.
   * @throws SEAL_UNREADABLE; AUDIT_KEY_WRONG if the key is not here, or was revoked
   */
  unseal(text: string, about: SealedAbout): Promise<Buffer>
  /** The keys for messages to receivers. */
  readonly messages: MessageKeys
}

/** Opens the keys in a folder. Creates no files before the first key is needed. */
export function homeKeys(folder: string): HomeKeys {
  const audit = auditKeys(folder)
  const messages = messageKeys(folder, audit)
  return {
    signAudit: audit.signer,
    piiKeys: piiKeysIn(join(folder, 'keys', 'pii')),
    sign: (statement, keyId) => signStatement(statement, audit.open(keyId)),
    trust: { keys: () => readTrustedKeys(folder) },
    unseal: async (text, about) => openSealed(text, audit.exact(sealedFor(text) ?? ''), about),
    messages,
    signingKey: () => audit.signer(ownAuditKeys(folder).at(-1)?.keyId),
    jwks: messages.jwks,
    places: () => ownPlaces(messages.jwks()),
  }
}

function ownPlaces({ keys }: JsonObject): readonly string[] {
  return (keys as readonly { readonly kid: string }[]).map(({ kid }) => homePlace(kid))
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
      makeFolder(folder, 0o700)
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
