import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type TestUnit, unitsOf } from '../../scripts/test-groups.ts'
import { TestRecord } from '../../scripts/test-record.ts'

const files = Array.from({ length: 300 }, (_, n) => `test/${['run', 'spec', 'house'][n % 3]}/t${n}.test.ts`)
const withoutHooks = () => ''
const took = (ms: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    Object.entries(ms).map(([file, durationMs]) => [
      file,
      { startedAtMs: 0, commit: null, durationMs, tests: [] },
    ]),
  )

describe('the processes of a test run', () => {
  test('are one for each file in a run of fewer than 200', () => {
    const some = files.slice(0, 199)
    assert.deepEqual(
      unitsOf(some, {}, withoutHooks),
      some.map((file) => ({ file, members: [file] })),
    )
  })

  test('are shared by at most 12 files of one folder, of folders whose tests have no effects outside', () => {
    const units = unitsOf(files, {}, withoutHooks)
    assert.deepEqual(units.flatMap(({ members }) => members).sort(), [...files].sort())
    for (const { members } of units) {
      assert.ok(members.length <= 12)
      assert.equal(new Set(members.map((file) => file.split('/')[1])).size, 1)
      if (members[0]?.startsWith('test/house/')) assert.equal(members.length, 1)
    }
    assert.ok(units.length < 130, `${units.length} processes`)
  })

  test('a file that takes long has one of its own, and the others take 20 s together at most', () => {
    const durations = Object.fromEntries(files.map((file, n) => [file, n === 0 ? 11_000 : 6_000]))
    const units = unitsOf(files, took(durations), withoutHooks)
    assert.deepEqual(units.find(({ members }) => members.includes(files[0] ?? ''))?.members, [files[0]])
    for (const { members } of units) assert.ok(members.length <= 3)
  })
  test('a file with hooks of its own, which other files would inherit, has one of its own', () => {
    const read = (file: string) =>
      file === files[1] ? 'beforeEach(() => {})' : "describe('a', () => {\n  before(() => {})\n})"
    const units = unitsOf(files, {}, read)
    assert.deepEqual(units.find(({ members }) => members.includes(files[1] ?? ''))?.members, [files[1]])
    assert.ok(units.length < 130, `${units.length} processes`)
  })

  test('files that change their process have one of their own', () => {
    const alone = ['run/in-legs', 'platform/embedded', 'platform/functions', 'cli/watch', 'cli/schedules']
    const named = alone.map((name) => `test/${name}.test.ts`)
    for (const file of named) assert.ok(existsSync(join(import.meta.dirname, '../..', file)), file)
    const units = unitsOf([...files, ...named], {}, withoutHooks)
    for (const file of named)
      assert.deepEqual(units.find(({ members }) => members.includes(file))?.members, [file])
  })

  test('begin with the longest, also of files that have not run yet', () => {
    const durations = Object.fromEntries(files.map((file, n) => [file, n * 50]))
    const sums = unitsOf(files, took(durations), withoutHooks).map(({ members }) =>
      members.reduce((sum, file) => sum + (durations[file] ?? 0), 0),
    )
    assert.deepEqual(
      sums,
      [...sums].sort((a, b) => b - a),
    )
    const [first] = unitsOf([...files, 'test/fault/moving.test.ts'], {}, withoutHooks)
    assert.deepEqual(first?.members, ['test/fault/moving.test.ts'])
  })
})

describe('the record of a process that several files share', () => {
  const units: readonly TestUnit[] = [{ file: 'shared.mjs', members: ['a.test.ts', 'b.test.ts'] }]
  const passed = (file: string, name = 'is so') =>
    ({
      type: 'test:pass',
      data: { file: `/r/${file}`, name, nesting: 0, testNumber: 1, details: { duration_ms: 40 } },
    }) as never
  const over = (isPassed: boolean) =>
    ({
      type: 'test:complete',
      data: {
        file: '/r/shared.mjs',
        name: '/r/shared.mjs',
        nesting: 0,
        testNumber: 1,
        details: { duration_ms: 99, passed: isPassed },
      },
    }) as never
  const said = (message: string) =>
    ({ type: 'test:stdout', data: { file: '/r/shared.mjs', message } }) as never

  test('has the tests and the duration of each', () => {
    const record = new TestRecord('/r', units)
    for (const event of [passed('a.test.ts'), passed('a.test.ts', 'is too'), passed('b.test.ts')])
      record.take(event)
    record.take(said('all tests of this file are done\n'))
    assert.equal(record.take(over(true)), 'shared.mjs')
    assert.equal(record.describeFile('shared.mjs'), '✔ a.test.ts and 1 more  0.1 s')
    record.close()
    assert.deepEqual(record.counts(), { passed: 3, failed: 0, skipped: 0 })
    const { 'a.test.ts': a, 'b.test.ts': b, ...others } = record.results(0, null)
    assert.deepEqual([a?.durationMs, a?.tests.length, b?.durationMs, others], [80, 2, 40, {}])
  })

  test('fails a file without tests, a process that ended early, and one that failed outside of its tests', () => {
    const table = [
      [
        [passed('a.test.ts'), said('all tests of this file are done\n'), over(true)],
        /b\.test\.ts[\s\S]*contains no tests/,
      ],
      [[passed('a.test.ts'), passed('b.test.ts'), over(false)], /ended before its tests did/],
      [
        [passed('a.test.ts'), passed('b.test.ts'), said('all tests of this file are done\n'), over(false)],
        /outside of its tests/,
      ],
      [[passed('a.test.ts'), passed('b.test.ts')], /reported no result/],
    ] as const
    for (const [events, expected] of table) {
      const record = new TestRecord('/r', units)
      for (const event of events) record.take(event)
      record.close()
      assert.match(record.describeFailures().join('\n'), expected)
      assert.equal(record.counts().failed, 1)
    }
  })
})
