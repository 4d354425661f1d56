import { isObject, type Json } from '../document/json.ts'

/** Where a document carries its own signature: container and member. */
export type SignaturePlace = readonly ['provenance' | 'attestation', 'signature']

/**
 * Where a document carries its own signature: an agent definition in `provenance` (AAIF §12), a conformance report in
 * `attestation`. All others have no place for one, and are signed beside (detached).
 */
export function signaturePlaceOf(value: Json): SignaturePlace | undefined {
  if (!isObject(value) || value.sc_standard !== 'SC-006') return undefined
  if (isObject(value.agent)) return ['provenance', 'signature']
  if (isObject(value.report) && Array.isArray(value.claims)) return ['attestation', 'signature']
  return undefined
}
