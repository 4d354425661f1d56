import { publicEvent } from '../../run/record/event-line.ts'
import type { Io } from '../io.ts'
import { jsonText } from '../terminal/plain-text.ts'
import type { RunView } from './run-view.ts'

/** Returns a view that prints the events of a run to standard output as NDJSON. */
export function eventsView(io: Io): RunView {
  return { event: (event, { run_id }) => io.out(`${jsonText(publicEvent(run_id, event))}\n`) }
}
