import { diagnose } from 'cbor2'
import { WaybillError } from './issue.ts'

/**
 * CBOR as people read it: diagnostic notation (RFC 8949 §8), also of what JSON has no counterpart for.
 * Its lines are those that issues about CBOR documents name.
 * @throws CBOR_SYNTAX when the bytes are not well-formed CBOR
 */
export function toDiagnostic(bytes: Uint8Array): string {
  try {
    return diagnose(bytes, { pretty: true })
  } catch (cause) {
    throw new WaybillError('CBOR_SYNTAX', {
      message: `this is not well-formed CBOR: ${(cause as Error).message}`,
      hint: 'write the file again with a conforming encoder, or send it as JSON',
      cause,
    })
  }
}
