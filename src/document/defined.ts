/** The members of `T`, each optional, and never undefined. */
type Defined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> }

/**
 * Returns the members whose value is not undefined, to be spread into an object with optional members: with
 * `exactOptionalPropertyTypes` an optional member is absent, and never undefined.
 */
export function defined<T extends object>(members: T): Defined<T> {
  const kept: Partial<T> = {}
  for (const name in members) if (members[name] !== undefined) kept[name] = members[name]
  return kept as Defined<T>
}
