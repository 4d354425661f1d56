import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const head = "import { test } from 'node:test'\n"

/** Runs the test runner on a tree of its own. */
function runOn(files: Record<string, string>, args: string[] = [], env: Record<string, string> = {}) {
  const tree = mkdtempSync(join(tmpdir(), 'waybill-runner-'))
  try {
    mkdirSync(join(tree, 'test'))
    writeFileSync(join(tree, 'package.json'), '{"type":"module"}')
    for (const name of ['test.ts', 'test-record.ts', 'leave-when-done.ts']) {
      cpSync(join(root, 'scripts', name), join(tree, 'scripts', name))
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(join(tree, 'test', name), text)
    const { CI: _, ...outer } = process.env
    const child = spawnSync(process.execPath, [join(tree, 'scripts/test.ts'), ...args], {
      cwd: tree,
      env: { ...outer, ...env },
      encoding: 'utf8',
    })
    return { status: child.status, lines: child.stdout.trimEnd().split('\n'), output: child.stdout }
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

test('a file that does not load, holds no tests or exits before its end fails', () => {
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
