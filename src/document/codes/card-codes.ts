import type { CodeEntries } from './code-entry.ts'

export const CARD_CODES = {
  CARD_NOT_OBJECT: {
    meaning: 'The document is neither an object nor a string that contains one.',
    remedy: 'Write the object itself.',
  },
  CARD_NOT_JSON: {
    meaning: 'The card is in another encoding than JSON.',
    remedy: 'Run `waybill transcode FILE --to json`.',
  },
  NULL_AS_ABSENT: {
    meaning: 'A member is null, which readers treat as absent.',
    remedy: 'Remove the member.',
    severity: 'warning',
  },
  ULID_OVERFLOW: {
    meaning: 'The id looks like a ULID but is larger than the largest ULID.',
    remedy: 'Keep it only if other systems already use it.',
    severity: 'warning',
  },
  AGENT_ID_TIME: {
    meaning: 'The time given for a new id is out of range.',
    remedy: 'Pass Unix time in whole milliseconds.',
  },
  NAME_TELLS_NOTHING: {
    meaning: 'The name does not describe what the agent is for.',
    remedy: 'Name its role.',
    severity: 'info',
  },
  CAPABILITY_REPEATED: {
    meaning: 'Two capabilities have the same id.',
    remedy: 'Give each capability its own id.',
    severity: 'warning',
  },
  CAPABILITY_NAME_TAKEN: {
    meaning: 'Two capabilities would be offered to a model under the same name.',
    remedy: 'Give each capability its own id.',
  },
  NAMESPACE_UNUSUAL: {
    meaning: 'The id of a capability is not in a well-known namespace.',
    remedy: 'Begin it as the hint says.',
    severity: 'info',
  },
  DESCRIPTION_MISSING: {
    meaning: 'A capability has no description.',
    remedy: 'Describe what it does, its input and its output.',
    severity: 'warning',
  },
  LONG_FOR_OTHERS: {
    meaning: 'The value is longer than other readers accept.',
    remedy: 'Shorten it.',
    severity: 'warning',
  },
  TAG_REPEATED: {
    meaning: 'A tag is repeated.',
    remedy: 'Keep one of them.',
    severity: 'warning',
  },
  SCHEMA_NOT_OBJECT: {
    meaning: 'The schema of a capability does not describe an object, which function calling needs.',
    remedy: 'Put the value into a property of an object.',
    severity: 'warning',
  },
  URL_INVALID: {
    meaning: 'The URL of the endpoint is not valid.',
    remedy: 'Follow the hint.',
  },
  PROTOCOL_URL_MISMATCH: {
    meaning: 'The protocol and the URL of the endpoint do not match.',
    remedy: 'Change one of the two.',
  },
  BELOW_LANDAUER_FLOOR: {
    meaning: 'The energy of a call is below the physical minimum.',
    remedy: 'Write 0, or a real estimate.',
  },
  COST_AT_FLOOR: {
    meaning: 'The energy of a call is the physical minimum, so it is not an estimate.',
    remedy: 'Estimate it, or remove it.',
    severity: 'info',
  },
  METADATA_KEY_RESERVED: {
    meaning: 'The key is in a reserved namespace but is not defined there.',
    remedy: 'Use another name.',
    severity: 'warning',
  },
  PERSONAL_DATA: {
    meaning: 'A value looks like personal data, and cards are public.',
    remedy: 'Remove the value.',
    severity: 'warning',
  },
} satisfies CodeEntries
