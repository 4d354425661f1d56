import type { CodeEntries } from './code-entry.ts'

export const APPROVAL_CODES = {
  APPROVAL_NOT_FOUND: {
    status: 404,
    meaning: 'No such call awaits a decision.',
    remedy: '`waybill approvals list` shows the waiting calls.',
  },
  APPROVAL_AMBIGUOUS: {
    status: 409,
    meaning: 'More than one call of the run waits.',
    remedy: 'Name the call after the run.',
  },
  APPROVAL_DECIDED: {
    status: 409,
    meaning: 'The call has already been decided.',
    remedy: '`waybill resume` applies the decision.',
  },
  APPROVAL_VERDICT_INVALID: {
    status: 422,
    meaning:
      'The verdict does not match the question: an approval, an answer to a tool server, or the outcome of a call whose outcome is unknown.',
    remedy: 'Use a verdict that the hint names.',
  },
  ARGUMENTS_REFUSED: {
    status: 422,
    meaning:
      'The arguments that a person gives to a waiting call do not match the schema of the tool, break a rule of the agent, or hold a secret or personal data.',
    remedy: 'Correct the arguments: the question stays open.',
  },
  ANSWER_REFUSED: {
    status: 422,
    meaning:
      'The answer of a person to the question of a tool server does not match its form, answers another question, or holds a secret or personal data.',
    remedy: 'Correct the answer: the question stays open.',
  },
  APPROVAL_CHANGED: {
    status: 409,
    meaning: 'The decision names the digest of another question than the one that is open.',
    remedy: 'Read the question again, and decide about what it asks now.',
  },
  PERSON_REQUIRED: {
    status: 403,
    meaning: 'A service account has tried to decide what a person must decide.',
    remedy: 'Decide with a token or session of a person who has the role approver.',
  },
  APPROVAL_MOVED_ON: {
    status: 409,
    meaning: 'The run continued each time that the decision was about to be stored.',
    remedy: '`waybill approvals list` shows what the run asks now; try again.',
  },
  CALL_RULE_OTHER_CALL: {
    status: 422,
    meaning: 'A rule that was given with a decision does not cover the call that is approved.',
    remedy: 'Write a rule that covers this call, or decide without a rule.',
  },
  RULE_HELD_BY_POLICY: {
    status: 409,
    meaning:
      'A standing rule would not decide: the approval policy of the call needs several people, or its maker may not decide.',
    remedy: 'Decide each call, or let an admin change the approval policy.',
  },
  APPROVAL_VOTED_OTHERWISE: {
    status: 409,
    meaning:
      'The votes that a question has are for edited arguments, and the approval does not say for which it is.',
    remedy: 'Read the votes, and name the digest of the arguments that you approve.',
  },
  RULE_LIMIT: {
    status: 409,
    meaning: 'The organisation has as many standing rules in force as it may have.',
    remedy: 'Revoke some, or make one rule with patterns in place of several.',
  },
  GRANT_UNUSED: {
    meaning: 'The definition does not need the host or secret, so the grant would have no effect.',
    remedy: 'Give the grant when a tool needs it, or give it to every agent.',
  },
} satisfies CodeEntries
