import type { CodeEntries } from './code-entry.ts'

export const TASK_CODES = {
  IAP_VERSION_UNSUPPORTED: {
    meaning: 'The IAP version is not supported.',
    remedy: 'Write a version that the hint names.',
  },
  STRICT_RECEIVERS_ASK_MORE: {
    meaning: 'The task lacks members that strict receivers require.',
    remedy: 'Add them.',
    severity: 'warning',
  },
  INTENT_BLANK: {
    meaning: 'The intent is blank.',
    remedy: 'Describe the work in one line.',
  },
  INTENT_NOT_ONE_LINE: {
    meaning: 'The intent has more than one line.',
    remedy: 'Move the rest to `task.details`.',
    severity: 'warning',
  },
  DURATION_UNREADABLE: {
    meaning: 'A time limit is not a valid duration.',
    remedy: 'Write it like `30m` or `PT30M`.',
  },
  DURATION_UNUSUAL: {
    meaning: 'A time limit has several units or decimals, which not all receivers read.',
    remedy: 'Write one whole number with its unit, as the hint shows.',
    severity: 'warning',
  },
  TOOL_ALLOWED_AND_DENIED: {
    meaning: 'A tool is in both the allow list and the deny list, so it is not used.',
    remedy: 'Remove it from one of the lists.',
    severity: 'warning',
  },
  OUTPUT_SCHEMA_UNUSED: {
    meaning: 'A schema is given for output that is not JSON.',
    remedy: 'Write `format: json` if the output is JSON.',
  },
  OUTPUT_SCHEMA_UNREADABLE: {
    meaning: 'The output schema cannot be used to check a value.',
    remedy: 'Write a JSON Schema, or a sketch as the hint shows.',
  },
  ASYNC_WITHOUT_WEBHOOK: {
    meaning: 'The result can only be polled, which strict receivers reject.',
    remedy: 'Add `webhook`.',
  },
  CRITERION_MET_AND_UNMET: {
    meaning: 'A result reports the same criterion as met and as not met.',
    remedy: 'List the criterion once.',
    severity: 'warning',
  },
} satisfies CodeEntries
