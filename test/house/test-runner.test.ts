import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestResults } from '../../scripts/test-results.ts'

const root = join(import.meta.dirname, '../..')
const head = "import { test } from 'node:test'\n"

/** A tree of its own with the test runner. */
function treeOf(files: Record<string, string>): string {
  const tree = mkdtempSync(join(tmpdir(), 'waybill-runner-'))
  mkdirSync(join(tree, 'test'))
  writeFileSync(join(tree, 'package.json'), '{"type":"module"}')
  for (const name of [
    'test.ts',
    'test-groups.ts',
    'test-record.ts',
    'test-results.ts',
    'leave-when-done.ts',
  ]) {
    cpSync(join(root, 'scripts', name), join(tree, 'scripts', name))
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(tree, 'test', name), text)
  return tree
}

function runIn(tree: string, args: string[] = [], env: Record<string, string> = {}) {
  const { CI: _, ...outer } = process.env
  const child = spawnSync(process.execPath, [join(tree, 'scripts/test.ts'), ...args], {
    cwd: tree,
    env: { ...outer, ...env },
    encoding: 'utf8',
  })
  return { status: child.status, lines: child.stdout.trimEnd().split('\n'), output: child.stdout }
}

function runOn(files: Record<string, string>, args: string[] = [], env: Record<string, string> = {}) {
  const tree = treeOf(files)
  try {
    return runIn(tree, args, env)
  } finally {
    rmSync(tree, { recursive: true })
  }
}

test('the last line counts what passed, failed and was skipped, and a failure exits 1', () => {
  const { status, lines, output } = runOn({
    'a.test.ts': `${head}test('good', () => {})\ntest('bad', () => { throw new Error('the reason') })\n`,
    'b.test.ts': `${head}test('later', { skip: 'no data here' }, () => {})\n`,
  })
  assert.equal(lines.at(-1), '1 passed, 1 failed, 1 skipped')
  assert.equal(status, 1)
  assert.match(output, /✖ test\/a\.test\.ts › bad\n {4}Error: the reason/)
  assert.match(output, /1 × no data here/)
})

test('a skipped test is fine at a desk and a failure in CI', () => {
  const files = {
    'a.test.ts': `${head}test('good', () => {})\ntest('later', { skip: 'no data' }, () => {})\n`,
  }
  assert.equal(runOn(files).status, 0)
  const { status, lines } = runOn(files, [], { CI: 'true' })
  assert.equal(status, 1)
  assert.equal(lines.at(-1), '1 passed, 0 failed, 1 skipped')
})

test('arguments choose files, and none that match is a failure', () => {
  const files = { 'a.test.ts': `${head}test('a', () => {})\n`, 'b.test.ts': `${head}test('b', () => {})\n` }
  assert.equal(runOn(files, ['test/b']).lines.at(-1), '1 passed, 0 failed, 0 skipped')
  const none = runOn(files, ['nowhere'])
  assert.equal(none.lines.at(-1), '0 passed, 0 failed, 0 skipped')
  assert.equal(none.status, 1)
})

test('a file that does not load, contains no tests or exits before its end fails', () => {
  const { status, lines } = runOn({
    'empty.test.ts': 'export {}\n',
    'broken.test.ts': "throw new Error('broken')\n",
    'early.test.ts': `${head}test('one', () => {})\ntest('never', async () => {\n  process.exit(0)\n})\n`,
  })
  assert.match(String(lines.at(-1)), / 3 failed, 0 skipped$/)
  assert.equal(status, 1)
})

test('an open handle does not keep the run from ending', () => {
  const { status, lines } = runOn({
    'open.test.ts': `${head}setInterval(() => {}, 1000)\ntest('one', () => {})\n`,
  })
  assert.equal(lines.at(-1), '1 passed, 0 failed, 0 skipped')
  assert.equal(status, 0)
})

test('tests see no provider keys and a home of their own', () => {
  const body = `${head}import assert from 'node:assert/strict'
test('clean', () => {
  assert.equal(process.env.OPENAI_API_KEY, undefined)
  assert.equal(process.env.WAYBILL_KEY_ACME, undefined)
  assert.notEqual(process.env.WAYBILL_HOME, '/someone')
})\n`
  const env = { OPENAI_API_KEY: 'k', WAYBILL_KEY_ACME: 'k', WAYBILL_HOME: '/someone' }
  assert.equal(runOn({ 'a.test.ts': body }, [], env).lines.at(-1), '1 passed, 0 failed, 0 skipped')
})

