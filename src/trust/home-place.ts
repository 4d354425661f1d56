/**
 * Returns the place of a home without a server, which migration tokens name as their issuer or receiver: a URI made of the
 * thumbprint of a key that the home signs with.
 */
export function homePlace(keyId: string): string {
  return `${PREFIX}${keyId}`
}

const PREFIX = 'urn:waybill:home:'

/** Returns whether a place is that of a home without a server. */
export function isHomePlace(place: string): boolean {
  return place.startsWith(PREFIX)
}
