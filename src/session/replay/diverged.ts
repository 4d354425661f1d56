import { WaybillError } from '../../document/issue.ts'

/**
 * Returns the error of a replay that needs an answer which its record does not have.
 * @param would what the agent would do, such as `call send {"to":"ada"}`
 * @param runId the recorded run
 */
export function diverged(agentName: string, would: string, runId: string): WaybillError {
  return new WaybillError('REPLAY_DIVERGED', {
    message: `${agentName} would ${would}, and run ${runId} has no answer to that`,
    hint: 'the record of the replay ends there; `waybill runs diff` compares it with the recorded run',
  })
}
