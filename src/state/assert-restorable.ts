import { WaybillError } from '../document/issue.ts'
import type { Plan } from '../plan/plan.ts'
import type { AgentState } from '../spec/aaif/generated/state.ts'
import { isKnownVersion } from '../spec/aaif/rules/unusual-values.ts'
import { SC_VERSION } from '../spec/aaif/vocabulary.ts'
import type { Fidelity } from './fidelity.ts'

/** @throws STATE_NOT_RESUMABLE if the run has ended */
export function assertResumable({ status, error }: AgentState): void {
  if (status !== 'completed' && status !== 'failed') return
  const why = error?.message === undefined ? '' : `: ${error.code ?? 'error'} ${error.message}`
  throw new WaybillError('STATE_NOT_RESUMABLE', {
    at: '/status',
    message: `the run of this state has ${status}, so there is nothing to continue${why}`,
    hint: 'restore an earlier state of the run, or start a new run',
    rule: 'AAIF-8.2-06',
  })
}

/** @throws STATE_OTHER_AGENT */
export function assertAgent({ agent_id }: AgentState, plan: Plan): void {
  if (agent_id === plan.agent_id) return
  throw new WaybillError('STATE_OTHER_AGENT', {
    at: '/agent_id',
    message: `the state is of agent ${agent_id}, and the definition is of agent ${plan.agent_id} (${plan.agent_name})`,
    hint: 'name the definition of the captured agent with --agent',
    rule: 'AAIF-8.2-04',
  })
}

/**
 * Another version of the agent may have other tools, limits and texts, and a later one of the format other meanings: both
 * are reported before anything continues.
 */
export function reportVersion(
  { agent_version, sc_version = SC_VERSION }: AgentState,
  plan: Plan,
  report: Fidelity,
): void {
  if (!isKnownVersion(sc_version))
    report.approximated('sc_version', `${sc_version} is not known here: the state is read as ${SC_VERSION}`)
  if (agent_version === plan.agent_version) return
  const [before, now] = [agent_version ?? 'none', plan.agent_version ?? 'none']
  report.approximated(
    'agent_version',
    `captured with version ${before}, continued with ${now}${meaning(before, now)}`,
  )
}

function meaning(before: string, now: string): string {
  const [a, b] = [before, now].map((version) => /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number))
  if (a === undefined || b === undefined) return ''
  if (a[0] !== b[0]) return ': another major version, which may behave differently'
  return a[1] === b[1] ? ': corrections only' : ': a compatible change of behaviour'
}
