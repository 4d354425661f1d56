import { publicEvent } from '../../run/record/event-line.ts'
import type { Io } from '../io.ts'
import { jsonText } from '../terminal/plain-text.ts'
import type { RunView } from './run-view.ts'

/** Shows a run as NDJSON: standard output carries its events, one JSON object a line. */
export function eventsView(io: Io): RunView {
  return { event: (event, { run_id }) => io.out(`${jsonText(publicEvent(run_id, event))}\n`) }
}
