import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect, stripVTControlCharacters } from 'node:util'
import type { TestUnit } from './test-groups.ts'
import type { FileResults, TestResult } from './test-results.ts'

/** The line that `leave-when-done.ts` prints. */
const DONE = 'all tests of this file are done'

interface Failure {
  readonly file: string
  readonly path: readonly string[]
  readonly text: string
}

interface FileRecord {
  readonly file: string
  readonly tests: TestResult[]
  readonly output: string[]
  passed: number
  failed: number
  skipped: number
  durationMs: number
  /** Its process reached the end of its tests and reported it. */
  summed: boolean
  done: boolean
  /** The verdict of the runner on the whole file. */
  verdict: 'passed' | 'failed'
}

/** The collected reports of a test run. */
export class TestRecord {
  readonly #root: string
  readonly #files = new Map<string, FileRecord>()
  readonly #failures: Failure[] = []
  readonly #skips = new Map<string, number>()
  /**
   * Names of the tests that enclose the reported test, outermost first. One list for all files: the runner reports file
   * by file, and a suite may contain tests that a shared module defines.
   */
  readonly #path: string[] = []

  /** By the file that a process runs. */
  readonly #units: ReadonlyMap<string, TestUnit>

  /** @param units the processes of the run */
  constructor(root: string, units: readonly TestUnit[]) {
    this.#root = root
    this.#units = new Map(units.map((unit) => [unit.file, unit]))
  }

