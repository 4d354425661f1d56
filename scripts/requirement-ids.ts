export interface Requirement {
  readonly id: string
  readonly strength: string
  readonly requirement: string
  readonly area: string
  readonly capability: string
}

/** Reads the list: tab-separated, its first line names the columns. */
export function parseRequirements(text: string): Requirement[] {
  const [head = '', ...rows] = text.trimEnd().split('\n')
  const columns = head.split('\t')
  return rows.map((row) => {
    const cells = row.split('\t')
    const cell = (name: string): string => cells[columns.indexOf(name)] ?? ''
    return {
      id: cell('id'),
      strength: cell('strength'),
      requirement: cell('requirement'),
      area: cell('area'),
      capability: cell('capability'),
    }
  })
}

const ID = '[A-Z][A-Za-z]*(?:-[A-Z]+)?-[0-9A-Za-z.]+-\\d{2,3}'
const TITLE = new RegExp(`\\b(?:(?:test|it)\\(|name:)\\s*(['"\`])(${ID}(?:, ?${ID})*): `, 'g')

/**
 * The requirement ids that the titles of a file's tests begin with, and the names of the cases that a test goes through.
 * Only literal ones count.
 */
export function provedIds(source: string): Set<string> {
  const ids = new Set<string>()
  for (const [, , list = ''] of source.matchAll(TITLE)) {
    for (const id of list.split(/, ?/)) ids.add(id)
  }
  return ids
}
