import { createHash } from 'node:crypto'
import { WaybillError } from '../document/issue.ts'
import type { Tenant } from '../platform/platform.ts'
import type { StoredAnswer } from '../platform/records/requests.ts'

/** The form of a key: visible ASCII characters. */
export const IDEMPOTENCY_KEY = '^[\\x21-\\x7E]{1,255}$'

/**
 * Returns the key of a request that the client may send again; undefined without one.
 * @throws HEADER_INVALID
 */
export function idempotencyKey(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && new RegExp(IDEMPOTENCY_KEY).test(header)) return header
  throw new WaybillError('HEADER_INVALID', {
    fault: 'usage',
    message: 'the header idempotency-key is not valid',
    hint: 'send 1 to 255 visible ASCII characters, such as a UUID',
  })
}

/** A request with an `Idempotency-Key`. */
export interface Repeatable {
  readonly key: string
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly contentType: string | undefined
  readonly bytes: Uint8Array
}

/**
 * Answers a request once. A repeated one gets the first answer.
 * @throws IDEMPOTENCY_CONFLICT if the key was used with another body, and the errors of `act`
 */
export function answerOnce(
  { requests }: Tenant,
  { key, method, path, contentType, bytes }: Repeatable,
  act: (resourceId: string) => Promise<StoredAnswer>,
  signal: AbortSignal,
): Promise<StoredAnswer & { readonly repeated: boolean }> {
  const bodyHash = createHash('sha256')
    .update(`${contentType ?? ''}\n`)
    .update(bytes)
    .digest('hex')
  return requests.once({ operation: `${method} ${path}`, key, bodyHash }, act, signal)
}
