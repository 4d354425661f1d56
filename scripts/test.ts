/**
 * Runs the tests: `node scripts/test.ts [part of a path]… [--grep PATTERN] [--all]`. Slow ones (`*.slow.test.ts`) are
 * run with `--all`, or when the part of a path names them with `slow`. Each file has a separate process, five at a time
 * on two cores; in a run of the whole suite, files of some folders share one.
 * The last line is always `N passed, N failed, N skipped`; with CI=true a skipped test is a failure too. The first line
 * says how long the run will take. The result of each test is stored in `.test-results/`, where `npm run requirements`
 * reads it; a run with `--grep` does not change it.
 */
import { chmodSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import module from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { run } from 'node:test'
import { parseArgs } from 'node:util'
import { LEAST_FILES, unitsOf, writeUnits } from './test-groups.ts'
import { TestRecord } from './test-record.ts'
import { commitOf, expectedMs, mergeResults, readResults, WORKERS, writeResults } from './test-results.ts'

const TEST_LIMIT_MS = 120_000
const FILE_LIMIT_MS = 600_000
/** A file system in memory, which most Linux systems have. */
const MEMORY = '/dev/shm'
/** Space that a run needs for its homes and databases; containers often have only 64 MB in memory. */
const MEMORY_BYTES = 2 * 1024 ** 3
const root = join(import.meta.dirname, '..')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { grep: { type: 'string', short: 'g' }, all: { type: 'boolean', default: false } },
})
const files = globSync('test/**/*.test.ts', { cwd: root })
  .filter(
    (file) =>
      values.all || !file.endsWith('.slow.test.ts') || positionals.some((part) => part.includes('slow')),
  )
  .filter(
    (file) =>
      positionals.length === 0 || positionals.some((part) => file.includes(relative(root, join(root, part)))),
  )
  .sort()

const former = readResults(root) ?? {}
const units = unitsOf(files, former, (file) => readFileSync(join(root, file), 'utf8'))
const record = new TestRecord(root, units)
const inCi = /^(1|true)$/i.test(process.env.CI ?? '')

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Tests have access neither to the keys nor to the home of the user. */
function isolateEnvironment(home: string): void {
  for (const name of Object.keys(process.env)) {
    if (/_API_KEY$|_ACCESS_KEY|_TOKEN$/.test(name)) delete process.env[name]
    if (name.startsWith('WAYBILL_') && !name.startsWith('WAYBILL_TEST_')) delete process.env[name]
    // Set if a test runs this runner; a nested runner would report to the outer one.
    if (name === 'NODE_TEST_CONTEXT') delete process.env[name]
  }
  process.env.WAYBILL_HOME = home
  process.env.XDG_STATE_HOME = join(home, 'state')
  if (values.all) process.env.WAYBILL_TEST_LONG = '1'
  process.env.NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/waybill-test')
}

/**
 * Creates the folder of all temporary files of the tests. In memory, because a quarter of the processor time would be
 * spent on writing files that are removed a second later. No test proves what survives a power loss.
 */
function createWorkFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    if (bavail * bsize >= MEMORY_BYTES) return mkdtempSync(join(MEMORY, 'wb-'))
  } catch {
    // It does not exist, or cannot be written.
  }
  return mkdtempSync(join(tmpdir(), 'waybill-test-'))
}

function describeExpected(): string {
  const unknown = files.filter((file) => former[file] === undefined).length
  const source =
    unknown === 0 ? 'as measured before' : `${unknown} of them estimated, because they have not run here yet`
  const ms = expectedMs(files, former)
  const duration = ms < 90_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`
  return `${files.length} test files, expected to take about ${duration} (${source})`
}

async function runFiles(stop: AbortController): Promise<void> {
  let watchdog: NodeJS.Timeout | undefined
  // A test that never yields cannot time out within its own process.
  const rewind = (): void => {
    clearTimeout(watchdog)
    watchdog = setTimeout(() => stop.abort(), FILE_LIMIT_MS)
  }
  rewind()
  const events = run({
    files: units.map(({ file }) => join(root, file)),
    cwd: root,
    concurrency: WORKERS,
    timeout: TEST_LIMIT_MS,
    // An open handle must not delay a file after all of its tests are done.
    execArgv: ['--import', join(import.meta.dirname, 'leave-when-done.ts')],
    signal: stop.signal,
    ...(values.grep !== undefined && { testNamePatterns: new RegExp(values.grep) }),
  })
  for await (const event of events) {
    const done = record.take(event)
    if (done === null) continue
    rewind()
    say(record.describeFile(done))
  }
  clearTimeout(watchdog)
}

/** In a run of the whole suite, bundles the programs that tests start. */
async function bundleStarted(): Promise<void> {
  if (files.length < LEAST_FILES) return
  const { bundlePrograms } = await import('./test-programs.ts')
  process.env.WAYBILL_TEST_PROGRAMS = await bundlePrograms(root)
}

/** Starts the PostgreSQL server that all files share, if one of them needs it. */
async function startPostgres(): Promise<{ stop(): Promise<void> } | null> {
  const needed = files.some((file) => /^test\/(platform|server)\/|^test\/fault\/platform/.test(file))
  if (!needed || process.env.WAYBILL_TEST_POSTGRES !== undefined) return null
  const { startTestServer } = await import('../test/platform/postgres.ts')
  const server = await startTestServer()
  process.env.WAYBILL_TEST_POSTGRES = server.url
  return server
}

module.enableCompileCache(join(root, 'node_modules/.cache/waybill-test'))
const work = createWorkFolder()
// PostgreSQL runs as another user if the tests run as root.
chmodSync(work, 0o711)
process.env.TMPDIR = work
isolateEnvironment(mkdtempSync(join(work, 'home-')))
const stop = new AbortController()
let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    interrupted = true
    stop.abort()
  })
}

const startedAtMs = Date.now()
const commit = commitOf(root)
if (files.length > 0) {
  say(describeExpected())
  writeUnits(root, units)
  await bundleStarted()
  const postgres = await startPostgres()
  try {
    await runFiles(stop)
  } finally {
    await postgres?.stop()
  }
}
rmSync(work, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })

const limit = `no output for ${FILE_LIMIT_MS / 1000} s`
record.close(interrupted ? 'interrupted' : stop.signal.aborted ? limit : undefined)
if (values.grep === undefined && !interrupted) {
  const results = record.results(startedAtMs, commit)
  // A run of the whole suite omits only the slow files; other results that it does not update are out of date.
  const isKept = (file: string): boolean =>
    existsSync(join(root, file)) && (positionals.length > 0 || file.endsWith('.slow.test.ts'))
  writeResults(root, mergeResults(former, results, new Set(files), isKept))
}
for (const line of record.describeFailures()) say(line)
for (const line of record.describeSlowest(5)) say(line)
for (const line of record.describeSkips()) say(line)

const { passed, failed, skipped } = record.counts()
if (passed + failed + skipped === 0) {
  say(positionals.length > 0 ? `no test file matches ${positionals.join(' ')}` : 'there are no tests')
}
if (inCi && skipped > 0) say('CI is set: a skipped test counts as a failure')
say(`${passed} passed, ${failed} failed, ${skipped} skipped`)

const bad = failed > 0 || passed + skipped === 0 || (inCi && skipped > 0)
process.exit(interrupted ? 130 : bad ? 1 : 0)
