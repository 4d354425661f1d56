import type { CodeEntries } from './code-entry.ts'

export const APPROVAL_CODES = {
  APPROVAL_NOT_FOUND: {
    meaning: 'No such call awaits a decision.',
    remedy: '`waybill approvals list` shows the waiting calls.',
  },
  APPROVAL_AMBIGUOUS: {
    meaning: 'More than one call of the run waits.',
    remedy: 'Name the call after the run.',
  },
  APPROVAL_DECIDED: {
    meaning: 'The call has already been decided.',
    remedy: '`waybill resume` applies the decision.',
  },
  APPROVAL_VERDICT_INVALID: {
    meaning:
      'The verdict does not match the question: an approval, or the outcome of a call whose outcome is unknown.',
    remedy: 'Use a verdict that the hint names.',
  },
  APPROVAL_MOVED_ON: {
    meaning: 'The run continued each time that the decision was about to be stored.',
    remedy: '`waybill approvals list` shows what the run asks now; try again.',
  },
  GRANT_UNUSED: {
    meaning: 'The definition does not need the host or secret, so the grant would have no effect.',
    remedy: 'Give the grant when a tool needs it, or give it to every agent.',
  },
} satisfies CodeEntries
