import type { RunEvent } from '../../run/event.ts'
import type { RunView } from '../records/run-view.ts'

/** An item of the stream of a run. `event` items have the cursor `seq`; the others none. */
export type StreamItem =
  | { readonly type: 'event'; readonly event: RunEvent }
  /** The text that the model has written so far, for a client that joins in the middle. */
  | { readonly type: 'text.snapshot'; readonly attempt: number; readonly text: string }
  | { readonly type: 'text'; readonly attempt: number; readonly text: string }
  /** The last item of every complete stream: a stream without it was interrupted. */
  | { readonly type: 'end'; readonly run: RunView }
