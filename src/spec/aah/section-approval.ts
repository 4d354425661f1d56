import { WaybillError } from '../../document/issue.ts'
import type { Section } from './generated/artifact-envelope.ts'

type ApprovalStatus = NonNullable<Section['status']>

/** How far the approval of a section is; one that says nothing is a draft (§2.5.3). */
export function approvalOf({ status = 'draft' }: Section): ApprovalStatus {
  return status
}

/**
 * A section whose approval is asked for, with who asks, since when, and what is to be looked at (§2.5.3).
 * An earlier decision is no longer one about this content, and goes.
 * @param at ISO 8601.
 * @throws APPROVAL_MOVE_REFUSED unless the section is a draft or was sent back.
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
 * A section that was approved or sent back, with who decided, when and why (§2.5.3).
 * @param by `human`, or an id; never the agent that asked.
 * @param at ISO 8601.
 * @throws APPROVAL_MOVE_REFUSED unless approval was asked for; APPROVAL_BY_REQUESTER
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
      message: 'who asked for approval cannot give it',
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
    message: `a section cannot go from ${status} to ${to}`,
    hint: `to ${to} it goes from ${from.join(' or ')}`,
  })
}
