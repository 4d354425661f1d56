import type { KeyObject } from 'node:crypto'
import { WaybillError } from '../document/issue.ts'
import { isObject, type Json } from '../document/json.ts'
import { keyIdOf } from './ed25519.ts'
import { didKeyOf, parsePublicKey } from './key-text.ts'

/** A decentralised identifier in the `metadata` of a card (AgentCard §6.3), under whatever name its author gave it. */
export function cardDid(value: Json): string | undefined {
  if (!isObject(value) || !isObject(value.metadata)) return undefined
  const dids = Object.values(value.metadata).filter(
    (item) => typeof item === 'string' && /^did:[a-z0-9]+:/.test(item),
  )
  return (dids.find((did) => String(did).startsWith('did:key:')) ?? dids[0]) as string | undefined
}

/**
 * Whether a card's DID is of another key. Only did:key says its key itself; for other methods the trust store decides,
 * since nothing is fetched to verify a signature.
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
    message: `the card names ${cardDid(value)}, and this key is ${didKeyOf(privateKey)}`,
    hint: 'sign with the key of that DID, or name the DID of this key (`waybill keys export NAME --did`)',
    rule: 'CARD-6-03',
  })
}
