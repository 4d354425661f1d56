import { WaybillError } from '../../document/issue.ts'

/** Returns the error for a client that names an event which the record does not have. */
export function eventIdAhead(runId: string, after: number, head: number): WaybillError {
  return new WaybillError('EVENT_ID_AHEAD', {
    fault: 'usage',
    message: `run ${runId} has ${head} events, so none of them follows event ${after}`,
    hint: 'read the events again from the beginning: the platform was restored from a backup, or the id is of another run',
  })
}
