/** Keys, signatures and checksums: the public entry `waybill/trust`. */
export { assertStateChecksum, stateChecksum, withStateChecksum } from './checksum.ts'
export { keyIdOf } from './ed25519.ts'
export { createKey, listOwnKeys, type OwnKey, openPrivateKey, readOwnKey } from './key-file.ts'
export { didKeyOf, parsePrivateKey, parsePublicKey } from './key-text.ts'
export {
  issueMigrationToken,
  MAX_LIFETIME_SECONDS,
  type MigrationClaims,
  type TokenExpectation,
  verifyMigrationToken,
} from './migration-token.ts'
export { assertSafeToSign } from './safe-to-sign.ts'
export { type SignedDocument, signDetached, signDocument } from './sign.ts'
export { type SignaturePlace, signaturePlaceOf } from './signature-place.ts'
export { TOKEN_PROFILES, type TokenProfile } from './token-profile.ts'
export {
  addTrustedKey,
  readTrustedKeys,
  readTrustStore,
  revokeKey,
  type SignsFor,
  type TrustedKey,
} from './trust-store.ts'
export { type Verdict, type VerdictStatus, verifyDetached, verifyEmbedded } from './verify.ts'