  /** Processes one report of the runner; returns the file that it completes, if any. */
  take(event: TestEvent): string | null {
    const file = event.data !== undefined && 'file' in event.data ? event.data.file : undefined
    if (file === undefined) return null
    const record = this.#of(relative(this.#root, file))
    switch (event.type) {
      case 'test:stdout':
        // The summary of the runner is missing if a process had to be killed.
        if (event.data.message.includes(DONE)) record.summed = true
        record.output.push(event.data.message.replace(`${DONE}\n`, ''))
        return null
      case 'test:stderr':
        record.output.push(event.data.message)
        return null
      case 'test:start':
        this.#path.length = event.data.nesting
        this.#path.push(event.data.name)
        return null
      case 'test:summary':
        record.summed = true
        return null
      case 'test:pass':
      case 'test:fail':
        this.#settle(record, event, event.data.name === file)
        // The suites and tests of a file that shares a process, one after another.
        if (event.data.nesting === 0 && !this.#units.has(record.file))
          record.durationMs += event.data.details.duration_ms
        return null
      case 'test:complete':
        if (event.data.name !== file) return null
        record.durationMs = event.data.details.duration_ms
        record.verdict = event.data.details.passed ? 'passed' : 'failed'
        record.done = true
        return record.file
      default:
        return null
    }
  }

  /** Fails the files whose failure no single test reported. @param stopped the reason why the run was stopped. */
  close(stopped?: string): void {
    for (const { file, members } of this.#units.values()) {
      const record = this.#of(file)
      const others = members.filter((member) => member !== file).map((member) => this.#of(member))
      if (record.done) for (const member of others) this.#complete(member, record)
      if (!record.done) this.#fail(record, [], stopped ?? 'its process reported no result')
      else if (record.failed > 0 || others.some(({ failed }) => failed > 0)) continue
      else if (!record.summed) this.#fail(record, [], 'its process ended before its tests did')
      else if (record.verdict === 'failed') this.#fail(record, [], 'its process failed outside of its tests')
    }
  }

  counts(): { passed: number; failed: number; skipped: number } {
    const sum = { passed: 0, failed: 0, skipped: 0 }
    for (const { passed, failed, skipped } of this.#files.values()) {
      sum.passed += passed
      sum.failed += failed
      sum.skipped += skipped
    }
    return sum
  }

  /**
   * Returns the results of each test, by the file that defines it. @param startedAtMs start of the run, in Unix
   * milliseconds
   */
  results(startedAtMs: number, commit: string | null): Record<string, FileResults> {
    const files = [...this.#files.values()].filter(
      ({ file, done, tests }) => tests.length > 0 || (done && this.#units.get(file)?.members[0] === file),
    )
    return Object.fromEntries(
      files.map(({ file, durationMs, tests }) => [file, { startedAtMs, commit, durationMs, tests }]),
    )
  }

  describeFile(file: string): string {
    const { durationMs, verdict } = this.#of(file)
    const { members } = this.#units.get(file) ?? { members: [file] }
    const [name = file] = members
    const others = members.length === 1 ? '' : ` and ${members.length - 1} more`
    return `${verdict === 'passed' ? '✔' : '✖'} ${name}${others}  ${seconds(durationMs)}`
  }

  describeFailures(): string[] {
    const lines: string[] = []
    for (const { file, path, text } of this.#failures) {
      lines.push('', `✖ ${[file, ...path].join(' › ')}`, indent(text))
    }
    for (const record of this.#files.values()) {
      if (record.failed === 0 || record.output.length === 0) continue
      lines.push('', `output of ${record.file}:`, indent(record.output.join('').trimEnd()))
    }
    return lines
  }

  describeSlowest(count: number): string[] {
    const slowest = [...this.#files.values()].sort((a, b) => b.durationMs - a.durationMs).slice(0, count)
    if (slowest.length === 0) return []
    return [
      '',
      'slowest:',
      ...slowest.map(({ file, durationMs }) => `  ${seconds(durationMs).padStart(8)}  ${file}`),
    ]
  }

  describeSkips(): string[] {
    if (this.#skips.size === 0) return ['']
    const byCount = [...this.#skips].sort(([, a], [, b]) => b - a)
    return ['', 'skipped:', ...byCount.map(([reason, count]) => `  ${count} × ${reason}`), '']
  }

  /** Completes a file whose process it shared with others. */
  #complete(member: FileRecord, { output }: FileRecord): void {
    member.done = true
    if (member.passed + member.failed + member.skipped === 0) this.#fail(member, [], 'contains no tests')
    if (member.failed === 0) return
    member.verdict = 'failed'
    // What the process has written is shown once, with the first of its files that failed.
    member.output.push(...output.splice(0))
  }

  #of(file: string): FileRecord {
    let record = this.#files.get(file)
    if (record === undefined) {
      record = {
        file,
        tests: [],
        output: [],
        passed: 0,
        failed: 0,
        skipped: 0,
        durationMs: 0,
        summed: false,
        done: false,
        verdict: 'passed',
      }
      this.#files.set(file, record)
    }
    return record
  }

  #settle(
    record: FileRecord,
    event: Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>,
    whole: boolean,
  ): void {
    const { data } = event
    // The runner passes a file without tests; here it is a failure.
    if (whole) {
      this.#fail(record, [], event.type === 'test:pass' ? 'contains no tests' : explain(event))
      return
    }
    const path = [...this.#path.slice(0, data.nesting), data.name]
    const name = path.join(' › ')
    const skip = data.skip ?? (data.todo ? 'todo' : undefined)
    if (skip !== undefined && skip !== false) {
      const reason = typeof skip === 'string' ? skip : ''
      if (reason === '') {
        this.#fail(record, path, "skipped without a reason: name what it needs, as in t.skip('needs …')")
        return
      }
      record.skipped++
      record.tests.push({ name, outcome: 'skipped', reason })
      this.#skips.set(reason, (this.#skips.get(reason) ?? 0) + 1)
    } else if (event.type === 'test:fail') {
      if (failureType(event) === 'subtestsFailed') return
      this.#fail(record, path, explain(event))
    } else if (data.details.type !== 'suite') {
      record.passed++
      record.tests.push({ name, outcome: 'passed' })
    }
  }

  #fail(record: FileRecord, path: readonly string[], text: string): void {
    record.failed++
    if (path.length > 0) record.tests.push({ name: path.join(' › '), outcome: 'failed' })
    this.#failures.push({ file: record.file, path, text })
  }
}

function failureType(event: Extract<TestEvent, { type: 'test:fail' }>): unknown {
  const error = event.data.details.error as Error & { failureType?: unknown }
  return error.failureType
}

function explain(event: Extract<TestEvent, { type: 'test:fail' }>): string {
  const { error } = event.data.details
  const cause = error.cause ?? error
  // An assertion's members repeat what its message shows.
  const text =
    cause instanceof Error && 'code' in cause && cause.code === 'ERR_ASSERTION'
      ? String(cause.stack)
      : typeof cause === 'string'
        ? cause
        : inspect(cause, { depth: 6, breakLength: 110 })
  // The stack frames of the runner are not useful.
  const lines = stripVTControlCharacters(text).split('\n')
  return lines.filter((line) => !/^\s+at .*\(?node:(internal\/|async_hooks)/.test(line)).join('\n')
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '    ')
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
