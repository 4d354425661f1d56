import { WaybillError } from '../../document/issue.ts'
import type { Section } from './generated/artifact-envelope.ts'

type ApprovalStatus = NonNullable<Section['status']>

/** Returns the approval status of a section; the default is draft (§2.5.3). */
export function approvalOf({ status = 'draft' }: Section): ApprovalStatus {
  return status
}

/**
 * Returns the section with a request for approval: the requesting agent, the time and what to review (§2.5.3). Removes
 * an earlier decision, which was about other content.
 * @param at ISO 8601.
 * @throws APPROVAL_MOVE_REFUSED unless the status is draft or needs_changes.
 */
export function requestApproval(section: Section, by: string, note: string, at: string): Section {
  const { decided_at: _at, decided_by: _by, decision_note: _note, ...rest } = section
  assertMove(section, 'needs_approval', ['draft', 'needs_changes'])
  return {
    ...(rest as Section),
    status: 'needs_approval',
    approval_requested_at: at,
    approval_requested_by: by,
    approval_note: note,
  }
}

/**
 * Returns the section with the decision: approved or needs_changes, the approver, the time and the reason (§2.5.3).
 * @param by `human`, or an agent id other than that of the requesting agent.
 * @param at ISO 8601.
 * @throws APPROVAL_MOVE_REFUSED unless the status is needs_approval; APPROVAL_BY_REQUESTER
 */
export function decideApproval(
  section: Section,
  decision: 'approved' | 'needs_changes',
  by: string,
  note: string,
  at: string,
): Section {
  assertMove(section, decision, ['needs_approval'])
  if (by === section.approval_requested_by) {
    throw new WaybillError('APPROVAL_BY_REQUESTER', {
      rule: 'AAH-2.5.3-05',
      message: 'the agent that requested the approval cannot give it',
      hint: 'let a person decide',
    })
  }
  return { ...section, status: decision, decided_at: at, decided_by: by, decision_note: note }
}

function assertMove(section: Section, to: ApprovalStatus, from: readonly ApprovalStatus[]): void {
  const status = approvalOf(section)
  if (from.includes(status)) return
  throw new WaybillError('APPROVAL_MOVE_REFUSED', {
    rule: 'AAH-2.5.3-03',
    message: `the approval status cannot change from ${status} to ${to}`,
    hint: `a change to ${to} needs the status ${from.join(' or ')}`,
  })
}
