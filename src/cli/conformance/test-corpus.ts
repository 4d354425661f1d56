import { EXIT, type ExitCode, type Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { count } from '../terminal/amounts.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { type CorpusCase, runCorpus } from './run-corpus.ts'

export interface ConformanceOptions {
  readonly output?: string
  readonly json?: boolean
  readonly format?: string
}

/** Tests a corpus and prints the failures (`waybill conformance test`); as JSON `{passed, total, failures}`. */
export async function testCorpus(dir: string, options: ConformanceOptions, io: Io): Promise<ExitCode> {
  const cases = await runCorpus(dir, io.cwd)
  const failures = cases.filter(({ passed }) => !passed)
  const passed = cases.length - failures.length
  if (wantsJson(options)) {
    const failed = failures.map(({ passed: _passed, ...failure }) => failure)
    io.out(`${jsonText({ passed, total: cases.length, failures: failed }, 2)}\n`)
  } else io.err(summary(cases, failures, io.color))
  return failures.length === 0 ? EXIT.ok : EXIT.no
}

function summary(cases: readonly CorpusCase[], failures: readonly CorpusCase[], color: boolean): string {
  const paint = painter(color)
  const lines = failures.map(
    ({ file, expected, reason = '' }) =>
      `${paint('bad', '✗')} ${plainLine(file, 300)}: expected to be ${expected}, ${plainLine(reason, 400)}`,
  )
  const kinds = [...Map.groupBy(cases, ({ kind }) => kind ?? 'of unknown kind')].map(
    ([kind, members]) => `${members.length} ${kind}`,
  )
  const good = cases.length - failures.length
  const verdict = `${good} of ${count(cases.length, 'document')} as expected`
  return `${[...lines, `${paint(failures.length === 0 ? 'good' : 'bad', verdict)} ${paint('faint', `(${kinds.sort().join(', ')})`)}`].join('\n')}\n`
}
