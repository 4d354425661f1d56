import type { CodeEntries } from './code-entry.ts'

export const SCHEMA_CODES = {
  REQUIRED_MISSING: {
    meaning: 'A required member is missing.',
    remedy: 'Add it; the hint says what it is for.',
  },
  UNKNOWN_MEMBER: {
    meaning: 'The format does not define this member.',
    remedy: 'Use the spelling that the hint suggests; extensions begin with `x-` and belong at the root.',
  },
  WRONG_TYPE: {
    meaning: 'A value has the wrong type.',
    remedy: 'Use the type that the message names.',
  },
  NOT_IN_ENUM: {
    meaning: 'A value is not one of the allowed values.',
    remedy: 'Use a value of the list, in exactly its spelling.',
  },
  PATTERN_MISMATCH: {
    meaning: 'A string does not have the required form.',
    remedy: 'Follow the hint.',
  },
  OUT_OF_RANGE: {
    meaning: 'A number is too small or too large.',
    remedy: 'Use a number within the bounds.',
  },
  TOO_SHORT: {
    meaning: 'A string is empty but must not be.',
    remedy: 'Write a text.',
  },
  TOO_LONG: {
    meaning: 'A string has too many characters.',
    remedy: 'Shorten it.',
  },
  TOO_FEW_ITEMS: {
    meaning: 'A list has too few items.',
    remedy: 'Add the missing items.',
  },
  TOO_MANY_ITEMS: {
    meaning: 'A list has too many items.',
    remedy: 'Remove the extra items.',
  },
  DUPLICATE_ITEMS: {
    meaning: 'Two items of a list are equal but must differ.',
    remedy: 'Keep one of them.',
  },
  SCHEMA_MISMATCH: {
    meaning: 'The schema rejects the value for a reason that has no separate code.',
    remedy: 'Follow the message.',
  },
} satisfies CodeEntries
