import type { CodeEntries } from './code-entry.ts'

export const RECEIPT_CODES = {
  RECEIPT_UNREADABLE: {
    meaning: 'A line of a file of receipts is neither a receipt nor a closing line.',
    remedy: 'Give a file that `waybill receipts export` wrote. A file of a later version needs that version.',
  },
  RECEIPT_CHANGED: {
    meaning: 'A receipt was changed after its host signed it.',
    remedy: 'Request the receipts again from that host, and find out who changed the file.',
  },
  RECEIPT_SIGNER: {
    meaning:
      'A receipt is signed with a key that is not trusted, that may not sign for this host, or with another key than its segment.',
    remedy:
      'Trust the key of the host (`waybill keys trust`), or give its key set with `--keys`. Otherwise find out who signed the line.',
  },
  RECEIPT_MISSING: {
    meaning: 'Receipts are missing: the file was truncated, or lines were removed.',
    remedy: 'Request the receipts again from the last host of the run.',
  },
  RECEIPT_MISPLACED: {
    meaning: 'A receipt does not follow the line before it: lines were moved, repeated or inserted.',
    remedy: 'Request the receipts again from the last host of the run.',
  },
  RECEIPT_SEGMENT_MISSING: {
    meaning: 'The receipts of an earlier host of the run, or of a sub-agent, are not in the file.',
    remedy:
      'Request the receipts again. A state of another platform, of an older version, or captured without a key carries none: then ask each host for its own.',
  },
  RECEIPT_UNCONNECTED: {
    meaning: 'Receipts in the file do not belong to its run, or do not match those that continue them.',
    remedy: 'Request the receipts again from the last host of the run, and find out who changed the file.',
  },
  RECEIPT_INCOMPLETE: {
    meaning: 'The run was moved to another host, whose receipts are not in the file.',
    remedy: 'Export the receipts on that host: they begin with those of the hosts before.',
  },
  RECEIPT_SENT_AGAIN: {
    meaning: 'A write was sent again without the decision of a person.',
    remedy:
      'Ask the owner of the tool whether it took effect twice. The message names the hosts that have sent it.',
  },
} satisfies CodeEntries
