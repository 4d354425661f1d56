import type { CodeEntries } from './code-entry.ts'

export const PERSONAL_DATA_CODES = {
  PII_REJECTED: {
    meaning:
      'The input, an answer, a declared memory item, or the arguments or answer of a tool contain personal data, and `pii_handling` is `reject`.',
    remedy: 'Remove the personal data, or let the agent anonymize or encrypt it.',
  },
  PII_DETECTED: {
    meaning: 'Personal data was found and left unchanged; the message gives its kind, count and place.',
    remedy: 'Set `compliance.pii_handling` if the data must not stay.',
    severity: 'warning',
  },
  PII_ANONYMIZED: {
    meaning: 'Placeholders replace personal data in this run.',
    remedy: '`waybill pii reveal RUN` shows the original values.',
    severity: 'warning',
  },
  PII_ENCRYPTED: {
    meaning: 'Personal data in this run is encrypted.',
    remedy: '`waybill pii reveal RUN` shows it to owners of the key.',
    severity: 'warning',
  },
  PII_WITHHELD: {
    meaning: 'Personal data was removed, because `pii_handling` is `reject`.',
    remedy: 'The message gives the place.',
    severity: 'warning',
  },
  PII_VALUES_UNREADABLE: {
    meaning:
      'The original values of the placeholders in a run cannot be read: the key is missing or different, or the file was changed.',
    remedy: 'Restore the key; the run cannot resume without it.',
  },
} satisfies CodeEntries
