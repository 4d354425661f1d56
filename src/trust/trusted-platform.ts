import type { TrustedKey } from './trust-store.ts'

/**
 * Returns the values of `source_platform` that the keys of a platform may sign for: the platform, and its organisations.
 * @param origin its URL, without a path
 */
export function placesOfPlatform(origin: string): readonly [string, string] {
  return [origin, `${origin}/organisations/*`]
}

/** Returns the URL of the platform that a key was pinned for; undefined: it was trusted in another way. */
export function platformOf({ signsFor }: Pick<TrustedKey, 'signsFor'>): string | undefined {
  const [origin = '', organisations, ...others] = signsFor.sourcePlatform ?? []
  const isPinned = others.length === 0 && organisations === placesOfPlatform(origin)[1]
  return isPinned && URL.parse(origin)?.origin === origin ? origin : undefined
}
