import { apply } from '../../run/apply.ts'
import type { RunEvent } from '../../run/event.ts'
import { initialState } from '../../run/initial-state.ts'
import type { StoredRun } from '../../run/record/records.ts'
import { paintLine, storyOf } from '../run-view/story.ts'
import type { Paint } from '../terminal/paint.ts'

/**
 * Returns a function that returns the lines of the next event of a run, from its first event on: each line has the local
 * time of the event.
 */
export function storyLines(
  { header, plan }: Pick<StoredRun, 'header' | 'plan'>,
  paint: Paint,
): (event: RunEvent) => readonly string[] {
  let state = initialState(header.run_id, header.agent_id, header.plan_hash)
  return (event) => {
    const after = apply(state, event)
    const time = paint('faint', new Date(event.at).toTimeString().slice(0, 8))
    const lines = storyOf(event, state, after, plan).map((line) => {
      const text = paintLine(line, paint).replaceAll('\n', `\n${' '.repeat(10)}`)
      return `${time}  ${text}`
    })
    state = after
    return lines
  }
}
