import { compareSteps, type RunStep, type StepChange, stepsOf } from '../../session/compare-runs.ts'
import { findRun } from '../../session/find-run.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { type PlaceOptions, withRecords } from '../remote/with-records.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'

/** Shows where two runs did not do the same (`waybill runs diff`). */
export async function diffRuns(
  before: string,
  after: string,
  options: PlaceOptions & FormatOptions,
  io: Io,
): Promise<ExitCode> {
  const { first, second, a, b } = await withRecords(options, io, async (home) => {
    const [one, other] = [await findRun(home, before), await findRun(home, after)]
    return {
      first: one,
      second: other,
      a: stepsOf(await home.runs.events(one)),
      b: stepsOf(await home.runs.events(other)),
    }
  })
  const changes = compareSteps(a, b)
  const equal = changes.length === 0
  if (wantsJson(options)) io.out(`${jsonText({ first, second, equal, changes })}\n`)
  else if (equal) io.err(`both runs did the same, in ${a.length} steps\n`)
  else io.out(pretty(changes, io))
  return equal ? EXIT.ok : EXIT.no
}

function pretty(changes: readonly StepChange[], { color }: Io): string {
  const paint = painter(color)
  return changes
    .map((change) => {
      const [mark, tone, { n, step }] =
        'first' in change ? (['-', 'bad', change.first] as const) : (['+', 'good', change.second] as const)
      return `${paint(tone, plainLine(`${mark} ${n} ${described(step)}`, 300))}\n`
    })
    .join('')
}

function described(step: RunStep): string {
  switch (step.type) {
    case 'input':
      return `input ${JSON.stringify(step.input)}`
    case 'answer': {
      const calls = step.calls.map(({ tool, args }) => `${String(tool)} ${JSON.stringify(args)}`)
      return `answer ${[JSON.stringify(step.text), ...calls].join(' → ')}`
    }
    case 'call':
      return `call ${step.tool} ${JSON.stringify(step.args)} ${step.error === true ? 'failed:' : '='} ${JSON.stringify(step.result)}`
    case 'decision':
      return `decision ${step.tool}: ${step.verdict}`
    case 'end':
      return `end ${step.status}${step.code === undefined ? '' : ` ${step.code}`} ${JSON.stringify(step.output ?? null)}`
  }
}