test('a skipped test must say what it needs', () => {
  const { status, lines, output } = runOn({
    'a.test.ts': `${head}test('good', () => {})
test('here', { skip: true }, () => {})
test('there', (t) => t.skip())
test('said', (t) => t.skip('needs tmux'))\n`,
  })
  assert.equal(status, 1)
  assert.equal(lines.at(-1), '1 passed, 2 failed, 1 skipped')
  assert.match(output, /› here\n {4}skipped without a reason/)
  assert.match(output, /› there\n {4}skipped without a reason/)
  assert.match(output, /1 × needs tmux/)
})

test('the first line says how long the run will take, by the durations of the last run', (t) => {
  const tree = treeOf({
    'a.test.ts': `${head}test('a', () => {})\n`,
    'b.test.ts': `${head}test('b', () => new Promise((done) => setTimeout(done, 2_500)))\n`,
  })
  t.after(() => rmSync(tree, { recursive: true }))
  assert.match(runIn(tree).lines[0] ?? '', /^2 test files, expected to take about 3 s \(2 of them estimated/)
  const [, secondsAsMeasured] =
    /about (\d+) s \(as measured before\)$/.exec(runIn(tree, ['b']).lines[0] ?? '') ?? []
  assert.ok(Number(secondsAsMeasured) >= 3, secondsAsMeasured)
})

test('what each test came to is kept by its full name, also of tests that a shared module defines', (t) => {
  const shared = "import { describe } from 'node:test'\nimport { contract } from './contract.ts'\n"
  const tree = treeOf({
    'contract.ts': `${head}export const contract = () => test('holds', () => {})\n`,
    'a.test.ts': `${shared}describe('first', () => {
  describe('inner', () => contract())
  describe('slow', { skip: 'needs time' }, () => contract())
})\n`,
    'b.test.ts': `${shared}describe('second', () => contract())\n`,
    'c.test.ts': `${head}test('good', () => {})\ntest('bad', () => { throw new Error('no') })\n`,
  })
  t.after(() => rmSync(tree, { recursive: true }))
  const all = [
    'test/a.test.ts: skipped first › slow',
    'test/c.test.ts: failed bad',
    'test/c.test.ts: passed good',
    'test/contract.ts: passed first › inner › holds',
    'test/contract.ts: passed second › holds',
  ]
  runIn(tree)
  assert.deepEqual(resultsIn(tree), all)

  // A run of one file replaces what it started, and a run by title may have left tests out.
  writeFileSync(join(tree, 'test/c.test.ts'), `${head}test('bad', () => {})\n`)
  writeFileSync(
    join(tree, 'test/b.test.ts'),
    `${shared}describe('second', () => { contract(); contract() })\n`,
  )
  runIn(tree, ['--grep', 'holds'])
  assert.deepEqual(resultsIn(tree), all)
  runIn(tree, ['c.test', 'b.test'])
  assert.deepEqual(resultsIn(tree), [
    'test/a.test.ts: skipped first › slow',
    'test/c.test.ts: passed bad',
    'test/contract.ts: passed first › inner › holds',
    'test/contract.ts: passed second › holds',
    'test/contract.ts: passed second › holds',
  ])

  // A run of all files also forgets what a shared module no longer tests.
  writeFileSync(
    join(tree, 'test/contract.ts'),
    `${head}export const contract = () => test('renamed', () => {})\n`,
  )
  runIn(tree)
  assert.deepEqual(resultsIn(tree), [
    'test/a.test.ts: skipped first › slow',
    'test/c.test.ts: passed bad',
    'test/contract.ts: passed first › inner › renamed',
    'test/contract.ts: passed second › renamed',
    'test/contract.ts: passed second › renamed',
  ])

  // Nor does a file that is gone prove anything.
  rmSync(join(tree, 'test/c.test.ts'))
  runIn(tree, ['b.test'])
  assert.deepEqual(
    resultsIn(tree).filter((line) => line.startsWith('test/c.test')),
    [],
  )
})

function resultsIn(tree: string): string[] {
  const results = JSON.parse(readFileSync(join(tree, '.test-results/results.json'), 'utf8')) as TestResults
  return Object.entries(results)
    .flatMap(([file, { tests }]) => tests.map(({ name, outcome }) => `${file}: ${outcome} ${name}`))
    .sort()
}
