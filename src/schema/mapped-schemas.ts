import { isObject, type Json } from '../document/json.ts'
import { resolveAddress } from './schema-address.ts'
import type { FindSchema } from './user-schema-bundle.ts'

/** Schema documents that the operator maps, by their address. */
export type MappedSchemas = Readonly<Record<string, Json>>

/** Limit of a schema document in bytes. */
export const LARGEST_SCHEMA_BYTES = 8 * 1024 * 1024

/** Finds mapped documents by their address or their `$id`. Never fetches anything. */
export function findMapped(mapped: MappedSchemas = {}): FindSchema {
  let known: ReadonlyMap<string, Json> | undefined
  return (address) => {
    known ??= byAddress(mapped)
    const document = known.get(address)
    return document === undefined ? { reason: 'it is never fetched' } : { document }
  }
}

function byAddress(mapped: MappedSchemas): ReadonlyMap<string, Json> {
  const known = new Map<string, Json>()
  for (const [address, document] of Object.entries(mapped)) {
    const id = isObject(document) ? (document.$id ?? document.id) : undefined
    if (typeof id === 'string') known.set(resolveAddress(id.replace(/#.*$/s, ''), address), document)
  }
  for (const [address, document] of Object.entries(mapped))
    known.set(resolveAddress(address.replace(/#$/, '')), document)
  return known
}
