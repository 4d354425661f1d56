import { matchesPattern } from '../trust/name-pattern.ts'
import type { ReceiptKey, ReceiptKeys } from '../trust/receipts/receipts-verdict.ts'
import type { Home } from './home.ts'

/**
 * Returns the keys that may sign receipts: the own keys, trusted keys, and further ones. A key that is trusted for some
 * platforms only may sign for hosts of these names, and one that is trusted for authors may not sign receipts.
 * @param more by thumbprint; a key that was revoked here stays revoked
 */
export function receiptKeysOf(
  { trust }: Pick<Home, 'trust'>,
  more: ReadonlyMap<string, ReceiptKey> = new Map(),
): ReceiptKeys {
  const known = trust.keys()
  return (keyId, host) => {
    const found = known.filter((key) => key.keyId === keyId)
    if (found.some(({ revokedAt }) => revokedAt !== undefined)) return undefined
    const usable = found.find(
      ({ signsFor: { authoredBy, sourcePlatform } }) =>
        authoredBy === undefined &&
        (sourcePlatform === undefined ||
          sourcePlatform.some((pattern) => matchesPattern(pattern, host ?? ''))),
    )
    return usable ?? more.get(keyId)
  }
}
