/**
 * Mutation testing: makes many small changes to the source and reports those that no test detects.
 *
 *   npm run mutate -- FOLDER…          all mutants of these folders below `src/`, such as `run/decide`
 *   npm run mutate -- --sample 300     about 300 mutants of all listed folders; the seed is printed
 *
 * `--seed N` repeats a sample, and `--at-least PERCENT` fails below this score.
 * Results are stored in `.stryker/`: unchanged files with unchanged tests are not run again.
 */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import {
  type MutationFolder,
  mutationFolders,
  sampleLines,
  scoreOf,
  sourcesOf,
  testsOf,
} from './mutation-folders.ts'

const root = join(import.meta.dirname, '..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string' },
    'at-least': { type: 'string' },
  },
})

/** Ends with a usage error. */
function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

function foldersNamed(names: readonly string[]): readonly MutationFolder[] {
  const known = mutationFolders.map(({ folder }) => folder)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) fail(`unknown folder: ${unknown.join(', ')}\nhint: use one of ${known.join(', ')}`)
  return mutationFolders.filter(({ folder }) => names.includes(folder))
}

function numberOf(option: keyof typeof values): number | undefined {
  const text = values[option]
  if (text === undefined) return undefined
  const number = Number(text)
  return Number.isFinite(number) && number >= 0 ? number : fail(`--${option} takes a number, not "${text}"`)
}

const wanted = numberOf('sample')
const least = numberOf('at-least')
if (wanted === undefined && positionals.length === 0) fail('name a folder, or give --sample N')
const folders = positionals.length === 0 ? mutationFolders : foldersNamed(positionals)
const sources = folders.flatMap((folder) => sourcesOf(root, folder))
const seed = numberOf('seed') ?? Math.floor(Math.random() * 2 ** 31)
const mutate = wanted === undefined ? sources : sampleLines(root, sources, wanted, seed)
if (wanted !== undefined) process.stdout.write(`sample of about ${wanted} mutants, --seed ${seed}\n`)

// The test processes inherit these variables.
process.env.WAYBILL_TEST_DATA = resolve(root, process.env.WAYBILL_TEST_DATA ?? '../shared')
process.env.NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/waybill-mutate')
mkdirSync(join(root, '.stryker'), { recursive: true })

const results = await new Stryker({
  testRunner: 'tap',
  plugins: ['@stryker-mutator/tap-runner'],
  tap: {
    testFiles: testsOf(root, folders),
    nodeArgs: ['--test-reporter', 'tap', '--import', '{{hookFile}}', '{{testFile}}'],
    forceBail: true,
  },
  mutate: [...mutate],
  // Strings and literals are data: most of their mutants do not test the logic.
  mutator: { excludedMutations: ['StringLiteral', 'ObjectLiteral', 'ArrayDeclaration', 'Regex'] },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 10_000,
  reporters: ['progress-append-only'],
  tempDirName: '.stryker/tmp',
  // Tests read the examples and the documents, so the copy has them.
  ignorePatterns: ['/.stryker', '/dist'],
  incremental: wanted === undefined,
  incrementalFile: join(
    root,
    '.stryker',
    `${folders.map(({ folder }) => folder.replaceAll('/', '-')).join('+')}.json`,
  ),
  // The compiler has no JavaScript API, so Stryker cannot rewrite the configuration, which is not needed.
  tsconfigFile: 'none',
  disableTypeChecks: false,
  logLevel: 'warn',
} as unknown as ConstructorParameters<typeof Stryker>[0]).runMutationTest()

const { score, tested, survivors } = scoreOf(results, root)
for (const { place, mutator, replacement } of survivors)
  process.stdout.write(`survived  ${place}  ${mutator}: ${replacement}\n`)
process.stdout.write(
  `${score.toFixed(1)} % of ${tested} mutants were detected, ${survivors.length} were not\n`,
)
if (least !== undefined && score < least) {
  process.stderr.write(`the score is below ${least} %\n`)
  process.exit(1)
}
