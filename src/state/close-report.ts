import type { Json } from '../document/json.ts'
import type { AgentState } from '../spec/aaif/generated/state.ts'
import type { Fidelity } from './fidelity.ts'
import { OUTLINE_MEMBER } from './sent-outline.ts'
import { WAYBILL_MEMBER, type WaybillMember } from './waybill-member.ts'

/** Members that name the state, its run and its agent, which the new run refers to. */
const NAMING: ReadonlySet<string> = new Set([
  'sc_standard',
  'sc_version',
  'state_id',
  'agent_id',
  'run_id',
  'agent_version',
  'checkpoint_at',
  'provenance',
  'x-sc-schema',
])

/** What `x-waybill` has in the form of the record, besides the member that the format has for it. */
const CARRIED: ReadonlySet<string> = new Set([
  'pipeline_position',
  'pending_tool_calls',
  'subagent_states',
  'approval_request',
])

/**
 * Gives every member of a state that no step of the restore has spoken of an entry: what no step has taken is left behind.
 * @param member what Waybill has added to its own state, if the restore has used it
 */
export function closeReport(document: AgentState, member: WaybillMember | undefined, report: Fidelity): void {
  // The same state has the same report, as a document and as a stream.
  const members = Object.entries(document).sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [name, value] of members) {
    // The outline stands for the conversation in a dry run.
    if (report.speaksOf(name) || name === OUTLINE_MEMBER) continue
    if (NAMING.has(name) || isEmpty(value)) report.kept(name)
    // With its further members, which the moves read themselves.
    else if (name.startsWith(WAYBILL_MEMBER) && (name !== WAYBILL_MEMBER || member !== undefined))
      report.carried(name)
    else if (member !== undefined && CARRIED.has(name)) report.carried(name)
    else report.leftBehind(name, whyLost(name))
  }
}

function isEmpty(value: Json): boolean {
  return value !== null && typeof value === 'object' && Object.keys(value).length === 0
}

function whyLost(name: string): string {
  if (name === '_comment') return 'a note to people'
  if (name.startsWith('x-')) return 'an extension of another platform, which has no meaning here'
  if (name === 'error') return 'an error of the captured run, which continues here'
  if (name === 'approval_request') return 'it names no call that a person could decide'
  return 'this platform has no use for it'
}
