import { isObject, type Json } from '../document/json.ts'

/** The place of an embedded signature: container and member. */
export type SignaturePlace = readonly ['provenance' | 'attestation', 'signature']

/**
 * Returns the place of the embedded signature: in `provenance` for an agent definition (AAIF §12), in `attestation` for
 * a conformance report. Other documents have no place for a signature and need a detached one.
 */
export function signaturePlaceOf(value: Json): SignaturePlace | undefined {
  if (!isObject(value) || value.sc_standard !== 'SC-006') return undefined
  if (isObject(value.agent)) return ['provenance', 'signature']
  if (isObject(value.report) && Array.isArray(value.claims)) return ['attestation', 'signature']
  return undefined
}
