import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'

/** The result of one test. `name` contains the names of the enclosing tests, outermost first. */
export interface TestResult {
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** The reason why it was skipped. */
  readonly reason?: string
}

/** The results of the tests that one file defines. */
export interface FileResults {
  readonly startedAtMs: number
  /** The checked-out commit, or null outside a work tree. */
  readonly commit: string | null
  readonly durationMs: number
  readonly tests: readonly TestResult[]
}

/** The last results of each test file, by its path from the root. */
export type TestResults = Readonly<Record<string, FileResults>>

const PLACE = '.test-results/results.json'

/** Returns the stored results, or null if there are no readable results. */
export function readResults(root: string): TestResults | null {
  try {
    return JSON.parse(readFileSync(join(root, PLACE), 'utf8')) as TestResults
  } catch {
    return null
  }
}

export function writeResults(root: string, results: TestResults): void {
  const place = join(root, PLACE)
  mkdirSync(dirname(place), { recursive: true })
  const draft = `${place}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(results, null, 1)}\n`)
  renameSync(draft, place)
}

/**
 * Merges the results of a run with those of earlier runs. Results of a started file replace its earlier results. A
 * module shared by several test files is reported under its own name, and the run may have started only some of these
 * files, so only tests of the same name are replaced.
 * @param isKept returns whether earlier results of a file are kept
 */
export function mergeResults(
  before: TestResults,
  now: TestResults,
  started: ReadonlySet<string>,
  isKept: (file: string) => boolean,
): TestResults {
  const merged = new Map(Object.entries(before).filter(([file]) => isKept(file)))
  for (const [file, results] of Object.entries(now)) {
    const names = new Set(results.tests.map(({ name }) => name))
    const kept = started.has(file) ? [] : (merged.get(file)?.tests ?? [])
    merged.set(file, {
      ...results,
      tests: [...kept.filter(({ name }) => !names.has(name)), ...results.tests],
    })
  }
  return Object.fromEntries([...merged].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns the checked-out commit at `root`, or null outside a work tree. */
export function commitOf(root: string): string | null {
  try {
    const asked = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return asked.trim()
  } catch {
    return null
  }
}

/** Number of files that run at a time: more than there are cores, because most of them wait half of the time. */
export const WORKERS = Math.ceil(2.5 * availableParallelism())
/** Default duration of a file without a recorded duration. */
const TYPICAL_FILE_MS = 3_000

/** Estimates how long a run of these files takes, {@link WORKERS} at a time. */
export function expectedMs(files: readonly string[], results: TestResults): number {
  const each = files.map((file) => results[file]?.durationMs ?? TYPICAL_FILE_MS)
  return Math.max(each.reduce((sum, ms) => sum + ms, 0) / WORKERS, ...each)
}
