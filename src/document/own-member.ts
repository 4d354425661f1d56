/**
 * Returns the member of a record with a name that comes from outside. An index would also find `constructor` and the
 * other members that each object inherits.
 */
export function ownMember<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
