import { hkdfSync, type KeyObject } from 'node:crypto'
import type { JsonObject } from '../document/json.ts'
import type { MessageKeys } from '../platform/webhooks/sign-message.ts'
import { auditKeyWrong } from '../trust/audit-chain.ts'
import { keyIdOf, signEd25519 } from '../trust/ed25519.ts'
import { readTrustedKeys } from '../trust/trust-store.ts'
import { type AuditKeyFiles, ownAuditKeys } from './audit-keys.ts'

/**
 * The keys of a home for messages to receivers are those of its audit log, which every process of a platform has. A
 * signed message begins with its id, so its signature is never one of an audit entry or of a statement, which is JSON.
 */
export function messageKeys(home: string, audit: AuditKeyFiles): MessageKeys {
  const newest = (): KeyObject => audit.signer(ownAuditKeys(home).at(-1)?.keyId)
  return {
    current: () => keyIdOf(newest()),
    sign: (message) => signEd25519(message, newest()),
    secret(keyId, salt, purpose) {
      const key = audit.open(keyId)
      if (keyIdOf(key) !== keyId) throw auditKeyWrong(`its key ${keyId} is not in the folder keys/`)
      const { d = '' } = key.export({ format: 'jwk' })
      return Buffer.from(hkdfSync('sha256', Buffer.from(d, 'base64url'), salt, purpose, 32))
    },
    jwks() {
      const revoked = new Set(
        readTrustedKeys(home).flatMap(({ keyId, revokedAt }) => (revokedAt === undefined ? [] : [keyId])),
      )
      const valid = ownAuditKeys(home).filter(({ keyId }) => !revoked.has(keyId))
      return { keys: valid.map(({ publicKey }) => jwkOf(publicKey)) }
    },
  }
}

function jwkOf(key: KeyObject): JsonObject {
  const { x = '' } = key.export({ format: 'jwk' })
  return { kty: 'OKP', crv: 'Ed25519', x, kid: keyIdOf(key), use: 'sig', alg: 'EdDSA' }
}
