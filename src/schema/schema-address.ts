import { posix } from 'node:path'

/** A reference in two parts: the address of a document, absolute or relative to the folder, and its fragment. */
export interface SchemaAddress {
  readonly address: string
  /** Decoded: empty, a JSON Pointer, or the name of an anchor; null if it cannot be decoded. */
  readonly fragment: string | null
}

/** Returns the address that a reference has in a document with the address `base`; an empty base is not known. */
export function resolveReference(reference: string, base: string): SchemaAddress {
  const hash = reference.indexOf('#')
  const document = hash < 0 ? reference : reference.slice(0, hash)
  return {
    address: document === '' ? base : resolveAddress(document, base),
    fragment: hash < 0 ? '' : decoded(reference.slice(hash + 1)),
  }
}

/** Returns an address in the form in which addresses are compared. */
export function resolveAddress(address: string, base = ''): string {
  const url = URL.parse(address) ?? (isAbsolute(base) ? URL.parse(address, base) : null)
  if (url !== null) return url.href
  if (isAbsolute(address) || isAbsolute(base)) return address
  return posix.join(posix.dirname(base), address)
}

function isAbsolute(address: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(address)
}

function decoded(fragment: string): string | null {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return null
  }
}
