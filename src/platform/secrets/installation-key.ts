/** A key of an organisation, encrypted with a key of the installation. */
export interface WrappedKey {
  /** The id of the key of the installation. */
  readonly wrapped_by: string
  readonly wrapped: Uint8Array
}

/**
 * The key that encrypts the keys of all organisations. It is never in the database. A file holds it; a key management
 * service could take its place.
 */
export interface InstallationKey {
  /** Encrypts with the newest key. @param binding what the wrapped key is bound to */
  wrap(key: Uint8Array, binding: Uint8Array): Promise<WrappedKey>
  /** @throws SECRET_KEY_MISSING, SECRET_UNREADABLE */
  unwrap(wrapped: WrappedKey, binding: Uint8Array): Promise<Uint8Array>
  /** Creates a new key, which encrypts from now on; the older ones still decrypt. @returns its id */
  renew(): Promise<string>
  /** Removes all keys but the newest. */
  dropOlder(): Promise<void>
}
