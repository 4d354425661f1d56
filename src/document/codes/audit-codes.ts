import type { CodeEntries } from './code-entry.ts'

export const AUDIT_CODES = {
  AUDIT_DAMAGED: {
    status: 500,
    meaning:
      'The end of the audit log does not match its head, so the log accepts no entries, and actions that need an entry are refused.',
    remedy:
      '`waybill audit verify` gives the position. Keep the file as evidence, move it away, and begin a new log.',
  },
  AUDIT_KEY_WRONG: {
    meaning:
      'The key of the home is missing, revoked, or not the key that signed the audit log. The log accepts no entries, and actions that need an entry are refused.',
    remedy:
      'Restore the key files of the log (`keys/audit*.key` and `keys/audit*.pub`) from a backup. If the key is lost or revoked, export the log as evidence and begin a new home. To exchange a key, use `waybill audit rotate` while the home still has it.',
  },
  AUDIT_NOT_FOUND: {
    meaning: 'There is no audit log.',
    remedy: 'The first run of an agent whose `compliance.audit_log` is true creates one.',
  },
  AUDIT_CHANGED: {
    meaning: 'An entry of the audit log was changed after it was written.',
    remedy: 'Find out who changed the log.',
  },
  AUDIT_EVENT_CHANGED: {
    meaning: 'An event of a run differs from the one that the audit log attests.',
    remedy: 'Find out who changed the record; keep both as evidence.',
  },
  AUDIT_MISSING: {
    meaning: 'Entries are missing from the audit log.',
    remedy: 'Find out who removed them.',
  },
  AUDIT_GAP: {
    meaning: 'The numbers of the entries of the audit log are not continuous.',
    remedy: 'Find out who removed the missing entries.',
  },
  AUDIT_MISPLACED: {
    meaning: 'An entry of the audit log does not follow the entry before it.',
    remedy: 'Find out who moved, repeated or inserted entries.',
  },
  AUDIT_SIGNATURE: {
    meaning:
      'An entry of the audit log is not signed with a trusted key, or with another key than the log, without an entry that announces it.',
    remedy:
      'Trust the keys of the home that wrote it (`waybill keys trust`), or find out who rewrote the log.',
  },
  AUDIT_TRUNCATED: {
    meaning: 'The audit log ends before its last entry.',
    remedy: 'Find out who truncated it.',
  },
  AUDIT_HEAD: {
    meaning: 'The head of the audit log is missing, changed or older than the log.',
    remedy: 'Find out who replaced it.',
  },
  AUDIT_UNREADABLE: {
    meaning: 'A line of the audit log is not a valid entry.',
    remedy: 'Find out who changed the log.',
  },
} satisfies CodeEntries
