import type { CodeEntries } from './code-entry.ts'

export const PLAN_CODES = {
  PLAN_CHANGED: {
    meaning:
      'The run is not the one that was reviewed: its plan differs from the file of `--plan`. The error lists every difference in `changes`.',
    remedy:
      'Start the run with the options of the review, or review the differences and write a new file with `waybill plan --out`.',
  },
  PLAN_FILE_INVALID: {
    meaning:
      'The file of `--plan` is not a plan that `waybill plan --out` wrote, has another format version, is damaged, or was changed.',
    remedy: 'Write it again with `waybill plan --out`.',
  },
  PLAN_FILE_UNREADABLE: {
    meaning: 'The file of `--plan` cannot be read.',
    remedy: 'Check the path.',
  },
  AGENT_DEPRECATED: {
    meaning: 'The status of the definition is `deprecated`.',
    remedy: 'Use its successor, or add `--allow-deprecated`.',
  },
  CAPABILITY_UNMET: {
    meaning:
      'A required capability is not available here, or not on the platform of `waybill negotiate`. Below the level `strict` it is a warning.',
    remedy: 'Rehearse the agent, or run it on a platform that supports the capability.',
    severity: 'varies',
  },
  PUBLISHED_EXPIRED: {
    meaning: 'A manifest or conformance report has expired, and a newer one could not be fetched.',
    remedy: 'Fetch it again, or allow its host with `--allow-host`.',
    severity: 'warning',
  },
  PUBLISHED_UNREACHABLE: {
    meaning: 'A manifest or conformance report could not be fetched.',
    remedy: 'Check the URL, allow its host, or name a file.',
  },
  FEATURE_UNMET: {
    meaning:
      'The definition requires a feature that is not supported here, and running without it would break a promise of the definition or its safety level.',
    remedy: 'Rehearse the agent, or run it where the feature is supported; the plan lists the features.',
  },
  TOOL_PARAMETERS_DIFFER: {
    meaning:
      'A function that declares its arguments (`tool()` of the library) accepts no call that `parameters_schema` of its tool describes; the message lists the differences. Smaller differences are warnings (`DEGRADED`).',
    remedy: 'Write the same schema in the definition and in the function.',
  },
  TOOL_NOT_AS_PINNED: {
    meaning:
      'A tool server describes a tool differently from its pinned description, and the safety level requires every tool.',
    remedy: 'Review `waybill tools diff FILE`; accept it with `waybill tools pin FILE`.',
  },
  PII_KEY_MISSING: {
    meaning:
      'Personal data is to be encrypted, or its placeholders sealed with your key, but no key is configured or set. It is a warning when a run continues without the key.',
    remedy:
      'Name a variable with `pii: { key_env: NAME }` and set it; see [personal data](guides/personal-data.md).',
    severity: 'varies',
  },
  PII_KEY_INVALID: {
    meaning: 'The variable does not contain a key of 32 bytes.',
    remedy: 'Set it to the output of `openssl rand -base64 32`.',
  },
} satisfies CodeEntries
