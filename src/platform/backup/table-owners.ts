import type { TableFacts, TableOwner } from '../database/tables.ts'

/** Returns to whom the rows of a table belong; undefined: nothing says it. @param facts of all tables */
export function ownerOf(
  { name, columns }: { readonly name: string; readonly columns: readonly string[] },
  facts: Readonly<Record<string, TableFacts>>,
): TableOwner | undefined {
  const owner = Object.hasOwn(facts, name) ? facts[name]?.owner : undefined
  if (owner !== undefined) return owner
  if (columns.includes('user_id')) return { kind: 'user', user: 't.user_id' }
  return columns.includes('run_id') ? { kind: 'run', column: 'run_id' } : undefined
}
