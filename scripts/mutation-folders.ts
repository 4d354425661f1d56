import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { randomNumbers } from './random-numbers.ts'

/** A folder whose tests are fast enough to run for each mutant. */
export interface MutationFolder {
  /** Below `src/`. */
  readonly folder: string
  /**
   * Test files that are run against its mutants, in this order until one fails: the fast ones first. Of these, only
   * files that execute the changed line are run.
   */
  readonly tests: readonly string[]
}

/** Folders with decisions, gates, records, routing or parsing: each line is critical, and their tests are fast. */
export const mutationFolders: readonly MutationFolder[] = [
  {
    folder: 'run/decide',
    tests: [
      'test/run/decide*.test.ts',
      'test/run/merge-decisions.test.ts',
      'test/run/known-warnings.test.ts',
      'test/run/advance.test.ts',
      'test/run/approval.test.ts',
      'test/run/constraints.test.ts',
      'test/run/output-formats.test.ts',
      'test/run/routes.test.ts',
      'test/run/memory.test.ts',
      'test/run/orchestrate*.test.ts',
      'test/run/held-end.test.ts',
      'test/run/pii.test.ts',
      'test/run/timers.test.ts',
      'test/run/{interrupt-turn,steer-turn,edit-call,seam,origin-calls,continue-answer}.test.ts',
    ],
  },
  {
    folder: 'run/record',
    tests: [
      'test/run/*record*.test.ts',
      'test/run/*-circle.test.ts',
      'test/run/page-cursor.test.ts',
      'test/run/slot-queue.test.ts',
      'test/run/{audit-entries,audit-facts,each-run,event-line,left-decision,run-header,run-summary}.test.ts',
    ],
  },
  {
    folder: 'adapters/records',
    tests: [
      'test/contract/records.test.ts',
      'test/adapters/records/{damaged-rows,group-commit,home-errors,keep-ended,process-locks}.test.ts',
      'test/adapters/records/{opened-while-made,sqlite-place,time-limits}.test.ts',
      'test/run/route-records.test.ts',
    ],
  },
  { folder: 'policy', tests: ['test/policy/**/*.test.ts', 'test/run/decide-taint.test.ts'] },
  {
    folder: 'plan',
    tests: ['test/plan/*.test.ts', 'test/cli/graph.test.ts', 'test/run/sub-agent-refusals.test.ts'],
  },
  // The other tests of this folder are random, repeat cases many times, or evaluate hostile conditions: too slow here.
  {
    folder: 'condition',
    tests: ['test/condition/{check-condition,languages,limits,steps}.test.ts'],
  },
  { folder: 'trust', tests: ['test/trust/*.test.ts'] },
  { folder: 'settings', tests: ['test/settings/*.test.ts'] },
]

/** @returns the test files of folders, each once, in the order of the folders */
export function testsOf(root: string, folders: readonly MutationFolder[]): readonly string[] {
  const files = folders.flatMap(({ tests }) =>
    tests.flatMap((pattern) => globSync(pattern, { cwd: root }).sort()),
  )
  return [...new Set(files)]
}

/** @returns the source files of a folder, without generated ones, relative to the root */
export function sourcesOf(root: string, { folder }: MutationFolder): readonly string[] {
  return globSync(`src/${folder}/**/*.ts`, { cwd: root })
    .filter((file) => !file.includes('/generated/'))
    .sort()
}

/** Measured over all folders: 198 mutants in 150 lines of code. */
const PER_LINE = 4 / 3

/** @returns ranges `FILE:LINE-LINE`, chosen by the seed, with about `wanted` mutants */
export function sampleLines(
  root: string,
  sources: readonly string[],
  wanted: number,
  seed: number,
): readonly string[] {
  const lines = sources.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (isCode(line) ? [`${file}:${index + 1}-${index + 1}`] : [])),
  )
  const next = randomNumbers(seed)
  const chosen = new Set<string>()
  const most = Math.min(lines.length, Math.ceil(wanted / PER_LINE))
  while (chosen.size < most) chosen.add(lines[Math.floor(next() * lines.length)] as string)
  return [...chosen].sort()
}

/** Returns true if a line may have a mutant: it branches, compares, computes, or returns. */
function isCode(line: string): boolean {
  return (
    /[?&|<>=!+-]|\breturn\b/.test(line) &&
    !/^\s*(?:\/\/|\/?\*|import\b|export (?:type|interface)\b|\} from)/.test(line)
  )
}

interface Mutant {
  readonly fileName: string
  readonly location: { readonly start: { readonly line: number; readonly column: number } }
  readonly mutatorName: string
  readonly replacement?: string | undefined
  readonly status: string
}

export interface MutationScore {
  /** Percentage of tested mutants that a test detected; 100 without mutants. */
  readonly score: number
  readonly tested: number
  readonly survivors: readonly {
    readonly place: string
    readonly mutator: string
    readonly replacement: string
  }[]
}

/** A mutant that no test executes also counts as survived; mutants that do not compile or are ignored do not count. */
export function scoreOf(mutants: readonly Mutant[], root: string): MutationScore {
  const noticed = mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout')
  const survived = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
  const tested = noticed.length + survived.length
  return {
    score: tested === 0 ? 100 : (100 * noticed.length) / tested,
    tested,
    survivors: survived.map(({ fileName, location: { start }, mutatorName, replacement = '', status }) => ({
      place: `${relative(root, fileName)}:${start.line}:${start.column}`,
      mutator: status === 'NoCoverage' ? `${mutatorName}, not executed by a test` : mutatorName,
      replacement: replacement.replaceAll(/\s+/g, ' ').slice(0, 100),
    })),
  }
}
