import type { KeyObject } from 'node:crypto'
import { WaybillError } from '../document/issue.ts'
import { isObject, type Json } from '../document/json.ts'
import { keyIdOf } from './ed25519.ts'
import { didKeyOf, parsePublicKey } from './key-text.ts'

/** Returns a decentralised identifier in the `metadata` of a card (AgentCard §6.3), under any member name. */
export function cardDid(value: Json): string | undefined {
  if (!isObject(value) || !isObject(value.metadata)) return undefined
  const dids = Object.values(value.metadata).filter(
    (item) => typeof item === 'string' && /^did:[a-z0-9]+:/.test(item),
  )
  return (dids.find((did) => String(did).startsWith('did:key:')) ?? dids[0]) as string | undefined
}

/**
 * Returns true if the DID of a card belongs to another key. Only did:key contains its key; for other methods the trust
 * store decides, because verification never fetches anything.
 */
export function contradictsDid(value: Json, key: KeyObject): boolean {
  const did = cardDid(value)
  if (did?.startsWith('did:key:') !== true) return false
  try {
    return keyIdOf(parsePublicKey(did)) !== keyIdOf(key)
  } catch {
    return true
  }
}

/** @throws CARD_DID_MISMATCH */
export function assertOwnDid(value: Json, privateKey: KeyObject): void {
  if (!contradictsDid(value, privateKey)) return
  throw new WaybillError('CARD_DID_MISMATCH', {
    at: '/metadata',
    message: `the card names ${cardDid(value)}, but this key is ${didKeyOf(privateKey)}`,
    hint: 'sign with the key of that DID, or name the DID of this key (`waybill keys export NAME --did`)',
    rule: 'CARD-6-03',
  })
}
