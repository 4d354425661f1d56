import type { TestResults } from './test-results.ts'

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

const ID = '[A-Z][A-Za-z]*(?:-[A-Z]+)?-[0-9A-Za-z.]+-\\d{2,3}(?![-\\w])'
const CLAIM = new RegExp(`^${ID}(?:,? ${ID})*`)

/**
 * Returns the requirement ids that a test claims: those that its title begins with, or the title of a group around it.
 * Ids in other places are only mentions.
 * @param name the titles, outermost first, joined by ` › `
 */
export function idsOf(name: string): readonly string[] {
  const claims = name.split(' › ').flatMap((title) => CLAIM.exec(title)?.[0].split(/,? /) ?? [])
  return [...new Set(claims)]
}

/** The tests that claim an id, as `file › name`. */
export interface Proof {
  readonly passed: readonly string[]
  readonly failed: readonly string[]
  /** Skipped, with the reason. */
  readonly skipped: readonly string[]
}

/** Collects, for each requirement id that a test claims, the tests that claim it. */
export function proofsOf(results: TestResults): ReadonlyMap<string, Proof> {
  const proofs = new Map<string, { passed: string[]; failed: string[]; skipped: string[] }>()
  for (const [file, { tests }] of Object.entries(results)) {
    for (const { name, outcome, reason } of tests) {
      for (const id of idsOf(name)) {
        const proof = proofs.get(id) ?? { passed: [], failed: [], skipped: [] }
        proof[outcome].push(`${file} › ${name}${reason === undefined ? '' : ` (${reason})`}`)
        proofs.set(id, proof)
      }
    }
  }
  return proofs
}

/** Returns whether a requirement is proved: a test that claims it has passed, and none has failed. */
export function isProved(proof: Proof | undefined): boolean {
  return proof !== undefined && proof.passed.length > 0 && proof.failed.length === 0
}

/** The state of the repository with which the results are compared. */
export interface Tree {
  readonly commit: string | null
  /** Time of the last change of each test and source file, in Unix milliseconds. */
  readonly changedAtMs: Readonly<Record<string, number>>
}

/** Returns the reasons why the results are out of date; empty if they are current. */
export function staleness(results: TestResults, tree: Tree): readonly string[] {
  const notes: string[] = []
  const runs = Object.values(results)
  const commits = new Set(runs.map(({ commit }) => commit))
  if (commits.size > 1 || !commits.has(tree.commit)) {
    const names = [...commits].map((commit) => commit?.slice(0, 8) ?? 'no commit')
    notes.push(`tests ran at ${names.join(', ')}; this is ${tree.commit?.slice(0, 8) ?? 'no commit'}`)
  }
  const oldest = Math.min(...runs.map(({ startedAtMs }) => startedAtMs))
  const isTest = (file: string): boolean => file.endsWith('.test.ts')
  const changes = Object.entries(tree.changedAtMs)
  const changed = changes.filter(([file, ms]) => {
    const since = isTest(file) ? results[file]?.startedAtMs : oldest
    return since !== undefined && ms > since
  })
  if (changed.length > 0) notes.push(`changed since the tests ran: ${fewOf(changed.map(([file]) => file))}`)
  const absent = changes.map(([file]) => file).filter((file) => isTest(file) && results[file] === undefined)
  const slow = absent.filter((file) => file.endsWith('.slow.test.ts'))
  const others = absent.filter((file) => !slow.includes(file))
  if (others.length > 0) notes.push(`test files without a result: ${fewOf(others)}`)
  if (slow.length > 0)
    notes.push(`slow test files, which npm run test:all runs, without a result: ${fewOf(slow)}`)
  return notes
}

function fewOf(files: readonly string[]): string {
  const more = files.length - 3
  return files.slice(0, 3).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
