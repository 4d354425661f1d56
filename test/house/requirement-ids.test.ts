import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { idsOf, isProved, parseRequirements, proofsOf, staleness } from '../../scripts/requirement-ids.ts'
import type { FileResults, TestResult } from '../../scripts/test-results.ts'

const root = join(import.meta.dirname, '../..')

// Assembled, so that the names of the tests here claim nothing.
const id = (number: string): string => `${'AAIF'}-4.2-${number}`

function ran(...tests: readonly TestResult[]): FileResults {
  return { startedAtMs: 1_000, commit: 'c1', durationMs: 5, tests }
}

describe('what a test proves', () => {
  test('the ids that its title or that of a group around it begins with', () => {
    assert.deepEqual(idsOf(`${id('15')}, IAP-delivery-05: one`), [id('15'), 'IAP-delivery-05'])
    assert.deepEqual(idsOf(`AAH-2.5.1-03 a group › ${id('02')}: a case`), ['AAH-2.5.1-03', id('02')])
    assert.deepEqual(idsOf(`SPEC-F-02 CARD-sec-01: two`), ['SPEC-F-02', 'CARD-sec-01'])
    assert.deepEqual(idsOf(`examples of SPEC-F-02 [CARD-sec-01]`), [])
    assert.deepEqual(idsOf('AAIF §12 › AAIF-4-04-no-goal.json › UTF-8'), [])
  })

  test('only those of tests that passed, and none that another test fails', () => {
    const proofs = proofsOf({
      'test/a.test.ts': ran(
        { name: `${id('01')}: good`, outcome: 'passed' },
        { name: `${id('02')}: good`, outcome: 'passed' },
        { name: `${id('03')}: not here`, outcome: 'skipped', reason: 'needs tmux' },
      ),
      'test/b.test.ts': ran({ name: `a group › ${id('02')}: bad`, outcome: 'failed' }),
    })
    const proved = ['01', '02', '03', '04'].filter((number) => isProved(proofs.get(id(number))))
    assert.deepEqual(proved, ['01'])
    assert.deepEqual(proofs.get(id('02'))?.failed, [`test/b.test.ts › a group › ${id('02')}: bad`])
    assert.deepEqual(proofs.get(id('03'))?.skipped, [`test/a.test.ts › ${id('03')}: not here (needs tmux)`])
  })
})

test('the list is read by its column names', () => {
  const text = 'area\tid\trequirement\tcapability\tstrength\nrouting\tX-1-01\tdo it\truntime\tMUST\n'
  assert.deepEqual(parseRequirements(text), [
    { id: 'X-1-01', strength: 'MUST', requirement: 'do it', area: 'routing', capability: 'runtime' },
  ])
})

test('results of another commit, of files changed since, and test files without any are named', () => {
  const results = { 'test/a.test.ts': ran(), 'test/b.test.ts': { ...ran(), startedAtMs: 3_000 } }
  const changedAtMs = { 'test/a.test.ts': 900, 'test/b.test.ts': 2_000, 'src/x.ts': 800 }
  assert.deepEqual(staleness(results, { commit: 'c1', changedAtMs }), [])
  assert.deepEqual(staleness(results, { commit: 'c2', changedAtMs }), ['tests ran at c1; this is c2'])
  assert.deepEqual(
    staleness(results, {
      commit: 'c1',
      changedAtMs: { ...changedAtMs, 'src/x.ts': 2_000, 'test/a.test.ts': 1_500 },
    }),
    ['changed since the tests ran: test/a.test.ts, src/x.ts'],
  )
  assert.deepEqual(
    staleness(results, { commit: 'c1', changedAtMs: { ...changedAtMs, 'test/c.test.ts': 1 } }),
    ['test files without a result: test/c.test.ts'],
  )
  assert.deepEqual(
    staleness(results, { commit: 'c1', changedAtMs: { ...changedAtMs, 'test/d.slow.test.ts': 1 } }),
    ['slow test files, which npm run test:all runs, without a result: test/d.slow.test.ts'],
  )
})

describe('npm run requirements', () => {
  /** A tree with the scripts, a list of four requirements, and one test file. */
  function treeWith(t: TestContext, body: string): string {
    const tree = mkdtempSync(join(tmpdir(), 'waybill-requirements-'))
    t.after(() => rmSync(tree, { recursive: true }))
    mkdirSync(join(tree, 'test'))
    cpSync(join(root, 'scripts'), join(tree, 'scripts'), { recursive: true })
    writeFileSync(join(tree, 'package.json'), '{"type":"module"}')
    const rows = ['01', '02', '03', '04'].map((number) => `${id(number)}\tMUST\tdo it\ta\tc`)
    writeFileSync(
      join(tree, 'requirements.tsv'),
      `id\tstrength\trequirement\tarea\tcapability\n${rows.join('\n')}\n`,
    )
    writeFileSync(join(tree, 'test/a.test.ts'), `import { describe, test } from 'node:test'\n${body}`)
    return tree
  }

  function runIn(tree: string, script: string, ...args: readonly string[]) {
    const { CI: _, ...outer } = process.env
    return spawnSync(process.execPath, [join(tree, 'scripts', script), ...args], {
      cwd: tree,
      env: { ...outer, WAYBILL_TEST_DATA: tree },
      encoding: 'utf8',
    })
  }

  test('counts what passed: a failure, a skipped test and a title that never ran prove nothing', (t) => {
    const tree = treeWith(
      t,
      `describe('${id('01')} a group', () => { test('good', () => {}) })
test('${id('02')}: bad', () => { throw new Error('no') })
test('${id('03')}: later', { skip: 'needs a printer' }, () => {})
if (process.argv.includes('never')) test('${id('04')}: not run', () => {})
`,
    )
    const none = runIn(tree, 'requirements.ts')
    assert.equal(none.status, 2)
    assert.match(none.stderr, /hint: run npm test/)

    assert.equal(runIn(tree, 'test.ts').status, 1)
    const { status, stdout, stderr } = runIn(tree, 'requirements.ts', '--missing')
    assert.equal(status, 0, stderr)
    assert.equal(stderr, '')
    assert.match(stdout, /^1\/4 proved$/m)
    assert.match(stdout, new RegExp(`failed: test/a.test.ts › ${id('02')}: bad`))
    assert.match(stdout, /later \(needs a printer\)$/m)
    const { total, proved, missing, stale } = JSON.parse(runIn(tree, 'requirements.ts', '--json').stdout)
    assert.equal(total, 4)
    assert.deepEqual(proved, [{ id: id('01'), tests: [`test/a.test.ts › ${id('01')} a group › good`] }])
    assert.deepEqual(
      missing.map((each: { id: string }) => each.id),
      [id('02'), id('03'), id('04')],
    )
    assert.deepEqual(stale, [])
    assert.match(runIn(tree, 'requirements.ts', '--capability', 'other').stdout, /^0\/0 proved$/m)
  })

  test('an id that is not a requirement is an error, and results older than a test are reported', (t) => {
    const tree = treeWith(t, `test('${id('99')}: unknown', () => {})\n`)
    assert.equal(runIn(tree, 'test.ts').status, 0)
    const later = new Date(Date.now() + 60_000)
    utimesSync(join(tree, 'test/a.test.ts'), later, later)
    const { status, stderr } = runIn(tree, 'requirements.ts')
    assert.equal(status, 1)
    assert.match(stderr, new RegExp(`a test names ${id('99')}, which is not a requirement`))
    assert.match(stderr, /changed since the tests ran: test\/a\.test\.ts/)
  })
})
